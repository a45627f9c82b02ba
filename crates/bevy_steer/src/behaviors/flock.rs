//! Flock: together, apart, and the same way.

use bevy::{ecs::system::SystemParamItem, math::ops, prelude::*};

use super::blend_field;
use crate::{
    behavior::{Agent, Steering, SteeringBehavior},
    blend::{Blend, Priority},
    layers::SteeringLayers,
    neighbors::NeighborIndex,
    vector::{NEGLIGIBLE, truncate},
};

/// What one mate at `offset` adds to the wish for distance: away from it, `s / d − d / s` long for the separation radius `s`
/// and the distance `d`. Without bound for the nearest, and nothing at the radius itself, so that nobody jerks who crosses
/// it. After Reynolds (1999), "Separation".
pub fn separation_share(offset: Vec3, separation_radius: f32) -> Vec3 {
    let squared = offset.length_squared();
    let radius_squared = separation_radius * separation_radius;
    if squared < radius_squared && squared > NEGLIGIBLE * NEGLIGIBLE {
        offset * ((1.0 - radius_squared / squared) / separation_radius)
    } else {
        Vec3::ZERO
    }
}

/// The change of velocity that takes an agent to the middle of its mates: `max_speed` for a middle that is `radius` away,
/// in proportion for a nearer one. Reynolds (1999), "Cohesion".
///
/// `mean_offset` is the mean of the mates' places relative to the agent, itself not counted.
pub fn cohesion(mean_offset: Vec3, radius: f32, max_speed: f32) -> Vec3 {
    if radius > 0.0 { truncate(mean_offset * (max_speed / radius), max_speed) } else { Vec3::ZERO }
}

/// The change of velocity that makes an agent go as its mates go on average. Reynolds (1999), "Alignment".
pub fn alignment(velocity: Vec3, mean_velocity: Vec3) -> Vec3 {
    mean_velocity - velocity
}

/// Keeps with its mates: not too near, not too far, the same way. Reynolds (1987), "Flocks, Herds, and Schools".
///
/// Mates are agents in the given layers, within `radius` and inside the view angle. It does not drive the agent on: add
/// [`Wander`](crate::Wander) or a target to start a flock that stands.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// for i in 0..100 {
///     let place = Transform::from_xyz((i % 10) as f32, (i / 10) as f32, 0.0);
///     commands.spawn((Vehicle::default(), Flock::new(4.0), Wander::default(), place));
/// }
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Flock {
    /// How far it sees its mates, in units. Default 5.
    pub radius: f32,
    /// Nearer than this is too near, in units. Default 2.5. No larger than `radius` in effect.
    pub separation_radius: f32,
    /// How wide it sees, in radians, its heading in the middle. Default 2π: all round.
    pub view_angle: f32,
    /// Weight of the wish for distance. Default 1.5.
    pub separation: f32,
    /// Weight of the wish to go the same way. Default 1.
    pub alignment: f32,
    /// Weight of the wish to be in the middle. Default 1.
    pub cohesion: f32,
    /// Who is a mate. Default the first layer, in which agents are if not told otherwise.
    pub layers: SteeringLayers,
    /// It looks at no more mates than this. Default 128.
    ///
    /// Which ones, where there are more, has no meaning but is the same on every run.
    pub max_neighbors: u32,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl Default for Flock {
    fn default() -> Self {
        Self::new(5.0)
    }
}

impl Flock {
    /// A flock whose members see each other from this far, in units, and find half of it too near.
    pub fn new(radius: f32) -> Self {
        Self {
            radius,
            separation_radius: radius * 0.5,
            view_angle: core::f32::consts::TAU,
            separation: 1.5,
            alignment: 1.0,
            cohesion: 1.0,
            layers: SteeringLayers::default(),
            max_neighbors: 128,
            blend: Blend::default(),
        }
    }

    /// With this distance that is too near, in units.
    #[must_use]
    pub fn with_separation_radius(mut self, separation_radius: f32) -> Self {
        self.separation_radius = separation_radius;
        self
    }

    /// Seeing this wide, in radians.
    #[must_use]
    pub fn with_view_angle(mut self, view_angle: f32) -> Self {
        self.view_angle = view_angle;
        self
    }

    /// With these weights of the three rules.
    #[must_use]
    pub fn with_rules(mut self, separation: f32, alignment: f32, cohesion: f32) -> Self {
        self.separation = separation;
        self.alignment = alignment;
        self.cohesion = cohesion;
        self
    }

    /// With mates in one of these layers.
    #[must_use]
    pub fn with_layers(mut self, layers: SteeringLayers) -> Self {
        self.layers = layers;
        self
    }

    /// Looking at no more mates than this.
    #[must_use]
    pub fn with_max_neighbors(mut self, max_neighbors: u32) -> Self {
        self.max_neighbors = max_neighbors;
        self
    }
}

/// Sums over the mates of one agent.
#[derive(Default)]
struct Mates {
    count: u32,
    offsets: Vec3,
    velocities: Vec3,
    separation: Vec3,
}

impl Flock {
    fn look_around(&self, agent: &Agent, index: &NeighborIndex) -> Mates {
        let mut mates = Mates::default();
        let half_view = 0.5 * self.view_angle;
        let sees_all_round = half_view.is_nan() || half_view >= core::f32::consts::PI;
        let least_cos = if sees_all_round { -1.0 } else { ops::cos(half_view.max(0.0)) };
        let facing = agent.direction();
        for mate in index.within(agent.around(self.layers), self.radius) {
            if mates.count >= self.max_neighbors {
                break;
            }
            let distance = mate.distance_squared.sqrt();
            if !sees_all_round && facing.dot(mate.offset) < least_cos * distance {
                continue;
            }
            mates.count += 1;
            mates.offsets += mate.offset;
            mates.velocities += mate.velocity;
            mates.separation += if distance > NEGLIGIBLE {
                separation_share(mate.offset, self.separation_radius)
            } else {
                agent.plane.parting(agent.number.0, mate.number.0)
            };
        }
        mates
    }
}

impl SteeringBehavior for Flock {
    type World = Res<'static, NeighborIndex>;
    const PRIORITY: Priority = Priority::Normal;
    blend_field!();

    fn steer(&mut self, agent: &Agent, index: &SystemParamItem<Self::World>) -> Steering {
        let mates = self.look_around(agent, index);
        if mates.count == 0 {
            return Steering::NONE;
        }
        let share = 1.0 / mates.count as f32;
        let max_speed = agent.vehicle.max_speed;
        let mean_velocity = agent.plane.flatten(mates.velocities * share);
        let apart = truncate(mates.separation, 1.0) * max_speed;
        let together = cohesion(mates.offsets * share, self.radius, max_speed);
        let along = alignment(agent.velocity, mean_velocity);
        Steering::linear(
            apart * self.separation + along * self.alignment + together * self.cohesion,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separation_grows_with_nearness_and_ends_at_its_radius() {
        // 4/2 − 2/4 and 4/1 − 1/4.
        assert_eq!(separation_share(Vec3::X * 2.0, 4.0), Vec3::NEG_X * 1.5);
        assert_eq!(separation_share(Vec3::X * 1.0, 4.0), Vec3::NEG_X * 3.75);
        assert!(separation_share(Vec3::X * 3.999, 4.0).length() < 1e-3);
        assert_eq!(separation_share(Vec3::X * 4.0, 4.0), Vec3::ZERO);
        assert_eq!(separation_share(Vec3::ZERO, 4.0), Vec3::ZERO);
    }

    #[test]
    fn cohesion_is_in_proportion_to_the_distance() {
        assert_eq!(cohesion(Vec3::Y * 2.0, 4.0, 10.0), Vec3::Y * 5.0);
        assert_eq!(cohesion(Vec3::Y * 9.0, 4.0, 10.0), Vec3::Y * 10.0);
        assert_eq!(cohesion(Vec3::Y, 0.0, 10.0), Vec3::ZERO);
    }

    #[test]
    fn alignment_wants_the_mean_velocity() {
        assert_eq!(alignment(Vec3::X, Vec3::Y * 3.0), Vec3::new(-1.0, 3.0, 0.0));
    }
}
