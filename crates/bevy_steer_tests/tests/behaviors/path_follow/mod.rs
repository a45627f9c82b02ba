//! `PathFollow`.

mod corridor;
mod path;
mod reroute;
