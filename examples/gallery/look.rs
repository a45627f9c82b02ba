//! [`Look`]: what somebody looks like, as far as a scene says.

use bevy::prelude::*;

use crate::shapes::Silhouette;

/// A shape and a colour. Becomes a mesh where there is something to draw with.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) shape: Shape,
    pub(super) color: Color,
    /// Its radius, in units; that of the vehicle if not given.
    pub(super) size: Option<f32>,
}

/// A circle round somebody, that fades into the ground.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Halo(pub(super) f32);

/// What there is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// Who moves, flat or solid as the scene's view asks.
    Agent(Silhouette),
    /// A ring with a dot.
    Goal,
    /// A glowing dot.
    Light,
}

impl Look {
    pub(super) const fn new(silhouette: Silhouette, color: Color) -> Self {
        Self { shape: Shape::Agent(silhouette), color, size: None }
    }

    pub(super) const fn sized(shape: Shape, color: Color, size: f32) -> Self {
        Self { shape, color, size: Some(size) }
    }
}
