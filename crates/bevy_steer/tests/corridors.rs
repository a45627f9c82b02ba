//! Corridors along paths that lie on themselves, or leave the plane of who follows them.

mod common;

use bevy::prelude::*;
use bevy_steer::prelude::*;
use common::{Seen, Sim, at, watch};

/// Follows a path along a corridor for some seconds; gives how far along it was after each tick, and what was told.
fn follow(path: Path, end: PathEnd, seconds: f32) -> (Vec<f32>, Vec<String>, Vec3) {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let follow = PathFollow::new(path).along_corridor(0.5, 0.5).with_end(end);
    let agent = sim.spawn((Vehicle::default(), follow, at(-1.0, 0.1)));
    let mut places = Vec::new();
    sim.run_with(seconds, |world| {
        places.push(world.get::<PathFollow>(agent).unwrap().progress.distance);
    });
    let told = sim.app.world().resource::<Seen>().0.clone();
    let place = sim.position(agent);
    (places, told, place)
}

/// How far along a path it went with each tick, and whether it jumped to another branch.
fn assert_goes_on(places: &[f32], length: f32) {
    for pair in places.windows(2) {
        let step = (pair[1] - pair[0] + 0.5 * length).rem_euclid(length) - 0.5 * length;
        assert!((-0.1..0.3).contains(&step), "from {} to {}", pair[0], pair[1]);
    }
}

#[test]
fn a_patrol_between_two_points_turns_round_at_both() {
    let path = Path::new([Vec2::ZERO, Vec2::X * 20.0]);
    let (places, told, _) = follow(path.clone(), PathEnd::Loop, 40.0);
    assert_goes_on(&places[10..], path.length(true));
    // At five units a second the twenty units take a little over four seconds.
    assert!((8..=10).contains(&told.len()), "{told:?}");
    for (i, told) in told.iter().enumerate() {
        assert_eq!(*told, format!("WaypointReached {}", i % 2));
    }
}

#[test]
fn a_way_out_and_back_is_gone_to_its_end() {
    let path = Path::new([Vec2::ZERO, Vec2::X * 10.0, Vec2::Y * 0.0]);
    let (places, told, place) = follow(path.clone(), PathEnd::Stop, 10.0);
    assert_goes_on(&places[10..], path.length(false));
    let expected = ["WaypointReached 0", "WaypointReached 1", "WaypointReached 2", "PathFinished"];
    assert_eq!(told.len(), 4, "{told:?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told} for {expected}");
    }
    assert!(place.length() < 0.5, "{place}");
}

#[test]
fn steps_out_of_the_plane_do_not_matter() {
    let stairs = [(0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (20.0, 6.0)];
    let path = Path::new(stairs.map(|(x, z)| Vec3::new(x, 0.0, z)));
    let (_, told, place) = follow(path, PathEnd::Stop, 10.0);
    assert!(told.last().is_some_and(|told| told.starts_with("PathFinished")), "{told:?}");
    assert!((place.x - 20.0).abs() < 0.5, "{place}");
}

#[test]
fn who_has_been_pushed_off_comes_back_slantwise() {
    let mut sim = Sim::new();
    let path = Path::new([Vec2::ZERO, Vec2::X * 100.0]);
    let follow = PathFollow::new(path).along_corridor(0.5, 0.5);
    let agent = sim.spawn((Vehicle::default(), follow, at(20.0, 6.0)));
    sim.tick();
    let force = sim.get::<SteeringForce>(agent).linear;
    assert!(force.y < 0.0 && force.x > 0.8 * -force.y, "straight back is no way on: {force}");
    sim.run(6.0);
    assert!(sim.position(agent).y.abs() < 0.6, "{}", sim.position(agent));
}
