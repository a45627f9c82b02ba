//! A client: it does not steer. It shows the agents where the server has seen them, and moves them
//! evenly from one such place to the next.

use std::{io, net::SocketAddr};

use bevy::{prelude::*, state::app::StatesPlugin};
use bevy_replicon::prelude::*;
use bevy_replicon_example_backend::{ExampleClient, RepliconExampleBackendPlugins};
use bevy_steer::Vehicle;

use super::{
    pose::Pose,
    server::{TICKS, TOP_SPEED},
};
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

/// What moves by itself is steered in this app, as on a host that is server and client.
type Shown = Without<Vehicle>;

/// Begins the way to each place that has come. The first one is taken as it is, and so is one that
/// is farther off than an agent may have gone: it wrapped around the world, or was put there.
fn begin_ways(
    mut commands: Commands,
    mut agents: Query<(Entity, &Pose, Option<(&Transform, &mut Way)>), (Changed<Pose>, Shown)>,
    fixed: Res<Time<Fixed>>,
) {
    // A pose or two may have been lost on the way.
    let farthest = 3.0 * TOP_SPEED * TICKS as f32 * fixed.timestep().as_secs_f32();
    for (entity, pose, way) in &mut agents {
        let to = pose.transform();
        if let Some((shown, mut way)) = way {
            let is_jump = way.to.translation.distance(to.translation) > farthest;
            *way = Way { from: if is_jump { to } else { *shown }, to, passed: 0.0 };
        } else {
            commands.entity(entity).insert((to, Way { from: to, to, passed: 0.0 }));
        }
    }
}

/// Shows the agents on their way. It takes as long as the server waits between two places, which
/// has as many ticks a second as the client: what a client shows is that much behind.
fn go_on(
    mut agents: Query<(&mut Transform, &mut Way), Shown>,
    time: Res<Time>,
    fixed: Res<Time<Fixed>>,
) {
    let whole = TICKS as f32 * fixed.timestep().as_secs_f32();
    for (mut shown, mut way) in &mut agents {
        way.passed += time.delta_secs();
        let share = (way.passed / whole).min(1.0);
        shown.translation = way.from.translation.lerp(way.to.translation, share);
        shown.rotation = way.from.rotation.slerp(way.to.rotation, share);
    }
}
