//! Random worlds with every behaviour, built alike from the same plan.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use proptest::prelude::*;

use super::{Sim, dice::Dice};

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
                    plane: self.plane,
                    motion,
                    whom: &whom,
                };
                giver.give(&mut sim.app.world_mut().entity_mut(agent), bit);
            }
        }
        (sim, agents)
    }

    /// A lure or two, obstacles and walls.
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

    fn spawn_agent(&self, world: &mut World, index: u64, motion: &Motion) -> Entity {
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

/// Gives behaviours to one agent.
pub struct Giver<'a> {
    pub dice: Dice,
    pub plane: SteeringPlane,
    pub motion: &'a Motion,
    /// Who may be a target.
    pub whom: &'a [Entity],
}

impl Giver<'_> {
    fn target(&mut self) -> Target {
        match self.dice.index(3) {
            0 => Target::Point(self.motion.point(self.dice.point(REACH))),
            1 if !self.whom.is_empty() => self.somebody(),
            _ => Target::nearest(self.dice.layers(), self.dice.number(3.0..40.0)),
        }
    }

    fn somebody(&mut self) -> Target {
        if self.whom.is_empty() {
            return Target::nearest(SteeringLayers::ALL, f32::INFINITY);
        }
        Target::Entity(self.dice.pick(self.whom))
    }

    fn panic_distance(&mut self) -> Option<f32> {
        self.dice.chance(0.7).then(|| self.dice.number(2.0..20.0))
    }

    fn path(&mut self) -> PathFollow {
        let count = if self.dice.is_nasty() { self.dice.index(3) } else { 3 + self.dice.index(4) };
        let mut points: Vec<Vec3> =
            (0..count).map(|_| self.motion.point(self.dice.point(REACH))).collect();
        if self.dice.chance(0.2) && count > 0 {
            points.push(points[count - 1]);
        }
        let style = if self.dice.chance(0.5) {
            PathStyle::Waypoints { radius: self.dice.number(0.2..2.0) }
        } else {
            PathStyle::Corridor {
                radius: self.dice.number(0.2..2.0),
                predict: self.dice.number(0.1..1.0),
            }
        };
        let end = self.dice.pick(&[PathEnd::Stop, PathEnd::Loop, PathEnd::PingPong]);
        PathFollow { path: Path::new(points), style, end, ..default() }
    }

    fn flock(&mut self) -> Flock {
        let dice = &mut self.dice;
        Flock {
            radius: dice.number(2.0..12.0),
            separation_radius: dice.number(0.5..4.0),
            view_angle: dice.number(2.0..6.3),
            separation: dice.number(0.0..2.0),
            alignment: dice.number(0.0..2.0),
            cohesion: dice.number(0.0..2.0),
            layers: dice.layers(),
            ..default()
        }
    }

    fn bearing(&mut self) -> Bearing {
        match self.dice.index(3) {
            0 => Bearing::Angle(self.dice.number(-3.0..3.0) + self.motion.angle),
            1 if !self.whom.is_empty() => Bearing::Like(self.dice.pick(self.whom)),
            _ => Bearing::Direction(self.motion.direction(self.dice.point(1.0))),
        }
    }

    /// Gives the behaviour of this bit, with random parameters.
    pub fn give(&mut self, agent: &mut EntityWorldMut, bit: u32) {
        let blend = self.dice.blend();
        let target = self.target();
        let dice = &mut self.dice;
        match bit {
            0 => agent.insert(Seek { target, blend, ..default() }),
            1 => {
                let panic_distance = self.panic_distance();
                agent.insert(Flee { target, panic_distance, blend, ..default() })
            }
            2 => {
                let (profile, stop_radius) = (dice.profile(), dice.number(0.05..1.0));
                agent.insert(Arrive { target, profile, stop_radius, blend, ..default() })
            }
            3 => {
                let (prediction, max_prediction) = (dice.prediction(), dice.number(0.5..5.0));
                agent.insert(Pursue { target, prediction, max_prediction, blend, ..default() })
            }
            4 => {
                let (prediction, max_prediction) = (dice.prediction(), dice.number(0.5..5.0));
                let panic_distance = self.panic_distance();
                agent.insert(Evade {
                    target,
                    panic_distance,
                    prediction,
                    max_prediction,
                    blend,
                    ..default()
                })
            }
            5 => {
                let (offset, profile) = (dice.point(3.0), dice.profile());
                // A point has no frame that would turn with the world.
                let target = self.somebody();
                agent.insert(OffsetPursue { target, offset, profile, blend, ..default() })
            }
            6 => {
                let (distance, radius) = (dice.number(1.0..9.0), dice.number(0.5..5.0));
                let rate = dice.number(0.0..5.0);
                agent.insert(Wander { distance, radius, rate, blend, ..default() })
            }
            7 => agent.insert(MatchVelocity { target, blend, ..default() }),
            8 => {
                let (look_ahead, margin) = (dice.number(0.3..2.0), dice.number(0.0..1.0));
                let brake = dice.number(0.0..1.0);
                agent.insert(AvoidObstacles { look_ahead, margin, brake, blend, ..default() })
            }
            9 => {
                let whiskers = dice.chance(0.7);
                let (angle, length) = (dice.number(0.2..1.2), dice.number(0.3..1.0));
                let feelers =
                    if whiskers { Feelers::Whiskers { angle, length } } else { Feelers::Single };
                let (look_ahead, distance) = (dice.number(0.3..1.5), dice.number(1.0..4.0));
                agent.insert(AvoidWalls::<bevy_steer::ObstacleCaster> {
                    feelers,
                    look_ahead,
                    distance,
                    blend,
                    ..default()
                })
            }
            10 => {
                let (radius, horizon) = (dice.number(1.0..2.0), dice.number(0.3..2.0));
                agent.insert(AvoidAgents { layers: dice.layers(), radius, horizon, blend })
            }
            11 => agent.insert(PathFollow { blend, ..self.path() }),
            12 => agent.insert(Flock { blend, ..self.flock() }),
            13 => agent.insert(Face { target, limits: dice.limits(), blend, ..default() }),
            14 => {
                let bearing = self.bearing();
                let limits = self.dice.limits();
                agent.insert(Align { bearing, limits, blend, ..default() })
            }
            _ => agent.insert(LookWhereYouGo { limits: dice.limits(), blend }),
        };
    }
}
