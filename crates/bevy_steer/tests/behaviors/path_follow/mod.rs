//! `PathFollow`.

mod corridor;
mod path;
