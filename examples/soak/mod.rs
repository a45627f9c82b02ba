//! The endurance test: births and deaths for a simulated day.

mod churn;
pub mod options;
pub mod run;
