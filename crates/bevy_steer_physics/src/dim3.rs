//! Shapes of `parry3d`.

use parry3d as parry;

/// Vectors, rotations and shapes of three dimensions, and those of steering.
mod space {
    use super::parry::{
        math::Pose,
        shape::{Cone, Cylinder, Shape, TypedShape},
    };
    use bevy::prelude::*;
    use bevy_steer::ObstacleShape;

    use crate::{
        convex::{hull, triangle},
        ground::Ground,
        part::Part,
    };

    /// A vector of the engine, as steering has it.
    pub fn to_world(v: Vec3) -> Vec3 {
        v
    }

    /// A vector of steering, as the engine has it.
    pub fn from_world(v: Vec3) -> Vec3 {
        v
    }

    pub(super) fn pose(pose: &Pose) -> (Vec3, Quat) {
        (pose.translation, pose.rotation)
    }

    pub(super) fn cell(IVec3 { x, y, z }: IVec3) -> [i32; 3] {
        [x, y, z]
    }

    /// Whether it is a triangle of the ground.
    pub(super) fn is_ground_part(part: &TypedShape, ground: Option<Ground>) -> bool {
        let TypedShape::Triangle(triangle) = part else { return false };
        let normal = triangle.normal();
        ground.zip(normal).is_some_and(|(ground, normal)| ground.is(normal))
    }

    /// Those that only three dimensions have.
    pub(super) fn special(shape: &TypedShape, ground: Option<Ground>, parts: &mut Vec<Part>) {
        let mut triangles = |all: &mut dyn Iterator<Item = super::parry::shape::Triangle>| {
            for one in all {
                let part = triangle(*one.vertices(), ground);
                // The two halves of a rectangle are in the same box.
                if let Some(part) = part
                    && !parts.last().is_some_and(|last| are_alike(last, &part))
                {
                    parts.push(part);
                }
            }
        };
        match *shape {
            TypedShape::Triangle(one) => triangles(&mut core::iter::once(*one)),
            TypedShape::TriMesh(mesh) => triangles(&mut mesh.triangles()),
            TypedShape::HeightField(field) => triangles(&mut field.triangles()),
            TypedShape::RoundTriangle(round) => {
                let part = triangle(*round.inner_shape.vertices(), ground);
                parts.extend(part.map(|part| part.inflated(round.border_radius)));
            }
            TypedShape::ConvexPolyhedron(convex) => parts.extend(hull(convex.points(), 0.0)),
            TypedShape::RoundConvexPolyhedron(round) => {
                parts.extend(hull(round.inner_shape.points(), round.border_radius));
            }
            TypedShape::Cylinder(of) => parts.extend(cylinder(of, 0.0)),
            TypedShape::RoundCylinder(round) => {
                parts.extend(cylinder(&round.inner_shape, round.border_radius));
            }
            TypedShape::Cone(of) => parts.extend(cone(of, 0.0)),
            TypedShape::RoundCone(round) => {
                parts.extend(cone(&round.inner_shape, round.border_radius));
            }
            TypedShape::HalfSpace(half) if ground.is_none_or(|ground| !ground.is(half.normal)) => {
                let half_size = Vec3::new(super::HALF_SPACE, super::HALF_SPACE, 1e-3);
                let turn = Quat::from_rotation_arc(Vec3::Z, half.normal);
                parts.push(Part::aligned_box(Vec3::ZERO, half_size).moved(Vec3::ZERO, turn));
            }
            TypedShape::Custom(custom) => parts.extend(supported(custom)),
            _ => {}
        }
    }

    fn are_alike(a: &Part, b: &Part) -> bool {
        let (ObstacleShape::Box { half_size: of_a }, ObstacleShape::Box { half_size: of_b }) =
            (a.shape, b.shape)
        else {
            return false;
        };
        let close = 1e-4 * of_a.max_element();
        of_a.abs_diff_eq(of_b, close)
            && a.offset.abs_diff_eq(b.offset, close)
            && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5
    }

    /// A tall cylinder is a capsule as high as it is, a flat one a box.
    fn cylinder(&Cylinder { half_height, radius }: &Cylinder, round: f32) -> Vec<Part> {
        let shape = if half_height >= radius {
            ObstacleShape::Capsule { radius, half_length: half_height - radius }
        } else {
            ObstacleShape::Box { half_size: Vec3::new(radius, half_height, radius) }
        };
        vec![Part::centered(shape).inflated(round)]
    }

    fn cone(&Cone { half_height, radius }: &Cone, round: f32) -> Vec<Part> {
        const SIDES: usize = 12;
        let angles = (0..SIDES).map(|i| i as f32 * core::f32::consts::TAU / SIDES as f32);
        let base = angles.map(|angle| {
            let side = Vec2::from_angle(angle) * radius;
            Vec3::new(side.x, -half_height, side.y)
        });
        let points: Vec<_> = base.chain([Vec3::Y * half_height]).collect();
        hull(&points, round)
    }

    /// A convex shape of which only the farthest point in any direction is known; else the box
    /// around it.
    fn supported(shape: &dyn Shape) -> Vec<Part> {
        let Some(map) = shape.as_support_map() else {
            let bounds = shape.compute_local_aabb();
            return vec![Part::aligned_box(bounds.center(), bounds.half_extents())];
        };
        let steps = [-1.0, 0.0, 1.0];
        let directions = steps
            .into_iter()
            .flat_map(|x| steps.map(|y| (x, y)))
            .flat_map(|(x, y)| steps.map(|z| Vec3::new(x, y, z)))
            .filter_map(Vec3::try_normalize);
        let points: Vec<_> = directions.map(|along| map.local_support_point(along)).collect();
        hull(&points, 0.0)
    }
}

#[path = "nearest_points.rs"]
#[allow(clippy::duplicate_mod, reason = "compiled once for each dimension")]
mod nearest_points;
#[path = "shape_parts.rs"]
#[allow(clippy::duplicate_mod, reason = "compiled once for each dimension")]
mod shape_parts;

pub use nearest_points::for_each_nearest;
pub use shape_parts::parts_of;
pub use space::{from_world, to_world};

/// How far the surface of a half-space reaches, in units.
const HALF_SPACE: f32 = 1e5;
