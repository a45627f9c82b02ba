//! [`pause_time`] and [`step_time`], after which the panel shows the last tick of every agent.

use bevy::{prelude::*, time::Virtual};
use bevy_steer::{SteeringTrace, ThinkEvery, Vehicle};

/// Whether all agents are recorded until time resumes, whatever is selected.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct RecordsAll(bool);

/// The maximum number of ticks that run so that agents with a large `ThinkEvery` have thought.
const MOST_TICKS: u32 = 64;

/// Pauses virtual time so that the panel shows the last tick of each agent, as its button does.
///
/// If some agents are not recorded, because the panel is closed or the world has more than 2,000
/// agents, one more fixed tick runs. With agents that [think seldom](bevy_steer::ThinkEvery), as
/// many run as they need to think, up to 64. After [`Time::<Virtual>::pause`](Time::pause) alone,
/// or if steering does not run in `FixedUpdate`, agents that were not recorded show no forces
/// before the next tick. Call it outside of the fixed ticks, for example by commands in `PreUpdate`
/// or `Update`.
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
    if !is_paused(world) {
        let ticks = ticks_to_record_all(world);
        pause_and_run(world, ticks);
    }
}

/// If virtual time runs, pauses it as [`pause_time`] does, otherwise runs one fixed tick.
pub fn step_time(world: &mut World) {
    let ticks = if is_paused(world) { 1 } else { ticks_to_record_all(world).max(1) };
    pause_and_run(world, ticks);
}

fn is_paused(world: &World) -> bool {
    world.get_resource::<Time<Virtual>>().is_some_and(Time::is_paused)
}

fn ticks_to_record_all(world: &mut World) -> u32 {
    let mut agents =
        world.query_filtered::<(Option<&SteeringTrace>, Option<&ThinkEvery>), With<Vehicle>>();
    let empty = SteeringTrace::default();
    let unrecorded = agents.iter(world).filter(|(trace, _)| trace.is_none_or(|it| *it == empty));
    let ticks = unrecorded.map(|(_, think)| think.map_or(1, |think| think.0.max(1)));
    ticks.max().unwrap_or(0).min(MOST_TICKS)
}

fn pause_and_run(world: &mut World, ticks: u32) {
    if let Some(mut time) = world.get_resource_mut::<Time<Virtual>>() {
        time.pause();
    }
    if let Some(mut fixed) = world.get_resource_mut::<Time<Fixed>>() {
        let missing = (fixed.timestep() * ticks).saturating_sub(fixed.overstep());
        fixed.accumulate_overstep(missing);
    }
    world.insert_resource(RecordsAll(true));
}

/// Whether all agents are recorded in this frame.
pub(super) fn records_all(world: &mut World) -> bool {
    let is_paused = is_paused(world);
    let mut all = world.resource_mut::<RecordsAll>();
    all.0 &= is_paused;
    all.0
}
