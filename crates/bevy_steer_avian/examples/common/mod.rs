//! The window of an example; or, where there is no display, a few seconds without one.

use bevy::prelude::*;
use bevy_steer_examples::{display::no_window_reason, window::ExampleWindowPlugin};
use bevy_steer_tests::windowless::without_window;

/// Seconds that are simulated where no window can be opened.
const SECONDS: usize = 10;

/// Runs a game in a window with this title; without a display it simulates some seconds and prints
/// how far its agents got.
pub(crate) fn run(title: &str, game: fn(&mut App)) -> AppExit {
    if let Some(reason) = no_window_reason() {
        println!(
            "No window can be opened because {reason}: {SECONDS} seconds are simulated without one."
        );
        let mut app = without_window(game);
        let begin = places(&mut app);
        (0..SECONDS * 64).for_each(|_| app.update());
        let ways: Vec<_> =
            begin.iter().zip(places(&mut app)).map(|(from, to)| from.distance(to)).collect();
        let farthest = ways.iter().copied().fold(0.0, f32::max);
        println!("{} bodies moved by up to {farthest:.1} units.", ways.len());
        return AppExit::Success;
    }
    let window = Window { title: title.to_owned(), ..default() };
    let window = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(window), game, ExampleWindowPlugin)).run()
}

fn places(app: &mut App) -> Vec<Vec3> {
    let mut agents = app.world_mut().query_filtered::<&Transform, With<bevy_steer::Vehicle>>();
    agents.iter(app.world()).map(|transform| transform.translation).collect()
}
