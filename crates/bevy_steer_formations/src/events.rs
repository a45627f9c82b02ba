//! Events of formations.

use bevy::prelude::*;

/// All members of a formation are in their slots, and move with them. Triggered once, and again
/// after a [`FormationBroken`].
///
/// A member that is stuck delays it. Whether it is the only one that is missing tells
/// [`Formation::cohesion`](crate::Formation::cohesion), for which it does not count.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct FormationFormed {
    /// The anchor.
    pub entity: Entity,
}

/// A formation that was [formed](FormationFormed) is not any more: a member has been two spacings
/// away from its slot for half a second, or members have come or gone or the pattern has changed,
/// and not all members are in their new slots.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct FormationBroken {
    /// The anchor.
    pub entity: Entity,
}
