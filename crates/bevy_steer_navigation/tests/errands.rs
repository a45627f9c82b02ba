//! One errand after the other: targets that change, agents that are moved, paths of the game.

use bevy::prelude::*;
use bevy_steer::{Path, PathFollow, prelude::*};
use bevy_steer_navigation::{
    NavigateTo, NavigationFailure, NavigationPlugin, NavigationSettings, NavigationStatus,
    NavigationTarget, ObstacleGrid, PlanTiming,
};
use bevy_steer_tests::{Sim, at};

use crate::{flat_world, navigating, points, said, status};

/// A room of 40 by 40 units with a wall across, with doors at both ends.
fn room() -> Sim {
    let mut sim = flat_world();
    sim.spawn(Wall::new(Vec2::new(20.0, 6.0), Vec2::new(20.0, 30.0)));
    sim.spawn(ObstacleGrid::new(Vec2::ZERO, Vec2::splat(40.0), 0.5));
    sim
}

fn walker(sim: &mut Sim, from: Transform, target: impl Into<NavigationTarget>) -> Entity {
    let vehicle = Vehicle::new(4.0).with_radius(0.5);
    sim.spawn((vehicle, NavigateTo::new(target), from))
}

fn set_target(sim: &mut Sim, agent: Entity, target: impl Into<NavigationTarget>) {
    sim.get_mut::<NavigateTo>(agent).target = target.into();
}

fn is_at(sim: &Sim, agent: Entity, x: f32, y: f32) -> bool {
    sim.position(agent).distance(Vec3::new(x, y, 0.0)) < 0.3
}

/// Also where the way back leads round a wall.
#[test]
fn who_is_moved_away_from_its_goal_comes_back() {
    for every in [None, Some(0.5)] {
        let mut sim = room();
        let agent = walker(&mut sim, at(25.0, 10.0), Vec2::new(30.0, 10.0));
        sim.get_mut::<NavigateTo>(agent).replan_every = every;
        sim.run(5.0);
        assert_eq!(status(&sim, agent), NavigationStatus::Finished);
        sim.get_mut::<Transform>(agent).translation.x = 10.0;
        sim.run(0.5);
        assert_eq!(status(&sim, agent), NavigationStatus::Following);
        sim.run(15.0);
        assert!(is_at(&sim, agent, 30.0, 10.0), "{}", sim.position(agent));
        assert_eq!(said(&sim).finished, [agent, agent], "it has arrived twice");
    }
}

/// Where it began, from where it has the same path as before.
#[test]
fn who_is_put_back_where_it_began_goes_again() {
    let mut sim = room();
    let agent = walker(&mut sim, at(10.0, 10.0), Vec2::new(30.0, 10.0));
    sim.run(14.0);
    assert_eq!(status(&sim, agent), NavigationStatus::Finished);
    *sim.get_mut::<Transform>(agent) = at(10.0, 10.0);
    sim.run(2.0);
    assert_eq!((status(&sim, agent), said(&sim).finished.len()), (NavigationStatus::Following, 1));
    sim.run(12.0);
    assert!(is_at(&sim, agent, 30.0, 10.0), "{}", sim.position(agent));
    assert_eq!(said(&sim).finished, [agent, agent]);
}

/// Also one without a radius, and one at the edge of a world that wraps around, across which it is
/// pushed.
#[test]
fn who_rests_has_not_been_moved() {
    let mut sim = room();
    let half = Bounds::rect(Vec2::ZERO, Vec2::splat(40.0), BoundsEdge::Wrap);
    sim.app.insert_resource(WorldBounds(half));
    let point = (Vehicle::new(4.0).with_radius(0.0), NavigateTo::new(Vec2::new(10.0, 30.0)));
    let point = sim.spawn((point, at(10.0, 20.0)));
    let edge = walker(&mut sim, at(4.0, 35.0), Vec2::new(0.6, 35.0));
    sim.run(6.0);
    assert_eq!(said(&sim).finished.len(), 2);
    sim.get_mut::<Transform>(edge).translation.x = 39.8;
    sim.tick();
    for agent in [point, edge] {
        assert_eq!(status(&sim, agent), NavigationStatus::Finished);
    }
    assert_eq!(said(&sim).finished.len(), 2);
}

/// As a game does that puts the agent elsewhere.
#[test]
fn who_loses_its_path_gets_another_one() {
    for seconds in [1.0, 12.0] {
        let mut sim = room();
        let agent = walker(&mut sim, at(10.0, 10.0), Vec2::new(30.0, 10.0));
        sim.run(seconds);
        let fresh = (PathFollow::default(), at(10.0, 20.0));
        sim.app.world_mut().entity_mut(agent).insert(fresh);
        sim.run(0.5);
        assert!(points(&sim, agent).len() > 2, "after {seconds} s");
        sim.run(15.0);
        assert!(is_at(&sim, agent, 30.0, 10.0), "{}", sim.position(agent));
    }
}

#[test]
fn status_and_events_are_those_of_the_present_target() {
    let mut sim = room();
    // Both are in a block; the place where the agent fits that is nearest to them is the same.
    sim.spawn((Obstacle::rect(Vec2::splat(4.0)), at(10.0, 30.0)));
    let agent = walker(&mut sim, at(10.0, 20.0), Vec2::new(10.0, 28.6));
    sim.run(6.0);
    assert_eq!(status(&sim, agent), NavigationStatus::Finished);
    set_target(&mut sim, agent, Vec2::new(10.1, 28.6));
    assert_eq!(status(&sim, agent), NavigationStatus::Waiting, "of the new one nothing is known");
    sim.tick();
    assert_eq!(status(&sim, agent), NavigationStatus::Waiting);
    sim.run(2.0);
    assert_eq!(status(&sim, agent), NavigationStatus::Finished);
    assert_eq!(said(&sim).finished, [agent, agent], "once for each target");

    set_target(&mut sim, agent, Vec2::new(99.0, 0.0));
    sim.run(1.0);
    let outside = NavigationStatus::Failed(NavigationFailure::GoalOutside);
    assert_eq!(status(&sim, agent), outside);
    set_target(&mut sim, agent, Vec2::new(99.0, 5.0));
    assert_eq!(status(&sim, agent), NavigationStatus::Waiting);
    sim.run(1.0);
    assert_eq!((status(&sim, agent), said(&sim).failed.len()), (outside, 2));
}

#[test]
fn another_target_is_not_waited_for() {
    let mut sim = room();
    let [lost, found] = [at(99.0, 0.0), at(10.0, 30.0)].map(|place| sim.spawn(place));
    let agent = walker(&mut sim, at(10.0, 20.0), lost);
    // By now the pauses between two attempts are long.
    sim.run(16.0);
    set_target(&mut sim, agent, found);
    sim.run(0.25);
    assert_eq!(status(&sim, agent), NavigationStatus::Following);
    sim.run(5.0);
    assert!(is_at(&sim, agent, 10.0, 30.0));
}

/// As while the mouse that drags the target is outside of the map for a moment.
#[test]
fn that_an_earlier_target_had_no_way_is_not_told() {
    for later in [Vec2::new(4.0, 8.0).into(), NavigationTarget::None] {
        let mut sim = room();
        let agent = walker(&mut sim, at(10.0, 10.0), Vec2::new(30.0, 10.0));
        sim.run(1.0);
        for ticks in 1..=4 {
            set_target(&mut sim, agent, Vec2::new(1000.0, 1000.0));
            (0..ticks).for_each(|_| sim.tick());
            set_target(&mut sim, agent, later);
            sim.run(1.0);
        }
        assert_eq!(said(&sim).failed, []);
        let expected = match later {
            NavigationTarget::None => NavigationStatus::Waiting,
            _ => NavigationStatus::Finished,
        };
        sim.run(4.0);
        assert_eq!(status(&sim, agent), expected);
    }
}

/// Whatever the agent did at the ends of the path that it followed before.
#[test]
fn who_was_on_patrol_rests_at_its_target() {
    let patrol = Path::new([Vec2::new(4.0, 4.0), Vec2::new(12.0, 4.0)]);
    for end in [PathEnd::Loop, PathEnd::PingPong] {
        for follow in [
            PathFollow::new(patrol.clone()).with_end(end),
            PathFollow::new(patrol.clone()).with_end(end).along_corridor(1.0, 0.5),
        ] {
            let mut sim = room();
            let vehicle = Vehicle::new(4.0).with_radius(0.5);
            let agent = sim.spawn((vehicle, follow, at(4.0, 4.0)));
            // On its way back.
            sim.run(3.5);
            let alarm = NavigateTo::new(Vec2::new(30.0, 10.0));
            sim.app.world_mut().entity_mut(agent).insert(alarm);
            sim.run(14.0);
            assert!(is_at(&sim, agent, 30.0, 10.0), "{end:?} {}", sim.position(agent));
            assert_eq!(said(&sim).finished, [agent], "{end:?}");
        }
    }
}

/// The guard gives up and goes back on patrol, in one system.
#[test]
fn a_path_of_the_game_stays_when_the_target_goes() {
    let mut sim = room();
    let agent = walker(&mut sim, at(10.0, 10.0), Vec2::new(30.0, 10.0));
    sim.run(1.0);
    let patrol = Path::new([Vec2::new(4.0, 20.0), Vec2::new(12.0, 20.0)]);
    set_target(&mut sim, agent, NavigationTarget::None);
    let mut follow = sim.get_mut::<PathFollow>(agent);
    (follow.path, follow.end) = (patrol.clone(), PathEnd::Loop);
    sim.run(3.0);
    assert_eq!(sim.get::<PathFollow>(agent).path, patrol);
    assert!(sim.velocity(agent).length() > 1.0);
}

/// Plans of the old timing are used.
#[test]
fn the_timing_may_change_while_paths_are_planned() {
    let plugin = NavigationPlugin::default().with_timing(PlanTiming::WhenReady);
    let mut sim = navigating(SteeringPlane::Xy, plugin);
    sim.spawn(ObstacleGrid::new(Vec2::ZERO, Vec2::splat(40.0), 0.5));
    let agents: Vec<Entity> = (0..40)
        .map(|i| walker(&mut sim, at(10.0, 0.5 + i as f32 * 0.9), Vec2::new(30.0, 10.0)))
        .collect();
    sim.tick();
    sim.app.world_mut().resource_mut::<NavigationSettings>().timing = PlanTiming::AfterTicks(4);
    sim.run(1.0);
    for agent in agents {
        assert_eq!(status(&sim, agent), NavigationStatus::Following);
    }
}
