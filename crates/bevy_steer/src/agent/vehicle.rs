//! The body of an agent: [`Vehicle`], its state of motion, and the [`SteeringForce`] that moves it.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use crate::{
    agent::{
        contributions::{Contributions, TierSums},
        id::{AgentId, IndexSlot},
        layers::SteeringLayers,
        parameter::{ParameterRange, Unit, builders},
    },
    simd::{Arithmetic, Lanes, MAX_MAGNITUDE, One, WIDTH, every},
};

/// The body of an agent: its mass, top speed, maximum force, size and response time.
///
/// An entity with a behaviour is an agent: behaviours require a `Vehicle`, by default a person's in
/// metres, and `Vehicle` requires all other components that an agent needs. The model is the point
/// mass of Reynolds (1999), "Steering Behaviors For Autonomous Characters".
///
/// Steering uses the `Transform` as the position in the world, so an agent must be a root entity,
/// or a child of an entity whose `Transform` is the identity; a warning names other agents.
///
/// The mass must be from 10⁻⁹ to 10⁹, all other fields from 0 to 10⁹ ([`MAX_MAGNITUDE`]). An agent
/// with a value outside its range stays where it is, with one warning, until the value is valid. A
/// `max_speed` of zero pins an agent in place; a `max_force` of zero lets it drift. An agent that
/// no behaviour moves brakes, unless it has [`WhenIdle`](crate::WhenIdle).
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
    /// Top speed, in units a second. Default 5. An agent that moves faster, for example after a
    /// collision, slows down by its force.
    #[reflect(@Unit::Speed)]
    pub max_speed: f32,
    /// The maximum steering force, in kilogram units per second squared. Default 20.
    #[reflect(@Unit::Force)]
    pub max_force: f32,
    /// Radius of the body, in world units: for avoidance, and as the unit of many parameters.
    /// Default 0.5.
    #[reflect(@Unit::Length)]
    pub radius: f32,
    /// How long a requested change of velocity takes, force permitting, in seconds. Default 0.1.
    ///
    /// Small values are nimble, large ones sluggish. The value used is at least the time step, so
    /// zero is safe.
    #[reflect(@Unit::Time, @ParameterRange::up_to(1.0))]
    pub response: f32,
}

impl Default for Vehicle {
    /// A person, in metres.
    fn default() -> Self {
        Self::new(5.0)
    }
}

/// The radius that [`Vehicle::new`] gives an agent, in units per unit of top speed per second.
const RADIUS_PER_SPEED: f32 = 0.1;

impl Vehicle {
    /// A vehicle of mass 1 with this top speed, which it reaches in a quarter of a second; its
    /// diameter is the distance covered in 0.2 s at top speed.
    ///
    /// The radius is a guess from the speed, which suits people, animals and cars. Set it with
    /// [`with_radius`](Self::with_radius) for vehicles that are fast or slow for their size, such
    /// as a bullet or a tank. The default [`Length`](crate::Length)s of behaviours are multiples of
    /// it.
    pub fn new(max_speed: f32) -> Self {
        Self {
            mass: 1.0,
            max_speed,
            max_force: max_speed * 4.0,
            radius: max_speed * RADIUS_PER_SPEED,
            response: 0.1,
        }
    }

    builders! {
        /// Sets the mass, in kilograms.
        with_mass(mass: f32);
        /// Sets the top speed, in units a second, and leaves force and radius as they are;
        /// [`new`](Self::new) derives them from it.
        with_max_speed(max_speed: f32);
        /// Sets the maximum force.
        with_max_force(max_force: f32);
        /// Sets the radius of the body, in world units.
        with_radius(radius: f32);
        /// Sets the response time, in seconds.
        with_response(response: f32);
    }

    /// The maximum acceleration, in units per second squared.
    pub fn max_acceleration(&self) -> f32 {
        self.max_force / self.mass
    }

    /// Its radius; of a point, that which [`Vehicle::new`] would give it. In units.
    #[inline]
    pub fn size(&self) -> f32 {
        VehicleBlock::from(self).size(One)
    }

    /// The name of the first field that is outside its range, and its value.
    pub(crate) fn invalid_field(&self) -> Option<(&'static str, f32)> {
        const NAMES: [&str; 5] = [
            "Vehicle.mass",
            "Vehicle.max_speed",
            "Vehicle.max_force",
            "Vehicle.radius",
            "Vehicle.response",
        ];
        let fields = NAMES.into_iter().zip(VehicleBlock::<One>::from(self).ranges());
        let mut invalid = fields.filter(|&(_, range)| !is_in_range(One, range));
        invalid.next().map(|(name, (value, _))| (name, value))
    }
}

/// The vehicles of several agents, one register for each field.
#[derive(Clone, Copy)]
pub(crate) struct VehicleBlock<L: Arithmetic> {
    pub mass: L::F,
    pub max_speed: L::F,
    pub max_force: L::F,
    pub radius: L::F,
    pub response: L::F,
}

impl From<&Vehicle> for VehicleBlock<One> {
    #[inline]
    fn from(&Vehicle { mass, max_speed, max_force, radius, response }: &Vehicle) -> Self {
        Self { mass, max_speed, max_force, radius, response }
    }
}

impl<L: Lanes> VehicleBlock<L> {
    #[inline(always)]
    pub(crate) fn new(l: L, vehicles: &[Vehicle; WIDTH]) -> Self {
        let [mass, max_speed, max_force, radius] = l.columns(every!(i => {
            let Vehicle { mass, max_speed, max_force, radius, .. } = vehicles[i];
            [mass, max_speed, max_force, radius]
        }));
        // The fifth field is loaded together with its neighbours in memory.
        let [.., response] = l.columns(every!(i => {
            let Vehicle { max_speed, max_force, radius, response, .. } = vehicles[i];
            [max_speed, max_force, radius, response]
        }));
        Self { mass, max_speed, max_force, radius, response }
    }
}

impl<L: Arithmetic> VehicleBlock<L> {
    /// [`Vehicle::size`].
    #[inline(always)]
    pub(crate) fn size(&self, l: L) -> L::F {
        let is_body = l.lt(l.splat(0.0), self.radius);
        l.select(is_body, self.radius, l.mul(self.max_speed, l.splat(RADIUS_PER_SPEED)))
    }

    /// Whether every field is within its range.
    #[inline(always)]
    pub(crate) fn is_valid(&self, l: L) -> L::M {
        // Not a closure: that would be compiled separately, without the vector instructions.
        let ranges = self.ranges();
        let mut valid = is_in_range(l, ranges[0]);
        for range in &ranges[1..] {
            valid = l.and(valid, is_in_range(l, *range));
        }
        valid
    }

    /// Each field and its minimum. The maximum of all is [`MAX_MAGNITUDE`].
    #[inline(always)]
    fn ranges(&self) -> [(L::F, f32); 5] {
        let Self { mass, max_speed, max_force, radius, response } = *self;
        let lightest = 1.0 / MAX_MAGNITUDE;
        [(mass, lightest), (max_speed, 0.0), (max_force, 0.0), (radius, 0.0), (response, 0.0)]
    }
}

#[inline(always)]
fn is_in_range<L: Arithmetic>(l: L, (value, least): (L::F, f32)) -> L::M {
    l.and(l.le(l.splat(least), value), l.le(value, l.splat(MAX_MAGNITUDE)))
}

/// Velocity, in units a second. Required by [`Vehicle`].
///
/// Integration limits it to `max_speed` and to the agent's plane. Add it to every moving entity
/// that agents pursue, evade or avoid. The velocity of a child is relative to its parent, like its
/// `Transform`: a turret that is fixed to a tank needs none.
#[repr(transparent)]
#[derive(
    Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Pod, Zeroable,
)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Velocity(pub Vec3);

/// Angular velocity about each axis, in radians a second. Required by all turning behaviours
/// ([`Face`](crate::Face), [`Align`](crate::Align), [`LookWhereYouGo`](crate::LookWhereYouGo)).
///
/// **An agent with this component turns by it; an agent without it faces along its velocity.** If
/// no behaviour requests a turn, the rotation is braked to a stop.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(crate::agent::contributions::AngularContributions)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AngularVelocity(pub Vec3);

/// The direction that an agent faces, a unit vector. Required by [`Vehicle`].
///
/// `Transform.rotation` is derived from it and never read back, with one exception: the default,
/// zero, means "not known yet" and is replaced by the direction of the rotation in the first tick.
/// It keeps its value while the agent is at rest.
#[repr(transparent)]
#[derive(
    Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Pod, Zeroable,
)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Heading(pub Vec3);

/// Stops steering from writing `Transform::rotation`. The agent's [`Heading`] is still updated.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct KeepRotation;

/// The output of steering: the result of arbitration in this tick. Required by [`Vehicle`].
///
/// Written in [`SteeringSystems::Combine`](crate::SteeringSystems::Combine), changed in
/// [`Limit`](crate::SteeringSystems::Limit) if it would violate velocity limits, and read in
/// [`Integrate`](crate::SteeringSystems::Integrate). Without integration a physics engine reads it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringForce {
    /// Force, in kilogram units per second squared, at most [`Vehicle::max_force`].
    pub linear: Vec3,
    /// Angular acceleration about each axis, in radians per second squared. Multiply it by the
    /// moment of inertia to get a torque.
    pub angular: Vec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_fields_are_named() {
        let name = |vehicle: Vehicle| vehicle.invalid_field().map(|(name, _)| name);
        let vehicle = Vehicle::default();
        assert_eq!(name(vehicle), None);
        for bad in [f32::NAN, f32::INFINITY, -1.0, 1.1e9] {
            for (vehicle, expected) in [
                (vehicle.with_mass(bad), "Vehicle.mass"),
                (Vehicle { max_speed: bad, ..vehicle }, "Vehicle.max_speed"),
                (vehicle.with_max_force(bad), "Vehicle.max_force"),
                (vehicle.with_radius(bad), "Vehicle.radius"),
                (vehicle.with_response(bad), "Vehicle.response"),
            ] {
                assert_eq!(name(vehicle), Some(expected));
                assert!(!VehicleBlock::from(&vehicle).is_valid(One));
            }
        }
        assert_eq!(name(vehicle.with_mass(0.0)), Some("Vehicle.mass"));
        assert_eq!(name(vehicle.with_mass(1e-10)), Some("Vehicle.mass"));
        let light = vehicle.with_mass(1e-9).with_max_force(1e9);
        assert!(name(light).is_none() && VehicleBlock::from(&light).is_valid(One));
    }
}
