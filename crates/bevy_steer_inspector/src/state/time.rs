//! [`pause_time`] and [`step_time`], after which the panel shows the last tick of every agent.

use core::time::Duration;

use bevy::{prelude::*, time::Virtual};
use bevy_steer::{SteeringTrace, Vehicle};

/// What the panel makes of a pause.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Pause {
    /// All agents are recorded until time goes on.
    records_all: bool,
    /// Time is paused as soon as all are recorded, which is waited for since then.
    awaited_since: Option<Duration>,
}

/// Some agents are never recorded: invalid ones, and those that think once in a blue moon.
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// Pauses virtual time so that the panel shows the last tick of each agent, as its button does.
///
/// Agents are recorded for that. Where some are not yet, which is so while the panel is closed and
/// in worlds of more than 2,000 agents, time goes on until all have been: mostly a tick, and at
/// most a quarter of a second for those that [think seldom](bevy_steer::ThinkEvery). After
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
    let Some(time) = world.get_resource::<Time<Virtual>>() else { return };
    if time.is_paused() {
        return;
    }
    let now = time.elapsed();
    let awaited_since = if are_all_recorded(world) { None } else { Some(now) };
    if awaited_since.is_none() {
        world.resource_mut::<Time<Virtual>>().pause();
    }
    world.insert_resource(Pause { records_all: true, awaited_since });
}

/// Pauses virtual time and runs one fixed tick, in which all agents are recorded.
pub fn step_time(world: &mut World) {
    if let Some(mut time) = world.get_resource_mut::<Time<Virtual>>() {
        time.pause();
    }
    if let Some(mut fixed) = world.get_resource_mut::<Time<Fixed>>() {
        let missing = fixed.timestep().saturating_sub(fixed.overstep());
        fixed.accumulate_overstep(missing);
    }
    world.insert_resource(Pause { records_all: true, awaited_since: None });
}

fn are_all_recorded(world: &mut World) -> bool {
    let mut agents = world.query_filtered::<Option<&SteeringTrace>, With<Vehicle>>();
    let empty = SteeringTrace::default();
    agents.iter(world).all(|trace| trace.is_some_and(|trace| *trace != empty))
}

/// Pauses time as soon as all agents are recorded.
pub(crate) fn pause_when_recorded(world: &mut World) {
    let Some(since) = world.resource::<Pause>().awaited_since else { return };
    let waited = world.resource::<Time<Virtual>>().elapsed().saturating_sub(since);
    if waited >= LONGEST_WAIT || are_all_recorded(world) {
        world.resource_mut::<Pause>().awaited_since = None;
        world.resource_mut::<Time<Virtual>>().pause();
    }
}

/// Whether all agents are to be recorded, whatever is selected.
pub(super) fn records_all(world: &mut World) -> bool {
    let is_paused = world.get_resource::<Time<Virtual>>().is_some_and(Time::is_paused);
    let mut pause = world.resource_mut::<Pause>();
    pause.records_all &= is_paused || pause.awaited_since.is_some();
    pause.records_all
}
