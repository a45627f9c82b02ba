//! The rotation of agents without a behaviour that turns them.

use bevy::prelude::*;
use bevy_steer::{KeepRotation, prelude::*};

use crate::common::{Sim, at};

#[test]
fn heading_follows_velocity() {
    for plane in SteeringPlane::ALL {
        let mut sim = Sim::in_plane(plane);
        let goal = plane.direction(2.0) * 100.0;
        let agent = sim.spawn((Vehicle::default(), Seek::new(goal)));
        sim.run(1.0);
        let looks = sim.get::<Transform>(agent).rotation * plane.forward();
        assert!(looks.dot(goal.normalize()) > 0.999, "{plane:?} {looks}");
    }
}

#[test]
fn the_initial_rotation_is_kept_at_rest() {
    let mut sim = Sim::new();
    let rotation = Quat::from_rotation_z(1.0);
    let agent = sim.spawn((Vehicle::default(), Transform::from_rotation(rotation)));
    sim.run(1.0);
    assert!(sim.get::<Transform>(agent).rotation.angle_between(rotation) < 1e-3);
    let heading = SteeringPlane::Xy.direction(1.0);
    assert!((sim.heading(agent) - heading).length() < 1e-6);
}

#[test]
fn keep_rotation_leaves_the_transform_alone() {
    let mut sim = Sim::new();
    let seek = Seek::new(Vec2::new(0.0, 50.0));
    let agent = sim.spawn((Vehicle::default(), seek, KeepRotation, at(0.0, 0.0)));
    sim.run(1.0);
    assert_eq!(sim.get::<Transform>(agent).rotation, Quat::IDENTITY);
    assert!(sim.heading(agent).y > 0.99);
}
