//! One test or more for each behaviour, in a real app: what somebody who watches the agents would see.

#[path = "../common/mod.rs"]
mod common;

mod agents;
mod arriving;
mod avoiding;
mod getting_away;
mod getting_there;
mod obstacles;
mod paths;
mod together;
mod turning;
mod walls;
mod wandering;

/// What is for now is wished three times as strongly as what has time: the reaction takes a third of the response.
const URGENCY: f32 = 3.0;
