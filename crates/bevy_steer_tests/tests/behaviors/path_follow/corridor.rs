//! Corridors along paths that overlap themselves or leave the plane of the agent.

use bevy::{math::ops, prelude::*};
use bevy_steer::{Memory, Path, PathProgress, Velocity, prelude::*};

use crate::{
    behaviors::modes,
    common::{Seen, Sim, at, strong, watch},
};

/// Follows a path along a corridor for some seconds; gives how far along it was after each tick,
/// and what was told.
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

/// Follows the `x` axis for a hundred units, in a corridor.
fn straight_on(half_width: f32, predict: f32) -> PathFollow {
    PathFollow::new(Path::new([Vec2::ZERO, Vec2::X * 100.0])).along_corridor(half_width, predict)
}

/// How far along a path it went with each tick, and whether it jumped to another branch: where the
/// path turns round it may advance by the radius, half a unit, and what it moved.
fn assert_goes_on(places: &[f32], length: f32) {
    for pair in places.windows(2) {
        let step = (pair[1] - pair[0] + 0.5 * length).rem_euclid(length) - 0.5 * length;
        assert!((-0.1..0.58).contains(&step), "from {} to {}", pair[0], pair[1]);
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
fn a_path_that_returns_on_itself_is_followed_to_its_end() {
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
fn offsets_out_of_the_plane_do_not_matter() {
    let stairs = [(0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (20.0, 6.0)];
    let path = Path::new(stairs.map(|(x, z)| Vec3::new(x, 0.0, z)));
    let (_, told, place) = follow(path, PathEnd::Stop, 10.0);
    assert!(told.last().is_some_and(|told| told.starts_with("PathFinished")), "{told:?}");
    assert!((place.x - 20.0).abs() < 0.5, "{place}");
}

#[test]
fn a_pushed_agent_returns_at_an_angle() {
    let mut sim = Sim::new();
    let follow = straight_on(0.5, 0.5);
    let agent = sim.spawn((Vehicle::default(), follow, at(20.0, 6.0)));
    sim.tick();
    let force = sim.get::<SteeringForce>(agent).linear;
    assert!(force.y < 0.0 && force.x > 0.8 * -force.y, "straight back is no way on: {force}");
    sim.run(6.0);
    assert!(sim.position(agent).y.abs() < 0.6, "{}", sim.position(agent));
}

/// What an agent requests that follows the `x` axis for a hundred units, in a corridor of half
/// width
/// 1.
fn wish(predict: f32, place: Transform, velocity: Vec2) -> Vec3 {
    let mut sim = Sim::without_motion();
    let follow = straight_on(1.0, predict);
    let agent = sim.spawn((strong(5.0), follow, Velocity(velocity.extend(0.0)), place));
    sim.tick();
    sim.wish(agent)
}

#[test]
fn off_the_corridor_the_target_moves_along_with_distance() {
    let towards = |predict, y, speed| {
        let velocity = Vec2::X * speed;
        let requested = wish(predict, at(10.0, y), velocity) + velocity.extend(0.0);
        assert!((requested.length() - 5.0).abs() < 1e-3, "at full speed: {requested}");
        -y * requested.x / requested.y
    };
    // It will be two units on, and is three off.
    assert!((towards(0.5, 3.0, 4.0) - 5.0).abs() < 1e-2);
    // It will be ten units on, and half of that counts for more than that it is three off.
    assert!((towards(2.5, 3.0, 4.0) - 15.0).abs() < 1e-2);
    // It stands, and is hardly off: the half width counts.
    assert!((towards(0.5, -1.0, 0.0) - 1.0).abs() < 1e-2);
}

#[test]
fn inside_the_corridor_only_speed_is_corrected() {
    let inside = |speed: f32| wish(0.5, at(10.0, 0.5), Vec2::X * speed);
    assert_eq!(inside(4.6), Vec3::ZERO);
    // Half way between fast enough and too slow.
    assert!((inside(4.25) - Vec3::X * 0.375).length() < 1e-3, "{}", inside(4.25));
    assert!((inside(3.0) - Vec3::X * 2.0).length() < 1e-3);
    assert!((inside(0.0) - Vec3::X * 5.0).length() < 1e-3);
}

#[test]
fn near_the_corridor_edge_the_correction_is_partial() {
    // Seven eighths of the way to the edge is half of the way from where it begins.
    let change = wish(0.5, at(10.0, 0.875), Vec2::X * 5.0);
    let back = Vec3::new(2.5 + 1.25, -0.875, 0.0).normalize() * 5.0 - Vec3::X * 5.0;
    assert!((change - back * 0.5).length() < 1e-3, "{change} {back}");
}

#[test]
fn progress_follows_a_displaced_agent() {
    let mut sim = Sim::new();
    let follow = straight_on(1.0, 0.5);
    let agent = sim.spawn((Vehicle::default(), follow, at(10.0, 0.0)));
    sim.tick();
    for _ in 0..3 {
        let before = sim.get::<PathFollow>(agent).progress.distance;
        sim.get_mut::<Transform>(agent).translation.x += 3.0;
        sim.tick();
        let on = sim.get::<PathFollow>(agent).progress.distance - before;
        assert!((2.9..3.2).contains(&on), "{on}");
    }
}

#[test]
fn ends_reverse_and_inner_points_are_passed_when_behind() {
    let next = |from: f32, next, backward| {
        let mut sim = Sim::without_motion();
        let path = Path::new([Vec2::ZERO, Vec2::X * 10.0, Vec2::X * 30.0]);
        let follow = PathFollow::new(path).along_corridor(2.0, 0.5).with_end(PathEnd::PingPong);
        let progress = PathProgress { next, backward, distance: from, entered: true, ..default() };
        let agent = sim.spawn((
            strong(5.0),
            PathFollow { progress: Memory(progress), ..follow },
            at(from, 0.0),
        ));
        sim.tick();
        let PathProgress { next, backward, .. } = *sim.get::<PathFollow>(agent).progress;
        (next, backward)
    };
    assert_eq!(next(27.9, 2, false), (2, false));
    assert_eq!(next(28.1, 2, false), (1, true));
    assert_eq!(next(2.1, 0, true), (0, true));
    assert_eq!(next(1.9, 0, true), (1, false));
    assert_eq!(next(9.9, 1, false), (1, false));
    assert_eq!(next(10.1, 1, false), (2, false));
    assert_eq!(next(10.1, 1, true), (1, true));
    assert_eq!(next(9.9, 1, true), (0, true));
}

#[test]
fn narrow_corridors_are_braked_in_time_for_their_end() {
    let mut sim = Sim::new();
    let follow = PathFollow::new(Path::new([Vec2::ZERO, Vec2::X * 40.0])).along_corridor(0.05, 0.5);
    let vehicle = Vehicle::new(8.0).with_max_force(8.0).with_response(0.3);
    let agent = sim.spawn((vehicle, follow, at(0.0, 0.0)));
    let mut farthest = 0.0_f32;
    sim.run_with(15.0, |world| {
        farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.x);
    });
    assert!(farthest < 40.1, "{farthest}");
    assert!((sim.position(agent).x - 40.0).abs() < 0.1, "{}", sim.position(agent));
}

#[test]
fn progress_keeps_up_with_a_fast_agent() {
    let mut sim = Sim::new();
    let fast = Vehicle::new(64.0).with_max_force(1e4);
    let agent = sim.spawn((fast, straight_on(10.0, 0.2), at(0.0, 0.0)));
    sim.run(1.0);
    let (here, place) = (sim.position(agent).x, sim.get::<PathFollow>(agent).progress.distance);
    assert!(here > 20.0, "{here}");
    assert!((place - here).abs() < 1.5, "{place} along the path at {here}");
}

/// What an agent did in a wide corridor.
#[derive(Debug, Default)]
struct Course {
    /// The greatest advance in a tick beyond what the agent moved, in units.
    jump: f32,
    /// How far it stayed away from the point that it came least near to.
    missed: f32,
    /// Which points it was told of.
    points: Vec<usize>,
    /// When the end of the path was told of, in seconds.
    finished: Option<f32>,
}

impl Course {
    fn run(follow: PathFollow, agent: impl Bundle, plane: SteeringPlane, hz: f32) -> Self {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane), hz);
        watch(&mut sim.app);
        let (path, closed) = (follow.path.clone(), follow.end == PathEnd::Loop);
        let start = Transform::from_translation(path.points()[0]);
        let agent = sim.spawn((agent, follow, start));
        let think = sim.get::<ThinkEvery>(agent).0;
        let (mut course, mut missed) = (Self::default(), vec![f32::INFINITY; path.len()]);
        let (mut track, mut told) = (Vec::new(), 0);
        for tick in 1..(40.0 * hz) as usize {
            sim.tick();
            let time = tick as f32 / hz;
            // Behaviours have seen where it was at the beginning of the tick.
            let progress = *sim.get::<PathFollow>(agent).progress;
            let here = sim.position(agent);
            track.push((here, progress.distance));
            // Progress advances when the agent decides.
            if track.len() > think as usize {
                let (place, along) = track.remove(0);
                let mut on: f32 = progress.distance - along;
                if closed {
                    let length = path.length(true);
                    on = (on + 0.5 * length).rem_euclid(length) - 0.5 * length;
                }
                let on = if progress.backward { -on } else { on };
                course.jump = course.jump.max(on - here.distance(place));
            }
            for (missed, point) in missed.iter_mut().zip(path.points()) {
                *missed = missed.min(here.distance(*point));
            }
            for event in &sim.app.world().resource::<Seen>().0[told..] {
                if let Some(index) = event.strip_prefix("WaypointReached ") {
                    course.points.push(index.parse().unwrap());
                } else {
                    course.finished.get_or_insert(time);
                }
                told += 1;
            }
            if course.finished.is_some_and(|finished| time > finished + 3.0) {
                break;
            }
        }
        course.missed = missed.into_iter().fold(0.0, f32::max);
        course
    }
}

/// Points in the plane, each at this scale.
fn path_in(plane: SteeringPlane, points: &[(f32, f32)], scale: f32) -> Path {
    let [x, y] = [0.0, core::f32::consts::FRAC_PI_2].map(|turn| plane.direction(turn));
    Path::new(points.iter().map(|point| (x * point.0 + y * point.1) * scale))
}

/// Lines that are close to themselves: a hairpin with legs 1 apart, one that turns on the spot,
/// a figure eight, and a V of 15 degrees.
fn self_near() -> [(&'static str, Vec<(f32, f32)>); 5] {
    let eight = |i: usize| {
        let turn = (i as f32 / 40.0 + 0.125) * core::f32::consts::TAU;
        (ops::sin(turn) * 10.0, ops::sin(2.0 * turn) * 5.0)
    };
    let spread = ops::tan(7.5_f32.to_radians()) * 20.0;
    [
        ("hairpin", vec![(0.0, 0.0), (20.0, 0.0), (20.0, 1.0), (0.0, 1.0)]),
        ("there and back", vec![(0.0, 0.0), (20.0, 0.0), (0.0, 0.0)]),
        ("eight", (0..40).map(eight).collect()),
        ("V", vec![(0.0, -spread), (20.0, 0.0), (0.0, spread)]),
        (
            "meander",
            vec![
                (0.0, 0.0),
                (12.0, 0.0),
                (12.0, 1.5),
                (0.0, 1.5),
                (0.0, 3.0),
                (12.0, 3.0),
                (12.0, 4.5),
                (0.0, 4.5),
            ],
        ),
    ]
}

#[test]
fn progress_does_not_jump_where_a_corridor_is_close_to_itself() {
    let mut failures = Vec::new();
    let mut run = |plane, name: &str, points: &[_], (radius, predict), body: Vehicle, hz, way| {
        let (mode, think): (Arbitration, _) = way;
        let path = path_in(plane, points, 1.0);
        let follow = PathFollow::new(path.clone()).along_corridor(radius, predict);
        let case = format!("{name} {plane:?} {radius} {predict} {hz} {mode:?} {think}");
        let course = Course::run(follow, (body, mode, ThinkEvery(think)), plane, hz);
        // The ends of the eight are narrow for an agent that looks far ahead.
        let wide = if name == "eight" { 1.0 } else { 0.0 };
        let order: Vec<usize> = (0..path.len()).collect();
        let ideal = path.length(false) / body.max_speed;
        // What it moves in one tick differs a little from the next.
        let is_right = course.jump <= radius + 0.08
            && course.missed <= radius * 1.25 + wide
            && course.points == order
            && course.finished.is_some_and(|time| time < 1.5 * ideal + 1.0);
        if !is_right {
            failures.push(format!("{case} {} {}: {course:?}", body.radius, body.max_speed));
        }
    };
    let usual = || (Arbitration::default(), 1);
    for (name, points) in self_near() {
        for corridor in [(2.0, 1.5), (2.0, 0.5), (1.0, 1.5), (0.5, 0.5), (3.0, 3.0)] {
            for plane in SteeringPlane::ALL {
                for (speed, hz) in [(5.0, 64.0), (5.0, 20.0), (3.0, 64.0)] {
                    run(plane, name, &points, corridor, Vehicle::new(speed), hz, usual());
                }
            }
            if !matches!(corridor, (2.0, 1.5) | (0.5, 0.5)) {
                continue;
            }
            let plane = SteeringPlane::Xy;
            for mode in modes().into_iter().skip(1) {
                run(plane, name, &points, corridor, Vehicle::default(), 64.0, (mode, 1));
            }
            let seldom = (Arbitration::default(), 3);
            run(plane, name, &points, corridor, Vehicle::default(), 64.0, seldom);
            for radius in [0.2, 1.0] {
                let body = Vehicle::default().with_radius(radius);
                run(plane, name, &points, corridor, body, 64.0, usual());
            }
        }
    }
    assert!(failures.is_empty(), "{} failures: {failures:#?}", failures.len());
}

#[test]
fn dense_points_of_a_corridor_are_told_once_and_in_order() {
    let (xy, usual) = (SteeringPlane::Xy, Vehicle::default());
    for (plane, body, think) in [
        (xy, usual, 1),
        (SteeringPlane::Xz, usual, 1),
        (SteeringPlane::Free, usual, 1),
        (xy, usual, 3),
        (xy, Vehicle::new(2.5).with_radius(0.2), 1),
        (xy, Vehicle::new(10.0).with_radius(0.5), 1),
    ] {
        for spacing in [0.02, 0.1, 0.5, 1.7] {
            for radius in [0.3, 2.0, 5.0] {
                for bend in [0.0, 0.05, 0.15] {
                    let point = |i: usize| Vec2::from_angle(i as f32 * bend) * spacing;
                    let mut place = Vec2::ZERO;
                    let points: Vec<_> = (0..41)
                        .map(|i| {
                            place += point(i);
                            (place.x, place.y)
                        })
                        .collect();
                    let path = path_in(plane, &points, 1.0);
                    let follow = PathFollow::new(path).along_corridor(radius, 1.5);
                    let course = Course::run(follow, (body, ThinkEvery(think)), plane, 64.0);
                    let order: Vec<usize> = (0..41).collect();
                    let case = format!("{plane:?} {spacing} {radius} {bend} {think}");
                    let case = format!("{case} {} {}", body.radius, body.max_speed);
                    assert!(course.points == order, "{case}: {course:?}");
                    assert!(course.finished.is_some(), "{case}");
                }
            }
        }
    }
}
