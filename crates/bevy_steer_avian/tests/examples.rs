//! The examples run.

use avian2d::prelude::{LinearDamping, LinearVelocity};
use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_tests::windowless::without_window;

#[path = "../examples/crates_and_barrels.rs"]
#[allow(dead_code, reason = "its `main`, which opens a window")]
mod crates_and_barrels;
#[path = "../examples/hills_3d.rs"]
#[allow(dead_code, reason = "its `main`, which opens a window")]
mod hills_3d;

fn places<F: bevy::ecs::query::QueryFilter>(app: &mut App) -> Vec<Vec3> {
    let mut query = app.world_mut().query_filtered::<&Transform, F>();
    query.iter(app.world()).map(|transform| transform.translation).collect()
}

/// The number of agents that get to the other side within some seconds.
fn cross(app: &mut App, seconds: usize, mut each: impl FnMut(&[Vec3])) -> usize {
    let begin = places::<With<Vehicle>>(app);
    let mut crossed = vec![false; begin.len()];
    for _ in 0..seconds * 64 {
        app.update();
        let places = places::<With<Vehicle>>(app);
        each(&places);
        for ((crossed, from), to) in crossed.iter_mut().zip(&begin).zip(places) {
            *crossed |= to.x * from.x.signum() < -0.8 * from.x.abs();
        }
    }
    crossed.into_iter().filter(|crossed| *crossed).count()
}

#[test]
fn crowds_push_crates_and_barrels() {
    let mut app = without_window(crates_and_barrels::game);
    let loose = places::<With<LinearDamping>>(&mut app);
    let crossed = cross(&mut app, 18, |_| ());
    assert!(crossed >= 50, "{crossed} of 60");
    let moved = loose.iter().zip(places::<With<LinearDamping>>(&mut app));
    let pushed = moved.filter(|(from, to)| from.distance(*to) > 15.0).count();
    assert!(pushed >= 20, "{pushed}");
    let end = places::<With<Vehicle>>(&mut app);
    assert!(end.iter().all(|place| place.is_finite() && place.y.abs() < 320.0));
    let mut query = app.world_mut().query_filtered::<&LinearVelocity, With<Vehicle>>();
    assert!(query.iter(app.world()).all(|velocity| velocity.length() < 200.0));
}

#[test]
fn walkers_stay_on_the_hills() {
    let mut app = without_window(hills_3d::game);
    let crossed = cross(&mut app, 16, |places| {
        for place in places {
            let above = place.y - hills_3d::height(Vec2::new(place.x, place.z));
            assert!(above > 0.7 && above < 1.6, "{place}: {above}");
        }
    });
    assert!(crossed >= 22, "{crossed} of 24");
}
