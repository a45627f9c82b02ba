//! Path follow: by waypoints, and along a corridor.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "path-follow",
    title: "PathFollow",
    caption: "Orange follows waypoints; blue keeps inside a corridor and cuts the bends. Click \
              to add a point.",
    spawn,
    explain: |gizmos| {
        (gizmos.paths, gizmos.ranges, gizmos.targets) = (Paint::Own, Paint::Own, Paint::Own);
    },
    controls: Some(controls),
    click: Some(click),
    ..Scene::DEFAULT
};

const COLORS: [Color; 2] = [palette::ORANGE, palette::SKY];

/// Marks the dot on a point of the path.
#[derive(Component)]
struct Waypoint;

fn spawn(world: &mut World) {
    let points = [
        Vec2::new(-380.0, -180.0),
        Vec2::new(-250.0, 170.0),
        Vec2::new(-60.0, -80.0),
        Vec2::new(130.0, 200.0),
        Vec2::new(370.0, 120.0),
        Vec2::new(230.0, -60.0),
        Vec2::new(380.0, -210.0),
        Vec2::new(0.0, -210.0),
    ];
    let follow = PathFollow::new(Path::new(points)).with_end(PathEnd::Loop);
    let styles = [follow.clone().by_waypoints(14.0), follow.along_corridor(28.0, 0.5)];
    for (i, (mut style, color)) in styles.into_iter().zip(COLORS).enumerate() {
        // Far enough apart to be told apart.
        style.progress.next = 3 * i;
        let start = [Vec2::new(-440.0, -240.0), Vec2::new(20.0, 40.0)][i];
        let walker = (
            body(150.0).with_max_force(450.0).with_radius(11.0),
            style,
            Look::new(Silhouette::Beetle, color),
            Trail::line(3.0),
            at(start.x, start.y),
        );
        put(world, walker);
    }
    mark_points(world, &points.map(|point| point.extend(0.0)));
}

/// Replaces the dots on the points of the path.
fn mark_points(world: &mut World, points: &[Vec3]) {
    let mut old = world.query_filtered::<Entity, With<Waypoint>>();
    let old: Vec<Entity> = old.iter(world).collect();
    old.into_iter().for_each(|entity| {
        world.despawn(entity);
    });
    for point in points {
        let place = Transform::from_translation(point.with_z(-2.0));
        put(world, (Waypoint, Look::sized(Shape::Light, palette::GREEN, 5.0), place));
    }
}

/// Gives all agents this path.
fn set_path(world: &mut World, points: &[Vec3]) {
    let path = Path::new(points.iter().copied());
    set_all::<PathFollow>(world, |follow| {
        follow.path = path.clone();
        follow.progress.finished = false;
        follow.progress.entered = false;
    });
    mark_points(world, points);
}

fn points(world: &mut World) -> Vec<Vec3> {
    let mut all = world.query::<&PathFollow>();
    all.iter(world).next().map(|follow| follow.path.points().to_vec()).unwrap_or_default()
}

fn click(world: &mut World, click: Click) {
    if click.fresh {
        let mut points = points(world);
        points.push(click.place);
        set_path(world, &points);
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    ui.label("After the last point");
    let ends = [("loop", PathEnd::Loop), ("back", PathEnd::PingPong), ("stop", PathEnd::Stop)];
    choice::<PathFollow, (), _>(world, ui, &ends, |follow| &mut follow.end);
    ui.horizontal(|ui| {
        if ui.button("remove all points").clicked() {
            set_path(world, &[]);
        }
    });
    slider::<Vehicle, ()>(world, ui, "max_speed", 40.0..=400.0, |v| &mut v.max_speed);
    slider::<Vehicle, ()>(world, ui, "max_force", 50.0..=1500.0, |v| &mut v.max_force);
    slider::<PathFollow, ()>(world, ui, "radius", 4.0..=60.0, |follow| match &mut follow.style {
        PathStyle::Waypoints { radius } | PathStyle::Corridor { radius, .. } => radius,
    });
}
