//! All that steering keeps from tick to tick is restored by a rollback: a frame that is simulated
//! again comes out the same.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/rollback.rs"]
mod rollback;

mod coming_and_going;
mod complete;
mod everything;
mod flock;
mod game;
mod own_behavior;
