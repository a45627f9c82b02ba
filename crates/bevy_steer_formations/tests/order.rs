//! The order of all systems that access the same data is defined: Bevy's ambiguity detection finds
//! none open.

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_steer::prelude::*;
use bevy_steer_formations::{Formation, FormationAssetPlugin, FormationPlugin, MemberOf};

#[test]
fn system_order_is_unambiguous() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default()));
    app.add_plugins((SteeringPlugin::new(Update), FormationPlugin, FormationAssetPlugin));
    app.configure_schedules(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        hierarchy_detection: LogLevel::Error,
        ..default()
    });
    let step = core::time::Duration::from_secs_f64(1.0 / 64.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    let anchor = app.world_mut().spawn((Vehicle::default(), Formation::default())).id();
    app.world_mut().spawn((MemberOf(anchor), Transform::from_xyz(-9.0, 0.0, 0.0)));
    (0..600).for_each(|_| app.update());
    // Bevy prints which systems are ambiguous, and does not run their schedule.
    assert!(app.world().get::<Formation>(anchor).unwrap().is_formed());
}
