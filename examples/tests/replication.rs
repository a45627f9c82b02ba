//! A server that steers replicates its agents to clients, which interpolate.

use bevy::prelude::*;
use bevy_replicon::prelude::{ClientReplicationStats, Remote};
use bevy_steer::prelude::*;
use bevy_steer_examples::replication::{Session, pose::Pose, poses};

const AGENTS: usize = 1000;

/// Where a client shows its agents, in the order of entities.
fn shown(client: &mut App) -> Vec<(Entity, Vec3)> {
    let mut query = client.world_mut().query_filtered::<(Entity, &Transform), With<Remote>>();
    query.iter(client.world()).map(|(agent, shown)| (agent, shown.translation)).collect()
}

#[test]
fn clients_show_what_the_server_steers() {
    let mut session = Session::open(AGENTS as u32, 2).expect("the loopback interface");
    let told = poses(&mut session.server);
    assert_eq!(told.len(), AGENTS);
    for client in &mut session.clients {
        *client.world_mut().resource_mut::<ClientReplicationStats>() = default();
    }
    let (mut steps, mut still, mut longest) = (0, 0, 0.0f32);
    let mut before = shown(&mut session.clients[0]);
    assert_eq!(before.len(), AGENTS);
    for frame in 0..320 {
        session.frame();
        let now = shown(&mut session.clients[0]);
        // Once the agents are on their way.
        if frame > 64 {
            for (&(agent, from), &(same, to)) in before.iter().zip(&now) {
                assert_eq!(agent, same);
                let step = from.distance(to);
                (steps, still) = (steps + 1, still + usize::from(step == 0.0));
                longest = longest.max(step);
            }
        }
        before = now;
    }
    // They move in nearly each frame, though a place comes every third only, and do not jump.
    assert!(still < steps / 20, "{still} of {steps} steps repeat a place");
    assert!(longest < 3.0 * 5.0 / 64.0, "a step of {longest}");

    assert!(session.settle(), "all places have come");
    assert_ne!(poses(&mut session.server), told, "the crowd has moved");
    (0..8).for_each(|_| session.frame());
    for client in &mut session.clients {
        let mut query = client.world_mut().query::<(&Pose, &Transform)>();
        let off = query
            .iter(client.world())
            .map(|(pose, shown)| pose.transform().translation.distance(shown.translation));
        let far = off.fold(0.0, f32::max);
        assert!(far < 1e-3, "{far} off");
        let bytes = client.world().resource::<ClientReplicationStats>().bytes;
        // Five seconds, in which a place came 106 times: five bytes, and as many for the entity.
        let each = bytes as f32 / (106.0 * AGENTS as f32);
        assert!((5.0..15.0).contains(&each), "{each} bytes");
    }
}

/// The server puts some elsewhere, as a game does and as the edge of a wrapping world.
#[test]
fn jumps_are_not_shown_as_flights() {
    const FAR: f32 = 30.0;
    let mut session = Session::open(100, 1).expect("the loopback interface");
    (0..32).for_each(|_| session.frame());
    let world = session.server.world_mut();
    *world.resource_mut::<WorldBounds>() =
        WorldBounds(Bounds::rect(Vec2::splat(-90.0), Vec2::splat(90.0), BoundsEdge::Wrap));
    let mut places = world.query_filtered::<&mut Transform, With<Vehicle>>();
    for mut place in places.iter_mut(world).take(10) {
        place.translation.x += FAR;
    }
    let (mut jumps, mut before) = (0, shown(&mut session.clients[0]));
    for _ in 0..64 {
        session.frame();
        let now = shown(&mut session.clients[0]);
        for ((_, from), (_, to)) in before.iter().zip(&now) {
            let step = from.distance(*to);
            let is_jump = step > FAR - 2.0;
            jumps += usize::from(is_jump);
            assert!(is_jump || step < 3.0 * 5.0 / 64.0, "{step}");
        }
        before = now;
    }
    assert_eq!(jumps, 10);
}

/// An app that is server and client steers its agents itself.
#[test]
fn a_client_leaves_what_its_app_steers_alone() {
    let mut session = Session::open(10, 1).expect("the loopback interface");
    let agent = (Vehicle::new(5.0), Pose::of(&Transform::from_xyz(9.0, 0.0, 0.0)));
    let agent = session.clients[0].world_mut().spawn(agent).id();
    (0..32).for_each(|_| session.frame());
    let place = session.clients[0].world().get::<Transform>(agent);
    assert_eq!(place.map(|place| place.translation), Some(Vec3::ZERO));
}
