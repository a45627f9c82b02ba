//! Bodies and colliders of three dimensions.

use avian3d::prelude::*;
use bevy::{math::ops, prelude::*};
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_avian::dim3::AvoidColliders;

use crate::common::{three, vehicle};

fn walker() -> impl Bundle {
    (RigidBody::Dynamic, Collider::capsule(0.5, 1.0))
}

fn floor() -> impl Bundle {
    let place = Transform::from_xyz(0.0, -0.5, 0.0);
    (RigidBody::Static, Collider::cuboid(80.0, 1.0, 80.0), place)
}

fn on_floor(x: f32, z: f32) -> Transform {
    Transform::from_xyz(x, 1.0, z)
}

#[test]
fn walkers_on_a_floor_reach_their_goals_upright() {
    let mut sim = three(SteeringPlane::Xz);
    sim.spawn(floor());
    let goal = Vec2::new(6.0, -4.0);
    let behaviors = || (Arrive::new(goal), AvoidObstacles::default());
    let friction = Friction::new(0.0);
    let walker =
        sim.spawn((Vehicle::new(5.0), behaviors(), walker(), friction, on_floor(-5.0, 0.0)));
    sim.run_with(6.0, |sim| {
        let place = sim.position(walker);
        assert!((place.y - 1.0).abs() < 0.05, "{place}");
        let up = sim.get::<Transform>(walker).rotation * Vec3::Y;
        assert!(up.distance(Vec3::Y) < 0.15, "{up}");
    });
    let off = sim.position(walker).distance(Vec3::new(6.0, 1.0, -4.0));
    assert!(off < 0.3, "{off}");
    let vehicle = sim.get::<Vehicle>(walker);
    assert!((vehicle.radius - 0.5).abs() < 1e-5, "{vehicle:?}");
    assert!((sim.get::<SteeringHeight>(walker).0 - 1.8).abs() < 1e-4);
}

#[test]
fn falling_is_left_to_the_engine() {
    let mut sim = three(SteeringPlane::Xz);
    let seek = || Seek::new(Vec2::X * 90.0);
    let dynamic = sim.spawn((Vehicle::new(5.0), seek(), walker()));
    let kinematic = (RigidBody::Kinematic, Collider::capsule(0.5, 1.0));
    let lift = LinearVelocity(Vec3::Y * 2.0);
    let kinematic = sim.spawn((Vehicle::new(5.0), seek(), kinematic, lift));
    sim.get_mut::<Transform>(kinematic).translation.z = 9.0;
    sim.run(1.0);
    let fallen = sim.position(dynamic);
    assert!(fallen.y < -4.0 && fallen.y > -6.0 && fallen.x > 3.0, "{fallen}");
    assert_eq!(sim.velocity(dynamic).y, 0.0, "in its plane");
    let lifted = sim.position(kinematic);
    assert!((lifted.y - 2.0).abs() < 0.1 && lifted.x > 3.0, "{lifted}");
}

#[test]
fn free_agents_move_as_without_bodies() {
    let mut sim = three(SteeringPlane::Free);
    sim.app.insert_resource(Gravity(Vec3::ZERO));
    let goal = Vec3::new(5.0, 6.0, -7.0);
    let body = (RigidBody::Dynamic, Collider::sphere(0.5));
    let with = sim.spawn((vehicle(), Arrive::new(goal), body));
    let without = sim.spawn((vehicle(), Arrive::new(goal), Transform::default()));
    sim.run_with(5.0, |sim| {
        assert!(sim.position(with).distance(sim.position(without)) < 0.02);
    });
    assert!(sim.position(with).distance(goal) < 0.1);
}

/// Every kind of collider of three dimensions, each about two units wide around its origin.
fn shapes() -> Vec<(&'static str, Collider)> {
    let corners: Vec<_> = (0..8)
        .map(|i| {
            let sign = |bit: i32| if i & bit == 0 { -1.0 } else { 1.0 };
            Vec3::new(sign(1), sign(2), sign(4))
        })
        .collect();
    let upright = [Vec3::NEG_Y, Vec3::new(0.4, 1.5, -1.0), Vec3::new(0.0, -1.0, 1.2)];
    let faces = vec![
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ];
    let cliff: Vec<Vec<f32>> =
        (0..7).map(|i| vec![if (2..5).contains(&i) { 3.0 } else { 0.0 }; 7]).collect();
    vec![
        ("sphere", Collider::sphere(1.0)),
        ("cuboid", Collider::cuboid(2.0, 2.0, 1.5)),
        ("round cuboid", Collider::round_cuboid(1.5, 1.5, 1.0, 0.3)),
        ("cylinder", Collider::cylinder(1.0, 3.0)),
        ("flat cylinder", Collider::cylinder(1.2, 1.0)),
        ("cone", Collider::cone(1.2, 2.5)),
        ("capsule", Collider::capsule(0.6, 1.5)),
        ("lying capsule", Collider::capsule_endpoints(0.6, Vec3::NEG_Z, Vec3::Z)),
        ("triangle", Collider::triangle(upright[0], upright[1], upright[2])),
        ("mesh", Collider::trimesh(corners.clone(), faces.clone())),
        ("hull", Collider::convex_hull(&corners).unwrap()),
        ("decomposition", Collider::convex_decomposition(&corners, &faces)),
        ("voxels", Collider::voxels(Vec3::ONE, &[IVec3::ZERO, IVec3::NEG_X, IVec3::NEG_ONE])),
        ("heights", Collider::heightfield(cliff, Vec3::new(3.0, 1.0, 3.0))),
        ("half-space", Collider::half_space(Vec3::new(0.0, 0.1, 1.0).normalize())),
        (
            "compound",
            Collider::compound(vec![
                (
                    Vec3::new(0.0, 0.5, 0.8),
                    Quat::from_rotation_y(0.5),
                    Collider::cuboid(1.0, 1.0, 1.0),
                ),
                (Vec3::new(-0.3, 0.0, -0.9), Quat::IDENTITY, Collider::sphere(0.6)),
            ]),
        ),
    ]
}

#[test]
fn every_shape_becomes_obstacles_and_is_avoided_on_the_ground() {
    for (name, collider) in shapes() {
        let mut sim = three(SteeringPlane::Xz);
        let stone = sim.spawn((RigidBody::Static, collider.clone()));
        let is_endless = name == "half-space";
        let (from, goal) = if is_endless {
            (Vec3::new(-6.0, 0.0, 3.0), Vec3::new(6.0, 0.0, 3.0))
        } else {
            (Vec3::new(-6.0, 0.0, 0.2), Vec3::new(6.0, 0.0, 0.2))
        };
        let behaviors = (Arrive::new(goal), AvoidObstacles::default());
        let agent = sim.spawn((vehicle(), behaviors, Transform::from_translation(from)));
        let mut nearest = f32::INFINITY;
        sim.run_with(9.0, |sim| {
            let place = sim.position(agent);
            nearest =
                nearest.min(collider.distance_to_point(Vec3::ZERO, Quat::IDENTITY, place, true));
        });
        assert!(!sim.obstacles().is_empty(), "{name}");
        assert!(nearest > 0.49, "{name}: {nearest}");
        let off = sim.position(agent).distance(goal);
        assert!(off < 0.3, "{name}: {off}");
        sim.app.world_mut().despawn(stone);
        sim.tick();
        assert!(sim.obstacles().is_empty(), "{name} leaves no obstacle behind");
    }
}

#[test]
fn ground_is_no_obstacle() {
    let mut sim = three(SteeringPlane::Xz);
    let hills: Vec<Vec<f32>> = (0..9)
        .map(|i| (0..9).map(|j| ops::sin(i as f32 * 0.9) + ops::cos(j as f32 * 0.7)).collect())
        .collect();
    sim.spawn((RigidBody::Static, Collider::heightfield(hills, Vec3::new(40.0, 1.0, 40.0))));
    let flat = [Vec3::NEG_X, Vec3::X, Vec3::Z].map(|corner| corner * 90.0);
    sim.spawn((RigidBody::Static, Collider::trimesh(flat.to_vec(), vec![[0, 1, 2]])));
    sim.spawn((RigidBody::Static, Collider::half_space(Vec3::Y)));
    sim.run(0.1);
    assert!(sim.obstacles().is_empty());
    // Agents in free space fly into it.
    let mut sim = three(SteeringPlane::Free);
    sim.spawn((RigidBody::Static, Collider::half_space(Vec3::Y)));
    sim.run(0.1);
    assert_eq!(sim.obstacles().len(), 1);
}

#[test]
fn a_kinematic_walker_stops_at_a_wall_of_a_mesh() {
    let mut sim = three(SteeringPlane::Xz);
    let corners = vec![
        Vec3::new(4.0, -1.0, -9.0),
        Vec3::new(4.0, 3.0, -9.0),
        Vec3::new(4.0, 3.0, 9.0),
        Vec3::new(4.0, -1.0, 9.0),
    ];
    sim.spawn((RigidBody::Static, Collider::trimesh(corners, vec![[0, 1, 2], [0, 2, 3]])));
    let push = sim.spawn((Velocity(Vec3::new(5.0, 0.0, 1.0)), Transform::default()));
    let body = (RigidBody::Kinematic, Collider::capsule(0.5, 1.0));
    let agent = sim.spawn((vehicle(), MatchVelocity::new(push), AvoidWalls::default(), body));
    sim.run_with(4.0, |sim| assert!(sim.position(agent).x < 3.51));
    assert_eq!(sim.obstacles().len(), 1, "two triangles of one rectangle");
    assert!(sim.position(agent).x > 2.0);
}

#[test]
fn feelers_feel_walls_and_not_the_ground() {
    let mut sim = three(SteeringPlane::Xz);
    sim.app.insert_resource(bevy_steer_avian::ColliderObstacles {
        choice: bevy_steer_avian::ColliderChoice::None,
        ..default()
    });
    let ramp = Transform::from_xyz(3.0, -1.2, 0.0).with_rotation(Quat::from_rotation_z(0.4));
    sim.spawn((RigidBody::Static, Collider::cuboid(6.0, 1.0, 8.0), ramp));
    let wall = Transform::from_xyz(12.0, 0.0, 0.0);
    sim.spawn((RigidBody::Static, Collider::cuboid(1.0, 9.0, 40.0), wall));
    let push = sim.spawn((Velocity(Vec3::X * 5.0), Transform::default()));
    let behaviors = (MatchVelocity::new(push), AvoidColliders::default());
    let agent = sim.spawn((vehicle(), behaviors, Transform::default()));
    sim.run_with(6.0, |sim| assert!(sim.position(agent).x < 11.01));
    assert!(sim.position(agent).x > 9.0, "over the ramp: {}", sim.position(agent));
}

#[test]
fn the_height_follows_the_body() {
    let mut sim = three(SteeringPlane::Xz);
    sim.spawn(floor());
    let agent = sim.spawn((Vehicle::new(5.0), walker(), on_floor(0.0, 0.0)));
    let own = (SteeringHeight(0.7), on_floor(9.0, 0.0));
    let own = sim.spawn((Vehicle::new(5.0), walker(), own));
    sim.run(0.1);
    let height = sim.get::<SteeringHeight>(agent).0;
    assert!((height - 0.9 * 2.0).abs() < 1e-4, "{height}");
    for agent in [agent, own] {
        sim.app.world_mut().entity_mut(agent).insert(Collider::capsule(0.5, 2.0));
    }
    sim.run(0.1);
    let height = sim.get::<SteeringHeight>(agent).0;
    assert!((height - 0.9 * 3.0).abs() < 1e-4, "{height}");
    assert_eq!(sim.get::<SteeringHeight>(own).0, 0.7, "the game's own");
}

#[test]
fn walkers_at_rest_fall_asleep() {
    let mut sim = three(SteeringPlane::Xz);
    sim.spawn(floor());
    let walker = (walker(), LockedAxes::ROTATION_LOCKED, on_floor(0.0, 0.0));
    let agent = sim.spawn((vehicle(), AvoidAgents::default(), walker));
    sim.run(3.0);
    assert!(sim.has::<Sleeping>(agent));
    sim.app.world_mut().entity_mut(agent).insert(Seek::new(Vec3::X * 90.0));
    sim.run(1.0);
    assert!(sim.position(agent).x > 2.0);
}
