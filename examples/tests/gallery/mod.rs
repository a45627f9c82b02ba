//! Scenes of the gallery, run without a window.

mod all_scenes;
mod avoidance;
mod classics;
mod crowds;
mod drawn;
mod goals;
mod hunting;
mod play;
mod scores;
