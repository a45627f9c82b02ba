//! What all games in this test have in common: a session, agents, players.

use bevy::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_steer::{AgentId, NextAgentId, prelude::*};

use crate::{
    common::fingerprint,
    synctest::{self, Config, FRAMES},
};

pub(crate) const REACH: f32 = 14.0;
/// How many frames are simulated again in each frame.
pub(crate) const BACK: usize = 6;

/// A game in a session that goes so many frames back; nothing is spawned yet.
pub(crate) fn game(check_distance: usize) -> App {
    let mut app = synctest::app(11, check_distance);
    app.add_plugins(SteeringPlugin::new(GgrsSchedule).with_seed(3)).insert_resource(WorldBounds(
        Bounds::rect(Vec2::splat(-20.0), Vec2::splat(20.0), BoundsEdge::Wrap),
    ));
    app
}

/// All agents, by number.
pub(crate) fn agents(world: &mut World) -> Vec<Entity> {
    let mut agents: Vec<_> = world
        .query_filtered::<(&AgentId, Entity), With<Vehicle>>()
        .iter(world)
        .map(|(&number, entity)| (number, entity))
        .collect();
    agents.sort_unstable();
    agents.into_iter().map(|(_, entity)| entity).collect()
}

pub(crate) fn inputs(world: &World) -> Vec<u64> {
    world.resource::<PlayerInputs<Config>>().iter().map(|&(input, _)| input).collect()
}

/// Plays the game with and without rollbacks. A session compares the second and later simulations of a frame; the first one is only in
/// the game without.
pub(crate) fn assert_rolled_back(game: impl Fn(usize) -> App) {
    let mut rolled_back = game(BACK);
    synctest::play(&mut rolled_back, FRAMES).expect("the same in each simulation of a frame");
    let mut straight = game(0);
    synctest::play(&mut straight, FRAMES).expect("nothing to compare");
    let [rolled_back, straight] = [rolled_back.world_mut(), straight.world_mut()];
    assert_eq!(fingerprint::of(rolled_back), fingerprint::of(straight));
    let next = rolled_back.resource::<NextAgentId>();
    assert_eq!(next, straight.resource::<NextAgentId>());
    assert!(agents(rolled_back).len() > 5, "somebody should be left");
}
