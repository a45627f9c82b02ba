//! Avoid obstacles: agents cross a field of obstacles.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "avoid-obstacles",
    title: "AvoidObstacles",
    caption: "Agents go back and forth around discs, boxes, capsules and a moving obstacle.",
    group: Group::Avoidance,
    spawn,
    explain: |gizmos| {
        gizmos.feelers = Paint::Own;
        explain_limits(gizmos);
    },
    switches: &[Switch::of::<AvoidObstacles>("avoid obstacles")],
    controls: Some(controls),
    ..Scene::DEFAULT
};

/// Where agents turn, so far from the edges that what is ahead of them is in view.
const END: f32 = 345.0;

fn spawn(world: &mut World) {
    let discs = [
        (-180.0, 170.0, 42.0),
        (-250.0, -40.0, 34.0),
        (-90.0, 30.0, 50.0),
        (-160.0, -200.0, 46.0),
        (30.0, 195.0, 36.0),
        (240.0, 95.0, 44.0),
        (200.0, -210.0, 34.0),
    ];
    for (x, y, radius) in discs {
        put(world, (Obstacle::sphere(radius), at(x, y)));
    }
    let turned = |x: f32, y: f32, angle: f32| at(x, y).with_rotation(Quat::from_rotation_z(angle));
    put(world, (Obstacle::rect(Vec2::new(110.0, 60.0)), turned(60.0, -130.0, 0.5)));
    put(world, (Obstacle::capsule(22.0, 90.0), turned(270.0, -60.0, 0.9)));
    let half = Vec2::new(2.0, 230.0);
    let moving = (
        Obstacle::sphere(30.0),
        Vehicle::new(60.0).with_max_force(0.0).with_radius(30.0),
        Velocity(Vec3::Y * 55.0),
        Bounds::rect(
            Vec2::new(130.0, 0.0) - half,
            Vec2::new(130.0, 0.0) + half,
            BoundsEdge::Bounce,
        ),
        SteeringLayers::NONE,
        KeepRotation,
    );
    put(world, (moving, at(130.0, -20.0)));
    for i in 0..8 {
        let y = 245.0 - 70.0 * i as f32;
        let side = if i % 2 == 0 { -1.0 } else { 1.0 };
        let path = [Vec2::new(-side * END, y), Vec2::new(side * END, y)];
        let color = if i % 2 == 0 { palette::SKY } else { palette::ORANGE };
        let walker = (
            body(130.0),
            PathFollow::new(Path::new(path)).by_waypoints(25.0).with_end(PathEnd::PingPong),
            AvoidObstacles::default().with_look_ahead(1.1),
            AvoidAgents::default(),
            Look::new(Silhouette::Arrow, color),
            Trail::line(2.5),
            at(side * END, y),
        );
        put(world, walker);
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<AvoidObstacles, ()>(world, ui, "look_ahead", 0.1..=4.0, |a| &mut a.look_ahead);
    slider::<AvoidObstacles, ()>(world, ui, "margin", 0.0..=4.0, |a| &mut a.margin);
    slider::<AvoidObstacles, ()>(world, ui, "brake", 0.0..=1.0, |a| &mut a.brake);
    slider::<Vehicle, With<AvoidObstacles>>(world, ui, "max_speed", 40.0..=400.0, |v| {
        &mut v.max_speed
    });
    legend_of_limits(ui);
}
