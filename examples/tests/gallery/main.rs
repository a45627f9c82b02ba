//! Scenes of the gallery, run without a window.

mod all_scenes;
mod avoidance;
mod goals;
mod play;
