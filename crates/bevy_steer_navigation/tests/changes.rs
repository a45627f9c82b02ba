//! Paths are planned again when something has changed, and agents keep their place.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, PathFollow, Velocity, prelude::*};
use bevy_steer_navigation::{
    GridPlanner, NavigateTo, NavigationMap, NavigationPlugin, NavigationStatus, NavigationTarget,
    ObstacleGrid,
};
use bevy_steer_tests::{Sim, at};

use crate::{flat_world, navigating, points, said, status};

/// A room of 40 by 40 units with a wall across, with doors at both ends: the near one, which is
/// nearer to the lower edge, and the far one.
fn room(sim: &mut Sim) -> Entity {
    sim.spawn(Wall::new(Vec2::new(20.0, 6.0), Vec2::new(20.0, 30.0)));
    sim.spawn(ObstacleGrid::new(Vec2::ZERO, Vec2::splat(40.0), 0.5))
}

fn walker(sim: &mut Sim, from: Transform, target: impl Into<NavigationTarget>) -> Entity {
    let vehicle = Vehicle::new(4.0).with_radius(0.5);
    sim.spawn((vehicle, NavigateTo::new(target), from))
}

/// The length of the way that an agent takes to the end of its path, and the time.
fn run_to_the_end(sim: &mut Sim, agent: Entity, seconds: f32) -> (f32, f32) {
    let (mut way, mut time, mut last) = (0.0, 0.0, sim.position(agent));
    while status(sim, agent) != NavigationStatus::Finished && time < seconds {
        sim.tick();
        way += sim.position(agent).distance(last);
        last = sim.position(agent);
        time += 1.0 / 64.0;
    }
    assert_eq!(status(sim, agent), NavigationStatus::Finished, "at {last} after {seconds} s");
    (way, time)
}

#[test]
fn goes_round_the_wall_and_says_so() {
    let mut sim = flat_world();
    room(&mut sim);
    let agent = walker(&mut sim, at(10.0, 10.0), Vec2::new(30.0, 10.0));
    let (way, _) = run_to_the_end(&mut sim, agent, 20.0);
    // Round the end of the wall, 5 units below.
    assert!((22.0..24.5).contains(&way), "{way}");
    assert!(sim.position(agent).distance(Vec3::new(30.0, 10.0, 0.0)) < 0.3);
    sim.run(3.0);
    assert_eq!((&said(&sim).finished[..], &said(&sim).failed[..]), (&[agent][..], &[][..]));
}

#[test]
fn another_target_on_the_way_is_gone_to_and_arrivals_are_told_again() {
    let mut sim = flat_world();
    room(&mut sim);
    let agent = walker(&mut sim, at(10.0, 10.0), Vec2::new(30.0, 10.0));
    sim.run(2.0);
    sim.get_mut::<NavigateTo>(agent).target = Vec2::new(4.0, 35.0).into();
    run_to_the_end(&mut sim, agent, 20.0);
    assert!(sim.position(agent).distance(Vec3::new(4.0, 35.0, 0.0)) < 0.3);
    // A little farther: followed exactly.
    sim.get_mut::<NavigateTo>(agent).target = Vec2::new(4.0, 35.4).into();
    sim.run(3.0);
    assert!(sim.position(agent).distance(Vec3::new(4.0, 35.4, 0.0)) < 0.1);
    assert_eq!(said(&sim).finished.len(), 2);
    // Nowhere: it stops.
    sim.get_mut::<NavigateTo>(agent).target = Vec2::new(30.0, 10.0).into();
    sim.run(2.0);
    sim.get_mut::<NavigateTo>(agent).target = NavigationTarget::None;
    sim.run(2.0);
    assert_eq!((sim.velocity(agent), points(&sim, agent).len()), (Vec3::ZERO, 0));
    assert_eq!(status(&sim, agent), NavigationStatus::Waiting);
}

#[test]
fn a_target_that_moves_is_caught() {
    let mut sim = flat_world();
    room(&mut sim);
    let round = [(30.0, 4.0), (30.0, 34.0), (10.0, 34.0), (10.0, 4.0)].map(Vec2::from);
    let hare = (Vehicle::new(3.0).with_radius(0.5), PathFollow::new(round).with_end(PathEnd::Loop));
    let hare = sim.spawn((hare, at(30.0, 10.0)));
    let fox = walker(&mut sim, at(10.0, 10.0), hare);
    let (mut nearest, mut plans, mut before) = (f32::INFINITY, 0, Vec::new());
    for _ in 0..40 * 64 {
        sim.tick();
        nearest = nearest.min(sim.position(fox).distance(sim.position(hare)));
        let now = points(&sim, fox);
        plans += usize::from(now != before);
        before = now;
    }
    assert!(nearest < 1.5, "{nearest}");
    // Many, but by far not one for each tick.
    assert!((20..700).contains(&plans), "{plans}");
}

#[test]
fn a_door_that_closes_is_gone_round() {
    let mut sim = flat_world();
    room(&mut sim);
    let agent = walker(&mut sim, at(10.0, 10.0), Vec2::new(30.0, 10.0));
    sim.run(1.0);
    let before = points(&sim, agent);
    assert!(before.iter().all(|point| point.y < 11.0), "through the near door: {before:?}");
    // The near door closes.
    let door = sim.spawn((Obstacle::rect(Vec2::new(1.0, 12.0)), at(20.0, 1.0)));
    sim.run(1.0);
    let now = points(&sim, agent);
    assert!(now.iter().any(|point| point.y > 30.0), "through the far door: {now:?}");
    // It opens again, and stays open.
    sim.app.world_mut().despawn(door);
    sim.run(1.0);
    let (way, _) = run_to_the_end(&mut sim, agent, 20.0);
    assert!(way < 25.0, "{way}");
}

#[test]
fn a_door_counts_once_it_rests() {
    let mut sim = flat_world();
    room(&mut sim);
    let door = (Obstacle::rect(Vec2::new(1.0, 12.0)), Velocity(Vec3::Y * 0.01), at(20.0, 1.0));
    let door = sim.spawn(door);
    let agent = walker(&mut sim, at(4.0, 10.0), Vec2::new(30.0, 10.0));
    sim.run(1.0);
    let version = |sim: &mut Sim| {
        let mut maps = sim.app.world_mut().query::<&NavigationMap>();
        maps.single(sim.app.world()).unwrap().version()
    };
    let before = version(&mut sim);
    assert!(points(&sim, agent).iter().all(|point| point.y < 11.0));
    sim.run(1.0);
    assert_eq!(version(&mut sim), before, "nothing has changed");
    sim.get_mut::<Velocity>(door).0 = Vec3::ZERO;
    sim.run(1.0);
    assert!(points(&sim, agent).iter().any(|point| point.y > 30.0));
    assert_ne!(version(&mut sim), before);
}

#[test]
fn what_a_moving_thing_carries_is_left_out() {
    for spin in [Vec3::ZERO, Vec3::Z * 0.01] {
        let mut sim = flat_world();
        room(&mut sim);
        let velocity = if spin == Vec3::ZERO { Vec3::Y * 0.01 } else { Vec3::ZERO };
        let cart = sim.spawn((at(20.0, 1.0), Velocity(velocity), AngularVelocity(spin)));
        sim.spawn((Obstacle::rect(Vec2::new(1.0, 12.0)), ChildOf(cart)));
        let agent = walker(&mut sim, at(4.0, 10.0), Vec2::new(30.0, 10.0));
        sim.run(1.0);
        assert!(points(&sim, agent).iter().all(|point| point.y < 11.0));
        sim.app
            .world_mut()
            .entity_mut(cart)
            .insert((Velocity::default(), AngularVelocity::default()));
        sim.run(1.0);
        assert!(points(&sim, agent).iter().any(|point| point.y > 30.0));
    }
}

/// A path that is given again and again does not make the agent turn back or dance on the spot.
#[test]
fn planning_again_keeps_the_place() {
    let way = |every: Option<f32>| {
        let mut sim = flat_world();
        room(&mut sim);
        let agent = walker(&mut sim, at(10.0, 12.0), Vec2::new(30.0, 18.0));
        sim.get_mut::<NavigateTo>(agent).replan_every = every;
        run_to_the_end(&mut sim, agent, 20.0)
    };
    let (way_once, time_once) = way(None);
    for every in [0.0, 0.1, 0.5] {
        let (way, time) = way(Some(every));
        assert!(way < way_once + 0.3 && time < time_once + 0.3, "{way} {time} every {every}");
    }
}

/// A planner knows of a wall, and the world has another one.
#[test]
fn stuck_agents_plan_again() {
    let mut sim = navigating(SteeringPlane::Xy, NavigationPlugin::default());
    let grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(40.0), 0.5);
    let map = sim.spawn(NavigationMap::new(grid.clone()));
    // A dead end, too deep to find the way out of it.
    for (from, to) in
        [((8.0, 4.0), (24.0, 4.0)), ((24.0, 4.0), (24.0, 16.0)), ((24.0, 16.0), (8.0, 16.0))]
    {
        sim.spawn(Wall::new(Vec2::from(from), Vec2::from(to)));
    }
    let agent = walker(&mut sim, at(12.0, 10.0), Vec2::new(36.0, 10.0));
    sim.run(8.0);
    assert!(sim.position(agent).x < 24.0);
    let age = sim.get::<NavigateTo>(agent).progress.age;
    assert!(age < 4.0, "{age}: it tries again");
    let mut better = grid;
    for (from, to) in
        [((8.0, 4.0), (24.0, 4.0)), ((24.0, 4.0), (24.0, 16.0)), ((24.0, 16.0), (8.0, 16.0))]
    {
        better.block_segment(Vec2::from(from), Vec2::from(to));
    }
    sim.get_mut::<NavigationMap>(map).set(better);
    run_to_the_end(&mut sim, agent, 30.0);
    assert!(sim.position(agent).distance(Vec3::new(36.0, 10.0, 0.0)) < 0.3);
}

#[test]
fn a_map_that_replaces_another_one_is_noticed() {
    let mut sim = flat_world();
    let map = room(&mut sim);
    let agent = walker(&mut sim, at(10.0, 10.0), Vec2::new(30.0, 10.0));
    sim.run(1.0);
    assert!(points(&sim, agent).len() > 2);
    let free = GridPlanner::new(Vec2::ZERO, Vec2::splat(40.0), 0.5);
    sim.app.world_mut().entity_mut(map).remove::<ObstacleGrid>().insert(NavigationMap::new(free));
    sim.run(0.25);
    assert_eq!(points(&sim, agent).len(), 2);
}

/// A larger agent of another map is no reason to build this one again.
#[test]
fn agents_of_other_maps_do_not_change_a_grid() {
    let mut sim = flat_world();
    let map = room(&mut sim);
    sim.run(0.5);
    let version = |sim: &Sim| sim.get::<NavigationMap>(map).version();
    let before = version(&sim);
    let sky = sim.spawn(NavigationMap::default());
    let ship = (Vehicle::new(4.0).with_radius(60.0), NavigateTo::default().with_map(sky));
    let ship = sim.spawn((ship, at(20.0, 20.0)));
    sim.run(0.5);
    assert_eq!(version(&sim), before);
    sim.get_mut::<NavigateTo>(ship).map = Some(map);
    sim.run(0.5);
    assert_ne!(version(&sim), before, "it is measured for an agent of its own");
}

#[test]
fn a_grid_is_built_again_where_its_map_was_replaced() {
    let mut sim = flat_world();
    let map = room(&mut sim);
    sim.run(0.5);
    sim.app.world_mut().entity_mut(map).insert(NavigationMap::default());
    sim.run(0.5);
    assert!(sim.get::<NavigationMap>(map).planner().is_some());
}

/// Agents are held by cells of the game as by walls.
#[test]
fn blocked_cells_hold_agents() {
    let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), 1.0);
    grid.block_rect(Vec2::new(9.0, 0.0), Vec2::new(11.0, 8.0));
    grid.block_cells(|column, row| (9..11).contains(&column) && (12..20).contains(&row));
    grid.block_circle(Vec2::new(4.0, 16.0), 2.0);
    let off = |place: Vec3, grid: &GridPlanner| grid.clearance(place.truncate());
    let mut sim = navigating(SteeringPlane::Xy, NavigationPlugin::default());
    sim.spawn(NavigationMap::new(grid.clone()));
    let vehicle = Vehicle::new(4.0).with_radius(0.5).with_max_force(200.0);
    let walker = sim.spawn((vehicle, NavigateTo::new(Vec2::new(18.0, 2.0)), at(2.0, 2.0)));
    let pushers = [(6.0, 4.0, 14.0, 4.0), (6.0, 13.5, 14.0, 13.5), (4.0, 10.0, 4.0, 19.0)];
    let pushers = pushers.map(|(x, y, to_x, to_y)| {
        let behaviors = (Seek::new(Vec2::new(to_x, to_y)), AvoidWalls::default());
        sim.spawn((vehicle, behaviors, at(x, y)))
    });
    for _ in 0..10 * 64 {
        sim.tick();
        for agent in pushers.into_iter().chain([walker]) {
            let place = sim.position(agent);
            assert!(off(place, &grid) > 0.47, "{place}: {}", off(place, &grid));
        }
    }
    assert_eq!(status(&sim, walker), NavigationStatus::Finished);
}
