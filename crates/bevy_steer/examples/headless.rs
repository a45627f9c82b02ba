//! Steering without a window, as on a server: a race, as fast as the machine can compute it.
//!
//! `cargo run -p bevy_steer --example headless`

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::prelude::*;

fn main() {
    App::new().add_plugins((MinimalPlugins, game)).run();
}

/// The game without Bevy's own plugins, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default().with_seed(7))
        // Every update is one tick of 1/64 of a second, independently of the clock, so that the
        // race has the same result every time.
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn)
        .add_observer(finish);
}

const GOAL: Vec2 = vec2(40.0, 0.0);

fn spawn(mut commands: Commands) {
    for (lane, (name, speed)) in
        [("Hare", 6.0), ("Tortoise", 4.5), ("Snail", 4.0)].into_iter().enumerate()
    {
        commands.spawn((
            Name::new(name),
            Vehicle::new(speed),
            Arrive::new(GOAL + Vec2::Y * 2.0 * lane as f32),
            Transform::from_xyz(0.0, 2.0 * lane as f32, 0.0),
        ));
    }
}

/// Runs when an agent has come to rest at its goal.
fn finish(
    arrived: On<Arrived>,
    time: Res<Time>,
    names: Query<&Name, With<Vehicle>>,
    mut count: Local<usize>,
    mut exit: MessageWriter<AppExit>,
) {
    *count += 1;
    let name = names.get(arrived.entity).map_or("?", Name::as_str);
    println!("{}. {name}, after {:.1} seconds", *count, time.elapsed_secs());
    if *count == names.iter().len() {
        exit.write(AppExit::Success);
    }
}
