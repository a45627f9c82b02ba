//! All tests of the examples but `soak`. One program, as each one links all of Bevy.

mod bsn;
mod documents;
mod gallery;
mod games;
mod guides;
mod hunter_prey;
mod hunter_prey_mouse;
mod hunter_prey_rollback;
mod keys;
mod options;
mod pasted_code;
mod replication;
mod rollback;
mod scenarios;
mod scenes;
mod window_camera;
mod window_keys;
mod window_motion;
