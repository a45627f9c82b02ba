//! Shapes and bounds from Bevy's own types.

use bevy::{
    prelude::*,
    shape::{Aabb3d, BoundingVolume},
};
use bevy_steer::prelude::*;

#[test]
fn obstacles_have_the_shapes_of_bevy() {
    assert_eq!(Obstacle::new(Circle::new(2.0)), Obstacle::sphere(2.0));
    assert_eq!(Obstacle::new(Sphere::new(2.0)), Obstacle::sphere(2.0));
    assert_eq!(Obstacle::new(Rectangle::new(4.0, 2.0)), Obstacle::rect(Vec2::new(4.0, 2.0)));
    let size = Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(Obstacle::new(Cuboid::from_size(size)), Obstacle::cuboid(size));
    assert_eq!(Obstacle::new(Capsule2d::new(0.5, 3.0)), Obstacle::capsule(0.5, 3.0));
    assert_eq!(Obstacle::new(Capsule3d::new(0.5, 3.0)), Obstacle::capsule(0.5, 3.0));
    let line = Segment2d::new(Vec2::X, Vec2::Y);
    assert_eq!(Obstacle::new(line), Obstacle::segment(Vec3::X, Vec3::Y));
    let line = Segment3d::new(Vec3::X, Vec3::Z);
    assert_eq!(Obstacle::new(line), Obstacle::segment(Vec3::X, Vec3::Z));
    let shape = ObstacleShape::Sphere { radius: 3.0 };
    assert_eq!(Obstacle::new(shape).shape, shape);
}

#[test]
fn bounds_are_made_of_boxes_and_wrap_unless_told() {
    let (min, max) = (Vec2::new(-1.0, -2.0), Vec2::new(3.0, 4.0));
    let rect = Bounds::from(Rect::from_corners(min, max));
    assert_eq!(rect, Bounds::rect(min, max, BoundsEdge::Wrap));
    assert_eq!(rect.with_edge(BoundsEdge::Bounce), Bounds::rect(min, max, BoundsEdge::Bounce));
    let space = Aabb3d::new(Vec3::ONE, Vec3::new(2.0, 3.0, 4.0));
    let bounds = Bounds::from(space);
    let (min, max) = (space.min.into(), space.max.into());
    assert_eq!(bounds, Bounds::cuboid(min, max, BoundsEdge::Wrap));
    assert!(bounds.contains(space.center().into()));
    assert_eq!(Bounds::default().edge, BoundsEdge::default());
    assert_eq!(Bounds::default(), Bounds::UNBOUNDED);
}
