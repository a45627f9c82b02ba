//! The server: it steers a crowd and tells its clients where the agents are.

use std::{io, net::SocketAddr};

use bevy::{prelude::*, state::app::StatesPlugin};
use bevy_replicon::{prelude::*, server::server_tick::ServerTick};
use bevy_replicon_example_backend::{ExampleServer, RepliconExampleBackendPlugins};
use bevy_steer::prelude::*;

use super::pose::Pose;
use crate::clock;

/// The server tells of every third tick: about 21 times a second.
pub const TICKS: u32 = 3;
/// Of its agents, in units a second.
pub const TOP_SPEED: f32 = 5.0;

/// A server with a crowd, without a window, and its address.
pub(super) fn open(agents: u32) -> io::Result<(App, SocketAddr)> {
    let socket = ExampleServer::new(0)?;
    let address = socket.local_addr()?;
    let mut app = clock::headless_app(None);
    // It says itself when there is something to send.
    let replication = ServerPlugin { tick_schedule: None, ..default() };
    app.add_plugins((StatesPlugin, SteeringPlugin::default()))
        .add_plugins((RepliconPlugins.set(replication), RepliconExampleBackendPlugins))
        .replicate::<Pose>()
        .insert_resource(socket)
        .insert_resource(WorldBounds(world(agents)))
        .add_systems(Startup, move |mut commands: Commands| spawn(&mut commands, agents))
        .add_systems(FixedPostUpdate, tell);
    clock::start(&mut app);
    Ok((app, address))
}

/// A world with nine square units for each agent.
fn world(agents: u32) -> Bounds {
    let half = Vec2::splat(1.5 * (agents as f32).sqrt());
    Bounds::rect(-half, half, BoundsEdge::Bounce)
}

fn spawn(commands: &mut Commands, agents: u32) {
    let side = (agents as f32).sqrt().ceil() as u32;
    for i in 0..agents {
        let cell = UVec2::new(i % side, i / side).as_vec2() - 0.5 * (side - 1) as f32;
        // Multiples of the golden angle spread the directions evenly without a random generator.
        let facing = Quat::from_rotation_z(2.4 * i as f32);
        let place = Transform::from_translation((3.0 * cell).extend(0.0)).with_rotation(facing);
        let behaviors = (Flock::new(4.0), Wander::default(), AvoidAgents::default());
        commands.spawn((Vehicle::new(TOP_SPEED), behaviors, place, Replicated, Pose::of(&place)));
    }
}

/// Tells where the agents are, in every third tick. Agents that have not moved cost nothing.
fn tell(
    mut agents: Query<(&Transform, &mut Pose)>,
    mut tick: ResMut<ServerTick>,
    mut ticks: Local<u32>,
) {
    *ticks += 1;
    if !ticks.is_multiple_of(TICKS) {
        return;
    }
    for (transform, mut pose) in &mut agents {
        pose.set_if_neq(Pose::of(transform));
    }
    tick.increment();
}
