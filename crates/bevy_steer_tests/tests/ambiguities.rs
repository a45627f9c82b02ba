//! The order of all systems that access the same data is defined: Bevy's ambiguity detection finds
//! none open.

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
    prelude::*,
};
use bevy_steer::{SteeringDiagnosticsPlugin, Velocity, prelude::*};

/// Goes east.
#[derive(Component, Reflect, Clone, Debug, Default)]
struct Drift {
    blend: Blend,
}

impl SteeringBehavior for Drift {
    type Param = SNeighbors;
    const PRIORITY: Priority = Priority::Low;

    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, _: &ParamOf<Self>) -> Steering {
        Steering::linear(Vec3::X - agent.velocity)
    }
}

/// A game with all of the crate's plugins, in which no schedule may leave the order of two systems
/// open that get in each other's way.
fn strict_game(schedule: impl ScheduleLabel) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(schedule), SteeringDiagnosticsPlugin))
        .add_steering_behavior::<Drift>();
    crate::common::drawing::begin(&mut app);
    app.configure_schedules(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        hierarchy_detection: LogLevel::Error,
        ..default()
    });
    app
}

/// Three ticks.
fn play(mut app: App) {
    use bevy::time::TimeUpdateStrategy;
    let step = core::time::Duration::from_secs_f64(1.0 / 64.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    let agent = app.world_mut().spawn((Vehicle::default(), Drift::default(), Flock::default()));
    let agent = agent.id();
    for _ in 0..4 {
        app.update();
    }
    // Bevy prints which systems are ambiguous, and does not run their schedule.
    let ticks = app.world().resource::<bevy_steer::SteeringTick>().0;
    assert!(ticks > 0, "no tick has run");
    assert_eq!(ticks, 3);
    assert!(app.world().get::<Velocity>(agent).is_some_and(|velocity| velocity.x > 0.0));
}

#[test]
fn system_order_is_unambiguous() {
    play(strict_game(Update));
    play(strict_game(FixedUpdate));
}

#[test]
#[should_panic(expected = "no tick has run")]
fn an_ambiguous_system_of_the_game_is_refused() {
    fn push(mut agents: Query<&mut Velocity>) {
        agents.iter_mut().for_each(|mut velocity| velocity.x += 1.0);
    }
    let mut app = strict_game(Update);
    app.add_systems(SteeringSchedule, push);
    play(app);
}
