//! The distance of a point from the shape of an obstacle, and where a body or a ray meets it; also
//! in a space that is scaled.

use bevy::{math::DVec3, prelude::*};

use crate::{
    obstacles::shape::ObstacleShape,
    space::{SteeringPlane, nearest_on_segment, vector},
};

impl ObstacleShape {
    /// Its kind and sizes; different for different shapes.
    pub(crate) fn numbers(&self) -> [f32; 7] {
        match *self {
            Self::Sphere { radius } => [0.0, radius, 0.0, 0.0, 0.0, 0.0, 0.0],
            Self::Box { half_size: Vec3 { x, y, z } } => [1.0, x, y, z, 0.0, 0.0, 0.0],
            Self::Capsule { radius, half_length } => [2.0, radius, half_length, 0.0, 0.0, 0.0, 0.0],
            Self::Segment { start, end } => [3.0, start.x, start.y, start.z, end.x, end.y, end.z],
        }
    }

    /// The radius of the smallest ball about the origin that holds the shape; NaN if the shape is
    /// invalid.
    pub(crate) fn bounding_radius(&self) -> f32 {
        match *self {
            Self::Sphere { radius } => non_negative(radius),
            Self::Box { half_size } => {
                half_size.to_array().map(non_negative).iter().map(|x| x * x).sum::<f32>().sqrt()
            }
            Self::Capsule { radius, half_length } => {
                non_negative(radius) + non_negative(half_length)
            }
            // `max` would ignore a NaN.
            Self::Segment { start, end } if start.is_nan() || end.is_nan() => f32::NAN,
            Self::Segment { start, end } => start.length().max(end.length()),
        }
    }

    /// The middle of the shape, relative to its position.
    pub(crate) fn center(&self, axes: &[Vec3; 3]) -> Vec3 {
        let Self::Segment { start, end } = *self else { return Vec3::ZERO };
        let middle = (start + end) * 0.5;
        vector::to_world(axes, middle)
    }

    /// How far the shape reaches from its middle along a unit vector, either way.
    pub(crate) fn extent(&self, along: Vec3, axes: &[Vec3; 3], plane: SteeringPlane) -> f32 {
        match *self {
            Self::Sphere { radius } => radius,
            Self::Box { half_size } => {
                let counted = counted_axes(axes, plane);
                counted.map(|axis| axes[axis].dot(along).abs() * half_size[axis]).sum()
            }
            Self::Capsule { radius, half_length } => {
                radius + axes[1].dot(along).abs() * half_length
            }
            Self::Segment { start, end } => {
                let half = (end - start) * 0.5;
                vector::to_world(axes, half).dot(along).abs()
            }
        }
    }

    /// The distance of `point` from the surface, negative inside, and the unit vector away from the
    /// shape there.
    ///
    /// `point` is relative to the position of the shape and, for planar agents, already in their
    /// plane. `axes` are the directions of its local axes. In the centre of a round shape the
    /// vector is zero.
    pub(crate) fn distance(
        &self,
        point: Vec3,
        axes: &[Vec3; 3],
        plane: SteeringPlane,
    ) -> (f32, Vec3) {
        match *self {
            Self::Sphere { radius } => {
                let (away, length) = vector::split(point);
                (length - radius, away)
            }
            Self::Box { half_size } => box_distance(point, axes, half_size, plane),
            Self::Capsule { radius, half_length } => {
                let end = plane.flatten(axes[1] * half_length);
                let (away, length) = vector::split(point - nearest_on_segment(point, -end, end));
                (length - radius, away)
            }
            Self::Segment { start, end } => {
                let [start, end] =
                    [start, end].map(|end| plane.flatten(vector::to_world(axes, end)));
                let nearest = nearest_on_segment(point, start, end);
                let (away, length) = vector::split(point - nearest);
                if length > 0.0 {
                    return (length, away);
                }
                // Exactly on it either side is as good.
                let side = if plane.is_planar() {
                    plane.normal().cross(end - start)
                } else {
                    (end - start).any_orthogonal_vector()
                };
                (length, vector::direction(side))
            }
        }
    }

    /// Where a ball of radius `inflate` that moves from `from` along the unit vector `along` first
    /// touches the shape: the distance, if no more than `length`, and the unit vector away from the
    /// shape there.
    pub(crate) fn sweep(
        &self,
        from: Vec3,
        along: Vec3,
        length: f32,
        inflate: f32,
        axes: &[Vec3; 3],
        plane: SteeringPlane,
    ) -> Option<(f32, Vec3)> {
        if let Self::Sphere { radius } = *self {
            return sweep_sphere(from, along, length, radius + inflate);
        }
        // Sphere tracing (Hart 1996): a step as long as the distance can never jump over the
        // surface.
        const STEPS: usize = 48;
        let close_enough = 1e-3 * (inflate + self.bounding_radius());
        let mut travelled = 0.0;
        for _ in 0..STEPS {
            let (distance, away) = self.distance(from + along * travelled, axes, plane);
            let gap = distance - inflate;
            if gap <= close_enough {
                // Past the nearest point on the way out is no hit.
                return (travelled > 0.0 || along.dot(away) < 0.0).then_some((travelled, away));
            }
            travelled += gap;
            if travelled > length {
                return None;
            }
        }
        None
    }
}

/// Where a ray hits a segment without width, in the plane with this normal, exactly.
pub(crate) fn cast_at_segment(
    from: Vec3,
    along: Vec3,
    length: f32,
    start: Vec3,
    end: Vec3,
    normal: Vec3,
) -> Option<(f32, Vec3)> {
    let wall = end - start;
    let cross = |a: Vec3, b: Vec3| a.cross(b).dot(normal);
    let denominator = cross(along, wall);
    if denominator.abs() <= f32::EPSILON * wall.length() {
        return None;
    }
    let to_start = start - from;
    let travelled = cross(to_start, wall) / denominator;
    let share = cross(to_start, along) / denominator;
    if !((0.0..=length).contains(&travelled) && (0.0..=1.0).contains(&share)) {
        return None;
    }
    let side = vector::direction(normal.cross(wall));
    let facing = if side.dot(along) > 0.0 { -side } else { side };
    Some((travelled, facing))
}

fn sweep_sphere(from: Vec3, along: Vec3, length: f32, radius: f32) -> Option<(f32, Vec3)> {
    let ahead = -from.dot(along);
    if ahead < 0.0 {
        return None;
    }
    let gap_squared = vector::perpendicular(from, along).length_squared();
    if gap_squared >= radius * radius {
        return None;
    }
    let travelled = (ahead - (radius * radius - gap_squared).sqrt()).max(0.0);
    (travelled <= length).then(|| (travelled, vector::direction(from + along * travelled)))
}

fn non_negative(x: f32) -> f32 {
    if x >= 0.0 { x } else { f32::NAN }
}

/// To a planar agent a box has no extent along the local axis that points out of its plane.
fn ignored_axis(axes: &[Vec3; 3], plane: SteeringPlane) -> Option<usize> {
    plane.is_planar().then(|| {
        let out = axes.map(|axis| axis.dot(plane.normal()).abs());
        (0..3).max_by(|&a, &b| out[a].total_cmp(&out[b])).unwrap_or(2)
    })
}

/// The others.
pub(super) fn counted_axes(
    axes: &[Vec3; 3],
    plane: SteeringPlane,
) -> impl Iterator<Item = usize> + use<> {
    let ignored = ignored_axis(axes, plane);
    (0..3).filter(move |&axis| Some(axis) != ignored)
}

fn box_distance(
    point: Vec3,
    axes: &[Vec3; 3],
    half_size: Vec3,
    plane: SteeringPlane,
) -> (f32, Vec3) {
    let local = Vec3::from_array(axes.map(|axis| axis.dot(point)));
    let mut beyond = local.abs() - half_size;
    if let Some(axis) = ignored_axis(axes, plane) {
        beyond[axis] = f32::NEG_INFINITY;
    }
    let outside = beyond.max(Vec3::ZERO);
    let (away, length) = vector::split(outside * local.map(sign));
    if length > 0.0 {
        return (length, vector::direction(plane.flatten(vector::to_world(axes, away))));
    }
    // Inside, the nearest face is the way out.
    let face = (0..3).max_by(|&a, &b| beyond[a].total_cmp(&beyond[b])).unwrap_or(0);
    let mut away = Vec3::ZERO;
    away[face] = sign(local[face]);
    (beyond[face], vector::direction(plane.flatten(vector::to_world(axes, away))))
}

fn sign(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

/// A shape in a space that is scaled.
pub(super) struct Scaled {
    pub shape: ObstacleShape,
    /// Whether what is round keeps its proportions in the plane.
    pub stays_round: bool,
    /// How much farther than its radius what is round reaches along the plane's normal.
    pub taller: f32,
}

impl ObstacleShape {
    /// The shape of an entity with this rotation and scale, as agents of this plane see it: what is
    /// round takes the largest factor of the directions in the plane.
    #[must_use]
    pub fn scaled_by(self, scale: Vec3, rotation: Quat, plane: SteeringPlane) -> Self {
        self.scaled(scale, &vector::local_axes(rotation), plane).shape
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obstacles::Obstacle;

    const AXES: [Vec3; 3] = Vec3::AXES;
    const XY: SteeringPlane = SteeringPlane::Xy;

    fn shapes() -> [ObstacleShape; 4] {
        [
            Obstacle::sphere(2.0).shape,
            Obstacle::cuboid(Vec3::new(4.0, 2.0, 2.0)).shape,
            Obstacle::capsule(1.0, 4.0).shape,
            ObstacleShape::Segment {
                start: Vec3::new(-2.0, 0.0, 0.0),
                end: Vec3::new(2.0, 0.0, 0.0),
            },
        ]
    }

    #[test]
    fn distances_from_the_outside() {
        let from = |shape: ObstacleShape, point: Vec3| shape.distance(point, &AXES, XY);
        let [sphere, cuboid, capsule, segment] = shapes();
        assert_eq!(from(sphere, Vec3::X * 5.0), (3.0, Vec3::X));
        assert_eq!(from(cuboid, Vec3::X * 5.0), (3.0, Vec3::X));
        assert_eq!(from(cuboid, Vec3::new(5.0, 5.0, 0.0)).0, 5.0);
        for side in [Vec3::Z, Vec3::NEG_Z] {
            let found = cuboid.distance(side * 5.0, &AXES, SteeringPlane::Free);
            assert_eq!(found, (4.0, side));
        }
        assert_eq!(from(capsule, Vec3::Y * 5.0), (2.0, Vec3::Y));
        assert_eq!(from(capsule, Vec3::X * 5.0), (4.0, Vec3::X));
        assert_eq!(from(segment, Vec3::Y * 5.0), (5.0, Vec3::Y));
        let stadium = Obstacle::capsule(0.5, 6.0).shape;
        assert_eq!(from(stadium, Vec3::Y * 5.0), (1.5, Vec3::Y));
        assert_eq!(from(stadium, Vec3::new(2.0, 2.5, 0.0)), (1.5, Vec3::X));
    }

    #[test]
    fn segment_is_rotated() {
        let shape = ObstacleShape::Segment { start: Vec3::Y * 2.0, end: Vec3::new(1.0, 2.0, 3.0) };
        // Local x, y and z point along y, z and x.
        let axes = [Vec3::Y, Vec3::Z, Vec3::X];
        let distance = |point| shape.distance(point, &axes, SteeringPlane::Free);
        assert_eq!(distance(Vec3::new(-4.0, 0.0, 2.0)), (4.0, Vec3::NEG_X));
        assert_eq!(distance(Vec3::new(3.0, 1.0, 7.0)), (5.0, Vec3::Z));
    }

    #[test]
    fn shape_lies_within_its_bounding_radius() {
        assert_eq!(Obstacle::sphere(2.0).shape.bounding_radius(), 2.0);
        assert_eq!(Obstacle::cuboid(Vec3::new(2.0, 4.0, 4.0)).shape.bounding_radius(), 3.0);
        assert_eq!(Obstacle::capsule(0.5, 6.0).shape.bounding_radius(), 3.5);
        let segment = |start, end| ObstacleShape::Segment { start, end }.bounding_radius();
        assert_eq!(segment(Vec3::X, Vec3::new(3.0, 4.0, 0.0)), 5.0);
        assert!(segment(Vec3::X, Vec3::NAN).is_nan() && segment(Vec3::NAN, Vec3::X).is_nan());
        assert!(Obstacle::sphere(-1.0).shape.bounding_radius().is_nan());
    }

    #[test]
    fn distance_is_negative_inside() {
        let [_, cuboid, ..] = shapes();
        assert_eq!(cuboid.distance(Vec3::new(0.0, 0.75, 0.0), &AXES, XY), (-0.25, Vec3::Y));
        // A flat rectangle has an inside too.
        let rect = Obstacle::rect(Vec2::new(4.0, 2.0)).shape;
        assert_eq!(rect.distance(Vec3::new(0.0, -0.75, 0.0), &AXES, XY), (-0.25, Vec3::NEG_Y));
    }

    #[test]
    fn box_is_rotated() {
        let axes = vector::local_axes(Quat::from_rotation_z(core::f32::consts::FRAC_PI_2));
        let (distance, away) = shapes()[1].distance(Vec3::X * 5.0, &axes, XY);
        assert!((distance - 4.0).abs() < 1e-5 && (away - Vec3::X).length() < 1e-5);
    }

    #[test]
    fn wall_is_hit_from_both_sides() {
        let cast =
            |from: Vec3, along| cast_at_segment(from, along, 10.0, Vec3::NEG_X, Vec3::X, Vec3::Z);
        assert_eq!(cast(Vec3::Y * 3.0, Vec3::NEG_Y), Some((3.0, Vec3::Y)));
        assert_eq!(cast(Vec3::Y * -3.0, Vec3::Y), Some((3.0, Vec3::NEG_Y)));
        assert_eq!(cast(Vec3::Y * 3.0, Vec3::Y), None);
        assert_eq!(cast(Vec3::new(1.1, 3.0, 0.0), Vec3::NEG_Y), None);
        assert_eq!(cast(Vec3::Y * 3.0, Vec3::X), None);
    }

    #[test]
    fn different_shapes_have_different_numbers() {
        let [sphere, cuboid, capsule, segment] = shapes().map(|shape| shape.numbers());
        let other_end =
            ObstacleShape::Segment { start: Vec3::X * -2.0, end: Vec3::new(2.0, 0.0, 1.0) };
        let all = [sphere, cuboid, capsule, segment, other_end.numbers()];
        for (i, one) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|other| one != other), "{one:?}");
        }
    }

    #[test]
    fn wall_is_hit_between_its_ends() {
        let (start, end) = (Vec3::new(2.0, -1.0, 0.0), Vec3::new(4.0, 3.0, 0.0));
        let cast =
            |from: Vec3, along: Vec3| cast_at_segment(from, along, 10.0, start, end, Vec3::Z);
        let facing = Vec3::new(-2.0, 1.0, 0.0).normalize();
        for (y, distance) in [(-0.9, 2.05), (0.0, 2.5), (2.9, 3.95)] {
            let (travelled, normal) = cast(Vec3::Y * y, Vec3::X).expect("a hit");
            assert!((travelled - distance).abs() < 1e-5, "{y}: {travelled}");
            assert!((normal - facing).length() < 1e-6);
        }
        let (travelled, normal) =
            cast(Vec3::new(9.0, 1.0, 0.0), Vec3::NEG_X).expect("a hit from behind");
        assert!((travelled - 6.0).abs() < 1e-5 && (normal + facing).length() < 1e-6);
        assert_eq!(cast(Vec3::Y * -1.1, Vec3::X), None, "before its start");
        assert_eq!(cast(Vec3::Y * 3.1, Vec3::X), None, "past its end");
        assert_eq!(cast(Vec3::ZERO, Vec3::NEG_X), None, "behind the ray");
        assert_eq!(cast(Vec3::X * -8.0, Vec3::X), None, "too far");
        assert_eq!(cast(Vec3::ZERO, (end - start).normalize()), None, "beside it");
    }

    #[test]
    fn sweeps_meet_the_inflated_shape() {
        for shape in shapes() {
            let from = Vec3::new(0.3, 10.0, 0.0);
            let (travelled, away) = shape.sweep(from, Vec3::NEG_Y, 20.0, 0.5, &AXES, XY).unwrap();
            let (distance, _) = shape.distance(from + Vec3::NEG_Y * travelled, &AXES, XY);
            assert!((distance - 0.5).abs() < 1e-2, "{shape:?} {distance}");
            assert!(away.y > 0.7, "{shape:?} {away}");
            assert_eq!(shape.sweep(from, Vec3::NEG_Y, 4.0, 0.5, &AXES, XY), None);
            assert_eq!(shape.sweep(from, Vec3::Y, 20.0, 0.5, &AXES, XY), None);
            let beside = Vec3::new(4.0, 10.0, 0.0);
            assert_eq!(shape.sweep(beside, Vec3::NEG_Y, 20.0, 0.5, &AXES, XY), None);
        }
    }
}
