//! [`NavigationSettings`]: when paths are planned, and how many at a time.

use bevy::prelude::*;
use bevy_steer::{ParameterRange, Unit};

/// When the result of planning is used.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum PlanTiming {
    /// This many ticks after planning began, whether it took less or more time: a plan that is not
    /// ready then is waited for. So agents move in the same way on every run, with any number of
    /// threads. The default, with 4 ticks.
    AfterTicks(u32),
    /// In the first tick after it is ready. No tick waits for a plan, and two runs differ.
    WhenReady,
}

impl Default for PlanTiming {
    fn default() -> Self {
        Self::AfterTicks(4)
    }
}

/// How paths are planned, for all agents. Set by [`NavigationPlugin`](crate::NavigationPlugin).
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct NavigationSettings {
    /// When the result of planning is used. Default: 4 ticks later.
    pub timing: PlanTiming,
    /// The maximum number of paths that are planned at the same time; other agents wait for their
    /// turn. Default 32. 0 counts as 1.
    pub max_running: usize,
    /// The pause after a failure, in seconds; doubled after each further one. Default 0.25.
    #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
    pub retry_pause: f32,
    /// The longest pause after a failure, in seconds. Default 8.
    #[reflect(@Unit::Time, @ParameterRange::up_to(60.0))]
    pub max_retry_pause: f32,
    /// An agent that makes no progress for this time, in seconds, gets a new path. Default 2.
    #[reflect(@Unit::Time, @ParameterRange::up_to(10.0))]
    pub stuck_after: f32,
}

impl Default for NavigationSettings {
    fn default() -> Self {
        Self {
            timing: PlanTiming::default(),
            max_running: 32,
            retry_pause: 0.25,
            max_retry_pause: 8.0,
            stuck_after: 2.0,
        }
    }
}

impl NavigationSettings {
    /// The pause after this many failures in a row, in seconds.
    pub(crate) fn pause_after(&self, failures: u32) -> f32 {
        let doubled = (1..failures.min(32)).fold(self.retry_pause, |pause, _| 2.0 * pause);
        doubled.min(self.max_retry_pause).max(0.0)
    }

    /// The number of ticks from the beginning of planning to the use of its result, if that is
    /// fixed.
    pub(crate) fn ticks(&self) -> u64 {
        match self.timing {
            PlanTiming::AfterTicks(ticks) => u64::from(ticks),
            PlanTiming::WhenReady => 0,
        }
    }

    /// Whether a result that was to be used in the tick `due` is to be used now. Also if it would
    /// have to be waited for longer than for a new one: it is from before the settings were
    /// changed, or from a game that had run for longer when it was saved.
    pub(crate) fn is_due(&self, due: u64, now: u64) -> bool {
        due <= now || due > now.saturating_add(self.ticks())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let settings = NavigationSettings::default();
        let pauses = [1, 2, 3, 6, 7, u32::MAX].map(|failures| settings.pause_after(failures));
        assert_eq!(pauses, [0.25, 0.5, 1.0, 8.0, 8.0, 8.0]);
        let broken = NavigationSettings { retry_pause: f32::NAN, ..settings };
        assert_eq!(broken.pause_after(3), 8.0);
    }

    #[test]
    fn no_result_is_waited_for_longer_than_for_a_new_one() {
        let mut settings = NavigationSettings::default();
        let due = |settings: NavigationSettings, due| settings.is_due(due, 100);
        assert_eq!(
            [99, 100, 101, 104, 105, 9000].map(|it| due(settings, it)),
            [true, true, false, false, true, true]
        );
        settings.timing = PlanTiming::WhenReady;
        assert!(due(settings, 101));
    }
}
