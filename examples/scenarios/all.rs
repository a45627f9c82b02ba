//! The list of all scenarios.

use super::{meetings, narrow_spaces, obstacles, paths, scenario::Scenario};

/// All small scenarios, in the order of the table.
pub fn all() -> impl Iterator<Item = &'static Scenario> {
    [meetings::SCENARIOS, narrow_spaces::SCENARIOS, obstacles::SCENARIOS, paths::SCENARIOS]
        .into_iter()
        .flatten()
}
