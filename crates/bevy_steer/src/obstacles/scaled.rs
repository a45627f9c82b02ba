//! Shapes in a space that is scaled.

use bevy::{math::DVec3, prelude::*};

use crate::{obstacles::shape::ObstacleShape, space::plane::SteeringPlane};

/// A shape in a space that is scaled.
pub(super) struct Scaled {
    pub shape: ObstacleShape,
    /// Whether what is round keeps its proportions in the plane.
    pub stays_round: bool,
    /// How much farther than its radius what is round reaches along the plane's normal.
    pub taller: f32,
}

impl ObstacleShape {
    /// In a space that is scaled along the local axes. What is round takes the largest factor of
    /// the directions in a plane.
    pub(super) fn scaled(self, scale: Vec3, axes: &[Vec3; 3], plane: SteeringPlane) -> Scaled {
        /// As much longer in one direction is hardly seen.
        const TOLERANCE: f32 = 0.02;
        let along = scale.abs();
        let (shape, radius, [least, most, up]) = match self {
            Self::Sphere { radius } => {
                let factors @ [_, most, _] = factors_of_ball(along, axes, plane);
                (Self::Sphere { radius: radius * most }, radius, factors)
            }
            Self::Capsule { radius, half_length } => {
                let factors @ [_, most, _] = factors_of_capsule(along, axes, plane);
                let half_length = half_length * along.y;
                (Self::Capsule { radius: radius * most, half_length }, radius, factors)
            }
            Self::Box { half_size } => (Self::Box { half_size: half_size * along }, 0.0, [1.0; 3]),
            Self::Segment { start, end } => {
                (Self::Segment { start: start * scale, end: end * scale }, 0.0, [1.0; 3])
            }
        };
        let stays_round = radius == 0.0 || most - least <= TOLERANCE * most;
        Scaled { shape, stays_round, taller: radius * (up - most) }
    }
}

/// How far what was a ball of radius 1 reaches along a unit vector.
pub(super) fn factor_along(along: Vec3, scale: Vec3, axes: &[Vec3; 3]) -> f32 {
    (Vec3::from_array(axes.map(|axis| axis.dot(along))) * scale).length()
}

/// The least and the largest radius in a plane of what was a ball of radius 1, and how far it
/// reaches along the normal.
fn factors_of_ball(scale: Vec3, axes: &[Vec3; 3], plane: SteeringPlane) -> [f32; 3] {
    let up = factor_along(plane.normal(), scale, axes);
    if !plane.is_planar() {
        return [scale.min_element(), scale.max_element(), up];
    }
    // The axes of the ellipse in which the plane cuts the ellipsoid.
    let ahead = plane.forward();
    let [u, v] = [ahead, plane.left(ahead)].map(|along| to_ball(along, scale, axes));
    let (a, b, c) = (u.dot(u), u.dot(v), v.dot(v));
    let (mean, half) = (0.5 * (a + c), 0.5 * (a - c));
    let most = mean + (half * half + b * b).sqrt();
    let least = u.cross(v).length_squared() / most;
    let [least, most] = [most, least].map(|squared| (1.0 / squared.sqrt()) as f32);
    [least, most, up]
}

/// The same of what was a capsule along the second axis, without its length.
fn factors_of_capsule(scale: Vec3, axes: &[Vec3; 3], plane: SteeringPlane) -> [f32; 3] {
    /// A capsule with more than this share of its direction out of the plane is cut across by it,
    /// else it is seen from the side.
    const UPRIGHT: f32 = 0.5;
    let normal = plane.normal();
    let (least, most) = (scale.x.min(scale.z), scale.x.max(scale.z));
    if axes[1].dot(normal).abs() > UPRIGHT {
        return [least, most, most];
    }
    let up = factor_along(normal, scale.with_y(0.0), axes);
    if !plane.is_planar() {
        return [least, most, up];
    }
    let DVec3 { x, z, .. } = to_ball(normal.cross(axes[1]).normalize(), scale, axes);
    let aside = (1.0 / (x * x + z * z).sqrt()) as f32;
    [aside, aside, up]
}

/// A vector in the space in which the ellipsoid is a ball of radius 1. In double precision, as it
/// may be a thousand times as long as it is wide.
fn to_ball(v: Vec3, scale: Vec3, axes: &[Vec3; 3]) -> DVec3 {
    /// Flatter things have no thickness that matters.
    const FLAT: f64 = 1e-6;
    let local = DVec3::from_array(axes.map(|axis| axis.as_dvec3().dot(v.as_dvec3())));
    local / scale.as_dvec3().max(DVec3::splat(FLAT))
}
