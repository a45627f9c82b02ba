//! A classic: a wanderer among circles that drift and bounce.

use super::parts::*;
use crate::hunter_prey::bounce_obstacles;

pub(super) const SCENE: Scene = Scene {
    name: "drifting-circles",
    title: "Drifting circles",
    caption: "Circles drift and bounce. The beetle wanders among them, moves straight ahead or \
              stops, and avoids them. (Wander, AvoidObstacles, Cruise, Stop)",
    group: Group::Classics,
    spawn,
    explain: |gizmos| {
        (gizmos.force, gizmos.wander, gizmos.feelers) = (FORCE, Paint::Own, Paint::Own);
    },
    switches: &[
        Switch::of::<AvoidObstacles>("avoid obstacles"),
        Switch::of::<Wander>("wander"),
        Switch::of::<Cruise>("cruise"),
        Switch::of::<Stop>("stop"),
    ],
    controls: Some(controls),
    tick: Some(|world| run(world, bounce_obstacles)),
    ..Scene::DEFAULT
};

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Bounce);
    let circles = [
        (-330.0, 150.0, 55.0),
        (-120.0, -180.0, 42.0),
        (90.0, 170.0, 66.0),
        (240.0, -120.0, 48.0),
        (400.0, 120.0, 38.0),
    ];
    for (i, (x, y, radius)) in circles.into_iter().enumerate() {
        let half = ARENA - radius;
        let circle = (
            Obstacle::sphere(radius),
            // Nothing steers it.
            Vehicle::new(90.0).with_max_force(0.0).with_radius(radius),
            varied_velocity(i * 2 + 1, 40.0 + 8.0 * i as f32),
            Bounds::rect(-half, half, BoundsEdge::Bounce),
            SteeringLayers::NONE,
            KeepRotation,
        );
        put(world, (circle, at(x, y)));
    }
    let wanderer = (
        body(120.0).with_radius(14.0),
        Wander::default(),
        AvoidObstacles::default(),
        (Cruise::new(0.8).disabled(), Stop::default().disabled()),
        Look::new(Silhouette::Beetle, palette::YELLOW),
        Trail::line(5.0),
        varied_velocity(0, 80.0),
        at(-60.0, 0.0),
    );
    put(world, wanderer);
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<AvoidObstacles, ()>(world, ui, "look_ahead", 0.1..=4.0, |a| &mut a.look_ahead);
    slider::<Wander, ()>(world, ui, "rate", 0.0..=10.0, |w| &mut w.rate);
    slider::<Vehicle, With<Wander>>(world, ui, "max_speed", 20.0..=300.0, |v| &mut v.max_speed);
}
