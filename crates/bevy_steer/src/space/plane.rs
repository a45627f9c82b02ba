//! [`SteeringPlane`]: the space in which an agent steers, and the frame of reference that goes with
//! it; [`Point`]: a position in the world, or in the coordinates of a plane.

use bevy::{math::ops, prelude::*};

use crate::{
    simd::{Arithmetic, One, Vector, dot, flattened, select},
    space::vector::is_valid,
};

/// The space in which an agent steers: a plane, or all three dimensions.
///
/// An agent without this component uses the plane of [`SteeringPlugin`](crate::SteeringPlugin)
/// ([`Xy`](Self::Xy) by default). Agents in one world may have different planes.
///
/// A planar agent measures all distances in its plane, so a target's height (or a sprite's `z`
/// order) does not matter, and steering never changes the third coordinate of its `Transform`. It
/// ignores obstacles and agents above or below it, see [`SteeringHeight`](crate::SteeringHeight).
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

/// Two unit vectors count as parallel if the length of their cross product is below this.
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
        (0..3).filter(move |&axis| self.flatten(Vec3::ONE)[axis] != 0.0)
    }

    /// The coordinates of a vector, those in the plane first.
    #[inline]
    pub(crate) fn project(self, v: Vec3) -> [f32; 3] {
        if self == Self::Xz { [v.x, v.z, v.y] } else { v.to_array() }
    }

    /// The vector with these coordinates, those in the plane first.
    #[inline]
    pub(crate) fn unproject(self, [x, y, z]: [f32; 3]) -> Vec3 {
        if self == Self::Xz { Vec3::new(x, z, y) } else { Vec3::new(x, y, z) }
    }

    /// The position with these coordinates in the plane, at height zero: `(x, y, 0)` in
    /// [`Xy`](Self::Xy), and `(x, 0, y)` on the ground, which is also the plane of a point in free
    /// space.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steer::prelude::*;
    /// assert_eq!(SteeringPlane::Xz.point(Vec2::new(3.0, 4.0)), Vec3::new(3.0, 0.0, 4.0));
    /// ```
    #[inline]
    pub fn point(self, coordinates: Vec2) -> Vec3 {
        match self {
            Self::Xy => Vec3::new(coordinates.x, coordinates.y, 0.0),
            Self::Xz | Self::Free => Vec3::new(coordinates.x, 0.0, coordinates.y),
        }
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
        self.keep_height(v, Vec3::ZERO)
    }

    /// `to`, but with the exact coordinate outside the plane of `from`.
    #[inline]
    pub(crate) fn keep_height(self, to: Vec3, from: Vec3) -> Vec3 {
        match self {
            Self::Xy => Vec3::new(to.x, to.y, from.z),
            Self::Xz => Vec3::new(to.x, from.y, to.z),
            Self::Free => to,
        }
    }

    /// The angular velocity or acceleration `w` without the part that would turn an agent out of
    /// its plane.
    #[inline]
    pub(crate) fn flatten_turn(self, w: Vec3) -> Vec3 {
        if self.is_planar() { self.keep_height(Vec3::ZERO, w) } else { w }
    }

    /// The direction that an agent with rotation zero faces.
    #[inline]
    pub fn forward(self) -> Vec3 {
        match self {
            Self::Xy => Vec3::X,
            Self::Xz | Self::Free => Vec3::NEG_Z,
        }
    }

    /// A vector perpendicular to `v`, to the left when facing along `v` with the plane's normal
    /// upwards.
    ///
    /// In a plane it is as long as `v`. In free space it is horizontal; if `v` is vertical it
    /// points along `x`.
    #[inline]
    pub fn left(self, v: Vec3) -> Vec3 {
        self.left_of(One, v.to_array()).into()
    }

    /// [`left`](Self::left) as a kernel.
    #[inline(always)]
    pub(crate) fn left_of<L: Arithmetic>(self, l: L, v: Vector<L>) -> Vector<L> {
        let left = self.left_in_plane(l, v);
        if self.is_planar() {
            return left;
        }
        let squared = dot(l, v, v);
        let least = l.mul(l.splat(PARALLEL * PARALLEL), squared);
        let is_upright = l.le(dot(l, left, left), least);
        let zero = l.splat(0.0);
        select(l, is_upright, [l.sqrt(squared), zero, zero], left)
    }

    /// [`left_of`](Self::left_of) for planar agents, and for vectors that are not vertical.
    #[inline(always)]
    pub(crate) fn left_in_plane<L: Arithmetic>(self, l: L, [x, y, z]: Vector<L>) -> Vector<L> {
        let zero = l.splat(0.0);
        if self == Self::Xy { [l.neg(y), x, zero] } else { [z, zero, l.neg(x)] }
    }

    /// A direction in the plane in which two entities at the same position separate: opposite for
    /// the two, and the same on every run.
    pub fn parting(self, own: u64, other: u64) -> Vec3 {
        let (low, high) = (own.min(other), own.max(other));
        let mixed = (low ^ high.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let angle = (mixed >> 40) as f32 * (core::f32::consts::TAU / 16_777_216.0);
        let sign = if own <= other { 1.0 } else { -1.0 };
        self.direction(angle) * sign
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

/// Whether a heading, projected into the plane, is a unit vector.
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

/// A position or a direction: a `Vec3` in the world, or a `Vec2` in the coordinates of a plane.
///
/// `Vec3` and `Vec2` convert into it. The plane of a `Vec2` is that of the agent that uses it; of a
/// [`Wall`](crate::Wall), which all agents share, the plane of
/// [`SteeringPlugin`](crate::SteeringPlugin). See [`SteeringPlane::point`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::{Point, prelude::*};
/// let point = Point::from(Vec2::new(3.0, 4.0));
/// assert_eq!(point.in_plane(SteeringPlane::Xy), Vec3::new(3.0, 4.0, 0.0));
/// assert_eq!(point.in_plane(SteeringPlane::Xz), Vec3::new(3.0, 0.0, 4.0));
/// let point = Point::from(Vec3::X);
/// assert_eq!(point.in_plane(SteeringPlane::Xz), Vec3::X);
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Point {
    /// In the world.
    World(Vec3),
    /// In the coordinates of a plane.
    Plane(Vec2),
}

impl Default for Point {
    /// The origin of the world.
    fn default() -> Self {
        Self::World(Vec3::ZERO)
    }
}

impl From<Vec3> for Point {
    fn from(position: Vec3) -> Self {
        Self::World(position)
    }
}

impl From<Vec2> for Point {
    fn from(coordinates: Vec2) -> Self {
        Self::Plane(coordinates)
    }
}

impl Point {
    /// The position in the world, for something in this plane. A position in the world stays as it
    /// is.
    #[inline]
    pub fn in_plane(self, plane: SteeringPlane) -> Vec3 {
        match self {
            Self::World(position) => position,
            Self::Plane(coordinates) => plane.point(coordinates),
        }
    }

    /// The name of its first coordinate that is NaN or beyond the maximum magnitude.
    pub(crate) fn invalid_coordinate(self) -> Option<&'static str> {
        let is_bad = |number: &f32| !is_valid(Vec3::splat(*number));
        let axis = match self {
            Self::World(position) => position.to_array().iter().position(is_bad),
            Self::Plane(coordinates) => coordinates.to_array().iter().position(is_bad),
        };
        axis.map(|axis| ["x", "y", "z"][axis])
    }

    /// Whether all its coordinates are valid.
    #[inline]
    pub(crate) fn is_valid(self) -> bool {
        match self {
            Self::World(position) => is_valid(position),
            Self::Plane(coordinates) => is_valid(coordinates.extend(0.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Vec3, b: Vec3) -> bool {
        (a - b).length() < 1e-5
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
}
