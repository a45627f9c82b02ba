//! The entity events of navigation, and the reasons why there is no path.

use bevy::prelude::*;

/// Why an agent has no path to its target.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Debug, PartialEq, Clone, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum NavigationFailure {
    /// There is no [`NavigationMap`](crate::NavigationMap) with a planner, or there are several and
    /// the agent does not name one.
    NoMap,
    /// The entity that is the target has been despawned or has no `Transform`.
    NoTarget,
    /// The position of the target is NaN or beyond [`MAX_MAGNITUDE`](bevy_steer::MAX_MAGNITUDE).
    InvalidTarget,
    /// The agent is not on the map, nor near it.
    StartOutside,
    /// The target is not on the map, nor near it.
    GoalOutside,
    /// The agent's body does not fit where the target is, nor near it.
    GoalBlocked,
    /// The agent and its target are on parts of the map that are not connected for a body of the
    /// agent's size.
    NoWay,
}

/// There is no path to the target of an agent. It stops, and tries again after pauses that grow.
///
/// Triggered once for each target, and again only for another [reason](NavigationFailure) or after
/// a path was found. Not triggered for a target that is replaced before its path has been planned.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct NavigationFailed {
    /// The agent.
    pub entity: Entity,
    /// Why there is no path.
    pub reason: NavigationFailure,
}

/// An agent has come to rest at the end of its path: at its target, or at the nearest place where
/// its body fits.
///
/// Triggered once for each target, and again after the target has moved and the agent has followed,
/// or after the agent was moved away and has come back.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct NavigationFinished {
    /// The agent.
    pub entity: Entity,
}
