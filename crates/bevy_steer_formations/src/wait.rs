//! [`WaitForMembers`]: an anchor that slows down for its members.

use bevy::{ecs::system::lifetimeless::SQuery, prelude::*};
use bevy_steer::{
    Agent, Blend, Memory, ParamOf, Priority, Steering, SteeringBehavior, Vehicle, VelocityLimit,
    VelocityLimits,
};

use crate::formation::Formation;

/// Keeps the anchor of a [`Formation`] from going faster than the formation's
/// [`pace`](Formation::pace), whatever its behaviours request: it slows down while members lag
/// behind, and stands while they are far away.
///
/// Added to each agent that has a `Formation`. To have an anchor that does not wait, spawn it with
/// `WaitForMembers::default().disabled()`.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct WaitForMembers {
    /// Whether it is enabled. It requests nothing, so weight and tier do not count.
    pub blend: Blend,
    /// What it keeps from tick to tick.
    pub memory: Memory<WaitForMembersMemory>,
}

/// What [`WaitForMembers`] keeps from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct WaitForMembersMemory {
    /// The velocity that the anchor's behaviours want, in units a second: where it goes when it
    /// need not wait any more.
    pub desired: Vec3,
}

impl SteeringBehavior for WaitForMembers {
    type Param = SQuery<&'static Formation>;
    const PRIORITY: Priority = Priority::Normal;
    const DRIVES: bool = false;
    const LIMITS: bool = true;
    const IN_PRESETS: bool = false;
    bevy_steer::blend_field!();

    fn steer(&mut self, _: &Agent, _: &ParamOf<Self>) -> Steering {
        Steering::NONE
    }

    fn limits(&mut self, agent: &Agent, formations: &ParamOf<Self>, limits: &mut VelocityLimits) {
        /// As firm as the limits that keep bodies from touching.
        const WEIGHT: f32 = 200.0;
        self.memory.desired = limits.desired();
        let Ok(formation) = formations.get(agent.entity) else { return };
        let (requested, pace) = (limits.requested(), formation.pace());
        let (Some(pace), Some(direction)) = (pace, requested.try_normalize()) else { return };
        if requested.length() > pace {
            // Across the requested direction nothing is requested: this bounds the speed.
            limits.add(VelocityLimit::firm(-direction, -pace, WEIGHT));
        }
    }
}

/// Lets new anchors wait.
pub(crate) fn add_waiting(
    mut commands: Commands,
    anchors: Query<Entity, (With<Formation>, With<Vehicle>, Without<WaitForMembers>)>,
) {
    for anchor in &anchors {
        commands.entity(anchor).insert(WaitForMembers::default());
    }
}
