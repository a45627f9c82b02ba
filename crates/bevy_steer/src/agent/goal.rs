//! [`Goal`]: the entity that a behaviour goes for.

use bevy::prelude::*;

/// The entity that a behaviour goes for, see
/// [`SteeringBehavior::goal`](crate::SteeringBehavior::goal). It does not give way to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The entity itself: the agent does not avoid it, unless
    /// [`avoid_targets`](crate::AvoidAgents::avoid_targets) says so.
    Reach(Entity),
    /// A position beside the entity: the agent comes as close as it likes, and keeps off its body
    /// without its help.
    Accompany(Entity),
}
