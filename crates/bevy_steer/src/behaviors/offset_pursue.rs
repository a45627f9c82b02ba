//! Offset pursuit: a place in a formation.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use super::{
    ArriveProfile,
    arrive::{arrive, stop_in_time},
    blend_field,
};
use crate::{
    behavior::{Agent, Steering, SteeringBehavior},
    blend::{Blend, Priority},
    sketch::{Part, Sketch},
    target::{Sighting, Target, Targets, Tracking},
    vector::{local_axes, truncate},
};

/// Keeps a place beside a moving target: a slot in a formation, a wingman, a follower a step behind.
///
/// It arrives at the slot in the target's frame of motion, so once there it moves as the target does. Reynolds (1999),
/// "Offset pursuit".
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands, leader: Entity) {
/// // Two units behind and one to the left of a leader in the `Xy` plane.
/// commands.spawn((Vehicle::default(), OffsetPursue::new(leader, Vec3::new(-2.0, 1.0, 0.0))));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct OffsetPursue {
    /// Beside whom.
    #[entities]
    pub target: Target,
    /// The slot in the target's local space, in units: with the axes of its rotation, without its scale.
    pub offset: Vec3,
    /// How it slows down near the slot. Default [`ArriveProfile::FAST`].
    pub profile: ArriveProfile,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
    /// What it remembers of the target.
    #[entities]
    pub tracking: Tracking,
}

impl Default for OffsetPursue {
    fn default() -> Self {
        Self {
            target: Target::default(),
            offset: Vec3::ZERO,
            profile: ArriveProfile::FAST,
            blend: Blend::default(),
            tracking: Tracking::default(),
        }
    }
}

impl OffsetPursue {
    /// Keeps at this local offset from an entity or any other [`Target`].
    pub fn new(target: impl Into<Target>, offset: Vec3) -> Self {
        Self { target: target.into(), offset, ..Self::default() }
    }

    fn way_to_slot(&self, agent: &Agent, sighting: &Sighting) -> Vec3 {
        let [x, y, z] = local_axes(agent.plane.rotation(sighting.heading));
        let slot = x * self.offset.x + y * self.offset.y + z * self.offset.z;
        agent.plane.flatten(sighting.offset + slot)
    }
}

impl SteeringBehavior for OffsetPursue {
    type World = Targets<'static, 'static, ()>;
    const PRIORITY: Priority = Priority::Normal;
    blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<Self::World>) -> Steering {
        let Some(sighting) = targets.find(agent, &self.target, &mut self.tracking) else {
            return Steering::NONE;
        };
        let to_slot = self.way_to_slot(agent, &sighting);
        let relative = agent.velocity - sighting.velocity;
        let max_speed = agent.vehicle.max_speed;
        let acceleration = agent.vehicle.max_acceleration();
        let change =
            arrive(Vec3::ZERO, relative, to_slot, max_speed, acceleration, self.profile, 0.0);
        let possible = truncate(agent.velocity + change, max_speed) - agent.velocity;
        let distance = to_slot.length();
        Steering::linear(stop_in_time(agent, possible, relative, distance, acceleration))
    }

    fn sketch(&self, agent: &Agent, targets: &SystemParamItem<Self::World>, sketch: &mut Sketch) {
        let Some(sighting) = targets.last_seen(agent, &self.target, &self.tracking) else { return };
        let slot = agent.position + self.way_to_slot(agent, &sighting);
        sketch
            .line(Part::Target, slot, agent.position + sighting.offset)
            .line(Part::Guess, agent.position, slot)
            .circle(Part::Guess, slot, agent.vehicle.radius);
    }
}
