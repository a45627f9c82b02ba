//! [`Point`]: a position in the world, or in the coordinates of a plane.

use bevy::prelude::*;

use crate::{space::plane::SteeringPlane, space::vector::is_valid};

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
