//! There is no path.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use bevy::prelude::*;
use bevy_steer::{PathFollow, prelude::*};
use bevy_steer_navigation::{
    GridPlanner, NavigateTo, NavigationFailure, NavigationMap, NavigationStatus, ObstacleGrid,
    PathPlanner, PathQuery,
};
use bevy_steer_tests::at;

use crate::{flat_world, points, said, status};

/// Counts the plans, which all fail but those of the first ones.
struct Counting(Arc<AtomicUsize>);

impl PathPlanner for Counting {
    fn plan(&self, _: &PathQuery) -> Result<Vec<Vec3>, NavigationFailure> {
        self.0.fetch_add(1, Relaxed);
        Err(NavigationFailure::NoWay)
    }
}

#[test]
fn it_is_tried_again_with_growing_pauses_and_told_once() {
    let mut sim = flat_world();
    let count = Arc::new(AtomicUsize::new(0));
    let map = sim.spawn(NavigationMap::new(Counting(Arc::clone(&count))));
    let agent = sim.spawn(NavigateTo::new(Vec2::new(9.0, 0.0)));
    let mut counts = Vec::new();
    for _ in 0..5 {
        sim.run(4.0);
        counts.push(count.swap(0, Relaxed));
    }
    // After 0, 0.3, 0.9, 1.9, 4, 8, 16 seconds.
    assert!(
        counts[0] >= 4 && counts[0] <= 5 && counts[1..].iter().all(|&few| few <= 2),
        "{counts:?}"
    );
    assert_eq!(said(&sim).failed, [(agent, NavigationFailure::NoWay)]);
    assert_eq!(status(&sim, agent), NavigationStatus::Failed(NavigationFailure::NoWay));

    // Another map: it does not wait.
    sim.get_mut::<NavigationMap>(map).set(GridPlanner::new(
        Vec2::splat(-20.0),
        Vec2::splat(20.0),
        1.0,
    ));
    sim.run(6.0);
    assert_eq!(said(&sim).finished, [agent]);
    sim.get_mut::<NavigationMap>(map).set(Counting(count));
    sim.run(1.0);
    assert_eq!(said(&sim).failed.len(), 2, "told again after a path was found");
}

#[test]
fn every_reason_is_told() {
    let mut sim = flat_world();
    let agent = sim.spawn((NavigateTo::new(Vec2::new(9.0, 0.0)), at(-9.0, 0.0)));
    sim.run(0.5);
    let grid = ObstacleGrid::new(Vec2::splat(-20.0), Vec2::splat(20.0), 0.5);
    let map = sim.spawn(grid);
    sim.spawn((Obstacle::sphere(4.0), at(9.0, 0.0)));
    sim.run(0.5);
    let go_to = |sim: &mut bevy_steer_tests::Sim, target: Vec2| {
        sim.get_mut::<NavigateTo>(agent).target = target.into();
        sim.run(0.5);
    };
    go_to(&mut sim, Vec2::new(90.0, 0.0));
    go_to(&mut sim, Vec2::NAN);
    go_to(&mut sim, Vec2::new(1e30, 0.0));
    let gone = sim.spawn(Transform::default());
    sim.app.world_mut().despawn(gone);
    sim.get_mut::<NavigateTo>(agent).target = gone.into();
    sim.run(0.5);
    sim.spawn(Wall::new(Vec2::new(0.0, -30.0), Vec2::new(0.0, 30.0)));
    go_to(&mut sim, Vec2::new(15.0, 0.0));
    sim.get_mut::<Transform>(agent).translation = Vec3::X * -50.0;
    go_to(&mut sim, Vec2::new(-15.0, 0.0));
    sim.app.world_mut().despawn(map);
    sim.run(0.5);
    let reasons: Vec<_> = said(&sim).failed.iter().map(|&(_, reason)| reason).collect();
    let expected = [
        NavigationFailure::NoMap,
        NavigationFailure::GoalBlocked,
        NavigationFailure::GoalOutside,
        // NaN, and too far away.
        NavigationFailure::InvalidTarget,
        NavigationFailure::InvalidTarget,
        NavigationFailure::NoTarget,
        NavigationFailure::NoWay,
        NavigationFailure::StartOutside,
        NavigationFailure::NoMap,
    ];
    assert_eq!(reasons, expected);
    assert!(points(&sim, agent).is_empty() && said(&sim).finished.is_empty());
    assert!(sim.position(agent).is_finite());
}

#[test]
fn an_agent_that_names_no_map_has_none_among_two() {
    let mut sim = flat_world();
    let free = || NavigationMap::new(GridPlanner::new(Vec2::splat(-20.0), Vec2::splat(20.0), 1.0));
    let [first, _second] = [sim.spawn(free()), sim.spawn(free())];
    let named = sim.spawn(NavigateTo::new(Vec2::X * 9.0).with_map(first));
    let unnamed = sim.spawn((NavigateTo::new(Vec2::X * 9.0), at(0.0, 5.0)));
    let nothing = sim.spawn(NavigateTo::new(Vec2::X * 9.0).with_map(named));
    sim.run(6.0);
    assert_eq!(said(&sim).failed, [unnamed, nothing].map(|it| (it, NavigationFailure::NoMap)));
    assert_eq!(said(&sim).finished, [named]);
}

#[test]
fn agents_without_a_vehicle_get_one() {
    let mut sim = flat_world();
    sim.spawn(ObstacleGrid::new(Vec2::splat(-20.0), Vec2::splat(20.0), 0.5));
    let agent = sim.spawn(NavigateTo::new(Vec2::new(6.0, 8.0)));
    assert_eq!(*sim.get::<Vehicle>(agent), Vehicle::default());
    assert!(sim.app.world().get::<PathFollow>(agent).is_some());
    sim.run(6.0);
    assert_eq!(said(&sim).finished, [agent]);
}

/// Positions, vehicles and settings that are no numbers do no harm.
#[test]
fn bad_numbers_do_not_panic() {
    let mut sim = flat_world();
    sim.spawn(ObstacleGrid::new(Vec2::splat(-20.0), Vec2::splat(20.0), 0.5));
    sim.spawn(ObstacleGrid { cell_size: f32::NAN, ..default() });
    let map = sim.spawn(ObstacleGrid::new(Vec2::NAN, Vec2::INFINITY, -1.0));
    let bad = [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e30, 1e-30];
    for (i, bad) in bad.into_iter().enumerate() {
        let goal = NavigateTo::new(Vec2::new(i as f32, bad)).with_map(map);
        sim.spawn((goal, at(bad, 0.0), Vehicle::new(3.0).with_radius(bad)));
        let settings = NavigateTo::new(Vec2::X).with_replan_share(bad).with_replan_every(bad);
        sim.spawn((settings.with_map(map), Vehicle::new(bad)));
        sim.spawn((Obstacle::sphere(bad), at(bad, bad)));
        sim.spawn(Wall::new(Vec2::splat(bad), Vec2::X).with_height(bad));
    }
    sim.run(4.0);
    let mut places = sim.app.world_mut().query_filtered::<&Transform, With<NavigateTo>>();
    let wrong = places.iter(sim.app.world()).filter(|place| !place.is_finite()).count();
    assert_eq!(wrong, 2, "only those that were NaN or infinite from the start");
}
