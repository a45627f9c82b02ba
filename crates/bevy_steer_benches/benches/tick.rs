//! What a whole tick costs: `cargo bench -p bevy_steer_benches --bench tick`.
//!
//! The rows `by hand` say what two systems of one's own cost that seek a point, to compare `seek`
//! with. The group `kernel` has flocks that decide and do not move, which is nearly all the work
//! that flocks make.
#![allow(missing_docs, reason = "criterion_group! makes functions without")]

mod common;

use bevy::prelude::*;
use bevy_steer::prelude::*;
use common::{Crowd, Place, SIZES, by_hand::HandMade, group, measure};
use criterion::{Criterion, criterion_group, criterion_main};

/// How many obstacles there are, where there are any.
const OBSTACLES: usize = 1_000;

/// A flock in flight.
fn flock(place: Place, plugin: SteeringPlugin) -> Crowd {
    Crowd::with(place, plugin).all(&Flock::new(1.0)).settled()
}

fn strollers(place: Place) -> Crowd {
    Crowd::new(place)
        .all(&(Seek::new(Vec2::ZERO), Wander::default(), AvoidObstacles::default()))
        .among(OBSTACLES, |dice| {
            let radius = dice.number(0.2, 0.8);
            (Obstacle::sphere(radius), Transform::from_translation(place.point(dice)))
        })
}

fn tick(criterion: &mut Criterion) {
    let mut group = group(criterion, "tick");
    let group = &mut group;
    let plugin = SteeringPlugin::default;
    for agents in SIZES {
        let crowded = Place::plane(agents, 16.0);
        measure(group, "by hand", agents, || HandMade::new(crowded), HandMade::tick);
        let build = || HandMade::on_all_threads(crowded);
        measure(group, "by hand, all threads", agents, build, HandMade::tick);
        let build = || Crowd::new(crowded).all(&Seek::new(Vec2::ZERO));
        measure(group, "seek", agents, build, Crowd::tick);
        let build = || strollers(Place::ground(agents));
        measure(group, "seek, wander, 1000 obstacles", agents, build, Crowd::tick);
        for mates in [16.0, 64.0] {
            let place = Place::plane(agents, mates);
            let name = format!("flock of {mates}, plane");
            measure(group, &name, agents, || flock(place, plugin()), Crowd::tick);
            for every in [4, 16] {
                let build = || flock(place, plugin()).all(&ThinkEvery(every));
                measure(
                    group,
                    &format!("{name}, every {every}th tick"),
                    agents,
                    build,
                    Crowd::tick,
                );
            }
        }
        let build = || flock(Place::space(agents, 16.0), plugin());
        measure(group, "flock of 16, space", agents, build, Crowd::tick);
    }
}

fn kernel(criterion: &mut Criterion) {
    let mut group = group(criterion, "kernel");
    let plugin = || SteeringPlugin::default().without_integration();
    for agents in SIZES {
        let places = [
            ("16 mates, plane", Place::plane(agents, 16.0)),
            ("64 mates, plane", Place::plane(agents, 64.0)),
            ("16 mates, space", Place::space(agents, 16.0)),
        ];
        for (name, place) in places {
            measure(&mut group, name, agents, || flock(place, plugin()), Crowd::tick);
        }
    }
}

criterion_group!(benches, tick, kernel);
criterion_main!(benches);
