//! Random worlds with every behaviour, built alike from the same plan.

use bevy::prelude::*;
use bevy_steer::{AgentId, AngularVelocity, KeepRotation, Velocity, prelude::*};
use proptest::prelude::*;

use crate::{
    Sim,
    random_behaviors::{self, RandomBehaviors},
    rng::TestRng,
};

/// A turn of the whole world about the normal of a plane, and a shift.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    pub turn: Quat,
    pub angle: f32,
    pub shift: Vec3,
}

impl Motion {
    pub const NONE: Self = Self { turn: Quat::IDENTITY, angle: 0.0, shift: Vec3::ZERO };

    pub fn turn(plane: SteeringPlane, angle: f32) -> Self {
        Self { turn: Quat::from_axis_angle(plane.normal(), angle), angle, ..Self::NONE }
    }

    pub fn shift(shift: Vec3) -> Self {
        Self { shift, ..Self::NONE }
    }

    pub fn point(&self, point: Vec3) -> Vec3 {
        self.direction(point) + self.shift
    }

    pub fn direction(&self, direction: Vec3) -> Vec3 {
        if self.angle == 0.0 { direction } else { self.turn * direction }
    }
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    /// The plane of every agent; of most, in a mixed world.
    pub plane: SteeringPlane,
    pub is_mixed: bool,
    /// For each agent its behaviours, a bit each.
    pub agents: Vec<u64>,
    /// How many lures, obstacles and walls there are.
    pub things: usize,
    /// How far from the origin everything stands, in units.
    pub reach: f32,
    /// The share of values from [`WORST`](crate::rng::WORST).
    pub worst: f32,
    /// Shuffles the order in which entities are spawned and components inserted; what they are
    /// stays the same.
    pub order: Option<u64>,
}

/// Any plan for a sensible world of up to `most` agents.
pub fn plans(most: usize) -> impl Strategy<Value = Plan> {
    let planes = proptest::sample::select(SteeringPlane::ALL.to_vec());
    // Two masks, so that an agent has about a quarter of all behaviours.
    let masks = (0..=random_behaviors::all(), 0..=random_behaviors::all()).prop_map(|(a, b)| a & b);
    let agents = proptest::collection::vec(masks, 1..=most);
    (any::<u64>(), planes, any::<bool>(), agents).prop_map(|(seed, plane, is_mixed, agents)| Plan {
        plane,
        is_mixed,
        agents,
        things: 2 + (seed % 8) as usize,
        ..Plan::new(seed)
    })
}

impl Plan {
    /// A small world in the `Xy` plane, without agents yet.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            plane: SteeringPlane::Xy,
            is_mixed: false,
            agents: Vec::new(),
            things: 10,
            reach: 14.0,
            worst: 0.0,
            order: None,
        }
    }

    pub fn rng(&self, salt: u64) -> TestRng {
        TestRng::new(self.seed, salt).with_worst(self.worst)
    }

    pub fn build(&self) -> (Sim, Vec<Entity>) {
        self.build_moved(&Motion::NONE)
    }

    /// The same world somewhere else.
    pub fn build_moved(&self, motion: &Motion) -> (Sim, Vec<Entity>) {
        let plugin = SteeringPlugin::new(Update).with_plane(self.plane).with_seed(self.seed);
        let mut sim = Sim::with(plugin, 64.0);
        let agents = self.populate(sim.app.world_mut(), motion);
        (sim, agents)
    }

    /// Spawns all of it. Returns the agents.
    pub fn populate(&self, world: &mut World, motion: &Motion) -> Vec<Entity> {
        let order = self.spawn_order();
        let mut spawned = vec![Entity::PLACEHOLDER; order.len()];
        for &i in &order {
            spawned[i] = match i.checked_sub(self.things) {
                None => self.spawn_thing(world, i as u64, motion),
                Some(agent) => self.spawn_agent(world, agent as u64, motion),
            };
        }
        let agents = spawned[self.things..].to_vec();
        if self.worst > 0.0 {
            let ghost = world.spawn(Transform::default()).id();
            world.despawn(ghost);
            spawned.push(ghost);
        }
        for agent in order.into_iter().filter_map(|i| i.checked_sub(self.things)) {
            self.give_behaviors(&mut world.entity_mut(agents[agent]), agent, &spawned, motion);
        }
        agents
    }

    /// Things first, then agents, unless shuffled.
    fn spawn_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.things + self.agents.len()).collect();
        if let Some(seed) = self.order {
            TestRng::new(seed, 0).shuffle(&mut order);
        }
        order
    }

    /// Gives an agent the behaviours of the plan's agent of this index.
    pub fn give_behaviors(
        &self,
        agent: &mut EntityWorldMut,
        index: usize,
        targets: &[Entity],
        motion: &Motion,
    ) {
        let mut bits: Vec<u32> = (0..random_behaviors::count())
            .filter(|bit| self.agents[index] & (1 << bit) != 0)
            .collect();
        if let Some(seed) = self.order {
            TestRng::new(seed, 1 + index as u64).shuffle(&mut bits);
        }
        for bit in bits {
            let mut behaviors = RandomBehaviors {
                rng: self.rng(1000 + index as u64 * 100 + u64::from(bit)),
                motion,
                reach: self.reach,
                targets,
                except: (self.worst == 0.0).then(|| agent.id()),
            };
            behaviors.give(agent, bit);
        }
    }

    /// Two lures first, then obstacles and walls.
    fn spawn_thing(&self, world: &mut World, index: u64, motion: &Motion) -> Entity {
        let mut rng = self.rng(1_000_000 + index);
        let transform = Transform {
            translation: motion.point(rng.point(self.reach)),
            rotation: motion.turn * rng.rotation(),
            ..default()
        };
        let mut thing = world.spawn(transform);
        if index < 2 {
            thing.insert((rng.layers(), AgentId(1_000_000 + index)));
        } else if rng.chance(0.8) {
            thing.insert(Obstacle::new(rng.shape()));
        } else {
            thing.insert(Wall::new(rng.point(5.0), rng.point(5.0)));
        }
        if rng.chance(0.3) {
            thing.insert(Velocity(motion.direction(rng.point(4.0))));
        }
        thing.id()
    }

    /// An agent without behaviours, with its index as its number.
    pub fn spawn_agent(&self, world: &mut World, index: u64, motion: &Motion) -> Entity {
        let mut rng = self.rng(2_000_000 + index);
        let own_plane = self.is_mixed && rng.chance(0.4);
        let plane = if own_plane { rng.pick(&SteeringPlane::ALL) } else { self.plane };
        let heading = plane.direction(rng.number(-3.0..3.0));
        let transform = Transform {
            translation: motion.point(rng.point(self.reach)),
            rotation: motion.turn * plane.rotation(heading),
            ..default()
        };
        let velocity = Velocity(motion.direction(plane.flatten(rng.point(4.0))));
        let mut agent =
            world.spawn((transform, velocity, rng.vehicle(), rng.arbitration(), rng.layers()));
        agent.insert(AgentId(index));
        if own_plane {
            agent.insert(plane);
        }
        if rng.chance(0.2) {
            let spin = rng.number(-3.0..3.0);
            agent.insert(AngularVelocity(plane.normal() * spin));
        }
        if rng.chance(0.1) {
            agent.insert(KeepRotation);
        }
        agent.id()
    }
}
