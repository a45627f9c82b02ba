//! The components [`Obstacle`], with its shape, and [`Wall`]; [`PlacedObstacle`]: an obstacle with
//! its place.

use bevy::prelude::*;

use crate::{
    agent::{SteeringLayers, builders},
    space::{Point, SteeringPlane, local_axes},
};

/// An obstacle, at the position of the entity's `Transform`.
///
/// [`AvoidObstacles`](crate::AvoidObstacles) avoids it, the feelers of
/// [`AvoidWalls`](crate::AvoidWalls) detect it. Add a [`Velocity`](crate::Velocity) if it moves, so
/// that agents can predict its position. A child moves with its parents, which need a
/// [`Velocity`](crate::Velocity) and an [`AngularVelocity`](crate::AngularVelocity) for that unless
/// steering moves them. Move it yourself, or add a [`Vehicle`](crate::Vehicle) to
/// the same entity (and [`WhenIdle::Coast`](crate::WhenIdle) so that it keeps drifting).
///
/// Sizes are in the space of the `Transform`: its scale and the scale of its parents apply to them.
/// A box is scaled along each axis. Spheres and capsules stay round: they use the largest radius of
/// their cross-section with the default plane, with a warning if the scale is not uniform.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Transform)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Obstacle {
    /// Its shape.
    pub shape: ObstacleShape,
    /// Its layers, by which behaviours filter obstacles. Default: all.
    pub layers: SteeringLayers,
}

impl Default for Obstacle {
    fn default() -> Self {
        Self::new(ObstacleShape::default())
    }
}

impl Obstacle {
    builders! {
        /// Sets the layers, by which behaviours filter obstacles.
        with_layers(layers: SteeringLayers);
    }

    /// An obstacle of this shape, or of one of Bevy's: `Circle`, `Rectangle`, `Sphere`, `Cuboid`,
    /// `Capsule2d`, `Capsule3d`, `Segment2d`, `Segment3d`. Those of two dimensions are in the `Xy`
    /// plane: on the ground a `Rectangle` or `Segment2d` has no width, and a warning says so; a
    /// capsule stands there like a post, a disc, unless a rotation lays it down.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steer::prelude::*;
    /// assert_eq!(Obstacle::new(Circle::new(3.0)), Obstacle::sphere(3.0));
    /// ```
    pub fn new(shape: impl Into<ObstacleShape>) -> Self {
        Self { shape: shape.into(), layers: SteeringLayers::ALL }
    }

    /// A ball, or a disc for planar agents.
    pub fn sphere(radius: f32) -> Self {
        Self::new(ObstacleShape::Sphere { radius })
    }

    /// A box; `size` is its full size along each local axis.
    pub fn cuboid(size: Vec3) -> Self {
        Self::new(ObstacleShape::Box { half_size: size * 0.5 })
    }

    /// A rectangle in the `Xy` plane; `size` is its full size. For agents on the ground use
    /// [`ground`](Self::ground): for them it would be a line, and a warning says so.
    pub fn rect(size: Vec2) -> Self {
        Self::cuboid(size.extend(0.0))
    }

    /// A rectangle on the ground (`x` and `z`); `size` is its full size. It has no height: use
    /// [`cuboid`](Self::cuboid) where agents are at several heights, see
    /// [`SteeringHeight`](crate::SteeringHeight).
    pub fn ground(size: Vec2) -> Self {
        Self::cuboid(Vec3::new(size.x, 0.0, size.y))
    }

    /// A capsule along the local `y` axis, with this length between the centres of its caps, as
    /// `Capsule2d::new` and `Capsule3d::new` of Bevy.
    pub fn capsule(radius: f32, length: f32) -> Self {
        Self::new(ObstacleShape::Capsule { radius, half_length: 0.5 * length })
    }

    /// A line from one local point to another, without width.
    pub fn segment(start: Vec3, end: Vec3) -> Self {
        Self::new(ObstacleShape::Segment { start, end })
    }
}

/// The shape of an [`Obstacle`], centred at its `Transform`. Planar agents see its cross-section
/// with their plane.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum ObstacleShape {
    /// A ball or disc.
    Sphere {
        /// Its radius, in world units.
        radius: f32,
    },
    /// A box or rectangle, turned by the entity's rotation.
    Box {
        /// Half its size along each local axis, in world units.
        half_size: Vec3,
    },
    /// A capsule along the local `y` axis, like Bevy's `Capsule2d` and `Capsule3d`.
    Capsule {
        /// Its radius, in world units.
        radius: f32,
        /// The distance from its centre to the centre of each cap, in world units.
        half_length: f32,
    },
    /// A line from one local point to another, without width.
    Segment {
        /// Its first end.
        start: Vec3,
        /// Its second end.
        end: Vec3,
    },
}

impl Default for ObstacleShape {
    fn default() -> Self {
        Self::Sphere { radius: 1.0 }
    }
}

macro_rules! from_shapes {
    ($($of:ident $fields:tt => $shape:expr;)+) => {
        $(impl From<$of> for ObstacleShape {
            fn from($of $fields: $of) -> Self {
                $shape
            }
        })+
    };
}

from_shapes! {
    Circle { radius } => Self::Sphere { radius };
    Sphere { radius } => Self::Sphere { radius };
    Rectangle { half_size } => Self::Box { half_size: half_size.extend(0.0) };
    Cuboid { half_size } => Self::Box { half_size };
    Capsule2d { radius, half_length } => Self::Capsule { radius, half_length };
    Capsule3d { radius, half_length } => Self::Capsule { radius, half_length };
    Segment2d { vertices: [start, end] } => {
        Self::Segment { start: start.extend(0.0), end: end.extend(0.0) }
    };
    Segment3d { vertices: [start, end] } => Self::Segment { start, end };
}

/// A straight wall that the feelers of [`AvoidWalls`](crate::AvoidWalls) detect from both sides,
/// from one point to another in the space of the entity's `Transform`.
///
/// It has no width. For agents in free space it is vertical and infinitely high.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Transform)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Wall {
    /// Its first end. A `Vec2` is in the coordinates of the plugin's plane.
    pub start: Point,
    /// Its second end.
    pub end: Point,
    /// Its height above the line from `start` to `end`, along the normal of a planar agent's plane,
    /// in world units. Default `None`: infinite above and below.
    pub height: Option<f32>,
    /// Its layers, by which behaviours filter walls. Default: all.
    pub layers: SteeringLayers,
}

impl Default for Wall {
    fn default() -> Self {
        Self::new(Vec3::ZERO, Vec3::ZERO)
    }
}

impl Wall {
    builders! {
        /// Sets the layers, by which behaviours filter walls.
        with_layers(layers: SteeringLayers);
        /// Sets its height above its line, in world units; `None` for infinite above and below.
        /// Agents above or below it ignore it.
        with_height(height: impl Into<Option<f32>>);
    }

    /// A wall between two points, `Vec3` or `Vec2`.
    pub fn new(start: impl Into<Point>, end: impl Into<Point>) -> Self {
        let (start, end) = (start.into(), end.into());
        Self { start, end, height: None, layers: SteeringLayers::ALL }
    }

    /// Its two ends in the space of the entity's `Transform`, where the plugin has this plane.
    pub fn ends(&self, plane: SteeringPlane) -> [Vec3; 2] {
        [self.start, self.end].map(|end| end.in_plane(plane))
    }
}

/// An obstacle in this tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedObstacle {
    /// Its entity.
    pub entity: Entity,
    /// The origin of its shape.
    pub position: Vec3,
    /// The velocity of `position` in the world: its own, relative to its parent, plus the motion of
    /// its parents.
    pub velocity: Vec3,
    /// Its angular velocity about `position` in the world, in radians a second: its own
    /// [`AngularVelocity`](crate::AngularVelocity), and that of its parents.
    pub spin: Vec3,
    /// Its shape.
    pub shape: ObstacleShape,
    /// Whether it is a [`Wall`](crate::Wall), which only feelers detect.
    pub is_wall: bool,
    /// Its layers.
    pub layers: SteeringLayers,
    /// How high a wall rises above its line, in units.
    pub(crate) rise: f32,
    /// How much farther than its radius what is round reaches along the normal of the default
    /// plane, in units: its scale may be another there.
    pub(crate) taller: f32,
    pub(crate) axes: [Vec3; 3],
    /// The radius of the ball around it, in units.
    pub(crate) bounding_radius: f32,
}

impl PlacedObstacle {
    /// A round body that stands there.
    pub(crate) fn body(entity: Entity, position: Vec3, radius: f32) -> Self {
        Self {
            entity,
            position,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            shape: ObstacleShape::Sphere { radius },
            is_wall: false,
            layers: SteeringLayers::ALL,
            rise: 0.0,
            taller: 0.0,
            axes: local_axes(Quat::IDENTITY),
            bounding_radius: radius,
        }
    }

    /// The velocity in the world of its part at this offset from its position, in units a second.
    pub fn velocity_at(&self, offset: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(offset)
    }

    /// No part of it is faster than this, in units a second.
    pub(crate) fn top_speed(&self) -> f32 {
        self.velocity.length() + self.swing()
    }

    /// How fast its rotation moves the part of it that is farthest out, in units a second.
    pub(crate) fn swing(&self) -> f32 {
        self.spin.length() * self.bounding_radius
    }

    /// The plane in which it is found and its distance is measured, by agents of `plane`: in free
    /// space walls stand upright, without an end above or below.
    #[inline]
    pub(crate) fn plane(&self, plane: SteeringPlane) -> SteeringPlane {
        if self.is_wall && plane == SteeringPlane::Free { SteeringPlane::Xz } else { plane }
    }
}
