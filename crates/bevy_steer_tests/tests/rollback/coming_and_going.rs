//! Agents that are spawned and despawned, and come back by a rollback.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_steer::{AgentId, NextAgentId, prelude::*};

use crate::{
    common::{
        at, fingerprint,
        rollback::{self, Frame, GameFrame, RollbackAppExt, RolledBack},
    },
    rollback::game::{BACK, agents, assert_rolled_back, game},
};

/// A component of the game that requires an agent: restored first, it makes a new agent, which gets
/// an id of its own before the old one is restored.
#[derive(Component, Clone)]
#[require(Vehicle)]
struct Boid;

#[test]
fn new_agent_has_the_same_id_in_each_simulation() {
    // Agents are spawned and despawned so often that most rollbacks bring one back.
    fn come_and_go(world: &mut World) {
        let frame = world.resource::<Frame>().0;
        let agents = agents(world);
        if frame % 3 == 0 && agents.len() < 60 {
            world.spawn((Boid, Wander::default(), at(1.0, 1.0)));
            world.spawn((Wander::default(), Vehicle::default(), Flock::default(), at(-1.0, 1.0)));
        }
        if frame % 2 == 0 && agents.len() > 4 {
            world.despawn(agents[agents.len() / 2]);
        }
    }
    let game = |back| {
        let mut app = game(back);
        app.roll_back_component::<Boid>()
            .roll_back_steering()
            .add_systems(GameFrame, come_and_go.before(RunSteering));
        app
    };
    assert_rolled_back(game);
    let mut app = game(BACK);
    rollback::play(&mut app, 200).expect("the same in each simulation of a frame");
    let world = app.world_mut();
    let ids: Vec<u64> = world.query::<&AgentId>().iter(world).map(|id| id.0).collect();
    let different: BTreeSet<u64> = ids.iter().copied().collect();
    assert_eq!(different.len(), ids.len(), "{ids:?}");
    // Two were spawned in every third frame.
    assert!(world.resource::<NextAgentId>().0 <= 2 * (200 / 3 + 1));
}

#[test]
fn agents_that_chase_each_other_come_back_together() {
    fn despawn_all(world: &mut World) {
        if world.resource::<Frame>().0 == 60 {
            let agents = agents(world);
            agents.into_iter().for_each(|agent| _ = world.despawn(agent));
        }
    }
    let mut app = game(BACK);
    app.roll_back_steering().add_systems(GameFrame, despawn_all.before(RunSteering));
    let world = app.world_mut();
    let pair = [at(5.0, 0.0), at(0.0, 3.0)].map(|at| world.spawn((Vehicle::default(), at)).id());
    for [one, other] in [pair, [pair[1], pair[0]]] {
        let nearest = Target::nearest(SteeringLayers::ALL, 50.0);
        world.entity_mut(one).insert((Pursue::new(other), Arrive::new(nearest), Face::new(other)));
    }
    rollback::play(&mut app, 120).expect("the same in each simulation of a frame");
    assert!(agents(app.world_mut()).is_empty(), "all were despawned");
}

/// The resource that says whether any agent needs the neighbour index. Not public.
pub(crate) const AGENT_DEMAND: &str = "AgentDemand";

#[test]
fn first_demand_for_the_neighbor_index_is_rolled_back() {
    // After the step that builds a demanded index, the game makes flocks of the agents and moves
    // them. If the demand is not rolled back, that step indexes the agents before they move.
    fn decide(world: &mut World) {
        if world.resource::<Frame>().0 == 30 {
            let agents = agents(world);
            for (i, agent) in agents.into_iter().enumerate() {
                let nearest = Target::nearest(SteeringLayers::ALL, 50.0);
                world.entity_mut(agent).insert((Flock::new(6.0), Seek::new(nearest)));
                world.get_mut::<Transform>(agent).unwrap().translation.x += i as f32;
            }
        }
    }
    let game = |back| {
        let mut app = game(back);
        app.roll_back_steering()
            .add_systems(SteeringSchedule, decide.in_set(SteeringSystems::Decide));
        for i in 0..8 {
            app.world_mut().spawn((Vehicle::default(), at(i as f32, (i % 2) as f32)));
        }
        app
    };
    assert_rolled_back(game);
    // Every repeated simulation of the frame is early in the same way, and only the first is not.
    // So this is compared with a game that simulates each frame once.
    let mut forgotten = game(BACK);
    forgotten.world_mut().resource_mut::<RolledBack>().forget(AGENT_DEMAND);
    let mut straight = game(0);
    for app in [&mut forgotten, &mut straight] {
        rollback::play(app, 120).expect("the same in each repetition of a frame");
    }
    let [forgotten, straight] =
        [&mut forgotten, &mut straight].map(|app| fingerprint::of(app.world_mut()));
    assert_ne!(forgotten, straight, "the demand should have been missed");
}
