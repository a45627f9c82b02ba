//! The component [`Flock`].

use bevy::prelude::*;

use crate::agent::{
    blend::Blend,
    layers::SteeringLayers,
    parameter::{ParameterRange, Unit},
};

/// Keeps with its neighbours: not too near, not too far, in the same direction.
/// Reynolds (1987), "Flocks, Herds, and Schools".
///
/// Its neighbours are agents in the given layers, within `radius` and inside the view angle. It
/// does not drive the agent on: add [`Wander`](crate::Wander) or a target to start a flock that
/// stands. Where the agents do not see all round, those ahead push back and none pushes on, so such
/// a flock slows down and stops unless something drives it in the same tier:
/// `Wander::default().with_priority(Priority::Normal)`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// for i in 0..100 {
///     let place = Transform::from_xyz((i % 10) as f32, (i / 10) as f32, 0.0);
///     commands.spawn((Vehicle::default(), Flock::new(4.0), Wander::default(), place));
/// }
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Flock {
    /// How far it sees its neighbours, in units. Default 5.
    #[reflect(@Unit::Length)]
    pub radius: f32,
    /// Neighbours nearer than this are too near, in units. Default 2.5. No larger than `radius` in
    /// effect.
    #[reflect(@Unit::Length)]
    pub separation_radius: f32,
    /// The angle of view, in radians, centred on the heading. Default 2π: all round.
    #[reflect(@Unit::Angle, @ParameterRange::at_most(360.0).degrees())]
    pub view_angle: f32,
    /// Weight of separation. Default 1.5.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub separation: f32,
    /// Weight of alignment. Default 1.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub alignment: f32,
    /// Weight of cohesion. Default 1.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub cohesion: f32,
    /// Layers of its neighbours. Default the first layer, which is that of new agents.
    pub layers: SteeringLayers,
    /// The most neighbours that it looks at. Default 128.
    ///
    /// Where there are more, it takes some from everywhere around it: the same ones on every run.
    #[reflect(@ParameterRange::up_to(256.0))]
    pub max_neighbors: u32,
    /// Its part in arbitration; its own tier is [`Priority::Normal`](crate::Priority::Normal).
    pub blend: Blend,
}

impl Default for Flock {
    fn default() -> Self {
        Self::new(5.0)
    }
}

impl Flock {
    /// A flock with this neighbourhood radius, in units, and half of it as
    /// separation radius.
    pub fn new(radius: f32) -> Self {
        Self {
            radius,
            separation_radius: radius * 0.5,
            view_angle: core::f32::consts::TAU,
            separation: 1.5,
            alignment: 1.0,
            cohesion: 1.0,
            layers: SteeringLayers::default(),
            max_neighbors: 128,
            blend: Blend::default(),
        }
    }

    /// With this separation radius, in units.
    #[must_use]
    pub fn with_separation_radius(mut self, separation_radius: f32) -> Self {
        self.separation_radius = separation_radius;
        self
    }

    /// With this angle of view, in radians.
    #[must_use]
    pub fn with_view_angle(mut self, view_angle: f32) -> Self {
        self.view_angle = view_angle;
        self
    }

    /// With these weights of the three rules.
    #[must_use]
    pub fn with_rules(mut self, separation: f32, alignment: f32, cohesion: f32) -> Self {
        self.separation = separation;
        self.alignment = alignment;
        self.cohesion = cohesion;
        self
    }

    /// With neighbours in any of these layers.
    #[must_use]
    pub fn with_layers(mut self, layers: SteeringLayers) -> Self {
        self.layers = layers;
        self
    }

    /// With at most this many neighbours.
    #[must_use]
    pub fn with_max_neighbors(mut self, max_neighbors: u32) -> Self {
        self.max_neighbors = max_neighbors;
        self
    }
}
