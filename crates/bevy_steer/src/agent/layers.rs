//! [`SteeringLayers`]: the kinds of an entity, by which targets and queries are filtered.

use bevy::prelude::*;

use crate::agent::id::AgentId;

/// The kinds of an entity ("prey", "hunter", "pickup"), a set of up to 32 bits.
///
/// [`Target::Nearest`](crate::Target::Nearest), the neighbour queries and behaviours such as
/// [`Flock`](crate::Flock) find an entity when their layers share a bit with its own.
///
/// Every [`Vehicle`](crate::Vehicle) has this component; the default is the first layer. An entity
/// without a vehicle (a lure, a pickup) that has `SteeringLayers` and a `Transform` is found like
/// an agent.
///
/// ```
/// use bevy_steer::SteeringLayers;
/// const PREY: SteeringLayers = SteeringLayers::layer(1);
/// const HUNTER: SteeringLayers = SteeringLayers::layer(2);
/// assert!(PREY.or(HUNTER).overlaps(PREY));
/// assert!(!HUNTER.overlaps(PREY));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(AgentId)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringLayers(pub u32);

impl Default for SteeringLayers {
    fn default() -> Self {
        Self::layer(0)
    }
}

impl SteeringLayers {
    /// In no layer: such an entity is never found.
    pub const NONE: Self = Self(0);
    /// In every layer; as a filter: everything that is in any layer.
    pub const ALL: Self = Self(u32::MAX);

    /// The layer with this index, 0 to 31. A higher index wraps around.
    pub const fn layer(index: u32) -> Self {
        Self(1 << (index % 32))
    }

    /// All layers of both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the two share a layer.
    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
