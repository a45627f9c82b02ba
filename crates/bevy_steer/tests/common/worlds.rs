//! Random worlds with every behaviour, built alike from the same plan.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use proptest::prelude::*;

use super::{Sim, dice::Dice, giver::Giver};

/// How many behaviours there are, one bit each in [`Plan::agents`].
pub const BEHAVIORS: u32 = 16;
pub const WANDER: u32 = 1 << 6;
/// How far from the origin things stand, in units.
pub const REACH: f32 = 14.0;

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
    pub agents: Vec<u32>,
    /// The share of values that make no sense.
    pub worst: f32,
}

/// Any plan for a sensible world of up to `most` agents.
pub fn plans(most: usize) -> impl Strategy<Value = Plan> {
    let planes = proptest::sample::select(SteeringPlane::ALL.to_vec());
    // Two masks, so that an agent has about a quarter of all behaviours.
    let masks = (0..1_u32 << BEHAVIORS, 0..1_u32 << BEHAVIORS).prop_map(|(a, b)| a & b);
    let agents = proptest::collection::vec(masks, 1..=most);
    (any::<u64>(), planes, any::<bool>(), agents).prop_map(|(seed, plane, is_mixed, agents)| Plan {
        seed,
        plane,
        is_mixed,
        agents,
        worst: 0.0,
    })
}

impl Plan {
    pub fn dice(&self, salt: u64) -> Dice {
        Dice::new(self.seed, salt).with_worst(self.worst)
    }

    pub fn build(&self) -> (Sim, Vec<Entity>) {
        self.build_moved(&Motion::NONE)
    }

    /// The same world somewhere else.
    pub fn build_moved(&self, motion: &Motion) -> (Sim, Vec<Entity>) {
        let plugin = SteeringPlugin::new(Update).with_plane(self.plane).with_seed(self.seed);
        let mut sim = Sim::with(plugin, 64.0);
        let mut things = self.spawn_things(sim.app.world_mut(), motion);
        if self.worst > 0.0 {
            let ghost = sim.spawn(Transform::default());
            sim.app.world_mut().despawn(ghost);
            things.push(ghost);
        }
        let agents: Vec<Entity> = (0..self.agents.len())
            .map(|i| self.spawn_agent(sim.app.world_mut(), i as u64, motion))
            .collect();
        things.extend(&agents);
        for (&agent, &mask) in agents.iter().zip(&self.agents) {
            let mut whom = things.clone();
            if self.worst == 0.0 {
                whom.retain(|&other| other != agent);
            }
            for bit in (0..BEHAVIORS).filter(|bit| mask & (1 << bit) != 0) {
                let number = sim.get::<AgentNumber>(agent).0;
                let mut giver = Giver {
                    dice: self.dice(1000 + number * 100 + u64::from(bit)),
                    motion,
                    whom: &whom,
                };
                giver.give(&mut sim.app.world_mut().entity_mut(agent), bit);
            }
        }
        (sim, agents)
    }

    /// Two lures, obstacles and walls.
    fn spawn_things(&self, world: &mut World, motion: &Motion) -> Vec<Entity> {
        let mut dice = self.dice(1);
        let place = |dice: &mut Dice| {
            let translation = motion.point(dice.point(REACH));
            let rotation = motion.turn * dice.rotation();
            Transform { translation, rotation, ..default() }
        };
        let mut things = Vec::new();
        for _ in 0..2 {
            let velocity = Velocity(motion.direction(dice.point(4.0)));
            things.push(world.spawn((place(&mut dice), dice.layers(), velocity)).id());
        }
        for _ in 0..dice.index(6) {
            let mut thing = world.spawn((place(&mut dice), obstacle(&mut dice)));
            if dice.chance(0.3) {
                thing.insert(Velocity(motion.direction(dice.point(3.0))));
            }
            things.push(thing.id());
        }
        for _ in 0..dice.index(3) {
            let wall = Wall::new(dice.point(5.0), dice.point(5.0));
            things.push(world.spawn((place(&mut dice), wall)).id());
        }
        things
    }

    pub fn spawn_agent(&self, world: &mut World, index: u64, motion: &Motion) -> Entity {
        let mut dice = self.dice(10 + index);
        let own_plane = self.is_mixed && dice.chance(0.4);
        let plane = if own_plane { dice.pick(&SteeringPlane::ALL) } else { self.plane };
        let heading = plane.direction(dice.number(-3.0..3.0));
        let transform = Transform {
            translation: motion.point(dice.point(REACH)),
            rotation: motion.turn * plane.rotation(heading),
            ..default()
        };
        let velocity = Velocity(motion.direction(plane.flatten(dice.point(4.0))));
        let mut agent =
            world.spawn((transform, velocity, dice.vehicle(), dice.arbitration(), dice.layers()));
        if own_plane {
            agent.insert(plane);
        }
        if dice.chance(0.2) {
            let spin = dice.number(-3.0..3.0);
            agent.insert(AngularVelocity(plane.normal() * spin));
        }
        if dice.chance(0.1) {
            agent.insert(KeepRotation);
        }
        agent.id()
    }
}

fn obstacle(dice: &mut Dice) -> Obstacle {
    let shape = match dice.index(4) {
        0 => ObstacleShape::Sphere { radius: dice.number(0.3..3.0) },
        1 => {
            let half_size = Vec3::from_array(core::array::from_fn(|_| dice.number(0.3..2.0)));
            ObstacleShape::Box { half_size }
        }
        2 => ObstacleShape::Capsule {
            radius: dice.number(0.2..1.5),
            half_length: dice.number(0.2..2.0),
        },
        _ => ObstacleShape::Segment { start: dice.point(3.0), end: dice.point(3.0) },
    };
    Obstacle { shape }
}
