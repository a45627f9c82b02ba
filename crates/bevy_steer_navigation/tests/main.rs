//! All integration tests of `bevy_steer_navigation`. One program, as each one links all of Bevy.

mod maze;
