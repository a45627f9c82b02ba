//! [`SteeringDiagnosticsPlugin`]: the time that each stage of a tick takes.

use core::time::Duration;

use bevy::{
    diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic},
    platform::time::Instant,
    prelude::*,
};

use crate::{
    agent::{SteeringTick, Vehicle},
    pipeline::schedule::{SteeringSchedule, SteeringSystems},
};

/// Measures each stage of the tick with Bevy's diagnostics: every overlay or log of diagnostics
/// shows them.
///
/// Without this plugin nothing is measured. Your own systems count towards the stage that they are
/// in.
///
/// | path | value |
/// | --- | --- |
/// | `steering/prepare` … `steering/notify` | milliseconds of a stage, see [`stage`](Self::stage) |
/// | [`steering/tick`](Self::TICK) | milliseconds from the first to the last |
/// | [`steering/agents`](Self::AGENTS) | the number of agents |
/// | [`steering/ticks_per_second`](Self::TICKS_PER_SECOND) | ticks per second of real time |
///
/// ```
/// # use bevy::{diagnostic::LogDiagnosticsPlugin, prelude::*};
/// # use bevy_steer::{SteeringDiagnosticsPlugin, prelude::*};
/// App::new().add_plugins((
///     MinimalPlugins,
///     SteeringPlugin::default(),
///     SteeringDiagnosticsPlugin,
///     LogDiagnosticsPlugin::default(),
/// ));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SteeringDiagnosticsPlugin;

impl SteeringDiagnosticsPlugin {
    /// Milliseconds of a whole tick.
    pub const TICK: DiagnosticPath = DiagnosticPath::const_new("steering/tick");
    /// The number of agents.
    pub const AGENTS: DiagnosticPath = DiagnosticPath::const_new("steering/agents");

    /// Ticks per second of real time, measured over half a second, even while time is paused.
    pub const TICKS_PER_SECOND: DiagnosticPath =
        DiagnosticPath::const_new("steering/ticks_per_second");

    /// Milliseconds of one stage.
    pub const fn stage(stage: SteeringSystems) -> DiagnosticPath {
        DiagnosticPath::const_new(match stage {
            SteeringSystems::Prepare => "steering/prepare",
            SteeringSystems::Sense => "steering/sense",
            SteeringSystems::Decide => "steering/decide",
            SteeringSystems::Behave => "steering/behave",
            SteeringSystems::Limit => "steering/limit",
            SteeringSystems::Combine => "steering/combine",
            SteeringSystems::Integrate => "steering/integrate",
            SteeringSystems::Notify => "steering/notify",
        })
    }
}

impl Plugin for SteeringDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        for stage in SteeringSystems::ALL {
            app.register_diagnostic(Diagnostic::new(Self::stage(stage)).with_suffix(" ms"));
        }
        app.register_diagnostic(Diagnostic::new(Self::TICK).with_suffix(" ms"))
            .register_diagnostic(Diagnostic::new(Self::AGENTS))
            .register_diagnostic(Diagnostic::new(Self::TICKS_PER_SECOND))
            .init_resource::<Stopwatch>()
            .add_systems(Last, count_ticks)
            .init_schedule(SteeringSchedule)
            .add_systems(SteeringSchedule, start.before(SteeringSystems::Prepare));
        let stages = SteeringSystems::ALL;
        for (i, &stage) in stages.iter().enumerate() {
            let lap = (move |mut stopwatch: ResMut<Stopwatch>| stopwatch.lap(i)).after(stage);
            match stages.get(i + 1) {
                Some(&next) => app.add_systems(SteeringSchedule, lap.before(next)),
                None => app.add_systems(SteeringSchedule, (lap, report).chain()),
            };
        }
    }
}

#[derive(Resource)]
struct Stopwatch {
    started: Instant,
    last: Instant,
    laps: [Duration; SteeringSystems::ALL.len()],
}

impl Default for Stopwatch {
    fn default() -> Self {
        let now = Instant::now();
        Self { started: now, last: now, laps: default() }
    }
}

impl Stopwatch {
    fn lap(&mut self, stage: usize) {
        let now = Instant::now();
        self.laps[stage] = now - self.last;
        self.last = now;
    }
}

fn start(mut stopwatch: ResMut<Stopwatch>) {
    *stopwatch = Stopwatch::default();
}

fn report(
    stopwatch: Res<Stopwatch>,
    agents: Query<(), With<Vehicle>>,
    mut diagnostics: Diagnostics,
) {
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
    for (stage, &lap) in SteeringSystems::ALL.into_iter().zip(&stopwatch.laps) {
        let path = SteeringDiagnosticsPlugin::stage(stage);
        diagnostics.add_measurement(&path, || milliseconds(lap));
    }
    let whole = stopwatch.last - stopwatch.started;
    diagnostics.add_measurement(&SteeringDiagnosticsPlugin::TICK, || milliseconds(whole));
    diagnostics.add_measurement(&SteeringDiagnosticsPlugin::AGENTS, || agents.count() as f64);
}

/// The time over which ticks are counted.
const WINDOW: Duration = Duration::from_millis(500);

fn count_ticks(
    tick: Option<Res<SteeringTick>>,
    mut since: Local<Option<(Instant, u64)>>,
    mut diagnostics: Diagnostics,
) {
    let Some(SteeringTick(tick)) = tick.as_deref().copied() else { return };
    let now = Instant::now();
    let Some((start, first)) = *since else {
        *since = Some((now, tick));
        return;
    };
    let elapsed = now - start;
    if elapsed < WINDOW {
        return;
    }
    // A rollback may have set the tick back.
    let ticks = tick.saturating_sub(first);
    let path = SteeringDiagnosticsPlugin::TICKS_PER_SECOND;
    diagnostics.add_measurement(&path, || ticks as f64 / elapsed.as_secs_f64());
    *since = Some((now, tick));
}
