//! Agents with bodies of Rapier, in worlds with its colliders.
#![allow(missing_docs, reason = "tests")]

mod colliders;
mod common;
mod determinism;
mod dynamic;
mod examples;
mod kinematic;
mod measures;
mod rates;
mod three;
