//! The window of an example; or, where there is no display, some seconds without one.

use bevy::prelude::*;
use bevy_steer::PathFollow;
use bevy_steer_examples::{display::no_window_reason, window::ExampleWindowPlugin};
use bevy_steer_navigation::NavigationFinished;
use bevy_steer_tests::windowless::without_window;

/// Seconds that are simulated where no window can be opened.
const SECONDS: usize = 40;

/// How often agents have arrived.
#[derive(Resource, Default)]
pub(crate) struct Arrivals(pub(crate) usize);

/// Counts arrivals.
pub(crate) fn count_arrivals(app: &mut App) {
    app.init_resource::<Arrivals>();
    app.add_observer(|_: On<NavigationFinished>, mut arrivals: ResMut<Arrivals>| arrivals.0 += 1);
}

/// Runs a game in a window with this title, and what is only seen there; without a display it
/// simulates some seconds and prints how often agents arrived.
pub(crate) fn run(title: &str, game: fn(&mut App), picture: fn(&mut App)) -> AppExit {
    if let Some(reason) = no_window_reason() {
        println!("No window can be opened because {reason}: {SECONDS} seconds without one");
        let mut app = without_window(game);
        (0..SECONDS * 64).for_each(|_| app.update());
        println!("{} arrivals", app.world().resource::<Arrivals>().0);
        return AppExit::Success;
    }
    let window = Window { title: title.to_owned(), ..default() };
    let window = WindowPlugin { primary_window: Some(window), ..default() };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(window));
    // As plugins both would have the same name.
    game(&mut app);
    picture(&mut app);
    app.add_plugins(ExampleWindowPlugin).run()
}

/// Draws the rest of each path, raised by `lift`.
pub(crate) fn draw_paths(
    agents: Query<(&Transform, &PathFollow)>,
    gizmos: &mut Gizmos,
    lift: Vec3,
    color: Color,
) {
    for (agent, follow) in &agents {
        let rest = follow.path.points().iter().skip(follow.progress.next).copied();
        let line = [agent.translation].into_iter().chain(rest).map(|point| point + lift);
        gizmos.linestrip(line, color);
    }
}
