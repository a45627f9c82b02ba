//! `MatchVelocity`.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at};

#[test]
fn match_velocity_reaches_the_target_velocity() {
    let mut sim = Sim::new();
    let leader = sim.spawn((Transform::default(), Velocity(Vec3::new(2.0, 3.0, 0.0))));
    let agent = sim.spawn((Vehicle::default(), MatchVelocity::new(leader), at(50.0, 50.0)));
    sim.run(2.0);
    assert!((sim.velocity(agent) - Vec3::new(2.0, 3.0, 0.0)).length() < 1e-3);
}
