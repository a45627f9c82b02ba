//! The component [`Flock`].

use bevy::prelude::*;

use crate::agent::{
    blend::Blend,
    builders::builders,
    layers::SteeringLayers,
    length::Length,
    parameter::{ParameterRange, Unit},
};

/// Stays with its neighbours: not too close, not too far away, in the same direction. Reynolds
/// (1987), "Flocks, Herds, and Schools".
///
/// Its neighbours are agents in its own layers or the given ones, within `radius` and inside the
/// view angle. A flock that no other behaviour moves (no target, no [`Wander`](crate::Wander))
/// flies at its cruising speed; with a view angle below 360° it flies slower, as agents ahead repel
/// it and none behind compensates.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// for i in 0..100 {
///     let place = Transform::from_xyz((i % 10) as f32, (i / 10) as f32, 0.0);
///     commands.spawn((Vehicle::default(), Flock::new(4.0), place));
/// }
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Flock {
    /// The distance within which agents are neighbours. Default 10 radii of the vehicle.
    pub radius: Length,
    /// The distance below which neighbours are too close, at most `radius`. Default 5 radii of the
    /// vehicle.
    pub separation_radius: Length,
    /// The view angle, in radians, centred on the heading. Default 2π: in all directions.
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
    /// The speed at which it flies while no other behaviour moves it, as a fraction of its top
    /// speed. Default 0.6. With zero it follows its [`WhenIdle`](crate::WhenIdle).
    #[reflect(@ParameterRange::at_most(1.0))]
    pub cruise: f32,
    /// The layers of its neighbours. Default `None`: the agent's own layers.
    pub layers: Option<SteeringLayers>,
    /// The maximum number of neighbours that it considers. Default 128.
    ///
    /// If there are more, it uses a sample in all directions, the same one on every run.
    #[reflect(@ParameterRange::up_to(256.0))]
    pub max_neighbors: u32,
    /// Its part in arbitration; its own tier is [`Priority::Normal`](crate::Priority::Normal).
    pub blend: Blend,
}

impl Default for Flock {
    fn default() -> Self {
        Self::new(Length::Radii(10.0))
    }
}

impl Flock {
    /// A flock with this radius (in world units or as a [`Length`]), and half of it as separation
    /// radius.
    pub fn new(radius: impl Into<Length>) -> Self {
        let radius = radius.into();
        Self {
            radius,
            separation_radius: radius * 0.5,
            view_angle: core::f32::consts::TAU,
            separation: 1.5,
            alignment: 1.0,
            cohesion: 1.0,
            cruise: 0.6,
            layers: None,
            max_neighbors: 128,
            blend: Blend::default(),
        }
    }

    builders! {
        /// Sets the separation radius, in world units or as a [`Length`].
        with_separation_radius(separation_radius: impl Into<Length>);
        /// Sets the view angle, in radians.
        with_view_angle(view_angle: f32);
        /// Sets the weight of separation.
        with_separation(separation: f32);
        /// Sets the weight of alignment.
        with_alignment(alignment: f32);
        /// Sets the weight of cohesion.
        with_cohesion(cohesion: f32);
        /// Sets the cruising speed, as a fraction of its top speed.
        with_cruise(cruise: f32);
        /// Sets the layers of its neighbours; `None` for the agent's own.
        with_layers(layers: impl Into<Option<SteeringLayers>>);
        /// Sets the maximum number of neighbours.
        with_max_neighbors(max_neighbors: u32);
    }

    /// Sets the weights of the three rules: separation, alignment, cohesion.
    #[must_use]
    pub fn with_rules(self, separation: f32, alignment: f32, cohesion: f32) -> Self {
        self.with_separation(separation).with_alignment(alignment).with_cohesion(cohesion)
    }
}
