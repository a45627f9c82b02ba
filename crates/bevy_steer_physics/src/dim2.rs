//! Shapes of `parry2d`.

use parry2d as parry;

/// Vectors, rotations and shapes of two dimensions, and those of steering.
mod space {
    use super::parry::{
        math::Pose,
        shape::{Shape, TypedShape},
    };
    use bevy::prelude::*;
    use bevy_steer::ObstacleShape;

    use crate::{convex::polygon, ground::Ground, part::Part};

    /// A vector of the engine, as steering has it.
    pub fn to_world(v: Vec2) -> Vec3 {
        v.extend(0.0)
    }

    /// A vector of steering, as the engine has it.
    pub fn from_world(v: Vec3) -> Vec2 {
        v.truncate()
    }

    pub(super) fn pose(pose: &Pose) -> (Vec3, Quat) {
        (pose.translation.extend(0.0), Quat::from_rotation_z(pose.rotation.angle()))
    }

    pub(super) fn cell(IVec2 { x, y }: IVec2) -> [i32; 3] {
        [x, y, 0]
    }

    /// Agents of two dimensions do not stand on ground.
    pub(super) fn is_ground_part(_: &TypedShape, _: Option<Ground>) -> bool {
        false
    }

    /// Those that only two dimensions have.
    pub(super) fn special(shape: &TypedShape, _: Option<Ground>, parts: &mut Vec<Part>) {
        match *shape {
            TypedShape::Triangle(triangle) => parts.extend(polygon(triangle.vertices(), 0.0)),
            TypedShape::RoundTriangle(round) => {
                let corners = round.inner_shape.vertices();
                parts.extend(polygon(corners, round.border_radius));
            }
            TypedShape::ConvexPolygon(convex) => parts.extend(polygon(convex.points(), 0.0)),
            TypedShape::RoundConvexPolygon(round) => {
                let corners = round.inner_shape.points();
                parts.extend(polygon(corners, round.border_radius));
            }
            TypedShape::TriMesh(mesh) => {
                // An edge of one triangle only is at the border of the mesh.
                let mut edges: Vec<[u32; 2]> = mesh
                    .indices()
                    .iter()
                    .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                    .map(|[a, b]| [a.min(b), a.max(b)])
                    .collect();
                edges.sort_unstable();
                let alike = edges.chunk_by(|a, b| a == b);
                let border = alike.filter(|alike| alike.len() == 1).map(|alike| alike[0]);
                parts.extend(border.map(|edge| {
                    let [start, end] = edge.map(|i| mesh.vertices()[i as usize].extend(0.0));
                    Part::around_line(start, end, 0.0)
                }));
            }
            TypedShape::HeightField(field) => parts.extend(field.segments().map(|segment| {
                Part::around_line(segment.a.extend(0.0), segment.b.extend(0.0), 0.0)
            })),
            TypedShape::HalfSpace(half) => {
                let along = half.normal.perp().extend(0.0) * super::HALF_SPACE;
                parts.push(Part::around_line(-along, along, 0.0));
            }
            TypedShape::Custom(custom) => parts.extend(supported(custom)),
            _ => {}
        }
    }

    /// A convex shape of which only the farthest point in any direction is known; else the box
    /// around it.
    fn supported(shape: &dyn Shape) -> Vec<Part> {
        const DIRECTIONS: usize = 32;
        let Some(map) = shape.as_support_map() else {
            let bounds = shape.compute_local_aabb();
            let half_size = bounds.half_extents().extend(0.0);
            let shape = ObstacleShape::Box { half_size };
            return vec![Part::centered(shape).moved(bounds.center().extend(0.0), Quat::IDENTITY)];
        };
        let angles = (0..DIRECTIONS).map(|i| i as f32 * core::f32::consts::TAU / DIRECTIONS as f32);
        let mut corners: Vec<Vec2> =
            angles.map(|angle| map.local_support_point(Vec2::from_angle(angle))).collect();
        corners.dedup_by(|a, b| a.distance_squared(*b) < 1e-12);
        polygon(&corners, 0.0)
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
