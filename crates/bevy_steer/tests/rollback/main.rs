//! All that steering remembers is rolled back: what is simulated again comes out the same.
#![cfg(feature = "ggrs")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/synctest.rs"]
mod synctest;

mod coming_and_going;
mod complete;
mod everything;
mod flock;
mod game;
mod registering;
