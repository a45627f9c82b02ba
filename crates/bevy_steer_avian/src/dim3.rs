//! Agents and obstacles with the bodies and colliders of `avian3d`.

use avian3d as avian;

/// Vectors, rotations and shapes of three dimensions, and those of steering.
mod space {
    use avian3d::{parry, prelude::*};
    use bevy::prelude::*;
    use bevy_steer::{ObstacleShape, SteeringPlane};
    use parry::{
        math::Pose,
        shape::{Cone, Cylinder, Shape, TypedShape},
    };

    pub(super) use crate::convex::Ground;
    use crate::{
        convex::{hull, triangle},
        part::Part,
    };

    pub(super) fn to_world(v: Vec3) -> Vec3 {
        v
    }

    pub(super) fn from_world(v: Vec3) -> Vec3 {
        v
    }

    pub(super) fn direction(v: Vec3) -> Option<Dir3> {
        Dir3::new(v).ok()
    }

    pub(super) fn spin_to_world(spin: AngularVelocity) -> Vec3 {
        spin.0
    }

    pub(super) fn spin_from_world(spin: Vec3) -> AngularVelocity {
        AngularVelocity(spin)
    }

    pub(super) fn rotation(rotation: Rotation) -> Quat {
        rotation.0
    }

    pub(super) fn pose(pose: &Pose) -> (Vec3, Quat) {
        (pose.translation, pose.rotation)
    }

    pub(super) fn cell(IVec3 { x, y, z }: IVec3) -> [i32; 3] {
        [x, y, z]
    }

    /// A velocity without what is locked.
    pub(super) fn unlocked(locked: LockedAxes, v: Vec3) -> Vec3 {
        let is_locked = [
            locked.is_translation_x_locked(),
            locked.is_translation_y_locked(),
            locked.is_translation_z_locked(),
        ];
        v * Vec3::from_array(is_locked.map(|is_locked| if is_locked { 0.0 } else { 1.0 }))
    }

    /// An angular velocity without what is locked.
    pub(super) fn unlocked_spin(locked: LockedAxes, spin: Vec3) -> Vec3 {
        let is_locked = [
            locked.is_rotation_x_locked(),
            locked.is_rotation_y_locked(),
            locked.is_rotation_z_locked(),
        ];
        spin * Vec3::from_array(is_locked.map(|is_locked| if is_locked { 0.0 } else { 1.0 }))
    }

    /// What agents of this plane walk on, seen from a collider with this rotation.
    pub(super) fn ground(plane: SteeringPlane, rotation: Quat, max_slope: f32) -> Option<Ground> {
        plane.is_planar().then(|| Ground {
            up: rotation.inverse() * plane.normal(),
            cos_slope: cos_slope(max_slope),
        })
    }

    /// The same, seen from a part of a collider with this rotation.
    pub(super) fn turned(ground: Ground, rotation: Quat) -> Ground {
        Ground { up: rotation.inverse() * ground.up, ..ground }
    }

    /// Whether a surface with this normal is ground for agents of this plane.
    pub(super) fn is_ground(plane: SteeringPlane, normal: Vec3, max_slope: f32) -> bool {
        let ground = ground(plane, Quat::IDENTITY, max_slope);
        ground.is_some_and(|ground| ground.is(normal))
    }

    /// Whether it is a triangle of the ground.
    pub(super) fn is_ground_part(part: &TypedShape, ground: Option<Ground>) -> bool {
        let TypedShape::Triangle(triangle) = part else { return false };
        let normal = triangle.normal();
        ground.zip(normal).is_some_and(|(ground, normal)| ground.is(normal))
    }

    fn cos_slope(max_slope: f32) -> f32 {
        let slope = if max_slope.is_nan() { 0.0 } else { max_slope };
        ops::cos(slope.clamp(0.0, core::f32::consts::FRAC_PI_2))
    }

    /// Those that only three dimensions have.
    pub(super) fn special(shape: &TypedShape, ground: Option<Ground>, parts: &mut Vec<Part>) {
        let mut triangles = |all: &mut dyn Iterator<Item = parry::shape::Triangle>| {
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

#[path = "engine/mod.rs"]
#[allow(clippy::duplicate_mod, reason = "compiled once for each dimension")]
mod engine;

pub use engine::{AvianSteeringPlugin, AvoidColliders, ColliderCaster, ColliderRays};

/// How far the surface of a half-space reaches, in units.
const HALF_SPACE: f32 = 1e5;
