//! `LookWhereYouGo`.

use bevy::prelude::*;
use bevy_steer::{TurnLimits, prelude::*};

use crate::common::{Sim, at};

#[test]
fn the_heading_ends_up_along_the_velocity() {
    let mut sim = Sim::new();
    let seek = Seek::new(Vec2::new(-100.0, 0.0));
    let limits = TurnLimits { max_rate: 2.0, slow_angle: 0.5, ..default() };
    let look = LookWhereYouGo::default().with_limits(limits);
    let agent = sim.spawn((Vehicle::default(), seek, look, at(0.0, 0.0)));
    sim.run(0.5);
    assert!(sim.heading(agent).x > 0.0, "it cannot have turned yet");
    sim.run(3.5);
    assert!(sim.heading(agent).x < -0.999);
}
