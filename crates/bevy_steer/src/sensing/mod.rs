//! What an agent senses: the other agents that it may collide with, found once a tick for all
//! behaviours, and the way to its goal round what stands in between.
//!
//! It knows no behaviour: each says what it needs in an
//! [`EncounterRequest`](crate::EncounterRequest).

mod course;
mod encounter_pass;
mod encounter_range;
mod encounter_requests;
mod encounter_search;
mod encounters;
mod goals;

pub(crate) use course::goal_distance;
pub use course::{Course, Surroundings};
pub(crate) use encounter_pass::{EncounterLists, find_encounters};
pub(crate) use encounter_requests::{
    EncounterRequests, clear_requests, demand_encounters, request_encounters,
};
pub use encounters::{Encounter, Encounters};
pub(crate) use encounters::{EncounterBlock, EncounterView, Other};
pub use goals::Pursuit;
pub(crate) use goals::{Goals, GoalsOf, note_goals, sort_goals};
