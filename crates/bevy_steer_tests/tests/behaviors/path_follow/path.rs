//! `PathFollow`: from point to point and along a corridor, at every end.

use bevy::prelude::*;
use bevy_steer::{Path, PathProgress, Velocity, prelude::*};

use crate::common::{Seen, Sim, at, watch};

fn square() -> Path {
    Path::new([Vec2::ZERO, Vec2::new(20.0, 0.0), Vec2::new(20.0, 20.0), Vec2::new(0.0, 20.0)])
}

fn run(follow: PathFollow, seconds: f32) -> (Sim, Entity, Vec<String>, f32) {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let path = follow.path.clone();
    let closed = follow.end == PathEnd::Loop;
    let agent = sim.spawn((Vehicle::default(), follow, at(-3.0, 1.0)));
    let mut strayed = 0.0_f32;
    let mut tick = 0;
    sim.run_with(seconds, |world| {
        tick += 1;
        let place = world.get::<Transform>(agent).unwrap().translation;
        let nearest = path.point_at(path.project(place, 0.0, f32::INFINITY, closed), closed);
        if tick > 128 {
            strayed = strayed.max(place.distance(nearest));
        }
    });
    let seen = sim.app.world().resource::<Seen>().0.clone();
    (sim, agent, seen, strayed)
}

fn waypoints(indices: &[usize]) -> Vec<String> {
    indices.iter().map(|index| format!("WaypointReached {index}")).collect()
}

fn styles() -> [PathFollow; 2] {
    let follow = PathFollow::new(square());
    [follow.clone().by_waypoints(1.0), follow.along_corridor(1.0, 0.5)]
}

#[test]
fn an_open_path_ends_at_its_last_point() {
    for follow in styles() {
        let (sim, agent, seen, strayed) = run(follow.clone(), 25.0);
        let mut expected = waypoints(&[0, 1, 2, 3]);
        expected.push(format!("PathFinished {{ entity: {agent:?} }}"));
        assert_eq!(seen, expected, "{:?}", follow.style);
        assert!(sim.position(agent).distance(Vec3::new(0.0, 20.0, 0.0)) < 0.5);
        assert!(sim.velocity(agent).length() < 1e-2);
        assert!(strayed < 2.0, "{:?} strays {strayed}", follow.style);
        assert!(sim.get::<PathFollow>(agent).progress.finished);
    }
}

#[test]
fn a_closed_path_includes_its_last_side() {
    for follow in styles() {
        let style = follow.style;
        let (.., seen, strayed) = run(follow.with_end(PathEnd::Loop), 40.0);
        assert!(seen.len() >= 9, "{style:?}: {seen:?}");
        for (i, event) in seen.iter().enumerate() {
            assert_eq!(*event, waypoints(&[i % 4])[0], "{style:?}");
        }
        assert!(strayed < 2.0, "{style:?} strays {strayed}");
    }
}

#[test]
fn a_ping_pong_path_is_followed_back_and_forth() {
    for follow in styles() {
        let style = follow.style;
        let (.., seen, strayed) = run(follow.with_end(PathEnd::PingPong), 45.0);
        let order: Vec<usize> = [0, 1, 2, 3, 2, 1].into_iter().cycle().take(seen.len()).collect();
        assert_eq!(seen, waypoints(&order), "{style:?}");
        assert!(seen.len() >= 9, "{style:?}: {seen:?}");
        assert!(strayed < 2.0, "{style:?} strays {strayed}");
    }
}

#[test]
fn waypoints_are_neither_skipped_nor_circled() {
    // A tick covers five times the radius, and the turning circle is thirty times as wide.
    let mut sim = Sim::with(SteeringPlugin::new(Update), 20.0);
    watch(&mut sim.app);
    let path = Path::new([Vec2::new(50.0, 0.0), Vec2::new(50.0, 30.0), Vec2::new(0.0, 60.0)]);
    let follow = PathFollow::new(path).by_waypoints(0.1).with_end(PathEnd::Loop);
    let vehicle = Vehicle::new(10.0).with_max_force(30.0);
    sim.spawn((vehicle, follow, at(0.0, 0.0)));
    sim.run(60.0);
    let seen = sim.app.world().resource::<Seen>().0.clone();
    assert!(seen.len() >= 8, "{seen:?}");
    for (i, event) in seen.iter().enumerate() {
        assert_eq!(*event, waypoints(&[i % 3])[0]);
    }
}

#[test]
fn degenerate_paths_are_harmless() {
    let point = Vec2::new(5.0, 5.0);
    for end in [PathEnd::Stop, PathEnd::Loop, PathEnd::PingPong] {
        for corridor in [false, true] {
            for points in [vec![], vec![point], vec![point, point, point]] {
                let empty = points.is_empty();
                let follow = PathFollow::new(Path::new(points)).with_end(end);
                let follow = if corridor {
                    follow.along_corridor(1.0, 0.5)
                } else {
                    follow.by_waypoints(1.0)
                };
                let (sim, agent, seen, _) = run(follow, 8.0);
                let goal = if empty { Vec3::new(-3.0, 1.0, 0.0) } else { point.extend(0.0) };
                assert!(sim.position(agent).distance(goal) < 0.5);
                assert!(seen.len() <= 2, "{seen:?}");
            }
        }
    }
}

#[test]
fn a_corridor_allows_more_deviation_than_waypoints() {
    let (sim, agent, ..) = {
        let path = Path::new([Vec2::ZERO, Vec2::new(100.0, 0.0)]);
        run(PathFollow::new(path).along_corridor(2.0, 0.5), 6.0)
    };
    let y = sim.position(agent).y;
    assert!(y > 0.3 && y < 2.0, "it keeps to its side of the corridor: {y}");
}

#[test]
fn progress_can_be_set() {
    let mut follow = PathFollow::new(square()).by_waypoints(1.0);
    follow.progress.next = 2;
    let (.., seen, _) = run(follow, 12.0);
    assert_eq!(seen[..2], waypoints(&[2, 3]));
}

#[test]
fn a_waypoint_missed_by_far_is_revisited() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let path = Path::new([0.0, 20.0, 40.0].map(|x| Vec2::new(x, 0.0)));
    let mut follow = PathFollow::new(path).by_waypoints(0.5);
    follow.progress.next = 1;
    // Beyond it, and going on.
    sim.spawn((Vehicle::default(), follow, Velocity(Vec3::X * 5.0), at(23.0, 0.0)));
    sim.run(0.5);
    assert!(sim.app.world().resource::<Seen>().0.is_empty());
    sim.run(8.5);
    assert_eq!(sim.app.world().resource::<Seen>().0[..2], waypoints(&[1, 2]));
}

#[test]
fn an_agent_pushed_past_a_waypoint_goes_on() {
    let vehicle = Vehicle::new(5.0).with_max_force(10.0);
    // At rest beyond the corner, on the way to the next point and beside it.
    let next = |x, y| next_at_the_corner(vehicle, at(x, y), Vec2::ZERO, false);
    assert_eq!([next(10.3, 1.9), next(10.6, 1.9), next(9.9, 1.9)], [2, 1, 1]);
}

/// Which point an agent goes to next, that has been sent to the corner of an L.
fn next_at_the_corner(vehicle: Vehicle, place: Transform, velocity: Vec2, backward: bool) -> usize {
    let mut sim = Sim::without_motion();
    let path = Path::new([Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(10.0, 10.0)]);
    let mut follow = PathFollow::new(path).by_waypoints(0.5).with_end(PathEnd::PingPong);
    *follow.progress = PathProgress { next: 1, backward, ..PathProgress::default() };
    let agent = sim.spawn((vehicle, follow, Velocity(velocity.extend(0.0)), place));
    sim.tick();
    sim.get::<PathFollow>(agent).progress.next
}

#[test]
fn a_waypoint_too_near_to_turn_to_is_passed() {
    // It can turn on a circle of 2.5 units.
    let vehicle = Vehicle::new(5.0).with_max_force(10.0);
    let next = |x, y, velocity| next_at_the_corner(vehicle, at(x, y), velocity, false);
    assert_eq!(next(12.9, 0.0, Vec2::X * 5.0), 2);
    assert_eq!(next(13.1, 0.0, Vec2::X * 5.0), 1, "it can turn to it");
    assert_eq!(next(12.9, 0.0, Vec2::X * -5.0), 1, "it comes back to it");
    assert_eq!(next(9.9, 2.0, Vec2::Y * 5.0), 1, "it is not beyond it yet");
    assert_eq!(next(10.1, 2.0, Vec2::Y * 5.0), 2);
    assert_eq!(next(10.1, 2.9, Vec2::Y * 5.0), 2);
    assert_eq!(next(10.1, 3.1, Vec2::Y * 5.0), 1);
}

#[test]
fn on_the_way_back_passing_is_mirrored() {
    let vehicle = Vehicle::new(5.0).with_max_force(10.0);
    let next = |x, y, velocity| next_at_the_corner(vehicle, at(x, y), velocity, true);
    assert_eq!(next(10.0, -2.9, Vec2::Y * -5.0), 0);
    assert_eq!(next(10.0, -3.1, Vec2::Y * -5.0), 1);
    assert_eq!(next(12.9, 0.1, Vec2::X * 5.0), 1, "coming from above, it is not beyond it");
}

#[test]
fn a_waypoint_between_two_ticks_is_noticed() {
    // Two units a tick, and strong enough to turn on the spot.
    let next = |x, y| {
        next_at_the_corner(
            Vehicle::new(128.0).with_max_force(1e6),
            at(x, y),
            Vec2::X * 128.0,
            false,
        )
    };
    assert_eq!(next(11.5, 0.4), 2, "half a unit before it a tick ago, and past it now");
    assert_eq!(next(11.5, 0.6), 1, "it passed beside it");
    assert_eq!(next(12.6, 0.4), 1, "that was a tick earlier");
}

#[test]
fn a_path_is_finished_when_the_agent_rests_at_its_end() {
    #[derive(Resource, Default)]
    struct Speeds(Vec<(f32, f32)>);
    let end = Vec2::new(20.0, 0.0);
    let straight = PathFollow::new(Path::new([Vec2::ZERO, end]));
    for follow in [straight.clone().by_waypoints(3.0), straight.along_corridor(3.0, 0.5)] {
        let mut sim = Sim::new();
        sim.app.init_resource::<Speeds>().add_observer(
            move |done: On<PathFinished>,
                  agents: Query<(&Transform, &Velocity)>,
                  mut speeds: ResMut<Speeds>| {
                let (transform, velocity) = agents.get(done.entity).unwrap();
                let distance = transform.translation.distance(end.extend(0.0));
                speeds.0.push((distance, velocity.length()));
            },
        );
        let agent = sim.spawn((Vehicle::new(5.0), follow, at(-3.0, 1.0)));
        sim.run(20.0);
        let [(distance, speed)] = sim.app.world().resource::<Speeds>().0[..] else {
            panic!("not finished once");
        };
        assert!(distance < 3.0 && speed < 0.15, "{distance} away at {speed}");
        assert!(sim.get::<PathFollow>(agent).progress.finished);
    }
}
