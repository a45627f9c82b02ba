//! [`Part`]: a shape of an obstacle, at a place relative to a collider.

use bevy::prelude::*;
use bevy_steer::{ObstacleShape, SteeringPlane};

/// A shape of an obstacle, relative to its collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The shape.
    pub shape: ObstacleShape,
    /// Where it is, in units.
    pub offset: Vec3,
    /// How it is turned.
    pub rotation: Quat,
}

impl Part {
    /// At the origin of the collider.
    pub(crate) fn centered(shape: ObstacleShape) -> Self {
        Self { shape, offset: Vec3::ZERO, rotation: Quat::IDENTITY }
    }

    /// A box around this point, aligned with the collider.
    pub(crate) fn aligned_box(center: Vec3, half_size: Vec3) -> Self {
        Self { offset: center, ..Self::centered(ObstacleShape::Box { half_size }) }
    }

    /// All that is within `radius` of a line; a line without width if that is zero.
    pub(crate) fn around_line(start: Vec3, end: Vec3, radius: f32) -> Self {
        if radius == 0.0 {
            return Self::centered(ObstacleShape::Segment { start, end });
        }
        let along = end - start;
        let half_length = 0.5 * along.length();
        let rotation = Quat::from_rotation_arc(Vec3::Y, along.normalize_or(Vec3::Y));
        let offset = (start + end) * 0.5;
        Self { shape: ObstacleShape::Capsule { radius, half_length }, offset, rotation }
    }

    /// The same, seen from a frame in which the collider is there.
    pub fn moved(self, offset: Vec3, rotation: Quat) -> Self {
        Self { offset: offset + rotation * self.offset, rotation: rotation * self.rotation, ..self }
    }

    /// All that is within this distance of it, or a little more.
    pub(crate) fn inflated(self, by: f32) -> Self {
        let shape = match self.shape {
            ObstacleShape::Sphere { radius } => ObstacleShape::Sphere { radius: radius + by },
            ObstacleShape::Box { half_size } => {
                // What is flat, as all boxes of two dimensions are, stays so.
                let grown = half_size.map(|half| if half == 0.0 { 0.0 } else { half + by });
                ObstacleShape::Box { half_size: grown }
            }
            ObstacleShape::Capsule { radius, half_length } => {
                ObstacleShape::Capsule { radius: radius + by, half_length }
            }
            ObstacleShape::Segment { start, end } => {
                return Self::around_line(start, end, by).moved(self.offset, self.rotation);
            }
        };
        Self { shape, ..self }
    }

    /// Whether it is where the collider is, turned as that is.
    pub(crate) fn is_centered(&self) -> bool {
        self.offset == Vec3::ZERO && self.rotation == Quat::IDENTITY
    }

    /// The points around which it is round, and the radius there.
    fn corners(&self) -> (Vec<Vec3>, f32) {
        let place = |local: Vec3| self.offset + self.rotation * local;
        match self.shape {
            ObstacleShape::Sphere { radius } => (vec![place(Vec3::ZERO)], radius),
            ObstacleShape::Box { half_size } => {
                let corner = |i: usize| {
                    let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
                    place(half_size * Vec3::new(sign(1), sign(2), sign(4)))
                };
                ((0..8).map(corner).collect(), 0.0)
            }
            ObstacleShape::Capsule { radius, half_length } => {
                let end = Vec3::Y * half_length;
                (vec![place(end), place(-end)], radius)
            }
            ObstacleShape::Segment { start, end } => (vec![place(start), place(end)], 0.0),
        }
    }
}

/// How far a body reaches around its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// In the plane, to all sides, in units.
    pub(crate) radius: f32,
    /// Along the normal of the plane, upwards or downwards, in units.
    pub(crate) height: f32,
}

impl Reach {
    /// Of these parts; `None` if there are none or they reach nowhere.
    pub(crate) fn of(parts: &[Part], plane: SteeringPlane) -> Option<Self> {
        let mut reach = Self { radius: 0.0, height: 0.0 };
        for part in parts {
            let (corners, round) = part.corners();
            for corner in corners {
                reach.radius = reach.radius.max(plane.flatten(corner).length() + round);
                reach.height = reach.height.max(corner.dot(plane.normal()).abs() + round);
            }
        }
        (reach.radius > 0.0 && reach.radius.is_finite()).then_some(reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_reaches_as_far_as_its_farthest_part() {
        let upright = Part::centered(ObstacleShape::Capsule { radius: 0.5, half_length: 1.0 });
        let reach = Reach::of(&[upright], SteeringPlane::Xz).unwrap();
        assert_eq!(reach, Reach { radius: 0.5, height: 1.5 });
        assert_eq!(Reach::of(&[upright], SteeringPlane::Free).unwrap().radius, 1.5);
        let arm = Part::aligned_box(Vec3::X * 3.0, Vec3::new(1.0, 0.0, 3.0));
        assert_eq!(Reach::of(&[upright, arm], SteeringPlane::Xz).unwrap().radius, 5.0);
        assert_eq!(Reach::of(&[], SteeringPlane::Xz), None);
        let bad = Part::centered(ObstacleShape::Sphere { radius: f32::INFINITY });
        assert_eq!(Reach::of(&[bad], SteeringPlane::Xz), None);
    }

    #[test]
    fn parts_grow_and_move() {
        let line = Part::around_line(Vec3::ZERO, Vec3::X * 4.0, 0.0).inflated(0.5);
        assert_eq!(line.shape, ObstacleShape::Capsule { radius: 0.5, half_length: 2.0 });
        let moved = line.moved(Vec3::Y, Quat::from_rotation_z(core::f32::consts::FRAC_PI_2));
        assert!(moved.offset.distance(Vec3::new(0.0, 3.0, 0.0)) < 1e-6);
        let flat = Part::aligned_box(Vec3::ZERO, Vec3::new(1.0, 2.0, 0.0)).inflated(0.5);
        assert_eq!(flat.shape, ObstacleShape::Box { half_size: Vec3::new(1.5, 2.5, 0.0) });
    }
}
