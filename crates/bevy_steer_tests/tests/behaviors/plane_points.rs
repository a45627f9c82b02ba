//! A `Vec2` is in the coordinates of the plane of whatever uses it.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, NeighborQuery, ObstacleIndex, Path, Point, prelude::*};

use crate::common::{Sim, log_lines, strong};

const PLACE: Vec2 = Vec2::new(3.0, 4.0);

/// What agents with a behaviour for a `Vec2` and with one for the same `Vec3` do, in each plane.
/// Enough of them for one at a time and for lanes.
fn assert_equal<B: Bundle>(seconds: f32, make: impl Fn(Point) -> B) {
    for plane in SteeringPlane::ALL {
        let run = |point: Point, own: bool| {
            let other =
                if plane == SteeringPlane::Xy { SteeringPlane::Xz } else { SteeringPlane::Xy };
            let mut sim = Sim::in_plane(if own { other } else { plane });
            let agents: Vec<Entity> = (0..11_u8)
                .map(|i| {
                    let place = plane.point(Vec2::new(f32::from(i), -2.0));
                    let agent = sim.spawn((make(point), Transform::from_translation(place)));
                    if own {
                        sim.app.world_mut().entity_mut(agent).insert(plane);
                    }
                    agent
                })
                .collect();
            sim.run(seconds);
            let state = |&agent: &Entity| (sim.position(agent), sim.heading(agent));
            agents.iter().map(state).collect::<Vec<_>>()
        };
        for own in [false, true] {
            let (by_plane, by_world) =
                (run(PLACE.into(), own), run(plane.point(PLACE).into(), own));
            assert_eq!(by_plane, by_world, "{plane:?} {own}");
        }
    }
}

#[test]
fn targets_are_in_the_plane_of_the_agent() {
    assert_equal(1.0, Seek::new);
    assert_equal(3.0, Arrive::new);
    assert_equal(1.0, Flee::new);
    assert_equal(1.0, |point: Point| Several::new([Seek::new(point), Seek::new(point)]));
}

#[test]
fn bearings_are_in_the_plane_of_the_agent() {
    assert_equal(1.0, Align::to_direction);
    let mut sim = Sim::in_plane(SteeringPlane::Xz);
    let agent = sim.spawn(Align::to_direction(PLACE));
    sim.run(3.0);
    assert!(sim.heading(agent).distance(Vec3::new(0.6, 0.0, 0.8)) < 0.05);
    assert!(sim.get::<AngularVelocity>(agent).length() < 0.05);
}

#[test]
fn paths_are_in_the_plane_of_the_agent() {
    let corners = [Vec2::new(1.0, 1.0), PLACE, Vec2::new(-5.0, 6.0)];
    for corridor in [false, true] {
        let follow = |point: Point| {
            let offset = |plane: SteeringPlane| point.in_plane(plane) - plane.point(PLACE);
            // The same path, given as the point is.
            let path: Path = match point {
                Point::Plane(_) => corners.into_iter().collect(),
                Point::World(_) => {
                    let is_mine = |plane: &SteeringPlane| offset(*plane) == Vec3::ZERO;
                    let plane = SteeringPlane::ALL.into_iter().find(is_mine).expect("its plane");
                    corners.into_iter().map(|corner| plane.point(corner)).collect()
                }
            };
            let follow = PathFollow::new(path).with_end(PathEnd::Loop);
            if corridor { follow.along_corridor(0.5, 0.3) } else { follow }
        };
        assert_equal(6.0, follow);
    }
}

#[test]
fn a_path_knows_how_it_was_given() {
    let path = Path::new([Vec2::ZERO, PLACE]);
    let ground = path.in_plane(SteeringPlane::Xz);
    assert_eq!(ground.points(), [Vec3::ZERO, Vec3::new(3.0, 0.0, 4.0)]);
    assert_eq!(path.points(), [Vec3::ZERO, Vec3::new(3.0, 4.0, 0.0)]);
    assert_eq!(path.given(), [Point::Plane(Vec2::ZERO), Point::Plane(PLACE)]);
    assert_eq!([path.length(false), ground.length(false)], [5.0, 5.0]);
    assert_eq!(ground.in_plane(SteeringPlane::Xy), ground);
    assert_eq!(path, Path::from([Vec2::ZERO, PLACE]));
}

#[test]
fn walls_are_in_the_plane_of_the_world() {
    for plane in SteeringPlane::ALL {
        let placed = |wall: Wall| {
            let mut sim = Sim::in_plane(plane);
            sim.spawn(wall);
            sim.tick();
            let index = sim.app.world().resource::<ObstacleIndex>();
            index.iter().next().expect("a wall").shape
        };
        let by_plane = placed(Wall::new(Vec2::ONE, PLACE));
        assert_eq!(by_plane, placed(Wall::new(plane.point(Vec2::ONE), plane.point(PLACE))));
    }
    // An agent on the ground stops before it.
    let mut sim = Sim::in_plane(SteeringPlane::Xz);
    sim.spawn(Wall::new(Vec2::new(-9.0, 6.0), Vec2::new(9.0, 6.0)));
    let wish = Wish::velocity(Vec3::Z * 5.0);
    let agent = sim.spawn((strong(5.0), wish, AvoidWalls::default()));
    sim.run(5.0);
    assert!((4.0..5.6).contains(&sim.position(agent).z), "{}", sim.position(agent));
}

#[test]
fn queries_are_in_the_plane_of_the_query_or_of_the_world() {
    let mut sim = Sim::in_plane(SteeringPlane::Xz);
    let near = sim.spawn((Vehicle::default(), Transform::from_xyz(3.0, 50.0, 4.0)));
    sim.ask(|_| ());
    sim.tick();
    let found = |query: NeighborQuery, sim: &mut Sim| {
        sim.ask(|index| index.nearest(query, 1.0).map(|found| found.entity))
    };
    assert_eq!(found(PLACE.into(), &mut sim), Some(near));
    assert_eq!(found(NeighborQuery::at(Vec2::new(3.0, 50.0)), &mut sim), None);
}

#[test]
fn a_flat_obstacle_that_agents_see_from_its_edge_is_named() {
    let (size, flat) = (Vec2::new(4.0, 2.0), Transform::default());
    let slanted = Obstacle::new(Segment2d::new(Vec2::ZERO, size));
    let level = Obstacle::new(Segment2d::new(Vec2::ZERO, Vec2::X));
    let lying = Transform::from_rotation(Quat::from_rotation_x(core::f32::consts::FRAC_PI_2));
    let tilted = Transform::from_rotation(Quat::from_rotation_x(0.5));
    for (plane, obstacle, place, warnings) in [
        (SteeringPlane::Xy, Obstacle::rect(size), flat, 0),
        (SteeringPlane::Xz, Obstacle::rect(size), flat, 1),
        (SteeringPlane::Xz, Obstacle::rect(size), lying, 0),
        (SteeringPlane::Xz, Obstacle::rect(size), tilted, 0),
        (SteeringPlane::Xz, Obstacle::ground(size), flat, 0),
        (SteeringPlane::Xy, Obstacle::ground(size), flat, 1),
        (SteeringPlane::Free, Obstacle::rect(size), flat, 0),
        (SteeringPlane::Xz, Obstacle::cuboid(Vec3::ONE), flat, 0),
        (SteeringPlane::Xy, slanted, flat, 0),
        (SteeringPlane::Xz, slanted, flat, 1),
        (SteeringPlane::Xz, slanted, lying, 0),
        (SteeringPlane::Xz, level, flat, 0),
        (SteeringPlane::Xz, Obstacle::segment(Vec3::ZERO, Vec3::ONE), flat, 0),
    ] {
        log_lines::catch();
        let mut sim = Sim::in_plane(plane);
        let entity = sim.spawn((obstacle, place));
        sim.run(0.2);
        let lines = log_lines::caught();
        assert_eq!(lines.len(), warnings, "{plane:?} {obstacle:?} {lines:?}");
        let named = format!("{entity}: Obstacle.shape is flat and stands upright");
        assert!(lines.iter().all(|line| line.contains(&named)), "{lines:?}");
    }
}

#[test]
fn an_agent_on_the_ground_goes_round_a_rectangle_on_the_ground() {
    let mut sim = Sim::in_plane(SteeringPlane::Xz);
    sim.spawn((Obstacle::ground(Vec2::new(4.0, 6.0)), Transform::from_xyz(10.0, 0.0, 0.5)));
    let seek = Seek::new(Vec2::new(1e3, 0.0));
    let agent = sim.spawn((seek, AvoidObstacles::default()));
    let mut deepest = f32::INFINITY;
    sim.run_with(5.0, |world| {
        let place = world.get::<Transform>(agent).expect("required").translation;
        let outside = (place - Vec3::new(10.0, 0.0, 0.5)).abs() - Vec3::new(2.0, 0.0, 3.0);
        deepest = deepest.min(outside.x.max(outside.z));
    });
    assert!(deepest > 0.4, "{deepest}");
    assert!(sim.position(agent).x > 12.0);
}

#[test]
fn a_target_is_no_larger_than_its_point() {
    // Four of eight cache lines of a column of `Seek` would be more.
    assert_eq!([size_of::<Target>(), size_of::<Point>()], [16, 16]);
}

#[test]
fn bounds_of_another_plane_are_named() {
    let (min, max) = (Vec2::splat(-9.0), Vec2::splat(9.0));
    let rect = Bounds::rect(min, max, BoundsEdge::Clamp);
    let ground = Bounds::ground(min, max, BoundsEdge::Clamp);
    let cuboid = Bounds::cuboid(Vec3::splat(-9.0), Vec3::splat(9.0), BoundsEdge::Clamp);
    for (plane, bounds, warnings) in [
        (SteeringPlane::Xy, rect, 0),
        (SteeringPlane::Xz, rect, 1),
        (SteeringPlane::Xy, ground, 1),
        (SteeringPlane::Xz, ground, 0),
        (SteeringPlane::Xz, cuboid, 0),
        (SteeringPlane::Free, rect, 0),
        (SteeringPlane::Xz, Bounds::UNBOUNDED, 0),
    ] {
        log_lines::catch();
        let mut sim = Sim::in_plane(plane);
        let agent = sim.spawn((Vehicle::default(), bounds));
        sim.run(0.2);
        let lines = log_lines::caught();
        assert_eq!(lines.len(), warnings, "{plane:?} {bounds:?} {lines:?}");
        let named = format!("{agent}: Bounds is for another plane");
        assert!(lines.iter().all(|line| line.contains(&named)), "{lines:?}");

        log_lines::catch();
        let mut sim = Sim::in_plane(plane);
        sim.app.insert_resource(WorldBounds(bounds));
        sim.run(0.2);
        let lines = log_lines::caught();
        assert_eq!(lines.len(), warnings, "{plane:?} {bounds:?} {lines:?}");
    }
}
