//! The gallery: scenes, and the room in which they are shown.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `scenes/` | a file for each scene |
//! | `scene.rs` | what a scene is |
//! | `stage.rs` | the room without anything to see: one scene at a time, its clock, its edges |
//! | `goal.rs` | things that scenes are about and that move by themselves until someone clicks |
//! | `look.rs`, `dress.rs`, `trail.rs` | what is seen of agents, obstacles and walls |
//! | `explain.rs` | which gizmos explain it |
//! | `panel.rs`, `sliders.rs` | the strip with the list and the controls |
//! | `camera.rs`, `input.rs`, `window.rs` | the window |

mod camera;
mod dress;
mod explain;
mod goal;
mod input;
mod look;
pub mod options;
mod panel;
pub mod scene;
pub mod scenes;
mod sliders;
pub mod stage;
mod trail;
pub mod window;
