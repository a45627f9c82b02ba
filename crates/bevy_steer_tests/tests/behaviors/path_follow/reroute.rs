//! Another path while under way.

use bevy::prelude::*;
use bevy_steer::{Path, prelude::*};

use crate::common::{Sim, at, strong};

/// Ten rows of 20 units to and fro, three units apart, with something in the sixth row.
fn rows(detour: &[Vec2]) -> Path {
    let row = |row: usize| {
        let y = row as f32 * 3.0;
        let [start, end] = if row.is_multiple_of(2) { [0.0, 20.0] } else { [20.0, 0.0] };
        let between = if row == 5 { detour } else { &[] };
        [Vec2::new(start, y)].into_iter().chain(between.to_vec()).chain([Vec2::new(end, y)])
    };
    Path::new((0..10).flat_map(row).collect::<Vec<_>>())
}

/// How far 300 creeps have come along the new path in each tick, and where they end.
fn creeps(follow: fn(PathFollow) -> PathFollow, change: fn(&mut PathFollow, Path)) -> usize {
    let (before, after) = (rows(&[]), rows(&[Vec2::new(12.0, 15.0), Vec2::new(10.0, 16.0)]));
    let mut sim = Sim::new();
    let creeps: Vec<Entity> = (0..300)
        .map(|i| {
            let along = before.length(false) * i as f32 / 300.0;
            let place = before.point_at(along, false) + Vec3::Y * 0.3 * (i % 3) as f32;
            let mut follow = follow(PathFollow::new(before.clone()));
            let next = (0..before.len()).find(|&index| before.distance_of(index) > along);
            follow.progress.next = next.unwrap_or(before.len() - 1);
            sim.spawn((Vehicle::default(), follow, Transform::from_translation(place)))
        })
        .collect();
    sim.run(1.0);
    let places: Vec<Vec3> = creeps.iter().map(|&creep| sim.position(creep)).collect();
    let left = |sim: &Sim, creep| {
        let progress = *sim.get::<PathFollow>(creep).progress;
        after.length(false) - progress.distance
    };
    for &creep in &creeps {
        change(&mut sim.get_mut::<PathFollow>(creep), after.clone());
    }
    sim.tick();
    let mut farthest: Vec<f32> = creeps.iter().map(|&creep| left(&sim, creep)).collect();
    for (&place, &left) in places.iter().zip(&farthest) {
        // It is where it was.
        let along = after.length(false) - left;
        assert!(after.point_at(along, false).distance(place) < 1.5, "{place} is at {along}");
    }
    let mut went_back = vec![false; creeps.len()];
    for _ in 0..5 * 64 {
        sim.tick();
        for (i, &creep) in creeps.iter().enumerate() {
            let left = left(&sim, creep);
            went_back[i] |= left > farthest[i] + 1.0;
            farthest[i] = farthest[i].min(left);
        }
    }
    sim.run(60.0);
    let end = *after.points().last().unwrap();
    assert!(creeps.iter().all(|&creep| sim.position(creep).distance(end) < 1.5));
    went_back.into_iter().filter(|&back| back).count()
}

#[test]
fn creeps_keep_their_places_on_a_new_path() {
    let styles: [fn(PathFollow) -> PathFollow; 2] =
        [|follow| follow.by_waypoints(1.0), |follow| follow.along_corridor(1.0, 0.5)];
    for style in styles {
        assert_eq!(creeps(style, PathFollow::reroute), 0);
        assert_eq!(creeps(style, |follow, path| follow.path = path), 0);
    }
}

#[test]
fn a_new_component_starts_at_its_first_point_or_at_the_nearest() {
    let next = |follow: PathFollow, place| {
        let mut sim = Sim::without_motion();
        let agent = sim.spawn((strong(5.0), follow, place));
        sim.tick();
        sim.get::<PathFollow>(agent).progress.next
    };
    let follow = || PathFollow::new(rows(&[])).by_waypoints(1.0);
    assert_eq!(next(follow(), at(7.0, 6.5)), 0);
    assert_eq!(next(follow().from_nearest(), at(7.0, 6.5)), 5);
    assert_eq!(next(follow().from_nearest(), at(-5.0, 27.0)), 19);
    // Round the seam of a closed path, and back along one that is gone to and fro.
    let square = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)].map(|(x, y)| Vec2::new(x, y));
    let square = || PathFollow::new(square).by_waypoints(0.5).from_nearest();
    assert_eq!(next(square().with_end(PathEnd::Loop), at(0.2, 5.0)), 0);
    let mut back = square().with_end(PathEnd::PingPong);
    back.progress.backward = true;
    assert_eq!(next(back, at(4.0, 9.0)), 2);
}

#[test]
fn a_place_is_kept_where_the_path_runs_beside_itself() {
    // Out and back on two lines, one unit apart.
    let path = |end: f32| {
        Path::new([(0.0, 0.0), (20.0, 0.0), (20.0, 1.0), (0.0, 1.0), (0.0, end)].map(Vec2::from))
    };
    for (lane, y) in [(1, 0.6), (3, 0.4)] {
        let mut sim = Sim::new();
        let mut follow = PathFollow::new(path(5.0)).by_waypoints(0.5);
        follow.progress.next = lane;
        let agent = sim.spawn((Vehicle::default(), follow, at(10.0, y)));
        sim.tick();
        sim.get_mut::<PathFollow>(agent).reroute(path(9.0));
        sim.tick();
        assert_eq!(sim.get::<PathFollow>(agent).progress.next, lane);
    }
}

#[test]
fn a_path_that_was_finished_goes_on_with_a_new_one() {
    let mut sim = Sim::new();
    let follow = PathFollow::new([Vec2::ZERO, Vec2::X * 5.0]).by_waypoints(1.0);
    let agent = sim.spawn((Vehicle::default(), follow));
    sim.run(5.0);
    assert!(sim.get::<PathFollow>(agent).progress.finished);
    sim.get_mut::<PathFollow>(agent).reroute([Vec2::ZERO, Vec2::X * 5.0, Vec2::X * 9.0]);
    sim.tick();
    assert!(!sim.get::<PathFollow>(agent).progress.finished);
    sim.run(5.0);
    assert!(sim.get::<PathFollow>(agent).progress.finished);
    assert!((sim.position(agent).x - 9.0).abs() < 0.5);
}

#[test]
fn progress_tells_how_far_along_an_agent_is() {
    let follow = PathFollow::new([Vec2::ZERO, Vec2::X * 40.0]);
    for follow in [follow.clone().by_waypoints(1.0), follow.along_corridor(1.0, 0.5)] {
        let mut sim = Sim::new();
        let agent = sim.spawn((Vehicle::default(), follow));
        sim.run_with(4.0, |world| {
            let place = world.get::<Transform>(agent).unwrap().translation.x;
            let told = world.get::<PathFollow>(agent).unwrap().progress.distance;
            assert!((told - place).abs() < 0.2, "{told} at {place}");
        });
    }
}

#[test]
fn a_place_in_a_world_that_wraps_is_at_the_nearest_image() {
    let world = Bounds::rect(Vec2::splat(-50.0), Vec2::splat(50.0), BoundsEdge::Wrap);
    let row = |points: [f32; 4]| PathFollow::new(points.map(|x| Vec2::new(x, 0.0))).from_nearest();
    // One inside the world, and one that leaves it at the right and goes on.
    let inside = [(-45.0, 0), (-40.0, 1), (40.0, 3), (0.0, 2), (-49.0, 0), (46.5, 3)];
    let across = [(20.0, 0), (45.0, 1), (-35.0, 2), (-15.0, 3)];
    let paths =
        [(row([-45.0, -15.0, 15.0, 45.0]), &inside[..]), (row([20.0, 60.0, 80.0, 100.0]), &across)];
    for (path, places) in paths {
        for follow in [path.clone().by_waypoints(0.3), path.along_corridor(3.0, 0.5)] {
            for &(x, next) in places {
                let mut sim = Sim::without_motion();
                sim.app.insert_resource(WorldBounds(world));
                let agent = sim.spawn((strong(5.0), follow.clone(), at(x, 0.5)));
                sim.tick();
                let progress = *sim.get::<PathFollow>(agent).progress;
                // In a corridor the first point is passed at the start.
                let next = if progress.entered { next.max(1) } else { next };
                assert_eq!(progress.next, next, "{x}: {:?} {progress:?}", follow.style);
            }
        }
    }
}

/// How long an agent takes round two corners, of which a planner gives it the rest of the way from
/// the middle of its cell, again after `every` ticks.
fn follow_a_planner(cell: f32, every: usize, plane: SteeringPlane, give: Give) -> Option<f32> {
    let cells: Vec<Vec3> = {
        let corners = [(0, 0), (20, 0), (20, 20), (40, 20)];
        let mut cells = vec![];
        for pair in corners.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|(x, y)| Vec2::new(x as f32, y as f32));
            let count = (from.distance(to) / cell) as usize;
            let on = |i: usize| from.lerp(to, i as f32 / count as f32);
            cells.extend((0..count).map(on));
        }
        cells.push(Vec2::new(40.0, 20.0));
        let axes = [0.0, core::f32::consts::FRAC_PI_2].map(|turn| plane.direction(turn));
        cells.into_iter().map(|cell| axes[0] * cell.x + axes[1] * cell.y).collect()
    };
    let mut sim = Sim::in_plane(plane);
    let start = plane.direction(0.7) * (0.3 * cell);
    let agent = sim.spawn((Vehicle::default(), Transform::from_translation(start)));
    for tick in 0..60 * 64 {
        let here = sim.position(agent);
        if here.distance(*cells.last().unwrap()) < 1.0 {
            return Some(tick as f32 / 64.0);
        }
        if tick % every == 0 {
            let distance = |cell: &&Vec3| here.distance(**cell);
            let nearest = cells.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
            let first = cells.iter().position(|cell| cell == nearest).unwrap();
            give(&mut sim.app.world_mut().entity_mut(agent), Path::new(cells[first..].to_vec()));
        }
        sim.tick();
    }
    None
}

type Give = fn(&mut EntityWorldMut, Path);

#[test]
fn a_first_point_behind_the_agent_is_passed() {
    let gives: [Give; 8] = [
        |agent, path| _ = agent.insert(PathFollow::new(path)),
        |agent, path| _ = agent.insert(PathFollow::new(path).by_waypoints(0.25)),
        |agent, path| _ = agent.insert(PathFollow::new(path).along_corridor(1.0, 0.5)),
        |agent, path| _ = agent.insert((PathFollow::new(path), ThinkEvery(3))),
        |agent, path| _ = agent.insert((PathFollow::new(path), Arbitration::WeightedSum)),
        |agent, path| {
            let first = Arbitration::FirstActive { epsilon: 0.01 };
            _ = agent.insert((PathFollow::new(path), first));
        },
        |agent, path| {
            // Once: it has the state of its random numbers.
            if !agent.contains::<Arbitration>() {
                agent.insert(Arbitration::dithered());
            }
            agent.insert(PathFollow::new(path));
        },
        |agent, path| {
            let body = Vehicle::default().with_radius(0.2);
            _ = agent.insert((PathFollow::new(path), body));
        },
    ];
    for plane in SteeringPlane::ALL {
        for cell in [1.0, 2.0, 4.0, 5.0] {
            for (i, give) in gives.into_iter().enumerate() {
                if i > 3 && (plane, cell) != (SteeringPlane::Xy, 4.0) {
                    continue;
                }
                let once = follow_a_planner(cell, 10_000, plane, give).unwrap();
                // It cuts corners of the 60 units.
                assert!((11.0..13.0).contains(&once), "{plane:?} {cell} {i}: {once}");
                for every in [32, 7, 1] {
                    let time = follow_a_planner(cell, every, plane, give);
                    let case = format!("{plane:?} {cell} {i} {every}: {time:?} and not {once}");
                    assert!(time.is_some_and(|time| time < 1.05 * once + 0.2), "{case}");
                }
            }
        }
    }
}
