//! The components [`Obstacle`], with its shape, and [`Wall`].

use bevy::prelude::*;

use crate::{
    agent::{builders::builders, layers::SteeringLayers},
    space::plane::IntoPoint,
};

/// An obstacle, at the position of the entity's `Transform`.
///
/// [`AvoidObstacles`](crate::AvoidObstacles) avoids it, the feelers of
/// [`AvoidWalls`](crate::AvoidWalls) detect it. Give it a [`Velocity`](crate::Velocity) if it
/// moves, so that agents can predict its position; moving it is up to you, or to a
/// [`Vehicle`](crate::Vehicle) on the same entity, which drifts on without behaviours if it is to
/// [coast](crate::WhenIdle::Coast).
///
/// Sizes are in the space of the `Transform`: its scale applies to them, and so does that of its
/// parents. A box is scaled along each axis. What is round stays round: it takes the largest radius
/// of its cross-section with the default plane, with a warning where that is clearly not round.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Transform)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Obstacle {
    /// Its shape.
    pub shape: ObstacleShape,
    /// Its layers, by which behaviours choose what to avoid. Default: all.
    pub layers: SteeringLayers,
}

impl Default for Obstacle {
    fn default() -> Self {
        Self::new(ObstacleShape::default())
    }
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
    builders! {
        /// In these layers: avoided only by behaviours that look for one of them.
        with_layers(layers: SteeringLayers);
    }

    /// Of this shape.
    pub fn new(shape: ObstacleShape) -> Self {
        Self { shape, layers: SteeringLayers::ALL }
    }

    /// A ball, or a disc for planar agents.
    pub fn sphere(radius: f32) -> Self {
        Self::new(ObstacleShape::Sphere { radius })
    }

    /// A box of this full size along each local axis.
    pub fn cuboid(size: Vec3) -> Self {
        Self::new(ObstacleShape::Box { half_size: size * 0.5 })
    }

    /// A rectangle of this full size in the `Xy` plane.
    pub fn rect(size: Vec2) -> Self {
        Self::cuboid(size.extend(0.0))
    }

    /// A capsule about the local `y` axis.
    pub fn capsule(radius: f32, half_length: f32) -> Self {
        Self::new(ObstacleShape::Capsule { radius, half_length })
    }
}

/// A straight wall that the feelers of [`AvoidWalls`](crate::AvoidWalls) detect from both sides,
/// from one point to another in the space of the entity's `Transform`.
///
/// It has no width. For agents in free space it stands upright, without an end above or below.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Transform)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Wall {
    /// Where it begins.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// How high it rises above its line along the normal of a planar agent's plane, in units;
    /// `None` if it has no end above or below. Default `None`.
    pub height: Option<f32>,
    /// Its layers, by which behaviours choose what to avoid. Default: all.
    pub layers: SteeringLayers,
}

impl Default for Wall {
    fn default() -> Self {
        Self::new(Vec3::ZERO, Vec3::ZERO)
    }
}

impl Wall {
    builders! {
        /// In these layers: felt only by behaviours that look for one of them.
        with_layers(layers: SteeringLayers);
    }

    /// Rising so high above its line: agents below and above it do not meet it.
    #[must_use]
    pub fn with_height(mut self, height: f32) -> Self {
        self.height = Some(height);
        self
    }

    /// A wall between two points.
    pub fn new(start: impl IntoPoint, end: impl IntoPoint) -> Self {
        let (start, end) = (start.into_point(), end.into_point());
        Self { start, end, height: None, layers: SteeringLayers::ALL }
    }
}
