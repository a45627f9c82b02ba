//! `Face`.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, prelude::*};

use crate::common::{Sim, at};

#[test]
fn face_is_independent_of_motion() {
    let mut sim = Sim::new();
    let seek = Seek::new(Vec2::new(0.0, 1e3));
    let face = Face::new(Vec2::new(0.0, -1e3));
    let agent = sim.spawn((Vehicle::default(), seek, face, at(0.0, 0.0)));
    sim.run(2.0);
    assert!(sim.velocity(agent).y > 4.0);
    assert!(sim.heading(agent).y < -0.999, "{}", sim.heading(agent));
    let looks = sim.get::<Transform>(agent).rotation * Vec3::X;
    assert!(looks.y < -0.999);
}

#[test]
fn face_turns_to_any_direction_in_free_space() {
    let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(SteeringPlane::Free), 64.0);
    for target in [Vec3::new(3.0, 4.0, 5.0), Vec3::Y * 9.0, Vec3::NEG_Y * 9.0, Vec3::Z * 9.0] {
        let agent = sim.spawn((Vehicle::default(), Face::new(target)));
        sim.run(3.0);
        let looks = sim.get::<Transform>(agent).rotation * Vec3::NEG_Z;
        assert!(looks.dot(target.normalize()) > 0.999, "{target}: {looks}");
    }
}

#[test]
fn removing_angular_velocity_restores_heading_along_velocity() {
    let mut sim = Sim::new();
    let face = Face::new(Vec2::new(0.0, 100.0));
    let seek = Seek::new(Vec2::new(100.0, 0.0));
    let agent = sim.spawn((Vehicle::default(), seek, face));
    sim.run(0.1);
    assert!(sim.get::<SteeringForce>(agent).angular.z > 0.0);
    sim.app.world_mut().entity_mut(agent).remove::<AngularVelocity>();
    sim.run(1.0);
    assert_eq!(sim.get::<SteeringForce>(agent).angular.to_array().map(f32::to_bits), [0; 3]);
    assert!(sim.heading(agent).x > 0.999);
}
