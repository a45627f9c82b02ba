//! Shapes in a space that is scaled.

use bevy::{math::DVec3, prelude::*};

use crate::{obstacles::shape::ObstacleShape, space::plane::SteeringPlane};

/// A shape in a space that is scaled.
pub(super) struct Scaled {
    pub(super) shape: ObstacleShape,
    /// Whether what is round keeps its proportions in the plane.
    pub(super) stays_round: bool,
    /// How much farther than its radius what is round reaches along the plane's normal.
    pub(super) taller: f32,
}

impl ObstacleShape {
    /// In a space that is scaled along the local axes. What is round takes the largest factor of
    /// the directions in a plane.
    pub(super) fn scaled(self, scale: Vec3, axes: &[Vec3; 3], plane: SteeringPlane) -> Scaled {
        /// As much longer in one direction is hardly seen.
        const TOLERANCE: f32 = 0.02;
        let along = scale.abs();
        let is_capsule = matches!(self, Self::Capsule { .. });
        let [least, most] = factors_in_plane(along, axes, plane, is_capsule);
        let is_upright = axes[1].dot(plane.normal()).abs() > UPRIGHT;
        let up = if is_capsule && is_upright {
            most
        } else {
            let across = if is_capsule { along.with_y(0.0) } else { along };
            factor_along(plane.normal(), across, axes)
        };
        let (shape, radius) = match self {
            Self::Sphere { radius } => (Self::Sphere { radius: radius * most }, radius),
            Self::Capsule { radius, half_length } => {
                let half_length = half_length * along.y;
                (Self::Capsule { radius: radius * most, half_length }, radius)
            }
            Self::Box { half_size } => (Self::Box { half_size: half_size * along }, 0.0),
            Self::Segment { start, end } => {
                (Self::Segment { start: start * scale, end: end * scale }, 0.0)
            }
        };
        let stays_round = radius == 0.0 || most - least <= TOLERANCE * most;
        Scaled { shape, stays_round, taller: radius * (up - most) }
    }
}

/// A capsule with more than this share of its direction out of the plane is cut across by it,
/// else it is seen from the side.
const UPRIGHT: f32 = 0.5;

/// How far what was a ball of radius 1 reaches along a unit vector.
pub(super) fn factor_along(along: Vec3, scale: Vec3, axes: &[Vec3; 3]) -> f32 {
    (Vec3::from_array(axes.map(|axis| axis.dot(along))) * scale).length()
}

/// The least and the largest radius in a plane of what was a ball of radius 1, or a capsule along
/// the second axis.
fn factors_in_plane(
    scale: Vec3,
    axes: &[Vec3; 3],
    plane: SteeringPlane,
    is_capsule: bool,
) -> [f32; 2] {
    /// Flatter things have no thickness that matters.
    const FLAT: f64 = 1e-6;
    let normal = plane.normal();
    let is_upright = axes[1].dot(normal).abs() > UPRIGHT;
    if is_capsule && (is_upright || !plane.is_planar()) {
        return [scale.x.min(scale.z), scale.x.max(scale.z)];
    }
    if !plane.is_planar() {
        return [scale.min_element(), scale.max_element()];
    }
    // In double precision, as it may be a thousand times as long as it is wide.
    let scale = scale.as_dvec3().max(DVec3::splat(FLAT));
    let local = |direction: Vec3| {
        DVec3::from_array(axes.map(|axis| axis.as_dvec3().dot(direction.as_dvec3()))) / scale
    };
    if is_capsule {
        let DVec3 { x, z, .. } = local(normal.cross(axes[1]).normalize());
        return [(1.0 / (x * x + z * z).sqrt()) as f32; 2];
    }
    // The axes of the ellipse in which the plane cuts the ellipsoid.
    let ahead = plane.forward();
    let (u, v) = (local(ahead), local(plane.left(ahead)));
    let (a, b, c) = (u.dot(u), u.dot(v), v.dot(v));
    let (mean, half) = (0.5 * (a + c), 0.5 * (a - c));
    let most = mean + (half * half + b * b).sqrt();
    let least = u.cross(v).length_squared() / most;
    [most, least].map(|squared| (1.0 / squared.sqrt()) as f32)
}
