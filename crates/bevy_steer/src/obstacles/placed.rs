//! [`PlacedObstacle`]: an obstacle with its place.

use bevy::prelude::*;

use crate::{
    agent::{height::HeightSpan, layers::SteeringLayers},
    obstacles::shape::ObstacleShape,
    space::{plane::SteeringPlane, vector::local_axes},
};

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

    /// Whether it reaches into a height along the normal of a plane; see
    /// [`SteeringHeight`](crate::SteeringHeight).
    pub(super) fn is_level_with(&self, plane: SteeringPlane, span: HeightSpan) -> bool {
        if !plane.is_planar() || self.rise == f32::INFINITY {
            return true;
        }
        let Self { shape, axes, .. } = self;
        let [.., level] = plane.project(self.position + shape.center(axes));
        let half = shape.extent(plane.normal(), axes, SteeringPlane::Free) + self.taller;
        span.meets(HeightSpan { low: level - half, high: level + half + self.rise })
    }

    /// All that makes a difference to agents, as bits.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        let vectors = [self.position, self.velocity, self.spin].into_iter().chain(self.axes);
        let numbers = vectors
            .flat_map(|vector| vector.to_array())
            .chain(self.shape.numbers())
            .chain([self.rise, self.taller]);
        let others = [u32::from(self.is_wall), self.layers.0];
        numbers.map(f32::to_bits).chain(others)
    }
}
