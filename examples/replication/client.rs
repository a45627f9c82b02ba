//! A client: it does not steer. It shows the agents where the server has seen them, and moves them
//! evenly from one such place to the next.

use std::{io, net::SocketAddr};

use bevy::{prelude::*, state::app::StatesPlugin};
use bevy_replicon::prelude::*;
use bevy_replicon_example_backend::{ExampleClient, RepliconExampleBackendPlugins};

use super::{pose::Pose, server::TICKS};
use crate::clock;

/// The way of an agent from where it is shown to where the server has seen it.
#[derive(Component, Clone, Copy, Debug)]
struct Way {
    from: Transform,
    to: Transform,
    /// Since it began, in seconds.
    passed: f32,
}

/// A client of a server, without a window.
pub(super) fn open(server: SocketAddr) -> io::Result<App> {
    let mut app = clock::headless_app(None);
    app.add_plugins((StatesPlugin, RepliconPlugins, RepliconExampleBackendPlugins))
        .replicate::<Pose>()
        .insert_resource(ExampleClient::new(server)?)
        .init_resource::<ClientReplicationStats>()
        .add_systems(Update, (begin_ways, go_on).chain());
    clock::start(&mut app);
    Ok(app)
}

/// Begins the way to each place that has come. The first one is taken as it is.
fn begin_ways(
    mut commands: Commands,
    mut agents: Query<(Entity, &Pose, Option<(&Transform, &mut Way)>), Changed<Pose>>,
) {
    for (entity, pose, way) in &mut agents {
        let to = pose.transform();
        if let Some((shown, mut way)) = way {
            *way = Way { from: *shown, to, passed: 0.0 };
        } else {
            commands.entity(entity).insert((to, Way { from: to, to, passed: 0.0 }));
        }
    }
}

/// Shows the agents on their way. It takes as long as the server waits between two places: what a
/// client shows is that much behind.
fn go_on(mut agents: Query<(&mut Transform, &mut Way)>, time: Res<Time>, fixed: Res<Time<Fixed>>) {
    let whole = TICKS as f32 * fixed.timestep().as_secs_f32();
    for (mut shown, mut way) in &mut agents {
        way.passed += time.delta_secs();
        let share = (way.passed / whole).min(1.0);
        shown.translation = way.from.translation.lerp(way.to.translation, share);
        shown.rotation = way.from.rotation.slerp(way.to.rotation, share);
    }
}
