//! A world with every behaviour, in which the players change anything there is.

use bevy::prelude::*;
use bevy_steer::{KeepRotation, SteeringSettings, prelude::*};

use crate::{
    common::{
        dice::Dice,
        giver::Giver,
        worlds::{BEHAVIORS, Motion, Plan},
    },
    game::{REACH, agents, assert_rolled_back, game, inputs},
    rollback::{GameFrame, RollbackAppExt},
};

/// The players do what games do: to behaviours, to bodies, to the world.
fn play_with_everything(world: &mut World) {
    for input in inputs(world) {
        let mut dice = Dice::new(input, 2);
        let agents = agents(world);
        let index = dice.index(agents.len());
        let agent = agents[index];
        match dice.index(24) {
            0 => {
                let place = Transform::from_translation(dice.point(REACH));
                let comer = (dice.vehicle(), dice.arbitration(), dice.layers(), place);
                world.spawn((comer, Wander::default(), Flock::default(), ThinkEvery(3)));
            }
            1 if agents.len() > 20 => _ = world.despawn(agent),
            2..8 => {
                let bit = dice.index(BEHAVIORS as usize) as u32;
                let mut giver = Giver {
                    dice,
                    motion: &Motion::NONE,
                    reach: REACH,
                    whom: &agents,
                    except: Some(agent),
                };
                giver.give(&mut world.entity_mut(agent), bit);
            }
            8 => *world.get_mut::<Vehicle>(agent).unwrap() = dice.vehicle(),
            9 => *world.get_mut::<SteeringLayers>(agent).unwrap() = dice.layers(),
            10 => _ = world.entity_mut(agent).insert(dice.pick(&SteeringPlane::ALL)),
            11 => _ = world.entity_mut(agent).insert(dice.bounds()),
            12 => _ = world.entity_mut(agent).remove::<Bounds>(),
            13 => _ = world.entity_mut(agent).insert(KeepRotation),
            14 => _ = world.entity_mut(agent).remove::<KeepRotation>(),
            15 => _ = world.entity_mut(agent).insert(ThinkEvery(dice.pick(&[1, 2, 5]))),
            16 => _ = world.entity_mut(agent).insert(dice.arbitration()),
            17 => world.resource_mut::<WorldBounds>().0 = dice.bounds(),
            18 => world.resource_mut::<SteeringSettings>().seed = input,
            19 => {
                let mut shapes = world.query::<&mut Obstacle>();
                let shape = dice.shape();
                shapes.iter_mut(world).for_each(|mut obstacle| obstacle.shape = shape);
            }
            20 => {
                let end = dice.point(REACH);
                let mut walls = world.query::<&mut Wall>();
                walls.iter_mut(world).for_each(|mut wall| wall.end = end);
            }
            _ => {}
        }
    }
}

fn everything() -> Plan {
    let mut dice = Dice::new(8, 8);
    let any = |dice: &mut Dice| dice.index(1 << BEHAVIORS) as u32;
    Plan {
        seed: 5,
        plane: SteeringPlane::Xy,
        is_mixed: true,
        agents: (0..30).map(|_| any(&mut dice) & any(&mut dice)).collect(),
        things: 12,
        reach: REACH,
        worst: 0.0,
        order: None,
    }
}

pub(crate) fn game_of_everything(check_distance: usize) -> App {
    let mut app = game(check_distance);
    app.roll_back_steering().add_systems(GameFrame, play_with_everything.before(RunSteering));
    everything().populate(app.world_mut(), &Motion::NONE);
    app
}

#[test]
fn every_behaviour_is_rolled_back_in_a_changing_world() {
    assert_rolled_back(game_of_everything);
}
