//! Agents with bodies, in worlds with colliders.
#![allow(missing_docs, reason = "tests")]

mod casts;
mod colliders;
mod common;
mod determinism;
mod dynamic;
mod examples;
mod kinematic;
mod measures;
mod mixed;
mod rates;
mod three;
