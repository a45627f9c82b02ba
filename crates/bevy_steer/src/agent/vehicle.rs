//! The body of an agent: [`Vehicle`], its state of motion, and the [`SteeringForce`] that moves it.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use crate::{
    agent::{
        contributions::{Contributions, TierSums},
        id::AgentId,
        index_slot::IndexSlot,
        layers::SteeringLayers,
        parameter::{ParameterRange, Unit},
    },
    simd::lanes::{Lanes, WIDTH, every},
};

/// The body of an agent: what it weighs, how fast and how strong it is, how large, how quick to respond.
///
/// `Vehicle` and one behaviour make a whole agent; everything else that an agent needs comes with it. The model is the
/// point mass of Reynolds (1999), "Steering Behaviors For Autonomous Characters".
///
/// A value that makes no sense (zero mass, or anything negative, NaN or infinite) leaves the agent where it is, with one
/// warning, until it is mended. A `max_speed` of zero roots an agent; a `max_force` of zero lets it drift.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((
///     Vehicle::new(200.0).with_radius(8.0),
///     Seek::new(Vec2::new(300.0, 40.0)),
///     Transform::from_xyz(-100.0, 0.0, 0.0),
/// ));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Transform, Velocity, Heading, SteeringForce, SteeringLayers, AgentId)]
#[require(Contributions, TierSums, IndexSlot)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Vehicle {
    /// Mass, in kilograms. Default 1.
    #[reflect(@Unit::Mass)]
    pub mass: f32,
    /// Top speed, in units a second. Default 5.
    #[reflect(@Unit::Speed)]
    pub max_speed: f32,
    /// The largest steering force, in kilogram units a second squared. Default 20.
    #[reflect(@Unit::Force)]
    pub max_force: f32,
    /// Radius of the body, in units: for avoiding, and the unit of several ratios. Default 0.5.
    #[reflect(@Unit::Length)]
    pub radius: f32,
    /// The time in which a wished change of velocity is made if `max_force` allows, in seconds. Default 0.1.
    ///
    /// Small is nimble, large is sluggish. The pipeline never uses less than the time step, so that zero is safe.
    #[reflect(@Unit::Time, @ParameterRange::up_to(1.0))]
    pub response: f32,
}

/// Eight vehicles.
pub(crate) struct VehicleBlock<L: Lanes> {
    pub(crate) mass: L::F,
    pub(crate) max_speed: L::F,
    pub(crate) max_force: L::F,
    pub(crate) radius: L::F,
    pub(crate) response: L::F,
}

impl<L: Lanes> VehicleBlock<L> {
    #[inline(always)]
    pub(crate) fn new(l: L, vehicles: &[Vehicle; WIDTH]) -> Self {
        let [mass, max_speed, max_force, radius] = l.columns(every!(i => {
            let Vehicle { mass, max_speed, max_force, radius, .. } = vehicles[i];
            [mass, max_speed, max_force, radius]
        }));
        // Five are one too many.
        let [.., response] = l.columns(every!(i => {
            let Vehicle { max_speed, max_force, radius, response, .. } = vehicles[i];
            [max_speed, max_force, radius, response]
        }));
        Self { mass, max_speed, max_force, radius, response }
    }
}

impl Default for Vehicle {
    /// A person on a ground measured in metres.
    fn default() -> Self {
        Self::new(5.0)
    }
}

impl Vehicle {
    /// A vehicle of mass 1 with this top speed, that reaches it in a quarter of a second and is as wide as it goes in
    /// a fifth of one.
    pub fn new(max_speed: f32) -> Self {
        Self {
            mass: 1.0,
            max_speed,
            max_force: max_speed * 4.0,
            radius: max_speed * 0.1,
            response: 0.1,
        }
    }

    /// With this mass, in kilograms.
    #[must_use]
    pub fn with_mass(mut self, mass: f32) -> Self {
        self.mass = mass;
        self
    }

    /// With this largest force.
    #[must_use]
    pub fn with_max_force(mut self, max_force: f32) -> Self {
        self.max_force = max_force;
        self
    }

    /// With a body of this radius, in units.
    #[must_use]
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// With this response time, in seconds.
    #[must_use]
    pub fn with_response(mut self, response: f32) -> Self {
        self.response = response;
        self
    }

    /// The largest acceleration that the force allows, in units a second squared.
    pub fn max_acceleration(&self) -> f32 {
        self.max_force / self.mass
    }

    /// Whether every field makes sense.
    pub(crate) fn is_valid(&self) -> bool {
        const MAX: f32 = f32::MAX;
        let sensible = |x: f32| (0.0..=MAX).contains(&x);
        // Written without a branch: every agent is asked in every tick. The last is whether force by mass is finite.
        (self.mass >= f32::MIN_POSITIVE)
            & (self.mass <= MAX)
            & sensible(self.max_speed)
            & sensible(self.max_force)
            & sensible(self.radius)
            & sensible(self.response)
            & (self.max_force <= MAX * self.mass)
    }

    /// The name of the first field that makes no sense.
    pub(crate) fn invalid_field(&self) -> Option<&'static str> {
        let sensible = |x: f32| x >= 0.0 && x.is_finite();
        if !(self.mass >= f32::MIN_POSITIVE && self.mass.is_finite()) {
            Some("Vehicle.mass")
        } else if !sensible(self.max_speed) {
            Some("Vehicle.max_speed")
        } else if !sensible(self.max_force) {
            Some("Vehicle.max_force")
        } else if !sensible(self.radius) {
            Some("Vehicle.radius")
        } else if !sensible(self.response) {
            Some("Vehicle.response")
        } else if !self.is_valid() {
            Some("Vehicle.max_force")
        } else {
            None
        }
    }
}

/// Velocity, in units a second. Comes with every [`Vehicle`].
///
/// Integration keeps it within `max_speed`. Give it to anything that others pursue, evade or avoid, agent or not.
#[repr(transparent)]
#[derive(
    Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Pod, Zeroable,
)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Velocity(pub Vec3);

/// Angular velocity, in radians a second, about each axis. Comes with every angular behaviour ([`Face`](crate::Face),
/// [`Align`](crate::Align), [`LookWhereYouGo`](crate::LookWhereYouGo)).
///
/// **An agent with this component turns by it; an agent without looks where it goes.** When no angular behaviour has
/// anything to say the turning is braked to a stop.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(crate::agent::contributions::AngularContributions)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AngularVelocity(pub Vec3);

/// The direction in which an agent looks, a unit vector. Comes with every [`Vehicle`].
///
/// `Transform.rotation` is derived from it and never read back, save once: the default, zero, means "not known yet" and
/// is replaced in the first tick by what the rotation says. It keeps its last value while the agent stands.
#[repr(transparent)]
#[derive(
    Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Pod, Zeroable,
)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Heading(pub Vec3);

/// ChangeMarks an agent whose `Transform.rotation` steering must leave alone. Its [`Heading`] is still kept.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct KeepRotation;

/// The output of steering: what arbitration made of the behaviours' wishes in this tick. Comes with every [`Vehicle`].
///
/// Written in [`SteeringSystems::Combine`](crate::SteeringSystems::Combine), read in
/// [`Integrate`](crate::SteeringSystems::Integrate). Without integration a physics engine takes it from here.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringForce {
    /// Force, in kilogram units a second squared; no longer than [`Vehicle::max_force`].
    pub linear: Vec3,
    /// Angular acceleration about each axis, in radians a second squared. Multiply with a moment of inertia for a torque.
    pub angular: Vec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_fields_are_named() {
        assert_eq!(Vehicle::default().invalid_field(), None);
        for bad in [f32::NAN, f32::INFINITY, -1.0] {
            let vehicle = Vehicle::default();
            let name = |vehicle: Vehicle| vehicle.invalid_field().unwrap();
            assert_eq!(name(vehicle.with_mass(bad)), "Vehicle.mass");
            assert_eq!(name(Vehicle { max_speed: bad, ..vehicle }), "Vehicle.max_speed");
            assert_eq!(name(vehicle.with_max_force(bad)), "Vehicle.max_force");
            assert_eq!(name(vehicle.with_radius(bad)), "Vehicle.radius");
            assert_eq!(name(vehicle.with_response(bad)), "Vehicle.response");
            assert!(!vehicle.with_mass(bad).is_valid() && !vehicle.with_response(bad).is_valid());
        }
        assert_eq!(Vehicle::default().with_mass(0.0).invalid_field(), Some("Vehicle.mass"));
        assert_eq!(Vehicle::default().with_mass(1e-40).invalid_field(), Some("Vehicle.mass"));
        let light = Vehicle::default().with_mass(1e-37).with_max_force(1e10);
        assert_eq!(light.invalid_field(), Some("Vehicle.max_force"));
    }
}
