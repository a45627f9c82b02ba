//! [`simulate`]: an example where no window can be opened.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_tests::windowless::without_window;

const SECONDS: usize = 10;

/// Simulates some seconds of a game. Returns a line that says how far its agents have moved.
pub fn simulate(game: fn(&mut App)) -> String {
    let mut app = without_window(game);
    let begin = places(&mut app);
    (0..SECONDS * 64).for_each(|_| app.update());
    let moved = begin.iter().zip(places(&mut app)).map(|(from, to)| from.distance(to));
    let farthest = moved.fold(0.0, f32::max);
    let agents = begin.len();
    format!("in {SECONDS} seconds {agents} agents have moved by up to {farthest:.1} units")
}

fn places(app: &mut App) -> Vec<Vec3> {
    let mut agents = app.world_mut().query_filtered::<&Transform, With<Vehicle>>();
    agents.iter(app.world()).map(|agent| agent.translation).collect()
}
