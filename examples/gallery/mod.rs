//! The gallery: scenes, and the app that shows them.
//!
//! | file | contents |
//! | --- | --- |
//! | `scenes/` | one file per scene |
//! | `scene.rs` | the type of a scene |
//! | `stage.rs` | runs one scene at a time, without a window |
//! | `goal.rs` | goals that move by themselves until a click |
//! | `hunt.rs` | hunters that go for the densest part of a group |
//! | `look.rs`, `meshes.rs`, `trail.rs` | the appearance of agents, obstacles and walls |
//! | `explain.rs` | the steering gizmos of a scene, and of the agent that is clicked |
//! | `clip.rs` | cuts them off at the edges |
//! | `title.rs`, `score.rs` | the line above the scene, with its score |
//! | `panel.rs`, `style.rs`, `sliders.rs` | the list of scenes and the controls |
//! | `camera.rs`, `input.rs`, `window.rs` | the window; its keys are in `common/keys.rs` |

mod camera;
pub mod clip;
mod explain;
mod goal;
pub mod hunt;
mod input;
pub mod look;
mod meshes;
pub mod options;
mod panel;
pub mod scene;
pub mod scenes;
pub mod score;
mod sliders;
pub mod stage;
mod style;
pub mod title;
mod trail;
pub mod window;
