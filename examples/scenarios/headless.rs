//! Plays a scenario without a window, at full speed.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::{
    outcome::Outcome,
    scenario::{Scenario, Stage},
    watch::{Watch, watch},
};
use crate::clock;

/// Seconds that are played after the last arrival: contacts between agents at rest count too.
const REST: f32 = 2.0;

/// Adds what moves the agents of a scenario, in [`RunSteering`].
pub type Mover = fn(&mut App, SteeringPlane);

/// Moves the agents as their behaviours say.
pub fn steering(app: &mut App, plane: SteeringPlane) {
    app.add_plugins(SteeringPlugin::default().with_plane(plane));
}

/// A scenario at its beginning, with what measures it. It has not been started.
pub(super) fn set_up(scenario: &Scenario, mover: Mover, seed: Option<u64>) -> App {
    // A physics engine needs a thread besides that of the app.
    let mut app = clock::headless_app(Some(2));
    mover(&mut app, scenario.plane);
    app.insert_resource(Watch::new(scenario)).add_systems(FixedUpdate, watch.after(RunSteering));
    (scenario.build)(&mut Stage::new(app.world_mut(), scenario, seed));
    app
}

/// Plays a scenario to its end; with a seed, from start positions that are perturbed a little.
pub fn play(scenario: &Scenario, mover: Mover, seed: Option<u64>) -> Outcome {
    let mut app = set_up(scenario, mover, seed);
    clock::start(&mut app);
    let tick = app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
    let mut left = (scenario.seconds / tick).round() as u32;
    while left > 0 && !app.world().resource::<Watch>().is_over() {
        app.update();
        left -= 1;
    }
    for _ in 0..(REST / tick).round() as u32 {
        app.update();
    }
    app.world().resource::<Watch>().outcome()
}

/// Plays a scenario once as it is and `times` times perturbed. Returns all outcomes combined.
pub fn play_perturbed(scenario: &Scenario, mover: Mover, times: u64) -> Outcome {
    let seeds = core::iter::once(None).chain((0..times).map(Some));
    Outcome::combine(&seeds.map(|seed| play(scenario, mover, seed)).collect::<Vec<_>>())
}
