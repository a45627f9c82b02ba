//! The part of the panel that is about the selected agent.

mod behaviors;
mod body;
mod component;
mod fields;
mod forces;
pub(crate) mod history;
mod limits;
mod plot;
pub(crate) mod section;
