//! Every scene of the gallery as somebody who watches it would judge it.

mod all_scenes;
mod clear_of;
mod goals;
mod play;
