//! What all games of these tests have in common: a session, agents, players.

use bevy::prelude::*;
use bevy_steer::{AgentId, NextAgentId, prelude::*};

use crate::common::{
    fingerprint,
    rollback::{self, FRAMES, GameFrame, PlayerInputs},
    run_systems_on_one_thread,
};

pub(crate) const REACH: f32 = 14.0;
/// How many frames are simulated again in each frame.
pub(crate) const BACK: usize = 6;

/// A game in a session that goes back `check_distance` frames. Nothing is registered or spawned
/// yet.
pub(crate) fn game(check_distance: usize) -> App {
    let mut app = rollback::app(11, check_distance, fingerprint::of);
    app.add_plugins(SteeringPlugin::new(GameFrame).with_seed(3)).insert_resource(WorldBounds(
        Bounds::rect(Vec2::splat(-20.0), Vec2::splat(20.0), BoundsEdge::Wrap),
    ));
    run_systems_on_one_thread(&mut app);
    app
}

/// All agents, by id.
pub(crate) fn agents(world: &mut World) -> Vec<Entity> {
    let mut agents: Vec<_> = world
        .query_filtered::<(&AgentId, Entity), With<Vehicle>>()
        .iter(world)
        .map(|(&id, entity)| (id, entity))
        .collect();
    agents.sort_unstable();
    agents.into_iter().map(|(_, entity)| entity).collect()
}

pub(crate) fn inputs(world: &World) -> Vec<u64> {
    world.resource::<PlayerInputs>().0.clone()
}

/// Plays the game with and without rollbacks. A session compares the second and later simulations
/// of a frame with each other; only the game without rollbacks has the first one alone.
pub(crate) fn assert_rolled_back(game: impl Fn(usize) -> App) {
    let mut rolled_back = game(BACK);
    rollback::play(&mut rolled_back, FRAMES).expect("the same in each simulation of a frame");
    let mut straight = game(0);
    rollback::play(&mut straight, FRAMES).expect("nothing to compare");
    let [rolled_back, straight] = [rolled_back.world_mut(), straight.world_mut()];
    assert_eq!(fingerprint::of(rolled_back), fingerprint::of(straight));
    let next = rolled_back.resource::<NextAgentId>();
    assert_eq!(next, straight.resource::<NextAgentId>());
    assert!(agents(rolled_back).len() > 5, "some agents should be left");
}
