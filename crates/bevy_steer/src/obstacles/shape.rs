//! The components [`Obstacle`], with its shape, and [`Wall`].

use bevy::prelude::*;

use crate::space::plane::IntoPoint;

/// An obstacle, at the position of the entity's `Transform`.
///
/// [`AvoidObstacles`](crate::AvoidObstacles) avoids it, the feelers of
/// [`AvoidWalls`](crate::AvoidWalls) detect it. Give it a [`Velocity`](crate::Velocity) if it
/// moves, so that agents can predict its position; moving it is up to you, or to a
/// [`Vehicle`](crate::Vehicle) without behaviours on the same entity, which drifts.
///
/// Sizes are world units; the scale of the `Transform` is not applied to them.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Transform)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Obstacle {
    /// Its shape.
    pub shape: ObstacleShape,
}

/// The shape of an [`Obstacle`], around its `Transform`. For planar agents it is its cross-section
/// with their plane.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum ObstacleShape {
    /// A ball or disc.
    Sphere {
        /// In units.
        radius: f32,
    },
    /// A box or rectangle, turned by the entity's rotation.
    Box {
        /// Half its size along each local axis, in units.
        half_size: Vec3,
    },
    /// A capsule about the local `y` axis, as Bevy's `Capsule2d` and `Capsule3d`.
    Capsule {
        /// The radius of the rounding, in units.
        radius: f32,
        /// From the centre to the centre of either cap, in units.
        half_length: f32,
    },
    /// A line from one local point to another, without width.
    Segment {
        /// Where it begins.
        start: Vec3,
        /// Where it ends.
        end: Vec3,
    },
}

impl Default for ObstacleShape {
    fn default() -> Self {
        Self::Sphere { radius: 1.0 }
    }
}

impl Obstacle {
    /// A ball, or a disc for planar agents.
    pub fn sphere(radius: f32) -> Self {
        Self { shape: ObstacleShape::Sphere { radius } }
    }

    /// A box of this full size along each local axis.
    pub fn cuboid(size: Vec3) -> Self {
        Self { shape: ObstacleShape::Box { half_size: size * 0.5 } }
    }

    /// A rectangle of this full size in the `Xy` plane.
    pub fn rect(size: Vec2) -> Self {
        Self::cuboid(size.extend(0.0))
    }

    /// A capsule about the local `y` axis.
    pub fn capsule(radius: f32, half_length: f32) -> Self {
        Self { shape: ObstacleShape::Capsule { radius, half_length } }
    }
}

/// A straight wall that the feelers of [`AvoidWalls`](crate::AvoidWalls) detect from both sides,
/// from one point to another in the space of the entity's `Transform` (without its scale).
///
/// It has no width, and no end along the normal of the agent's plane: for agents in free space it
/// stands upright.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Transform)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Wall {
    /// Where it begins.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
}

impl Wall {
    /// A wall between two points.
    pub fn new(start: impl IntoPoint, end: impl IntoPoint) -> Self {
        Self { start: start.into_point(), end: end.into_point() }
    }
}
