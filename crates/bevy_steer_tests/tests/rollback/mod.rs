//! All that steering keeps from tick to tick is restored by a rollback: a frame that is simulated
//! again comes out the same.

mod coming_and_going;
mod complete;
mod everything;
mod flock;
mod game;
mod own_behavior;
