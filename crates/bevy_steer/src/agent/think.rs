//! [`ThinkEvery`]: agents that decide less often than they move.

use bevy::prelude::*;

use crate::agent::id::AgentId;

/// Runs the behaviours of an agent only in every n-th tick; in between the agent keeps its last
/// [`SteeringForce`](crate::SteeringForce). For crowds in the distance.
///
/// The agents' turns are staggered evenly by [`AgentId`] and depend only on that and on
/// [`SteeringTick`], so that they are the same on every run. A new agent drifts until its first
/// turn. The time until the next decision is [`Agent::dt`](crate::Agent::dt), and a vehicle's
/// `response` counts as at least that long: a large n makes an agent sluggish, not unstable.
///
/// 0 and 1 both mean every tick.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((Vehicle::default(), Wander::default(), ThinkEvery(4)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct ThinkEvery(pub u32);

impl Default for ThinkEvery {
    /// Every tick.
    fn default() -> Self {
        Self(1)
    }
}

impl ThinkEvery {
    /// The number of ticks that one decision lasts.
    pub(crate) fn ticks(self) -> u32 {
        self.0.max(1)
    }

    /// Whether it is this agent's turn.
    pub(crate) fn is_due(self, id: AgentId, tick: u64) -> bool {
        let every = self.ticks();
        // Runs for every agent in every tick: avoid divisions of 64 bits.
        if every.is_power_of_two() {
            return id.0.wrapping_add(tick) & u64::from(every - 1) == 0;
        }
        match id.0.checked_add(tick).map(u32::try_from) {
            Some(Ok(sum)) => sum.is_multiple_of(every),
            _ => {
                let every = u64::from(every);
                (id.0 % every + tick % every).is_multiple_of(every)
            }
        }
    }
}

/// The number of ticks that steering has run. Part of the state that a rollback must restore if
/// agents have [`ThinkEvery`].
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringTick(pub u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_shared_out_evenly() {
        for every in [1, 2, 3, 7] {
            for tick in [0, 5, u64::MAX] {
                let due = |i: u64| ThinkEvery(every).is_due(AgentId(i), tick);
                let thinking = (0..u64::from(every) * 10).filter(|&i| due(i)).count();
                assert_eq!(thinking, 10, "every {every}, tick {tick}");
            }
        }
    }

    #[test]
    fn large_numbers_have_their_turns_too() {
        for every in [3, 4, 1000, u32::MAX] {
            for number in [0, 7, 1 << 40, u64::MAX - 9] {
                let turns = |tick: u64| ThinkEvery(every).is_due(AgentId(number), tick);
                let every = u64::from(every);
                let first = (every - number % every) % every;
                assert!(turns(first) && turns(first + every), "{every} {number}");
                assert!(!turns(first + 1) && !turns(first + every - 1), "{every} {number}");
            }
        }
    }

    #[test]
    fn zero_is_every_tick() {
        assert!((0..9).all(|tick| ThinkEvery(0).is_due(AgentId(5), tick)));
    }
}
