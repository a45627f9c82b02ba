//! Path follow: by waypoints, and along a corridor.

use super::{
    parts::*,
    points::{add_point, mark_points, remove_points},
};

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
    click: Some(add_point),
    ..Scene::DEFAULT
};

const COLORS: [Color; 2] = [palette::ORANGE, palette::SKY];

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

fn controls(world: &mut World, ui: &mut Ui) {
    ui.label("After the last point");
    let ends = [("loop", PathEnd::Loop), ("back", PathEnd::PingPong), ("stop", PathEnd::Stop)];
    choice::<PathFollow, (), _>(world, ui, &ends, |follow| &mut follow.end);
    remove_points(world, ui);
    slider::<Vehicle, ()>(world, ui, "max_speed", 40.0..=400.0, |v| &mut v.max_speed);
    slider::<Vehicle, ()>(world, ui, "max_force", 50.0..=1500.0, |v| &mut v.max_force);
    slider::<PathFollow, ()>(world, ui, "radius", 4.0..=60.0, |follow| match &mut follow.style {
        PathStyle::Waypoints { radius } | PathStyle::Corridor { radius, .. } => radius.number_mut(),
    });
}
