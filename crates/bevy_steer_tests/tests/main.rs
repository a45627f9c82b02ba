//! All integration tests of `bevy_steer`. One program, as each one links all of Bevy.

mod ambiguities;
mod architecture;
mod behaviors;
mod determinism;
mod diagnostics;
mod examples;
mod gizmos;
mod hostile;
mod index_demand;
mod invalid_input;
mod neighbor_queries;
mod properties;
mod reflection;
mod rollback;
mod serialize;
mod simd;
mod think_every;
mod trace;

use bevy_steer_tests as common;
