//! What a game with mistakes in it does to its world between two ticks, and what any game may do.

use bevy::prelude::*;
use bevy_steer::{
    AgentId, AngularLimits, AngularVelocity, BehaviorRegistry, Heading, KeepRotation, NextAgentId,
    SteeringSettings, SteeringTick, SteeringTrace, Velocity, prelude::*,
};

use crate::{
    random_behaviors::{self, RandomBehaviors},
    rng::TestRng,
    worlds::{Motion, Plan},
};

pub struct WorldMutator<'a> {
    pub world: &'a mut World,
    pub plan: &'a Plan,
    pub agents: &'a mut Vec<Entity>,
    pub rng: &'a mut TestRng,
}

impl WorldMutator<'_> {
    /// Does something to the world that it should not, or something that it may do at any time.
    pub fn mutate(&mut self) {
        match self.rng.index(16) {
            0..4 => self.change_a_body(),
            4..8 => self.change_what_an_agent_may_have(),
            8 => self.take_something_away(),
            9..11 => self.change_the_world(),
            11..13 => self.change_a_thing(),
            13 => self.despawn_agent(),
            14 => self.spawn_agent(),
            _ => self.give_a_behavior(),
        }
    }

    fn any_agent(&mut self) -> Entity {
        self.rng.pick(self.agents)
    }

    fn change_a_body(&mut self) {
        let agent = self.any_agent();
        let Self { world, rng, .. } = self;
        let mut agent = world.entity_mut(agent);
        match rng.index(8) {
            0 => agent.get_mut::<Transform>().unwrap().translation = rng.point(20.0),
            1 => agent.get_mut::<Transform>().unwrap().rotation = rng.rotation(),
            2 => agent.get_mut::<Transform>().unwrap().scale = rng.point(2.0),
            3 => agent.get_mut::<Velocity>().unwrap().0 = rng.point(20.0),
            4 => agent.get_mut::<Heading>().unwrap().0 = rng.point(1.0),
            5 => *agent.get_mut::<Vehicle>().unwrap() = rng.vehicle(),
            6 => {
                let (linear, angular) = (rng.point(9.0), rng.point(9.0));
                *agent.get_mut::<SteeringForce>().unwrap() = SteeringForce { linear, angular };
            }
            _ => {
                agent.insert(AngularVelocity(rng.point(3.0)));
            }
        }
    }

    fn change_what_an_agent_may_have(&mut self) {
        let agent = self.any_agent();
        let Self { world, rng, .. } = self;
        let mut agent = world.entity_mut(agent);
        match rng.index(11) {
            0 => agent.insert(rng.bounds()),
            1 => agent.insert(rng.arbitration()),
            2 => agent.insert(ThinkEvery(rng.pick(&[0, 1, 2, 3, 7, u32::MAX]))),
            3 => agent.insert(rng.pick(&SteeringPlane::ALL)),
            4 => agent.insert(AgentId(rng.pick(&[0, 1, 1 << 40, u64::MAX - 1, u64::MAX]))),
            5 => agent.insert(SteeringLayers(rng.pick(&[0, 1, 3, u32::MAX]))),
            6 => agent.insert(KeepRotation),
            7 => agent.insert(WhenIdle::Drag(rng.number(0.0..5.0))),
            8 => {
                let (max_rate, max_accel) = (rng.number(0.0..9.0), rng.number(0.0..30.0));
                agent.insert(AngularLimits { max_rate, max_accel })
            }
            9 => agent.insert(SteeringHeight(rng.pick(&[0.0, 1.0, 5.0, f32::INFINITY]))),
            _ => agent.insert(SteeringTrace::default()),
        };
    }

    fn take_something_away(&mut self) {
        let agent = self.any_agent();
        let Self { world, rng, .. } = self;
        let registered: Vec<_> = world.resource::<BehaviorRegistry>().iter().copied().collect();
        let behavior = registered[rng.index(registered.len())].type_id;
        let behavior = world.components().get_id(behavior);
        let mut agent = world.entity_mut(agent);
        match rng.index(4) {
            0 => agent.remove::<(Bounds, ThinkEvery, SteeringPlane)>(),
            1 => agent.remove::<(Arbitration, KeepRotation)>(),
            2 => agent.remove::<(SteeringTrace, AngularVelocity)>(),
            _ => match behavior {
                Some(behavior) => agent.remove_by_id(behavior),
                None => &mut agent,
            },
        };
    }

    fn change_the_world(&mut self) {
        let Self { world, rng, .. } = self;
        match rng.index(6) {
            0 => world.insert_resource(WorldBounds(rng.bounds())),
            1 => drop(world.remove_resource::<WorldBounds>()),
            2 => {
                let plane = rng.pick(&SteeringPlane::ALL);
                world.resource_mut::<SteeringSettings>().plane = plane;
            }
            3 => {
                let mut settings = world.resource_mut::<SteeringSettings>();
                settings.seed = rng.pick(&[0, 1, u64::MAX]);
                settings.integrate = rng.chance(0.8);
            }
            4 => {
                let next = rng.pick(&[0, 1, u64::MAX - 1, u64::MAX]);
                world.resource_mut::<NextAgentId>().0 = next;
            }
            _ => {
                let tick = rng.pick(&[0, 1, 1 << 40, u64::MAX - 1, u64::MAX]);
                world.resource_mut::<SteeringTick>().0 = tick;
            }
        }
    }

    /// A lure, an obstacle or a wall.
    fn change_a_thing(&mut self) {
        let Self { world, rng, .. } = self;
        let mut things = world.query_filtered::<Entity, (With<Transform>, Without<Vehicle>)>();
        let mut things: Vec<Entity> = things.iter(world).collect();
        things.sort_unstable();
        if things.is_empty() {
            return;
        }
        let thing = rng.pick(&things);
        let transform = Transform {
            translation: rng.point(14.0),
            rotation: rng.rotation(),
            scale: rng.point(2.0),
        };
        match rng.index(7) {
            0 => *world.get_mut::<Transform>(thing).unwrap() = transform,
            1 => drop(world.entity_mut(thing).insert(Velocity(rng.point(4.0)))),
            2 => drop(world.entity_mut(thing).insert(Obstacle::new(rng.shape()))),
            3 => drop(world.entity_mut(thing).insert(Wall::new(rng.point(5.0), rng.point(5.0)))),
            4 => drop(world.entity_mut(thing).insert(Heading(rng.point(1.0)))),
            5 => {
                let parent = world.spawn(transform).id();
                world.entity_mut(thing).insert(ChildOf(parent));
            }
            _ => drop(world.despawn(thing)),
        }
    }

    fn despawn_agent(&mut self) {
        if self.agents.len() > 1 {
            let agent = self.any_agent();
            self.agents.retain(|&other| other != agent);
            self.world.despawn(agent);
        }
    }

    fn spawn_agent(&mut self) {
        let index = 500 + self.agents.len() as u64;
        let comer = self.plan.spawn_agent(self.world, index, &Motion::NONE);
        if self.rng.chance(0.3) {
            self.world.entity_mut(comer).insert(AgentId::UNASSIGNED);
        }
        self.agents.push(comer);
    }

    fn give_a_behavior(&mut self) {
        let (agent, seed) = (self.any_agent(), self.rng.index(1 << 20) as u64);
        let mut behaviors = RandomBehaviors {
            rng: TestRng::new(seed, 2).with_worst(self.plan.worst),
            motion: &Motion::NONE,
            reach: self.plan.reach,
            targets: self.agents,
            except: None,
        };
        let bit = seed as u32 % random_behaviors::count();
        behaviors.give(&mut self.world.entity_mut(agent), bit);
    }
}
