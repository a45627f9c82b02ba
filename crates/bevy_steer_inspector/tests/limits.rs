//! The rows about limits of the selected agent.

use bevy::prelude::*;
use bevy_steer::{SteeringTrace, Velocity, prelude::*};

use crate::common::{Panel, app};

#[test]
fn limits_are_listed_with_their_sources_and_what_they_took() {
    let mut app = app();
    let world = app.world_mut();
    world.spawn((Name::new("Rock"), Obstacle::sphere(2.0), Transform::from_xyz(6.0, 0.0, 0.0)));
    // It wishes nothing itself: the agent runs at the rock and is stopped, without a margin.
    let avoid = AvoidObstacles::default().with_weight(0.0).with_margin(0.0);
    let east = world.spawn((Transform::default(), Velocity(Vec3::X * 5.0))).id();
    let agent = world.spawn((Vehicle::default(), MatchVelocity::new(east), avoid)).id();
    let mut panel = Panel::about(app, agent);
    panel.frame();
    assert!(panel.has("no limit") && panel.has("limits: 0.00"));
    panel.ticks(150);
    panel.frame();
    assert!(!panel.has("no limit") && !panel.has("limits: 0.00"));
    for label in ["AvoidObstacles", "Rock", "hard", "limits"] {
        assert!(panel.has(label), "{label}");
    }
    let trace = panel.get::<SteeringTrace>(agent).unwrap();
    let taken = trace.limits().next().unwrap().taken.length();
    assert!(taken > 0.0 && panel.has(&format!("{taken:.2} units/s")), "{taken}");
    panel.world().get_mut::<AvoidObstacles>(agent).unwrap().set_enabled(false);
    panel.ticks(1);
    panel.frame();
    assert!(panel.has("no limit"));
}
