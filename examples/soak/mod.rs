//! The endurance test: agents spawned and despawned for a simulated day.

mod churn;
pub mod options;
pub mod run;
