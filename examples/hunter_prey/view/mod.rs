//! What is seen of the game: a sea from above. It reads the game and changes nothing in it.

mod alarm;
mod bodies;
mod bursts;
mod ground;
mod lights;
mod plugin;
mod shape;
mod stones;
mod trails;

pub(super) use plugin::ViewPlugin;
