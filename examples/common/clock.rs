//! An app without a window that runs at full speed.

use bevy::{
    app::TaskPoolPlugin, ecs::schedule::SingleThreadedExecutor, prelude::*,
    time::TimeUpdateStrategy,
};

/// An app without a window in which every `update` is one fixed tick.
///
/// `threads` is the number of threads that steer; `None` leaves it to Bevy.
pub fn headless_app(threads: Option<usize>) -> App {
    let mut app = App::new();
    let mut pools = TaskPoolPlugin::default();
    if let Some(threads) = threads {
        // All threads compute: such an app has no I/O. The app's own thread counts as one of them.
        let compute = &mut pools.task_pool_options.compute;
        (compute.min_threads, compute.max_threads) = (threads - 1, threads - 1);
    }
    app.add_plugins(MinimalPlugins.set(pools));
    let tick = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    app
}

/// Finishes the plugins and runs the startup schedules; no time has passed afterwards.
pub fn start(app: &mut App) {
    app.finish();
    app.cleanup();
    // Handing the many small schedules of a frame to other threads costs more than running them.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    // The first update has a time step of zero.
    app.update();
}
