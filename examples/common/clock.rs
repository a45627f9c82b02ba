//! Time by hand: an app without a window that runs as fast as the machine goes, and single steps of one that has a window.

use bevy::{
    app::TaskPoolPlugin, ecs::schedule::SingleThreadedExecutor, prelude::*,
    time::TimeUpdateStrategy,
};

/// An app without a window, in which every `update` is one fixed tick. On this many threads, or as many as Bevy thinks right.
pub fn headless_app(threads: Option<usize>) -> App {
    let mut app = App::new();
    let mut pools = TaskPoolPlugin::default();
    if let Some(threads) = threads {
        // All for computing: nothing else is done in such an app. The thread of the app itself takes its share of the work.
        let compute = &mut pools.task_pool_options.compute;
        (compute.min_threads, compute.max_threads) = (threads - 1, threads - 1);
    }
    app.add_plugins(MinimalPlugins.set(pools));
    let tick = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    app
}

/// Makes the app ready; no time has passed when it returns.
pub fn start(app: &mut App) {
    app.finish();
    app.cleanup();
    // The many small schedules of a frame cost more to hand to other threads than to run.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    // Bevy's clock starts with the first update, which therefore has no time step.
    app.update();
}

/// Has one fixed tick done in the next frame, also while virtual time is paused.
pub fn step_once(fixed: &mut Time<Fixed>) {
    let missing = fixed.timestep().saturating_sub(fixed.overstep());
    fixed.accumulate_overstep(missing);
}
