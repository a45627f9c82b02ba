//! The part of the panel that is about the selected agent.

mod add_menu;
mod behaviors;
mod blend;
mod body;
pub(crate) mod card;
mod component;
mod fields;
mod forces;
pub(crate) mod history;
mod limits;
mod plot;
pub(crate) mod section;
