//! [`Look`]: the appearance of an entity.

use bevy::prelude::*;

use crate::shapes::Silhouette;

/// A shape and a colour, from which the window makes a mesh.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub(super) shape: Shape,
    /// Its colour.
    pub color: Color,
    /// The radius in units; that of the vehicle if `None`.
    pub(super) size: Option<f32>,
}

/// A circle of this radius around an entity.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Halo(pub(super) f32);

/// The shape of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// An agent, flat or solid depending on the scene's view.
    Agent(Silhouette),
    /// A ring with a dot.
    Goal,
    /// A dot.
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
