//! The search for other agents that an agent may collide with: once a tick, for all behaviours.
//!
//! It knows no behaviour: each says what it needs in an
//! [`EncounterRequest`](crate::EncounterRequest).

pub(crate) mod course;
mod encounter_pass;
mod encounter_range;
mod encounter_requests;
mod encounter_search;
mod encounters;
mod goals;
mod surroundings;

pub use course::Course;
pub(crate) use encounter_pass::find_encounters;
pub(crate) use encounter_requests::{
    EncounterRequests, clear_requests, demand_encounters, request_encounters,
};
pub use encounters::{Encounter, Encounters};
pub(crate) use encounters::{EncounterBlock, EncounterLists, EncounterView};
pub(crate) use goals::{Goals, GoalsOf, Pursuit, note_goals, sort_goals};
pub use surroundings::Surroundings;
