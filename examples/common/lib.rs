//! The examples of `bevy_steer` as a library, so that tests can run them, and what they share.

pub mod camera;
pub mod clock;
pub mod display;
pub mod gizmos;
pub mod keys;
pub mod palette;
pub mod screenshot;
pub mod selection;
pub mod shapes;
pub mod sheet;
pub mod smooth;
pub mod state_hash;
pub mod trails;
pub mod window;

#[path = "../gallery/mod.rs"]
pub mod gallery;
#[path = "../hunter_prey/mod.rs"]
pub mod hunter_prey;
#[cfg(not(target_family = "wasm"))]
#[path = "../replication/mod.rs"]
pub mod replication;
#[cfg(not(target_family = "wasm"))]
#[path = "../rollback/mod.rs"]
pub mod rollback;
#[cfg(not(target_family = "wasm"))]
#[path = "../scenarios/mod.rs"]
pub mod scenarios;
#[cfg(not(target_family = "wasm"))]
#[path = "../soak/mod.rs"]
pub mod soak;
#[path = "../stress/mod.rs"]
pub mod stress;
