//! All integration tests of `bevy_steer_navigation`. One program, as each one links all of Bevy.

mod changes;
mod errands;
mod examples;
mod failures;
mod floors;
mod flow;
mod flow_files;
mod maze;
mod order;
mod saving;
mod threads;
mod turns;

use bevy::prelude::*;
use bevy_steer::{PathFollow, prelude::*};
use bevy_steer_navigation::{
    NavigateTo, NavigationFailed, NavigationFailure, NavigationFinished, NavigationPlugin,
    NavigationStatus,
};
use bevy_steer_tests::Sim;

/// What has been said of agents.
#[derive(Resource, Default)]
struct Said {
    finished: Vec<Entity>,
    failed: Vec<(Entity, NavigationFailure)>,
}

/// A world with navigation, in this plane, with 64 ticks a second.
fn navigating(plane: SteeringPlane, plugin: NavigationPlugin) -> Sim {
    let mut sim = Sim::in_plane(plane);
    sim.app.add_plugins(plugin).init_resource::<Said>();
    sim.app.add_observer(|done: On<NavigationFinished>, mut said: ResMut<Said>| {
        said.finished.push(done.entity);
    });
    sim.app.add_observer(|failed: On<NavigationFailed>, mut said: ResMut<Said>| {
        said.failed.push((failed.entity, failed.reason));
    });
    sim
}

/// A world with navigation, in the `Xy` plane.
fn flat_world() -> Sim {
    navigating(SteeringPlane::Xy, NavigationPlugin::default())
}

fn said(sim: &Sim) -> &Said {
    sim.app.world().resource::<Said>()
}

fn status(sim: &Sim, agent: Entity) -> NavigationStatus {
    sim.get::<NavigateTo>(agent).status()
}

/// The points of an agent's path.
fn points(sim: &Sim, agent: Entity) -> Vec<Vec3> {
    sim.get::<PathFollow>(agent).path.points().to_vec()
}
