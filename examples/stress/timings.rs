//! Measurements of a run, taken from the plugin's diagnostics.

use bevy::{diagnostic::DiagnosticsStore, ecs::system::SystemState, prelude::*};
use bevy_steer::{NeighborQuery, SteeringDiagnosticsPlugin, prelude::*};

use super::world::SIGHT;

/// The time of each tick in milliseconds, as a whole and by stage.
#[derive(Debug, Default)]
pub(super) struct Timings {
    ticks: Vec<f64>,
    stages: [Vec<f64>; SteeringSystems::ALL.len()],
}

/// The minimum, median and maximum of a list of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    pub(super) min: f64,
    pub(super) median: f64,
    pub(super) max: f64,
}

impl Summary {
    fn of(numbers: &[f64]) -> Self {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |i: usize| sorted.get(i).copied().unwrap_or_default();
        Self { min: at(0), median: at(sorted.len() / 2), max: at(sorted.len().saturating_sub(1)) }
    }
}

impl Timings {
    /// Records the last tick.
    pub(super) fn record(&mut self, diagnostics: &DiagnosticsStore) {
        let last = |path| diagnostics.get(&path).and_then(|d| d.measurement()).map(|m| m.value);
        self.ticks.extend(last(SteeringDiagnosticsPlugin::TICK));
        for stage in SteeringSystems::ALL {
            self.stages[stage as usize].extend(last(SteeringDiagnosticsPlugin::stage(stage)));
        }
    }

    /// The time of a tick, in milliseconds.
    pub(super) fn tick(&self) -> Summary {
        Summary::of(&self.ticks)
    }

    /// The median time of each stage, in milliseconds, in the order of the stages.
    pub(super) fn stages(&self) -> Vec<(&'static str, f64)> {
        let median = |stage: SteeringSystems| Summary::of(&self.stages[stage as usize]).median;
        SteeringSystems::ALL.map(|stage| (name_of(stage), median(stage))).to_vec()
    }
}

/// The name of a stage in tables.
pub(super) fn name_of(stage: SteeringSystems) -> &'static str {
    match stage {
        SteeringSystems::Prepare => "prepare",
        SteeringSystems::Sense => "sense",
        SteeringSystems::Decide => "decide",
        SteeringSystems::Behave => "behave",
        SteeringSystems::Combine => "combine",
        SteeringSystems::Limit => "limit",
        SteeringSystems::Integrate => "integrate",
        SteeringSystems::Notify => "notify",
    }
}

/// The memory of the neighbour index in bytes, and the mean number of neighbours in sight of an
/// agent, estimated from a sample.
pub(super) fn index_statistics(app: &mut App) -> (u64, f64) {
    const SAMPLE: usize = 20_000;
    // The query makes the next tick build a full index, so the memory is read before.
    let mut state = SystemState::<(Neighbors, Query<(Entity, &Transform), With<Vehicle>>)>::new(
        app.world_mut(),
    );
    let memory = state.get(app.world()).map_or(0, |(index, _)| index.memory_bytes() as u64);
    app.update();
    let Ok((neighbors, agents)) = state.get(app.world()) else { return (memory, 0.0) };
    let step = agents.iter().len().div_ceil(SAMPLE).max(1);
    let (mut found, mut sampled) = (0, 0);
    for (entity, transform) in agents.iter().step_by(step) {
        let here = NeighborQuery::at(transform.translation).except(entity);
        found += neighbors.within(here, SIGHT).count();
        sampled += 1;
    }
    (memory, found as f64 / f64::from(sampled.max(1)))
}
