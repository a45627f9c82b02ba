//! A world with every behaviour, in which the players change anything there is.

use bevy::prelude::*;
use bevy_steer::{
    AngularLimits, KeepRotation, SkipIntegration, SteeringSettings, Velocity, prelude::*,
};

use crate::{
    common::{
        random_behaviors::{self, RandomBehaviors},
        rng::TestRng,
        rollback::{GameFrame, RollbackAppExt},
        worlds::{Motion, Plan},
    },
    rollback::game::{REACH, agents, assert_rolled_back, game, inputs},
};

/// The players do what games do: to behaviours, to bodies, to the world.
fn play_with_everything(world: &mut World) {
    for input in inputs(world) {
        let mut rng = TestRng::new(input, 2);
        let agents = agents(world);
        let index = rng.index(agents.len());
        let agent = agents[index];
        match rng.index(31) {
            0 => {
                let place = Transform::from_translation(rng.point(REACH));
                let body = (rng.vehicle(), rng.arbitration(), rng.layers(), place);
                world.spawn((body, Wander::default(), Flock::default(), ThinkEvery(3)));
            }
            1 if agents.len() > 20 => _ = world.despawn(agent),
            // Each of so many behaviours has to get its turns.
            2..8 | 21..24 => {
                let bit = rng.index(random_behaviors::count() as usize) as u32;
                let mut behaviors = RandomBehaviors {
                    rng,
                    motion: &Motion::NONE,
                    reach: REACH,
                    targets: &agents,
                    except: Some(agent),
                };
                behaviors.give(&mut world.entity_mut(agent), bit);
            }
            8 => *world.get_mut::<Vehicle>(agent).unwrap() = rng.vehicle(),
            9 => *world.get_mut::<SteeringLayers>(agent).unwrap() = rng.layers(),
            10 => _ = world.entity_mut(agent).insert(rng.pick(&SteeringPlane::ALL)),
            11 => _ = world.entity_mut(agent).insert(rng.bounds()),
            12 => _ = world.entity_mut(agent).remove::<Bounds>(),
            13 => _ = world.entity_mut(agent).insert(KeepRotation),
            14 => _ = world.entity_mut(agent).remove::<KeepRotation>(),
            15 => _ = world.entity_mut(agent).insert(ThinkEvery(rng.pick(&[1, 2, 5]))),
            16 => _ = world.entity_mut(agent).insert(rng.arbitration()),
            17 => world.resource_mut::<WorldBounds>().0 = rng.bounds(),
            18 => world.resource_mut::<SteeringSettings>().seed = input,
            19 => {
                let mut shapes = world.query::<&mut Obstacle>();
                let shape = rng.shape();
                shapes.iter_mut(world).for_each(|mut obstacle| obstacle.shape = shape);
            }
            20 => {
                let end = rng.point(REACH);
                let mut walls = world.query::<&mut Wall>();
                walls.iter_mut(world).for_each(|mut wall| wall.end = end.into());
            }
            24 => {
                // One that nothing drives, which rolls to a stop.
                let idle = WhenIdle::Drag(rng.number(0.2..5.0));
                let roll = (idle, Velocity(rng.point(3.0)));
                match agents.iter().find(|agent| world.entity(**agent).contains::<WhenIdle>()) {
                    Some(&agent) => _ = world.entity_mut(agent).insert(roll),
                    None => _ = world.spawn((Vehicle::default(), roll, Transform::default())),
                }
            }
            25 if !world.entity(agent).contains::<SkipIntegration>() => {
                world.entity_mut(agent).insert(SkipIntegration);
            }
            25 => _ = world.entity_mut(agent).remove::<SkipIntegration>(),
            26 => {
                let (max_rate, max_accel) = (rng.number(0.1..2.0), rng.number(0.1..4.0));
                world.entity_mut(agent).insert(AngularLimits { max_rate, max_accel });
            }
            27 => _ = world.entity_mut(agent).insert(SteeringHeight(rng.pick(&[0.5, 3.0, 20.0]))),
            28 => {
                let wanders = [Wander::default(), Wander::default().with_rate(9.0)];
                world.entity_mut(agent).insert(Several::new(wanders));
            }
            29 => _ = world.entity_mut(agent).insert(Wish::velocity(rng.point(3.0))),
            30 => {
                let push = Wish::change(rng.point(3.0)).with_priority(Priority::High);
                world.entity_mut(agent).insert(SteeringWish::new([push]));
            }
            _ => {}
        }
    }
}

fn everything() -> Plan {
    let mut rng = TestRng::new(8, 8);
    let mut any = || rng.index(1 << random_behaviors::count()) as u64;
    Plan {
        is_mixed: true,
        agents: (0..30).map(|_| any() & any()).collect(),
        things: 12,
        reach: REACH,
        ..Plan::new(8)
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
