//! Worlds with steering and Avian.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_avian::{dim2, dim3};
pub(crate) use bevy_steer_tests::body_sim::{BodySim as Sim, at, vehicle};

/// Two dimensions without gravity, at 64 steps a second.
pub(crate) fn two() -> Sim {
    two_at(64.0)
}

pub(crate) fn two_at(hz: f64) -> Sim {
    Sim::new(hz, |app| {
        app.add_plugins((
            SteeringPlugin::default(),
            avian2d::PhysicsPlugins::default(),
            dim2::AvianSteeringPlugin::default(),
        ))
        .insert_resource(avian2d::prelude::Gravity(Vec2::ZERO));
    })
}

/// Three dimensions with gravity, at 64 steps a second.
pub(crate) fn three(plane: SteeringPlane) -> Sim {
    Sim::new(64.0, |app| {
        app.add_plugins((
            SteeringPlugin::default().with_plane(plane),
            avian3d::PhysicsPlugins::default(),
            dim3::AvianSteeringPlugin::default(),
        ));
    })
}
