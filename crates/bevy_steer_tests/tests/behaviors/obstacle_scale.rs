//! The scale of a `Transform` applies to an obstacle as to what is drawn.

use bevy::prelude::*;
use bevy_steer::{ObstacleIndex, ObstacleShape, prelude::*};

use crate::common::{Sim, at, log_lines};

/// The shape that agents see, and how many warnings there are of it.
fn seen(plane: SteeringPlane, bundle: impl Bundle, scale: Vec3) -> (ObstacleShape, usize) {
    seen_turned(plane, bundle, Transform::from_scale(scale))
}

fn seen_turned(
    plane: SteeringPlane,
    bundle: impl Bundle,
    place: Transform,
) -> (ObstacleShape, usize) {
    log_lines::catch();
    let mut sim = Sim::in_plane(plane);
    sim.spawn((bundle, place.with_translation(Vec3::new(3.0, 2.0, 1.0))));
    sim.run(0.1);
    let index = sim.app.world().resource::<ObstacleIndex>();
    let shape = index.iter().next().expect("an obstacle").shape;
    (shape, log_lines::caught().len())
}

#[test]
fn obstacles_are_scaled_as_their_transform_says() {
    use ObstacleShape::{Box, Capsule, Segment, Sphere};
    let (xy, xz, free) = (SteeringPlane::Xy, SteeringPlane::Xz, SteeringPlane::Free);
    let sphere = Obstacle::sphere(2.0);
    assert_eq!(seen(free, sphere, Vec3::splat(3.0)), (Sphere { radius: 6.0 }, 0));
    // Planar agents have two axes, and sprites are mirrored by a negative scale.
    assert_eq!(seen(xy, sphere, Vec3::new(-0.5, 0.5, 1.0)), (Sphere { radius: 1.0 }, 0));
    assert_eq!(seen(xz, sphere, Vec3::new(2.0, 9.0, 2.0)), (Sphere { radius: 4.0 }, 0));
    assert_eq!(seen(xy, sphere, Vec3::new(2.0, 3.0, 1.0)), (Sphere { radius: 6.0 }, 1));
    assert_eq!(seen(free, sphere, Vec3::new(2.0, 2.0, 1.0)), (Sphere { radius: 4.0 }, 1));
    let half_size = Vec3::new(1.0, 4.0, 9.0);
    let cuboid = Obstacle::cuboid(Vec3::new(2.0, 4.0, 6.0));
    assert_eq!(seen(free, cuboid, Vec3::new(1.0, 2.0, -3.0)), (Box { half_size }, 0));
    let capsule = Obstacle::capsule(1.0, 4.0);
    let scaled = Capsule { radius: 3.0, half_length: 10.0 };
    assert_eq!(seen(free, capsule, Vec3::new(3.0, 5.0, 3.0)), (scaled, 0));
    assert_eq!(seen(xy, capsule, Vec3::new(3.0, 5.0, 1.0)), (scaled, 0));
    assert_eq!(seen(xz, capsule, Vec3::new(3.0, 5.0, 1.0)), (scaled, 1));
    let (start, end) = (Vec3::X * -2.0, Vec3::Y * 6.0);
    let wall = Wall::new(Vec2::X, Vec2::Y * 2.0);
    assert_eq!(seen(xy, wall, Vec3::new(-2.0, 3.0, 1.0)), (Segment { start, end }, 0));
    let (wrong, warnings) = seen(xy, (sphere, wall), Vec3::ONE);
    assert!(warnings == 0 && wrong != Sphere { radius: 0.0 });
}

#[test]
fn a_turned_obstacle_is_as_large_as_its_cross_section() {
    use core::f32::consts::FRAC_PI_2;
    let radius = |obstacle: Obstacle, turn: Quat, scale: Vec3, plane| {
        let place = Transform::from_rotation(turn).with_scale(scale);
        let (shape, warnings) = seen_turned(plane, obstacle, place);
        match shape {
            ObstacleShape::Sphere { radius } | ObstacleShape::Capsule { radius, .. } => {
                (radius, warnings)
            }
            _ => panic!("{shape:?}"),
        }
    };
    let (xy, xz) = (SteeringPlane::Xy, SteeringPlane::Xz);
    let high = |turn, plane| radius(Obstacle::sphere(2.0), turn, Vec3::new(1.0, 3.0, 1.0), plane);
    for (turn, plane, expected, warned) in [
        (Quat::from_rotation_y(0.7), xz, 2.0, 0),
        (Quat::from_rotation_x(FRAC_PI_2), xz, 6.0, 1),
        (Quat::from_rotation_x(FRAC_PI_2), xy, 2.0, 0),
        (Quat::from_rotation_z(FRAC_PI_2), xy, 6.0, 1),
        // What leans a little has nearly the same cross-section.
        (Quat::from_rotation_x(0.002), xz, 2.0, 0),
        (Quat::from_rotation_x(0.1), xz, 2.009, 0),
    ] {
        let (radius, warnings) = high(turn, plane);
        assert!((radius - expected).abs() < 1e-3, "{turn} {plane:?}: {radius}");
        assert_eq!(warnings, warned, "{turn} {plane:?}");
    }
    for angle in [0.0, 0.5, 1.2, FRAC_PI_2] {
        for plane in SteeringPlane::ALL {
            let turn = Quat::from_rotation_x(angle);
            let (radius, warnings) =
                radius(Obstacle::capsule(1.0, 4.0), turn, Vec3::splat(3.0), plane);
            assert!((radius - 3.0).abs() < 1e-5 && warnings == 0, "{angle} {plane:?}: {radius}");
        }
    }
}

#[test]
fn agents_pass_a_scaled_obstacle_like_a_large_one() {
    let way = |obstacle, scale: f32, parent: Option<f32>| {
        let mut sim = Sim::new();
        let stone = sim.spawn((obstacle, at(10.0, 0.3).with_scale(Vec3::splat(scale))));
        if let Some(parent) = parent {
            let parent = sim.spawn(Transform::from_scale(Vec3::splat(parent)));
            sim.app.world_mut().entity_mut(stone).insert(ChildOf(parent));
            sim.get_mut::<Transform>(stone).translation /= 4.0;
        }
        let seek = Seek::new(Vec2::X * 20.0);
        let agent = sim.spawn((Vehicle::default(), seek, AvoidObstacles::default()));
        let mut way = Vec::new();
        sim.run_with(4.0, |world| way.push(world.get::<Transform>(agent).unwrap().translation));
        way
    };
    for of_size in [|size| Obstacle::sphere(size), |size| Obstacle::rect(Vec2::splat(size))] {
        let large = way(of_size(4.0), 1.0, None);
        assert_ne!(large, way(of_size(1.0), 1.0, None));
        assert_eq!(large, way(of_size(2.0), 2.0, None));
        assert_eq!(large, way(of_size(0.5), 2.0, Some(4.0)));
    }
}
