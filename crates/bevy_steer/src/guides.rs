#![doc = include_str!("../guides/links.md")]
#![doc = include_str!("../guides/README.md")]
//! ## In the repository
//!
//! These pages are not here: the gallery (`docs/gallery.md`), the architecture
//! (`docs/architecture.md`), testing (`docs/testing.md`), and how to work on the crate
//! (`CONTRIBUTING.md`).

// In `links.md` each link of the pages has a target in this documentation. A page defines the same
// links at its end, for readers of the repository; the first definition counts.

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/coming-from.md")]
pub mod coming_from {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/recipes.md")]
pub mod recipes {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/patrol.md")]
pub mod patrol {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/fish_tank.md")]
pub mod fish_tank {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/missiles.md")]
pub mod missiles {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/time.md")]
pub mod time {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/saving.md")]
pub mod saving {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/behaviours.md")]
pub mod behaviours {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/compared.md")]
pub mod compared {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/orders.md")]
pub mod orders {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/horde.md")]
pub mod horde {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/networking.md")]
pub mod networking {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/determinism.md")]
pub mod determinism {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/browser.md")]
pub mod browser {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/performance.md")]
pub mod performance {}

#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/level_of_detail.md")]
pub mod level_of_detail {}
