//! Runs one tick.

use bevy::prelude::*;

use crate::{agent::think::SteeringTick, pipeline::schedule::SteeringSchedule};

/// One tick. While no time passes nothing happens.
pub(crate) fn run_steering(world: &mut World) {
    if world.resource::<Time>().delta_secs() > 0.0 {
        world.run_schedule(SteeringSchedule);
        let mut tick = world.resource_mut::<SteeringTick>();
        tick.0 = tick.0.wrapping_add(1);
    }
}
