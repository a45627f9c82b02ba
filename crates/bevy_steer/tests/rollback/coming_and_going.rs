//! Agents that come and go, and come back by a rollback.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_ggrs::{RollbackFrameCount, prelude::*};
use bevy_steer::{AgentId, NextAgentId, prelude::*};

use crate::{
    common::at,
    game::{BACK, agents, assert_rolled_back, game},
    synctest,
};

/// Something of the game that brings an agent along, and so may bring one before it has its number back.
#[derive(Component, Clone)]
#[require(Vehicle)]
struct Boid;

#[test]
fn a_new_agent_has_the_same_number_in_each_simulation() {
    // Two come and the one in the middle goes, over and over, so that most rollbacks bring one back.
    fn come_and_go(world: &mut World) {
        let frame = world.resource::<RollbackFrameCount>().0;
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
        app.rollback_component_with_clone::<Boid>()
            .rollback_steering()
            .add_systems(GgrsSchedule, come_and_go.before(RunSteering));
        app
    };
    assert_rolled_back(game);
    let mut app = game(BACK);
    synctest::play(&mut app, 200).expect("the same in each simulation of a frame");
    let world = app.world_mut();
    let numbers: Vec<u64> = world.query::<&AgentId>().iter(world).map(|n| n.0).collect();
    let different: BTreeSet<u64> = numbers.iter().copied().collect();
    assert_eq!(different.len(), numbers.len(), "{numbers:?}");
    // Two came in every third frame.
    assert!(world.resource::<NextAgentId>().0 <= 2 * (200 / 3 + 1));
}

#[test]
fn agents_that_chase_each_other_and_come_back_together_go_on_chasing() {
    fn despawn_all(world: &mut World) {
        if world.resource::<RollbackFrameCount>().0 == 60 {
            let agents = agents(world);
            agents.into_iter().for_each(|agent| _ = world.despawn(agent));
        }
    }
    let mut app = game(BACK);
    app.rollback_steering().add_systems(GgrsSchedule, despawn_all.before(RunSteering));
    let world = app.world_mut();
    let pair = [at(5.0, 0.0), at(0.0, 3.0)].map(|at| world.spawn((Vehicle::default(), at)).id());
    for [one, other] in [pair, [pair[1], pair[0]]] {
        let nearest = Target::nearest(SteeringLayers::ALL, 50.0);
        world.entity_mut(one).insert((Pursue::new(other), Arrive::new(nearest), Face::new(other)));
    }
    synctest::play(&mut app, 120).expect("the same in each simulation of a frame");
    assert!(agents(app.world_mut()).is_empty(), "they should be gone by then");
}

#[test]
fn the_tick_in_which_the_neighbours_are_first_asked_for_is_rolled_back() {
    // After the index would have been built, the game decides that there are flocks, and moves somebody.
    fn decide(world: &mut World) {
        if world.resource::<RollbackFrameCount>().0 == 30 {
            let agents = agents(world);
            for (i, agent) in agents.into_iter().enumerate() {
                let nearest = Target::nearest(SteeringLayers::ALL, 50.0);
                world.entity_mut(agent).insert((Flock::new(6.0), Seek::new(nearest)));
                world.get_mut::<Transform>(agent).unwrap().translation.x += i as f32;
            }
        }
    }
    assert_rolled_back(|back| {
        let mut app = game(back);
        app.rollback_steering()
            .add_systems(SteeringSchedule, decide.in_set(SteeringSystems::Decide));
        for i in 0..8 {
            app.world_mut().spawn((Vehicle::default(), at(i as f32, (i % 2) as f32)));
        }
        app
    });
}
