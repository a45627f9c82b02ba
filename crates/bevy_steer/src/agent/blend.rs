//! [`Blend`]: weight and priority of a behaviour.

use bevy::prelude::*;

use crate::agent::parameter::ParameterRange;

/// How urgent a behaviour is; more urgent is greater. Arbitration serves the most urgent first.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Priority {
    /// Everything else: wander.
    Low,
    /// Getting somewhere: seek, arrive, pursue, follow a path, flock; keeping off walls.
    #[default]
    Normal,
    /// Running away: flee, evade.
    High,
    /// Avoiding obstacles and other agents.
    Critical,
}

impl Priority {
    /// The number of tiers.
    pub const COUNT: usize = 4;
    /// All tiers, most urgent first.
    pub const ALL: [Self; Self::COUNT] = [Self::Critical, Self::High, Self::Normal, Self::Low];

    /// The index of its tier in [`ALL`](Self::ALL), and in all that is kept for each tier.
    #[inline]
    pub(crate) const fn tier(self) -> usize {
        Self::COUNT - 1 - self as usize
    }
}

/// How a behaviour takes part in arbitration. Every behaviour component has one, in its field
/// `blend`.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Blend {
    /// Factor on the change of velocity that the behaviour requests. Default 1. With 0 the
    /// behaviour does not move its agent, which is idle unless another behaviour does.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub weight: f32,
    /// The tier, or `None` for the behaviour's own
    /// ([`SteeringBehavior::PRIORITY`](crate::SteeringBehavior::PRIORITY)). Default `None`.
    pub priority: Option<Priority>,
    /// A disabled behaviour is not computed at all. Default true.
    pub enabled: bool,
}

impl Default for Blend {
    fn default() -> Self {
        Self { weight: 1.0, priority: None, enabled: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_urgent_tier_is_greater_and_comes_first() {
        assert!(Priority::ALL.is_sorted_by(|one, next| one > next));
        assert_eq!(Priority::ALL.map(Priority::tier), [0, 1, 2, 3]);
    }
}
