//! Colliders are obstacles, while they are there.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_avian::{
    ColliderChoice, ColliderObstacles, GeneratedObstacle, IgnoredCollider, ObstacleCollider,
    ObstacleParts,
};

use crate::common::{Sim, at, two, vehicle};

/// Every kind of collider of two dimensions, each about two units wide around its origin.
fn shapes() -> Vec<(&'static str, Collider)> {
    let square = [Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0), Vec2::ONE, Vec2::new(-1.0, 1.0)];
    let star: Vec<_> = (0..10)
        .map(|i| Vec2::from_angle(i as f32 * 0.628_318_5) * if i % 2 == 0 { 1.2 } else { 0.6 })
        .collect();
    let edges: Vec<_> = (0..10).map(|i| [i, (i + 1) % 10]).collect();
    let heights = vec![0.5, 1.0, 0.5];
    vec![
        ("circle", Collider::circle(1.0)),
        ("ellipse", Ellipse::new(1.5, 0.8).collider()),
        ("rectangle", Collider::rectangle(2.0, 1.5)),
        ("round rectangle", Collider::round_rectangle(1.5, 1.0, 0.3)),
        ("capsule", Collider::capsule(0.6, 1.0)),
        ("lying capsule", Collider::capsule_endpoints(0.5, Vec2::NEG_X * 0.8, Vec2::X)),
        ("segment", Collider::segment(Vec2::new(0.0, -1.5), Vec2::new(0.3, 1.5))),
        ("triangle", Collider::triangle(square[0], square[1], square[2])),
        ("regular polygon", Collider::regular_polygon(1.2, 5)),
        ("polyline", Collider::polyline(square.to_vec(), Some(vec![[0, 1], [1, 2], [2, 3]]))),
        ("mesh", Collider::trimesh(square.to_vec(), vec![[0, 1, 2], [0, 2, 3]])),
        ("hull", Collider::convex_hull(&star).unwrap()),
        ("convex polygon", Collider::convex_polyline(square.to_vec()).unwrap()),
        ("decomposition", Collider::convex_decomposition(&star, &edges)),
        ("voxels", Collider::voxels(Vec2::splat(0.5), &[IVec2::ZERO, IVec2::X, IVec2::NEG_ONE])),
        ("heights", Collider::heightfield(heights, Vec2::new(3.0, 1.0))),
        (
            "compound",
            Collider::compound(vec![
                (Vec2::new(0.5, 0.8), 0.3, Collider::rectangle(1.0, 1.0)),
                (Vec2::new(-0.3, -0.9), 0.0, Collider::circle(0.6)),
            ]),
        ),
    ]
}

#[test]
fn every_shape_becomes_obstacles_and_is_avoided() {
    for (name, collider) in shapes() {
        for y in [-0.4f32, 0.0, 0.3] {
            let mut sim = two();
            let turned = at(0.0, 0.0).with_rotation(Quat::from_rotation_z(0.4));
            let stone = sim.spawn((RigidBody::Static, collider.clone(), turned));
            let behaviors = (Arrive::new(Vec2::new(6.0, y)), AvoidObstacles::default());
            let agent = sim.spawn((vehicle(), behaviors, at(-6.0, y)));
            let mut nearest = f32::INFINITY;
            sim.run_with(8.0, |sim| {
                let place = sim.position(agent).truncate();
                let rotation = Rotation::radians(0.4);
                let gap = collider.distance_to_point(Vec2::ZERO, rotation, place, true);
                nearest = nearest.min(gap);
            });
            assert!(!sim.obstacles().is_empty(), "{name}");
            assert!(nearest > 0.49, "{name} at {y}: {nearest}");
            let off = sim.position(agent).distance(Vec3::new(6.0, y, 0.0));
            assert!(off < 0.3, "{name} at {y}: {off}");
            sim.app.world_mut().despawn(stone);
            sim.tick();
            assert!(sim.obstacles().is_empty(), "{name} leaves no obstacle behind");
        }
    }
}

#[test]
fn a_half_space_is_avoided() {
    let mut sim = two();
    sim.spawn((RigidBody::Static, Collider::half_space(Vec2::Y), at(0.0, -2.0)));
    let push = sim.spawn((Velocity(Vec3::new(3.0, -4.0, 0.0)), Transform::default()));
    let agent = sim.spawn((vehicle(), MatchVelocity::new(push), AvoidWalls::default()));
    sim.run_with(5.0, |sim| assert!(sim.position(agent).y > -1.51));
    assert!(sim.position(agent).x > 5.0);
}

#[test]
fn a_single_shape_is_an_obstacle_itself_and_others_have_parts() {
    let mut sim = two();
    let simple = sim.spawn((RigidBody::Static, Collider::circle(1.0)));
    let body = sim.spawn((RigidBody::Static, at(9.0, 0.0)));
    let child = sim.spawn((Collider::circle(2.0), at(1.0, 0.0), ChildOf(body)));
    let scaled = at(-9.0, 0.0).with_scale(Vec3::splat(3.0));
    let scaled = sim.spawn((RigidBody::Static, Collider::circle(1.0), scaled));
    let lone = sim.spawn((Collider::rectangle(1.0, 1.0), at(0.0, 9.0)));
    sim.run(0.1);
    assert_eq!(sim.get::<Obstacle>(simple).shape, ObstacleShape::Sphere { radius: 1.0 });
    assert!(sim.has::<GeneratedObstacle>(simple) && sim.has::<Obstacle>(lone));
    for (entity, place, radius) in [(child, 10.0, 2.0), (scaled, -9.0, 3.0)] {
        let [part] = sim.get::<ObstacleParts>(entity).entities() else { panic!("one part") };
        assert!((sim.position(*part).x - place).abs() < 1e-5);
        assert_eq!(sim.get::<Obstacle>(*part).shape, ObstacleShape::Sphere { radius });
    }
    assert_eq!(sim.obstacles().len(), 4);
    // A child goes with its parent, as its collider does.
    sim.app.world_mut().despawn(body);
    sim.app.world_mut().entity_mut(lone).remove::<Collider>();
    sim.app.world_mut().entity_mut(scaled).remove::<Collider>();
    sim.tick();
    sim.tick();
    assert_eq!(sim.obstacles().len(), 1);
}

#[test]
fn a_moving_collider_moves_its_obstacles() {
    let mut sim = two();
    let body = (RigidBody::Dynamic, LinearVelocity(Vec2::X * 2.0));
    let simple = sim.spawn((body, AngularVelocity(0.5), Collider::circle(1.0)));
    let two = [Vec2::Y, Vec2::NEG_Y].map(|place| (place, 0.0, Collider::circle(0.3)));
    let wheel = Collider::compound(two.to_vec());
    let wheel = sim.spawn((body, AngularVelocity(1.5), wheel, at(0.0, 20.0)));
    sim.run(1.0);
    assert!(sim.velocity(simple).distance(Vec3::X * 2.0) < 1e-3);
    let spin = |sim: &Sim, entity| sim.get::<bevy_steer::AngularVelocity>(entity).z;
    assert!((spin(&sim, simple) - 0.5).abs() < 1e-3);
    let parts = sim.get::<ObstacleParts>(wheel).entities().to_vec();
    assert_eq!(parts.len(), 2);
    let before: Vec<_> = parts.iter().map(|&part| sim.position(part)).collect();
    let velocities: Vec<_> = parts.iter().map(|&part| sim.velocity(part)).collect();
    sim.tick();
    for ((part, before), velocity) in parts.iter().zip(before).zip(velocities) {
        let moved = (sim.position(*part) - before) * 64.0;
        assert!(moved.distance(velocity) < 0.05, "{moved} {velocity}");
        assert!((velocity - Vec3::X * 2.0).length() > 1.0, "it turns");
        assert!((spin(&sim, *part) - 1.5).abs() < 1e-3);
    }
}

#[test]
fn a_collider_that_changes_changes_its_obstacle() {
    let mut sim = two();
    let stone = sim.spawn((RigidBody::Static, Collider::circle(1.0)));
    sim.run(0.1);
    sim.app.world_mut().entity_mut(stone).insert(Collider::capsule(0.5, 2.0));
    sim.run(0.1);
    let capsule = ObstacleShape::Capsule { radius: 0.5, half_length: 1.0 };
    assert_eq!(sim.get::<Obstacle>(stone).shape, capsule);
    let parts = vec![(Vec2::X, 0.0, Collider::circle(0.5)), (Vec2::Y, 0.0, Collider::circle(0.5))];
    sim.app.world_mut().entity_mut(stone).insert(Collider::compound(parts));
    sim.run(0.1);
    assert!(!sim.has::<Obstacle>(stone) && sim.obstacles().len() == 2);
    sim.app.world_mut().entity_mut(stone).insert(ColliderDisabled);
    sim.run(0.1);
    assert!(sim.obstacles().is_empty());
    sim.app.world_mut().entity_mut(stone).remove::<ColliderDisabled>();
    sim.run(0.1);
    assert_eq!(sim.obstacles().len(), 2);
}

#[test]
fn layers_and_markers_choose_the_colliders() {
    let mut sim = two();
    let stone = || (RigidBody::Static, Collider::circle(1.0));
    let plain = sim.spawn(stone());
    let marked = sim.spawn((stone(), ObstacleCollider));
    let ignored = sim.spawn((stone(), IgnoredCollider));
    let sensor = sim.spawn((stone(), Sensor));
    let third = sim.spawn((stone(), CollisionLayers::new(LayerMask(4), LayerMask::ALL)));
    let by_hand = sim.spawn((stone(), Obstacle::sphere(9.0)));
    let agent = sim.spawn((vehicle(), RigidBody::Dynamic, Collider::circle(0.5)));
    let chosen = |sim: &Sim| {
        [plain, marked, ignored, sensor, third, agent].map(|one| sim.has::<Obstacle>(one))
    };
    sim.run(0.1);
    assert_eq!(chosen(&sim), [true, true, false, false, true, false]);
    assert_eq!(sim.get::<Obstacle>(third).layers, SteeringLayers(4));
    assert_eq!(sim.get::<Obstacle>(by_hand).shape, ObstacleShape::Sphere { radius: 9.0 });

    let choose = |sim: &mut Sim, choice, layers| {
        let rules = ColliderObstacles { choice, layers, ..default() };
        sim.app.insert_resource(rules);
        sim.run(0.1);
        chosen(sim)
    };
    let all = SteeringLayers::ALL;
    let marked_only = choose(&mut sim, ColliderChoice::Marked, all);
    assert_eq!(marked_only, [false, true, false, false, false, false]);
    let by_layer = choose(&mut sim, ColliderChoice::All, SteeringLayers(4));
    assert_eq!(by_layer, [false, false, false, false, true, false]);
    assert_eq!(choose(&mut sim, ColliderChoice::None, all), [false; 6]);
    assert_eq!(sim.get::<Obstacle>(by_hand).shape, ObstacleShape::Sphere { radius: 9.0 });
    choose(&mut sim, ColliderChoice::All, all);
    sim.app.world_mut().entity_mut(plain).insert(IgnoredCollider);
    sim.app.world_mut().entity_mut(ignored).remove::<IgnoredCollider>();
    sim.run(0.1);
    assert_eq!(chosen(&sim), [false, true, true, false, true, false]);
}

#[test]
fn behaviors_filter_obstacles_by_the_layers_of_their_colliders() {
    let mut sim = two();
    let layers = CollisionLayers::new(LayerMask(4), LayerMask::NONE);
    sim.spawn((RigidBody::Static, Collider::circle(1.0), layers));
    for (layers, avoids) in [(SteeringLayers(2), false), (SteeringLayers(4), true)] {
        let behaviors = (Seek::new(Vec2::X * 9.0), AvoidObstacles::default().with_layers(layers));
        let agent = sim.spawn((vehicle(), behaviors, at(-6.0, 0.1)));
        let mut aside = 0.0f32;
        sim.run_with(2.5, |sim| aside = aside.max(sim.position(agent).y.abs()));
        assert_eq!(aside > 1.0, avoids, "{aside}");
        sim.app.world_mut().despawn(agent);
    }
}

#[test]
fn an_agent_reaches_a_target_that_is_a_collider() {
    let mut sim = two();
    let stone = sim.spawn((RigidBody::Static, Collider::circle(1.0), at(6.0, 0.0)));
    let behaviors = (Arrive::new(stone), AvoidObstacles::default());
    let agent = sim.spawn((vehicle(), behaviors, RigidBody::Dynamic, Collider::circle(0.5)));
    sim.run(5.0);
    let distance = sim.position(agent).distance(Vec3::X * 6.0);
    assert!(distance > 1.45 && distance < 2.2, "{distance}");
}

#[test]
fn obstacles_of_a_saved_scene_are_replaced() {
    let mut sim = two();
    // The state after a scene was loaded: a part whose collider was not saved, and an obstacle whose
    // collider the game adds again.
    let part = Collider::compound(vec![(Vec2::X, 0.0, Collider::circle(0.5))]);
    let stone = sim.spawn((RigidBody::Static, part));
    sim.run(0.1);
    let [part] = sim.get::<ObstacleParts>(stone).entities() else { panic!("one part") };
    let part = *part;
    let copy = sim.app.world_mut().entity_mut(part).clone_and_spawn();
    sim.app.world_mut().entity_mut(copy).remove::<bevy_steer_avian::ObstaclePartOf>();
    let loaded = sim.spawn((
        (RigidBody::Static, Collider::circle(3.0), at(20.0, 0.0)),
        (Obstacle::sphere(1.0), GeneratedObstacle),
    ));
    sim.run(0.1);
    assert!(sim.app.world().get_entity(copy).is_err());
    assert_eq!(sim.get::<Obstacle>(loaded).shape, ObstacleShape::Sphere { radius: 3.0 });
    assert_eq!(sim.obstacles().len(), 2);
    // A copy of a collider gets obstacles of its own.
    sim.app.world_mut().entity_mut(stone).clone_and_spawn();
    sim.run(0.1);
    assert_eq!(sim.obstacles().len(), 3);
}

#[test]
fn a_static_body_is_drawn_where_it_is_from_the_first_frame_on() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
        .add_plugins((
            SteeringPlugin::default(),
            PhysicsPlugins::default().set(PhysicsInterpolationPlugin::interpolate_all()),
            bevy_steer_avian::dim2::AvianSteeringPlugin::default(),
        ))
        .insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(
            std::time::Duration::from_millis(5),
        ));
    app.finish();
    app.cleanup();
    let place = at(40.0, 7.0).with_rotation(Quat::from_rotation_z(1.0));
    let stone = app.world_mut().spawn((RigidBody::Static, Collider::circle(1.0), place)).id();
    let arm = Collider::compound(vec![(Vec2::X, 0.0, Collider::circle(0.5))]);
    let other = app.world_mut().spawn((RigidBody::Static, arm, place)).id();
    for frame in 0..12 {
        app.update();
        for body in [stone, other] {
            let drawn = app.world().get::<GlobalTransform>(body).unwrap().translation();
            assert!(drawn.distance(place.translation) < 1e-4, "{drawn} in frame {frame}");
        }
    }
    assert!(app.world().get::<Obstacle>(stone).is_some());
}

#[test]
fn the_colliders_of_an_agent_without_a_body_are_no_obstacles() {
    let mut sim = two();
    let agent = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0), AvoidObstacles::default()));
    let model = sim.spawn((Transform::default(), ChildOf(agent)));
    sim.spawn((Collider::circle(1.0), Transform::default(), ChildOf(model)));
    sim.run(2.0);
    assert_eq!(sim.obstacles(), []);
    assert!(sim.position(agent).x > 8.0);
    // What becomes a part of an agent later is none any more.
    let cart = sim.spawn((RigidBody::Static, at(30.0, 0.0)));
    let box_on_it = sim.spawn((Transform::default(), ChildOf(cart)));
    sim.app.world_mut().entity_mut(cart).remove::<RigidBody>();
    sim.app.world_mut().entity_mut(box_on_it).insert(Collider::circle(1.0));
    sim.run(0.1);
    assert_eq!(sim.obstacles().len(), 1);
    sim.app.world_mut().entity_mut(cart).insert(vehicle());
    sim.run(0.1);
    assert_eq!(sim.obstacles(), []);
}

#[test]
fn the_velocity_of_what_the_game_moves_is_the_game_s() {
    let mut sim = two();
    let motion = (Velocity(Vec3::Y), bevy_steer::AngularVelocity(Vec3::Z));
    let door = sim.spawn((Collider::circle(1.0), motion, at(5.0, 0.0)));
    sim.run(0.2);
    assert_eq!(sim.velocity(door), Vec3::Y);
    assert_eq!(sim.obstacles().len(), 1);
}

#[test]
fn what_was_an_obstacle_has_no_velocity_left() {
    let mut sim = two();
    let stone = sim.spawn((RigidBody::Static, Collider::circle(1.0), at(5.0, 0.0)));
    sim.run(0.1);
    sim.app.world_mut().entity_mut(stone).insert(RigidBody::Dynamic);
    sim.run(0.1);
    assert!(sim.has::<Velocity>(stone));
    sim.app.world_mut().entity_mut(stone).insert(IgnoredCollider);
    sim.run(0.1);
    assert!(!sim.has::<Velocity>(stone));
}
