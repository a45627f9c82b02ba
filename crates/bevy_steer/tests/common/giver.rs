//! Gives an agent any behaviour, with random parameters.

use bevy::prelude::*;
use bevy_steer::{Feelers, Path, PathStyle, prelude::*};

use super::{
    dice::Dice,
    worlds::{BEHAVIORS, Motion},
};

/// What the behaviours are called, in the order of their bits.
pub const NAMES: [&str; BEHAVIORS as usize] = [
    "Seek",
    "Flee",
    "Arrive",
    "Pursue",
    "Evade",
    "OffsetPursue",
    "Wander",
    "MatchVelocity",
    "AvoidObstacles",
    "AvoidWalls",
    "AvoidAgents",
    "PathFollow",
    "Flock",
    "Face",
    "Align",
    "LookWhereYouGo",
];

/// The bits of behaviours with these names.
pub fn mask(names: &[&str]) -> u32 {
    let bit = |name: &&str| NAMES.iter().position(|known| known == name).expect("a behaviour");
    names.iter().fold(0, |mask, name| mask | 1 << bit(name))
}

pub struct Giver<'a> {
    pub dice: Dice,
    pub motion: &'a Motion,
    /// How far from the origin places are, in units.
    pub reach: f32,
    /// Who may be a target, save one.
    pub whom: &'a [Entity],
    pub except: Option<Entity>,
}

impl Giver<'_> {
    fn target(&mut self) -> Target {
        match self.dice.index(3) {
            0 => Target::Point(self.motion.point(self.dice.point(self.reach))),
            1 => self.somebody(),
            _ => Target::nearest(self.dice.layers(), self.dice.number(3.0..40.0)),
        }
    }

    fn entity(&mut self) -> Option<Entity> {
        let picked = self.dice.pick(self.whom);
        (Some(picked) != self.except).then_some(picked)
    }

    fn somebody(&mut self) -> Target {
        let anybody = Target::nearest(SteeringLayers::ALL, f32::INFINITY);
        self.entity().map_or(anybody, Target::Entity)
    }

    fn panic_distance(&mut self) -> Option<f32> {
        self.dice.chance(0.7).then(|| self.dice.number(2.0..20.0))
    }

    fn path(&mut self) -> PathFollow {
        let count = if self.dice.is_nasty() { self.dice.index(3) } else { 2 + self.dice.index(5) };
        let mut points: Vec<Vec3> =
            (0..count).map(|_| self.motion.point(self.dice.point(self.reach))).collect();
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
            1 => {
                let ahead = Bearing::Angle(self.motion.angle);
                self.entity().map_or(ahead, Bearing::Like)
            }
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
                agent.insert(AvoidWalls { feelers, look_ahead, distance, blend, ..default() })
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
