//! Scenes of the gallery, run without a window.

mod all_scenes;
mod avoidance;
mod classics;
mod goals;
mod play;
