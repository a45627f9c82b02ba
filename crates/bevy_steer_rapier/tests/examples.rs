//! The example runs.

use bevy::prelude::*;
use bevy_rapier2d::prelude::{Damping, Velocity};
use bevy_steer::prelude::*;
use bevy_steer_tests::windowless::without_window;

#[path = "../examples/push_boxes.rs"]
#[allow(dead_code, reason = "its `main`, which opens a window")]
mod push_boxes;

fn places<F: bevy::ecs::query::QueryFilter>(app: &mut App) -> Vec<Vec3> {
    let mut query = app.world_mut().query_filtered::<&Transform, F>();
    query.iter(app.world()).map(|transform| transform.translation).collect()
}

#[test]
fn a_crowd_pushes_boxes() {
    let mut app = without_window(push_boxes::game);
    let boxes = places::<With<Damping>>(&mut app);
    let start = places::<With<Vehicle>>(&mut app);
    let mut crossed = vec![false; start.len()];
    for _ in 0..20 * 64 {
        app.update();
        for (crossed, place) in crossed.iter_mut().zip(places::<With<Vehicle>>(&mut app)) {
            *crossed |= place.x > 280.0;
            let off = [-180.0, 0.0, 180.0].map(|y| place - Vec3::new(150.0, y, 0.0));
            let is_in = |off: Vec3| off.x.abs() < 20.0 && off.y.abs() < 45.0;
            assert!(place.is_finite() && !off.into_iter().any(is_in), "{place} is in a block");
        }
    }
    let crossed = crossed.iter().filter(|crossed| **crossed).count();
    assert!(crossed >= 36, "{crossed} of 40");
    let moved = boxes.iter().zip(places::<With<Damping>>(&mut app));
    let pushed = moved.filter(|(from, to)| from.distance(*to) > 15.0).count();
    assert!(pushed >= 18, "{pushed}");
    let mut query = app.world_mut().query_filtered::<&Velocity, With<Vehicle>>();
    assert!(query.iter(app.world()).all(|velocity| velocity.linear.length() < 200.0));
}
