//! `AvoidObstacles`, `AvoidWalls`, `AvoidAgents`.

use bevy::prelude::*;
use bevy_steer::{AvoidWallsWith, FeelerCaster, FeelerHit, ObstacleShape, Velocity, prelude::*};

use crate::common::{Sim, at};

/// The least distance between an agent's centre and a place over a run, and where the agent is
/// then.
fn least_distance(sim: &mut Sim, agent: Entity, other: Entity, seconds: f32) -> f32 {
    let mut least = f32::MAX;
    sim.run_with(seconds, |world| {
        let place = |entity| world.get::<Transform>(entity).unwrap().translation;
        least = least.min(place(agent).distance(place(other)));
    });
    least
}

#[test]
fn an_obstacle_on_the_way_is_avoided_and_the_goal_reached() {
    for y in [0.0, 0.01, -0.01, 0.5, -0.5, 1.5, -1.5, 2.4] {
        let mut sim = Sim::new();
        let rock = sim.spawn((Obstacle::sphere(2.0), at(15.0, y)));
        let goal = Vec2::new(30.0, 0.0);
        let vehicle = Vehicle::default();
        let bundle = (vehicle, Arrive::new(goal), AvoidObstacles::default(), at(0.0, 0.0));
        let agent = sim.spawn(bundle);
        let least = least_distance(&mut sim, agent, rock, 14.0);
        assert!(least >= 2.0 + vehicle.radius - 0.01, "rock at {y}: {least}");
        let off = sim.position(agent).distance(goal.extend(0.0));
        assert!(off < 0.2, "rock at {y}: {off} from the goal");
    }
}

#[test]
fn an_offset_obstacle_is_passed_on_the_near_side() {
    for y in [-1.0, 1.0] {
        let mut sim = Sim::new();
        sim.spawn((Obstacle::sphere(2.0), at(10.0, y)));
        let agent = sim.spawn((
            Vehicle::default(),
            Seek::new(Vec2::new(1e3, 0.0)),
            AvoidObstacles::default(),
            at(0.0, 0.0),
        ));
        let mut highest = 0.0_f32;
        sim.run_with(3.0, |world| {
            let at = world.get::<Transform>(agent).unwrap().translation.y;
            if at.abs() > highest.abs() {
                highest = at;
            }
        });
        assert!(highest * y < 0.0, "rock at {y}: passed at {highest}");
    }
}

#[test]
fn every_shape_is_avoided_in_every_plane() {
    let shapes = [
        Obstacle::sphere(2.0),
        Obstacle::cuboid(Vec3::new(2.0, 3.0, 2.5)),
        Obstacle::capsule(1.0, 3.0),
    ];
    for plane in SteeringPlane::ALL {
        let forward = plane.forward();
        for obstacle in shapes {
            let mut sim = Sim::in_plane(plane);
            let rock = Transform::from_translation(forward * 15.0);
            sim.spawn((obstacle, rock));
            let goal = forward * 30.0;
            let vehicle = Vehicle::default();
            let agent = sim.spawn((vehicle, Arrive::new(goal), AvoidObstacles::default()));
            let mut deepest = f32::MAX;
            sim.run_with(15.0, |world| {
                let place = world.get::<Transform>(agent).unwrap().translation;
                deepest = deepest.min(outside(obstacle, place - rock.translation));
            });
            assert!(deepest >= vehicle.radius - 0.02, "{plane:?} {obstacle:?}: {deepest}");
            let off = sim.position(agent).distance(goal);
            assert!(off < 0.2, "{plane:?} {obstacle:?}: {off} from the goal");
        }
    }
}

/// How far a point is outside an unturned shape, worked out apart from the crate.
fn outside(obstacle: Obstacle, p: Vec3) -> f32 {
    match obstacle.shape {
        ObstacleShape::Sphere { radius } => p.length() - radius,
        ObstacleShape::Box { half_size } => (p.abs() - half_size).max(Vec3::ZERO).length(),
        ObstacleShape::Capsule { radius, half_length } => {
            let on_axis = p.y.clamp(-half_length, half_length);
            p.distance(Vec3::Y * on_axis) - radius
        }
        ObstacleShape::Segment { .. } => unreachable!("not in this test"),
    }
}

#[test]
fn an_agent_at_rest_passes_an_obstacle_without_trembling() {
    for plane in SteeringPlane::ALL {
        let mut sim = Sim::in_plane(plane);
        sim.spawn((Obstacle::sphere(3.0), Transform::default()));
        let goal = plane.forward() * 8.0;
        let start = Transform::from_translation(plane.forward() * -3.6);
        let bundle = (Vehicle::default(), Arrive::new(goal), AvoidObstacles::default(), start);
        let agent = sim.spawn(bundle);
        let (mut jerks, mut before) = (0, Vec3::ZERO);
        sim.run_with(8.0, |world| {
            let force = world.get::<SteeringForce>(agent).unwrap().linear;
            jerks += usize::from(force.dot(before) < -0.25 * 20.0 * 20.0);
            before = force;
            let place = world.get::<Transform>(agent).unwrap().translation;
            assert!(place.length() > 3.5 - 0.05, "{plane:?}: {place}");
        });
        let off = sim.position(agent).distance(goal);
        assert!(off < 0.2, "{plane:?}: {off} from the goal");
        assert!(jerks < 4, "{plane:?}: {jerks} times from one direction into the other");
    }
}

#[test]
fn a_standing_agent_avoids_an_approaching_agent() {
    let mut sim = Sim::new();
    let rock = sim.spawn((
        Obstacle::sphere(1.0),
        Vehicle::new(4.0).with_max_force(0.0).with_radius(1.0),
        Velocity(Vec3::X * -4.0),
        SteeringLayers::NONE,
        at(12.0, 0.2),
    ));
    let vehicle = Vehicle::default();
    let agent =
        sim.spawn((vehicle, AvoidObstacles::default(), Arrive::new(Vec2::ZERO), at(0.0, 0.0)));
    let least = least_distance(&mut sim, agent, rock, 6.0);
    assert!(least > 1.0 + vehicle.radius - 0.02, "{least}");
    assert!(sim.position(rock).x < -10.0, "a vehicle without behaviours drifts");
}

#[test]
fn an_agent_inside_an_obstacle_gets_out() {
    for start in [Vec2::ZERO, Vec2::new(0.5, 0.2)] {
        let mut sim = Sim::new();
        sim.spawn((Obstacle::sphere(3.0), at(0.0, 0.0)));
        let agent =
            sim.spawn((Vehicle::default(), AvoidObstacles::default(), at(start.x, start.y)));
        sim.run(4.0);
        assert!(sim.position(agent).length() > 3.4, "{}", sim.position(agent));
    }
}

#[test]
fn walls_of_a_room_are_not_walked_through() {
    let mut sim = Sim::new();
    let corners = [(-20.0, -15.0), (20.0, -15.0), (20.0, 15.0), (-20.0, 15.0)];
    for (i, &(x, y)) in corners.iter().enumerate() {
        let (to_x, to_y) = corners[(i + 1) % 4];
        sim.spawn(Wall::new(Vec2::new(x, y), Vec2::new(to_x, to_y)));
    }
    let agents: Vec<_> = (0..12)
        .map(|i| {
            let wander = (Wander::default(), AvoidWalls::default());
            let place = at(-12.0 + (i % 4) as f32 * 8.0, -8.0 + (i / 4) as f32 * 8.0);
            sim.spawn((Vehicle::default(), wander, place))
        })
        .collect();
    let mut farthest = Vec3::ZERO;
    sim.run_with(60.0, |world| {
        for &agent in &agents {
            farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.abs());
        }
    });
    assert!(farthest.x < 20.0 && farthest.y < 15.0, "{farthest}");
    assert!(farthest.x > 10.0 && farthest.y > 7.0, "they should use the room: {farthest}");
}

#[test]
fn in_free_space_walls_have_no_end_above_or_below() {
    let (start, end) = (Vec3::new(8.0, 0.0, -5.0), Vec3::new(8.0, 0.0, 5.0));
    let flown = |is_wall: bool, height: f32| {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(SteeringPlane::Free), 64.0);
        if is_wall {
            sim.spawn(Wall::new(start, end));
        } else {
            sim.spawn((Obstacle::new(ObstacleShape::Segment { start, end }), Transform::default()));
        }
        let way = (sim.push(Vec3::X * 5.0), AvoidWalls::default());
        let agent = sim.spawn((Vehicle::default(), way, Transform::from_xyz(0.0, height, 0.0)));
        sim.run(4.0);
        sim.position(agent).x
    };
    for height in [0.0, 3.0, -40.0, 900.0] {
        assert!(flown(true, height) < 8.0, "{height}");
    }
    // A line is only where it is.
    assert!(flown(false, 40.0) > 15.0);
}

#[test]
fn a_custom_feeler_caster_is_used() {
    #[derive(TypePath)]
    struct Cliff;
    impl FeelerCaster for Cliff {
        type Param = ();
        fn cast(
            agent: &Agent,
            along: Vec3,
            length: f32,
            _: SteeringLayers,
            (): &(),
        ) -> Option<FeelerHit> {
            let distance = (10.0 - agent.position.x) / along.x;
            (0.0..=length).contains(&distance).then_some(FeelerHit {
                distance,
                normal: Vec3::NEG_X,
                velocity: Vec3::ZERO,
                entity: None,
            })
        }
    }
    let mut sim = Sim::new();
    sim.app.add_steering_behavior::<AvoidWallsWith<Cliff>>();
    let agent = sim.spawn((
        Vehicle::default(),
        Seek::new(Vec2::new(100.0, 30.0)),
        AvoidWallsWith::<Cliff>::default(),
        at(0.0, 0.0),
    ));
    sim.run_with(10.0, |world| {
        assert!(world.get::<Transform>(agent).unwrap().translation.x < 10.0);
    });
}

fn meeting(places: &[(Vec2, Vec2)], seconds: f32) -> (f32, Vec<f32>) {
    let mut sim = Sim::new();
    let vehicle = Vehicle::default();
    let agents: Vec<_> = places
        .iter()
        .map(|&(from, to)| {
            let bundle = (vehicle, Arrive::new(to), AvoidAgents::default(), at(from.x, from.y));
            sim.spawn(bundle)
        })
        .collect();
    let mut least = f32::MAX;
    sim.run_with(seconds, |world| {
        let all: Vec<Vec3> = agents
            .iter()
            .map(|&agent| world.get::<Transform>(agent).unwrap().translation)
            .collect();
        for (i, a) in all.iter().enumerate() {
            least = all[i + 1..].iter().fold(least, |least, b| least.min(a.distance(*b)));
        }
    });
    let off = agents
        .iter()
        .zip(places)
        .map(|(&agent, &(_, to))| sim.position(agent).distance(to.extend(0.0)))
        .collect();
    (least - 2.0 * vehicle.radius, off)
}

#[test]
fn meeting_agents_do_not_touch() {
    for aside in [0.0, 0.3, -0.3, 0.8] {
        let places = [
            (Vec2::new(-15.0, 0.0), Vec2::new(15.0, 0.0)),
            (Vec2::new(15.0, aside), Vec2::new(-15.0, aside)),
        ];
        let (gap, off) = meeting(&places, 12.0);
        assert!(gap >= 0.0, "{aside}: they touch by {gap}");
        assert!(off.iter().all(|&off| off < 0.2), "{aside}: {off:?}");
    }
}

#[test]
fn crossing_agents_do_not_touch() {
    let places = [
        (Vec2::new(-15.0, 0.0), Vec2::new(15.0, 0.0)),
        (Vec2::new(0.0, -15.0), Vec2::new(0.0, 15.0)),
    ];
    let (gap, off) = meeting(&places, 12.0);
    assert!(gap >= 0.0, "they touch by {gap}");
    assert!(off.iter().all(|&off| off < 0.2), "{off:?}");
}

#[test]
fn entities_that_are_no_agents_are_not_avoided() {
    let mut sim = Sim::new();
    sim.spawn((SteeringLayers::default(), at(5.0, 0.0)));
    let bundle = (Vehicle::default(), Seek::new(Vec2::X * 10.0), AvoidAgents::default());
    let agent = sim.spawn((bundle, at(0.0, 0.0)));
    sim.run_with(1.5, |world| {
        assert_eq!(world.get::<Transform>(agent).unwrap().translation.y, 0.0);
    });
    assert!(sim.position(agent).x > 5.0, "a pickup is run over");
}

#[test]
fn coincident_agents_separate() {
    let mut sim = Sim::new();
    let agents: Vec<_> = (0..6)
        .map(|_| sim.spawn((Vehicle::default(), AvoidAgents::default(), at(3.0, 3.0))))
        .collect();
    sim.run(5.0);
    for (i, &a) in agents.iter().enumerate() {
        for &b in &agents[i + 1..] {
            let apart = sim.position(a).distance(sim.position(b));
            assert!(apart > 1.0, "{apart}");
        }
    }
}

#[test]
fn doors_a_fifth_wider_than_the_body_are_passed() {
    for door in [1.2, 1.6] {
        for (speed, y) in [(3.0, 0.0), (5.0, 0.3), (5.0, -1.0), (5.0, 4.0), (2.0, 8.0)] {
            let mut sim = Sim::new();
            for side in [-1.0, 1.0] {
                let [from, to] = [0.5 * door, 12.0].map(|y| Vec2::new(10.0, side * y));
                sim.spawn(Wall::new(from, to));
            }
            let path = PathFollow::new([Vec2::X * 10.0, Vec2::X * 20.0]).by_waypoints(0.3);
            let body = Vehicle::new(speed).with_radius(0.5);
            let agent = sim.spawn((body, path, AvoidWalls::default(), at(0.0, y)));
            sim.run(20.0);
            let end = sim.position(agent);
            assert!((end.x - 20.0).abs() < 1.0, "{door}: from {y} at {speed} to {end}");
        }
    }
}
