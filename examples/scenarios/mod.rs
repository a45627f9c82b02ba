//! Scenarios: situations in which agents must not touch each other or anything else, and how well they do, in numbers.

pub mod headless;
mod meetings;
mod narrows;
mod obstacles;
pub mod options;
pub mod outcome;
mod paths;
pub mod scenario;
pub mod table;
mod touch;
mod watch;

use scenario::Scenario;

/// All of them, in the order of the table.
pub fn all() -> impl Iterator<Item = &'static Scenario> {
    [meetings::SCENARIOS, narrows::SCENARIOS, obstacles::SCENARIOS, paths::SCENARIOS]
        .into_iter()
        .flatten()
}
