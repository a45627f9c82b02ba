//! Worlds with steering and Rapier.

use bevy::prelude::*;
use bevy_rapier2d::prelude as r2;
use bevy_rapier3d::prelude as r3;
use bevy_steer::prelude::*;
use bevy_steer_rapier::{dim2, dim3};
pub(crate) use bevy_steer_tests::body_sim::{BodySim as Sim, at, vehicle};

/// Two dimensions without gravity, at 64 steps a second.
pub(crate) fn two() -> Sim {
    two_at(64.0)
}

pub(crate) fn two_at(hz: f64) -> Sim {
    Sim::new(hz, |app| {
        let engine = r2::RapierPhysicsPlugin::<r2::NoUserData>::default().in_fixed_schedule();
        let dt = 1.0 / hz as f32;
        app.insert_resource(r2::TimestepMode::Fixed { dt, substeps: 1 }).add_plugins((
            SteeringPlugin::default(),
            engine.with_custom_initialization(weightless()),
            dim2::RapierSteeringPlugin::default(),
        ));
    })
}

fn weightless() -> r2::RapierContextInitialization {
    let rapier_configuration =
        r2::RapierConfiguration { gravity: Vec2::ZERO, ..r2::RapierConfiguration::new(1.0) };
    r2::RapierContextInitialization::InitializeDefaultRapierContext {
        integration_parameters: default(),
        rapier_configuration,
        broad_phase_optimization_strategy: default(),
    }
}

/// Three dimensions with gravity, at 64 steps a second.
pub(crate) fn three(plane: SteeringPlane) -> Sim {
    Sim::new(64.0, |app| {
        let engine = r3::RapierPhysicsPlugin::<r3::NoUserData>::default().in_fixed_schedule();
        app.insert_resource(r3::TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 }).add_plugins((
            SteeringPlugin::default().with_plane(plane),
            engine,
            dim3::RapierSteeringPlugin::default(),
        ));
    })
}
