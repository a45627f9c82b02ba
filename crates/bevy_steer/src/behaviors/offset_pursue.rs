//! Offset pursuit: a slot in a formation.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    agent::{Blend, Goal, Memory, Priority, Unit, builders},
    behavior::{
        Agent, DebugDraw, DebugLayer, ParamOf, STargets, Steering, SteeringBehavior, Target,
        TargetMemory, TargetView,
    },
    behaviors::{ArriveProfile, arrival::Arrival},
    sensing::Surroundings,
    space::{local_axes, to_world},
};

/// Keeps a position relative to a moving target: a slot in a formation, a wingman, a follower a
/// step behind.
///
/// It arrives at the slot in the target's frame of motion. In the slot it moves with the target,
/// and around it where the target turns. Triggers [`Arrived`](crate::Arrived) when the agent has
/// reached the slot. Reynolds (1999), "Offset pursuit".
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
    /// The target.
    #[entities]
    pub target: Target,
    /// The position of the slot in the target's local space, in world units: along the axes of its
    /// rotation, without its scale.
    #[reflect(@Unit::Length)]
    pub offset: Vec3,
    /// How it slows down near the slot. Default [`ArriveProfile::FAST`].
    pub profile: ArriveProfile,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
    /// What it keeps from tick to tick.
    #[entities]
    pub memory: Memory<OffsetPursueMemory>,
}

/// What [`OffsetPursue`] keeps from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct OffsetPursueMemory {
    /// The memory of the target.
    #[entities]
    pub target: TargetMemory,
    /// The direction that the target faced in the last tick: a unit vector, or zero. Its turn rate
    /// is derived from it.
    pub seen_heading: Vec3,
    /// Whether it has reached its slot and been reported.
    pub arrived: bool,
}

impl Default for OffsetPursue {
    fn default() -> Self {
        Self {
            target: Target::default(),
            offset: Vec3::ZERO,
            profile: ArriveProfile::FAST,
            blend: Blend::default(),
            memory: default(),
        }
    }
}

impl OffsetPursue {
    /// The agent is in the slot within this many radii of its body,
    const IN_SLOT: f32 = 0.5;
    /// if its velocity differs from the slot's by at most this fraction of its top speed.
    const KEEPS_UP: f32 = 0.1;

    /// Keeps this local offset from an entity or any other [`Target`].
    pub fn new(target: impl Into<Target>, offset: Vec3) -> Self {
        Self { target: target.into(), offset, ..Self::default() }
    }

    builders! {
        /// Sets how it slows down near the slot.
        with_profile(profile: ArriveProfile);
    }

    /// Whether it is in its slot.
    pub fn has_arrived(&self) -> bool {
        self.memory.arrived
    }

    /// The offset of the slot from the target, which faces along `heading`.
    fn slot(&self, agent: &Agent, heading: Vec3) -> Vec3 {
        let axes = local_axes(agent.plane.rotation(heading));
        agent.plane.flatten(to_world(&axes, self.offset))
    }

    /// The velocity of the slot: that of the target, and around it as fast as the target has turned
    /// since the last tick.
    fn velocity_of_slot(&mut self, agent: &Agent, view: &TargetView, slot: Vec3) -> Vec3 {
        let before = core::mem::replace(&mut self.memory.seen_heading, view.heading);
        // A target that reverses its heading within a tick has not moved its slots around.
        let has_turned = before.dot(view.heading) > 0.0;
        let swing =
            if has_turned { (slot - self.slot(agent, before)) / agent.dt } else { Vec3::ZERO };
        view.velocity + swing
    }
}

impl SteeringBehavior for OffsetPursue {
    type Param = (STargets, Surroundings<'static>);
    const PRIORITY: Priority = Priority::Normal;
    const HAS_GOAL: bool = true;
    crate::blend_field!();

    fn goal(&self) -> Option<Goal> {
        self.target.entity(&self.memory.target).map(Goal::Accompany)
    }

    #[inline]
    fn steer(&mut self, agent: &Agent, (targets, surroundings): &ParamOf<Self>) -> Steering {
        let before = self.memory.target.current;
        let Some(view) = targets.find(agent, &self.target, &mut self.memory.target) else {
            self.memory.seen_heading = Vec3::ZERO;
            return Steering::NONE;
        };
        if self.memory.target.current != before {
            (self.memory.seen_heading, self.memory.arrived) = (Vec3::ZERO, false);
        }
        let slot = self.slot(agent, view.heading);
        let to_slot =
            surroundings.course(agent, view.offset + slot, &mut self.memory.target.detour).offset;
        let velocity = self.velocity_of_slot(agent, &view, slot);
        let arrival = Arrival {
            distance: to_slot.length(),
            stop_radius: agent.reachable(agent.vehicle.size() * Self::IN_SLOT),
            rests: (agent.velocity - velocity).length() <= Self::KEEPS_UP * agent.vehicle.max_speed,
            target_has_moved: false,
        };
        agent.report_arrival(&mut self.memory.arrived, arrival);
        let stop_radius = agent.reachable(0.0);
        Steering::linear(agent.arrive(to_slot, velocity, self.profile, stop_radius, None))
    }

    fn debug_draw(&self, agent: &Agent, (targets, _): &ParamOf<Self>, draw: &mut DebugDraw) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory.target) else {
            return;
        };
        let slot = agent.position + view.offset + self.slot(agent, view.heading);
        draw.line(DebugLayer::Target, slot, agent.position + view.offset)
            .line(DebugLayer::Guess, agent.position, slot)
            .circle(DebugLayer::Guess, slot, agent.vehicle.radius);
    }
}
