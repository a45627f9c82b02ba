//! What the examples of `bevy_steer` share, and the examples themselves, so that their tests can run them.

pub mod choice;
pub mod clock;
pub mod display;
pub mod gizmos;
pub mod palette;
pub mod picture;
pub mod shapes;
pub mod trails;

#[path = "../gallery/mod.rs"]
pub mod gallery;
#[path = "../hunter_prey/mod.rs"]
pub mod hunter_prey;
#[path = "../scenarios/mod.rs"]
pub mod scenarios;
#[path = "../soak/mod.rs"]
pub mod soak;
#[path = "../stress/mod.rs"]
pub mod stress;

/// What `docs/networking.md` and `docs/saving.md` show needs more of Bevy than `bevy_steer` should have to compile.
#[cfg(doctest)]
#[doc = include_str!("../../docs/networking.md")]
#[doc = include_str!("../../docs/saving.md")]
pub struct Guides;

/// The README's quick start needs a window, so its code is compiled here.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
