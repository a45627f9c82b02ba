//! The moving picture of the README: a pointer leads a school round the stones while hunters hunt
//! it. It is the game with its rules; only the start and the path of the mouse are read
//! from `assets/movie.ron`. Time advances by the frame, so that a slow machine makes the same movie
//! as a fast one.

mod mouse;
mod record;
mod script;
mod start;

pub(super) use record::{MoviePlugin, SIZE};
pub(super) use start::empty_arena;
