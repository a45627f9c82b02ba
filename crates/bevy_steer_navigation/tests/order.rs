//! The order of all systems that access the same data is defined: Bevy's ambiguity detection finds
//! none open.

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_steer::prelude::*;
use bevy_steer_navigation::{NavigateTo, NavigationPlugin, NavigationStatus, ObstacleGrid};

#[test]
fn system_order_is_unambiguous() {
    // The plugins in either order.
    for is_first in [true, false] {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins);
        if is_first {
            app.add_plugins((NavigationPlugin::default(), SteeringPlugin::new(Update)));
        } else {
            app.add_plugins((SteeringPlugin::new(Update), NavigationPlugin::default()));
        }
        app.configure_schedules(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            hierarchy_detection: LogLevel::Error,
            ..default()
        });
        let step = core::time::Duration::from_secs_f64(1.0 / 64.0);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
        app.world_mut().spawn(ObstacleGrid::new(Vec2::splat(-20.0), Vec2::splat(20.0), 1.0));
        let agent = app.world_mut().spawn(NavigateTo::new(Vec2::X * 9.0)).id();
        (0..20).for_each(|_| app.update());
        // Bevy prints which systems are ambiguous, and does not run their schedule.
        let status = app.world().get::<NavigateTo>(agent).map(NavigateTo::status);
        assert_eq!(status, Some(NavigationStatus::Following), "{is_first}");
    }
}
