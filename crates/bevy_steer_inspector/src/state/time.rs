//! [`pause_time`] and [`step_time`], which keep the last tick of every agent for the panel.

use bevy::{prelude::*, time::Virtual};
use bevy_steer::{SteeringTrace, Vehicle};

/// Whether all agents have traces while time is paused.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct KeepsTraces(pub(crate) bool);

/// Pauses virtual time so that the panel shows the last tick of each agent, as its button does.
///
/// Agents are recorded for that. Where some are not yet, which is so while the panel is closed and
/// in worlds of more than 2,000 agents, one more fixed tick runs. After
/// [`Time::<Virtual>::pause`](Time::pause) alone, those that were not recorded have no forces to
/// show before the next tick.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer_inspector::pause_time;
///
/// fn pause(keys: Res<ButtonInput<KeyCode>>, mut commands: Commands) {
///     if keys.just_pressed(KeyCode::Space) {
///         commands.queue(pause_time);
///     }
/// }
/// ```
pub fn pause_time(world: &mut World) {
    let mut unrecorded = world.query_filtered::<(), (With<Vehicle>, Without<SteeringTrace>)>();
    if unrecorded.iter(world).next().is_some() {
        step_time(world);
    } else {
        stop(world);
    }
}

/// Pauses virtual time and runs one fixed tick in the next frame, in which all agents are recorded.
pub fn step_time(world: &mut World) {
    stop(world);
    if let Some(mut fixed) = world.get_resource_mut::<Time<Fixed>>() {
        let missing = fixed.timestep().saturating_sub(fixed.overstep());
        fixed.accumulate_overstep(missing);
    }
}

fn stop(world: &mut World) {
    if let Some(mut time) = world.get_resource_mut::<Time<Virtual>>() {
        time.pause();
    }
    world.get_resource_or_init::<KeepsTraces>().0 = true;
}

/// Lets the traces go when time goes on.
pub(super) fn keeps_traces(world: &mut World) -> bool {
    let is_paused = world.get_resource::<Time<Virtual>>().is_some_and(Time::is_paused);
    let mut keeps = world.resource_mut::<KeepsTraces>();
    keeps.0 &= is_paused;
    keeps.0
}
