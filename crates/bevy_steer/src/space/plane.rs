//! [`SteeringPlane`]: the space in which an agent steers, and the frame of reference that goes with
//! it.

use bevy::{math::ops, prelude::*};

use crate::simd::{
    lanes::Arithmetic,
    one::One,
    vector::{Vector, dot, flattened},
};

/// The space in which an agent steers: a plane, or all three dimensions.
///
/// An agent without this component uses the plane that [`SteeringPlugin`](crate::SteeringPlugin)
/// was given ([`Xy`](Self::Xy) by default). Agents of one world may differ.
///
/// A planar agent measures all distances in its plane, so a target's height (or a sprite's `z`
/// order) does not matter to it, and steering never changes the third coordinate of its `Transform`
/// by a bit. What is above or below the agent does not get in its way, though: see
/// [`SteeringHeight`](crate::SteeringHeight).
///
/// | plane | forward at rotation zero | angles grow |
/// | --- | --- | --- |
/// | [`Xy`](Self::Xy) | local `+X`, as in `Rot2` and `Vec2::from_angle` | counterclockwise on screen |
/// | [`Xz`](Self::Xz) | local `-Z`, as in `Transform::forward` | counterclockwise seen from above |
/// | [`Free`](Self::Free) | local `-Z`, as in `Transform::forward` | counterclockwise seen from above (yaw) |
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum SteeringPlane {
    /// 2D games: `x` and `y`.
    #[default]
    Xy,
    /// Ground agents of 3D games: `x` and `z`, with `y` up.
    Xz,
    /// Swimmers, flyers, ships in space: all three coordinates.
    Free,
}

/// Two unit vectors are taken as parallel when the length of their cross product is below this.
pub(crate) const PARALLEL: f32 = 1e-3;

impl SteeringPlane {
    /// All three, in the order of their declaration.
    pub const ALL: [Self; 3] = [Self::Xy, Self::Xz, Self::Free];

    /// Whether agents are confined to two coordinates.
    #[inline]
    pub fn is_planar(self) -> bool {
        self != Self::Free
    }

    /// The side of a square of this area, or of a cube of this volume.
    pub(crate) fn side_of(self, room: f32) -> f32 {
        if self.is_planar() { room.sqrt() } else { ops::cbrt(room) }
    }

    /// The coordinates that an agent moves in, 0 to 2.
    #[inline]
    pub(crate) fn axes(self) -> impl Iterator<Item = usize> {
        let axes: &[usize] = match self {
            Self::Xy => &[0, 1],
            Self::Xz => &[0, 2],
            Self::Free => &[0, 1, 2],
        };
        axes.iter().copied()
    }

    /// The coordinates of a vector, those in the plane first.
    #[inline(always)]
    pub(crate) fn project(self, v: Vec3) -> [f32; 3] {
        if self == Self::Xz { [v.x, v.z, v.y] } else { v.to_array() }
    }

    /// The vector with these coordinates, those in the plane first.
    #[inline(always)]
    pub(crate) fn unproject(self, [x, y, z]: [f32; 3]) -> Vec3 {
        if self == Self::Xz { Vec3::new(x, z, y) } else { Vec3::new(x, y, z) }
    }

    /// The axis about which a positive yaw turns: out of the plane, or up in free space.
    #[inline]
    pub fn normal(self) -> Vec3 {
        match self {
            Self::Xy => Vec3::Z,
            Self::Xz | Self::Free => Vec3::Y,
        }
    }

    /// `v` without its part outside the plane.
    #[inline]
    pub fn flatten(self, v: Vec3) -> Vec3 {
        match self {
            Self::Xy => Vec3::new(v.x, v.y, 0.0),
            Self::Xz => Vec3::new(v.x, 0.0, v.z),
            Self::Free => v,
        }
    }

    /// `to`, but with the coordinate outside the plane taken from `from` bit by bit.
    #[inline]
    pub(crate) fn keep_height(self, to: Vec3, from: Vec3) -> Vec3 {
        match self {
            Self::Xy => Vec3::new(to.x, to.y, from.z),
            Self::Xz => Vec3::new(to.x, from.y, to.z),
            Self::Free => to,
        }
    }

    /// The angular velocity or acceleration `w` without what would turn an agent out of its plane.
    #[inline]
    pub(crate) fn flatten_turn(self, w: Vec3) -> Vec3 {
        match self {
            Self::Xy => Vec3::new(0.0, 0.0, w.z),
            Self::Xz => Vec3::new(0.0, w.y, 0.0),
            Self::Free => w,
        }
    }

    /// The direction that an agent at rotation zero looks in.
    #[inline]
    pub fn forward(self) -> Vec3 {
        match self {
            Self::Xy => Vec3::X,
            Self::Xz | Self::Free => Vec3::NEG_Z,
        }
    }

    /// A vector perpendicular to `v`, to the left of an observer that looks along it with the
    /// plane's normal overhead.
    ///
    /// As long as `v` in a plane. In free space it is horizontal; where `v` is vertical it points
    /// along `x`.
    #[inline]
    pub fn left(self, v: Vec3) -> Vec3 {
        if self.is_planar() {
            return self.left_in_plane(One, v.to_array()).into();
        }
        let left = self.normal().cross(v);
        let is_upright = left.length_squared() <= PARALLEL * PARALLEL * v.length_squared();
        if is_upright { Vec3::X * v.length() } else { left }
    }

    /// [`left`](Self::left) as a kernel, for planar agents.
    #[inline(always)]
    pub(crate) fn left_in_plane<L: Arithmetic>(self, l: L, [x, y, z]: Vector<L>) -> Vector<L> {
        let zero = l.splat(0.0);
        if self == Self::Xz { [z, zero, l.neg(x)] } else { [l.neg(y), x, zero] }
    }

    /// The unit vector at `angle` (radians): counterclockwise from [`forward`](Self::forward) about
    /// [`normal`](Self::normal).
    pub fn direction(self, angle: f32) -> Vec3 {
        let (sin, cos) = ops::sin_cos(angle);
        match self {
            Self::Xy => Vec3::new(cos, sin, 0.0),
            Self::Xz | Self::Free => Vec3::new(-sin, 0.0, -cos),
        }
    }

    /// The angle of `v` (radians, −π to π); the reverse of [`direction`](Self::direction). In free
    /// space the yaw.
    pub fn angle(self, v: Vec3) -> f32 {
        match self {
            Self::Xy => ops::atan2(v.y, v.x),
            Self::Xz | Self::Free => ops::atan2(-v.x, -v.z),
        }
    }

    /// `v` turned by `angle` (radians) about `axis` (a unit vector).
    pub(crate) fn turn(v: Vec3, axis: Vec3, angle: f32) -> Vec3 {
        let (sin, cos) = ops::sin_cos(angle);
        v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos))
    }

    /// The direction in which an agent with this rotation looks.
    pub fn heading(self, rotation: Quat) -> Vec3 {
        let [x, _, z] = crate::space::vector::local_axes(rotation);
        let heading = self.flatten(if self == Self::Xy { x } else { -z });
        heading.try_normalize().unwrap_or_else(|| self.forward())
    }

    /// The rotation of an agent that looks along the unit vector `heading`, upright in free space.
    ///
    /// Uses square roots and divisions only, so that it is the same on every platform.
    #[inline]
    pub fn rotation(self, heading: Vec3) -> Quat {
        Quat::from_array(self.rotation_on(One, heading.to_array()))
    }

    /// [`rotation`](Self::rotation) as a kernel: the four numbers of a `Quat`.
    #[inline(always)]
    pub(crate) fn rotation_on<L: Arithmetic>(self, l: L, [x, y, z]: Vector<L>) -> [L::F; 4] {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        match self {
            Self::Xy => {
                let (z, w) = half_angle(l, x, y);
                [zero, zero, z, w]
            }
            Self::Xz => {
                let (y, w) = half_angle(l, l.neg(z), l.neg(x));
                [zero, y, zero, w]
            }
            Self::Free => {
                // A yaw about `y`, then a pitch about the `x` that it has turned.
                let level = l.sqrt(l.add(l.mul(x, x), l.mul(z, z)));
                let is_level = l.lt(l.splat(PARALLEL), level);
                let yaw_cos = l.select(is_level, l.div(l.neg(z), level), one);
                let yaw_sin = l.select(is_level, l.div(l.neg(x), level), zero);
                let (yaw_y, yaw_w) = half_angle(l, yaw_cos, yaw_sin);
                let (pitch_x, pitch_w) = half_angle(l, level, y);
                [
                    l.mul(yaw_w, pitch_x),
                    l.mul(yaw_y, pitch_w),
                    l.mul(l.neg(yaw_y), pitch_x),
                    l.mul(yaw_w, pitch_w),
                ]
            }
        }
    }

    /// A direction in which two things at the same position part: opposite for the two, the same on
    /// every run, in the plane.
    pub fn parting(self, own: u64, other: u64) -> Vec3 {
        let (low, high) = (own.min(other), own.max(other));
        let mixed = (low ^ high.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let angle = (mixed >> 40) as f32 * (core::f32::consts::TAU / 16_777_216.0);
        let sign = if own <= other { 1.0 } else { -1.0 };
        self.direction(angle) * sign
    }
}

/// Sine and cosine of half the angle that is given by its cosine and sine.
#[inline(always)]
fn half_angle<L: Arithmetic>(l: L, cos: L::F, sin: L::F) -> (L::F, L::F) {
    let (half, one) = (l.splat(0.5), l.splat(1.0));
    // The larger of the two by a root, the other from their product. Without a branch: agents go
    // all ways.
    let larger = l.sqrt(l.mul(half, l.add(one, l.abs(cos))));
    let smaller = l.div(l.mul(half, l.abs(sin)), larger);
    let is_ahead = l.le(l.splat(0.0), cos);
    let half_sin = l.select(is_ahead, smaller, larger);
    (l.copysign(half_sin, sin), l.select(is_ahead, larger, smaller))
}

/// A position in the world: `Vec3`, or `Vec2` for a point of the `Xy` plane.
///
/// Everything in this crate that takes a point takes either.
pub trait IntoPoint {
    /// The point in three dimensions.
    fn into_point(self) -> Vec3;
}

impl IntoPoint for Vec3 {
    fn into_point(self) -> Vec3 {
        self
    }
}

impl IntoPoint for Vec2 {
    fn into_point(self) -> Vec3 {
        self.extend(0.0)
    }
}

/// The heading as a unit vector in the plane; from the rotation where there is none yet.
#[inline(always)]
pub(crate) fn unit_heading(plane: SteeringPlane, heading: Vec3, rotation: Quat) -> Vec3 {
    if is_unit(One, heading.to_array(), plane.flatten(Vec3::ONE)) {
        plane.flatten(heading)
    } else {
        let mut repaired = [0.0; 3];
        repair_heading(plane, heading, rotation, &mut repaired);
        Vec3::from_array(repaired)
    }
}

/// Whether a heading without the coordinates that the plane does not have is a unit vector.
#[inline(always)]
pub(crate) fn is_unit<L: Arithmetic>(l: L, heading: Vector<L>, has: Vec3) -> L::M {
    /// How far from one the squared length of a heading may be.
    const TOLERANCE: f32 = 1e-3;
    let flat = flattened(l, heading, has);
    let error = l.sub(dot(l, flat, flat), l.splat(1.0));
    l.lt(l.abs(error), l.splat(TOLERANCE))
}

/// The result is written through a reference: a returned `Vec3` would move the caller's vectors to
/// integer registers.
#[cold]
#[inline(never)]
fn repair_heading(plane: SteeringPlane, heading: Vec3, rotation: Quat, repaired: &mut [f32; 3]) {
    let heading = if let Some(unit) = plane.flatten(heading).try_normalize() {
        unit
    } else if rotation.is_finite() {
        plane.heading(rotation)
    } else {
        plane.forward()
    };
    *repaired = heading.to_array();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Vec3, b: Vec3) -> bool {
        (a - b).length() < 1e-5
    }

    #[test]
    fn rotation_and_heading_are_inverse_in_every_plane() {
        for plane in SteeringPlane::ALL {
            for step in 0..64 {
                let heading = plane.direction(step as f32 * 0.1);
                let rotation = plane.rotation(heading);
                assert!((rotation.length() - 1.0).abs() < 1e-5);
                assert!(close(plane.heading(rotation), heading), "{plane:?} {heading}");
            }
        }
    }

    #[test]
    fn free_rotation_is_upright_and_survives_the_poles() {
        let plane = SteeringPlane::Free;
        let rotation = plane.rotation(Vec3::new(0.6, 0.8, 0.0));
        assert!((rotation * Vec3::Y).y > 0.0);
        assert!((rotation * Vec3::X).y.abs() < 1e-6, "wings level: {rotation}");
        for pole in [Vec3::Y, Vec3::NEG_Y] {
            let rotation = plane.rotation(pole);
            assert!(rotation.is_finite() && close(plane.heading(rotation), pole));
            assert!(close(rotation * Vec3::X, Vec3::X), "not rolled over: {rotation}");
        }
    }

    #[test]
    fn angles_turn_counterclockwise() {
        use core::f32::consts::FRAC_PI_2;
        assert!(close(SteeringPlane::Xy.direction(FRAC_PI_2), Vec3::Y));
        assert!(close(SteeringPlane::Xz.direction(FRAC_PI_2), Vec3::NEG_X));
        for plane in SteeringPlane::ALL {
            let forward = plane.forward();
            let quarter = plane.direction(FRAC_PI_2);
            assert!(close(plane.left(forward), quarter));
            assert!((plane.angle(quarter) - FRAC_PI_2).abs() < 1e-6);
            assert!(close(SteeringPlane::turn(forward, plane.normal(), FRAC_PI_2), quarter));
        }
    }

    #[test]
    fn parting_directions_are_opposite() {
        for plane in SteeringPlane::ALL {
            for other in 1..50 {
                let direction = plane.parting(0, other);
                assert!((direction.length() - 1.0).abs() < 1e-5);
                assert_eq!(direction, -plane.parting(other, 0));
                assert_eq!(direction, plane.flatten(direction));
            }
        }
    }

    #[test]
    fn left_keeps_the_length() {
        for plane in SteeringPlane::ALL {
            // The last two are upright in free space, or nearly so.
            for v in [Vec3::new(1.0, 2.0, -3.0), Vec3::new(2e-3, 1.0, 0.0), Vec3::Y, Vec3::NEG_Y] {
                let v = plane.flatten(v);
                let left = plane.left(v);
                assert!(left.dot(v).abs() < 1e-6 && left.dot(plane.normal()).abs() < 1e-6);
                assert!((v == Vec3::ZERO) == (left == Vec3::ZERO), "{plane:?} {v} {left}");
                for scale in [1e-3, 1e3] {
                    let scaled = plane.left(v * scale);
                    assert!((scaled - left * scale).length() <= 1e-5 * left.length() * scale);
                }
            }
            assert!(close(
                plane.left(plane.forward()),
                plane.direction(core::f32::consts::FRAC_PI_2)
            ));
        }
    }

    #[test]
    fn turn_agrees_with_a_quaternion() {
        let axis = Vec3::new(1.0, 2.0, -2.0) / 3.0;
        for v in [Vec3::X, Vec3::new(-3.0, 0.5, 2.0), axis] {
            for angle in [-2.0, 0.3, 3.0] {
                let expected = Quat::from_axis_angle(axis, angle) * v;
                assert!(close(SteeringPlane::turn(v, axis, angle), expected), "{v} by {angle}");
            }
        }
    }
}
