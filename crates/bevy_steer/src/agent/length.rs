//! [`Length`]: world units, or multiples of the agent's radius.

use core::ops::Mul;

use bevy::prelude::*;

use crate::agent::{parameter::Unit, vehicle::Vehicle};

/// A length of a behaviour: in world units (a bare `f32` becomes `Length::Units`), or in multiples
/// of the agent's radius.
///
/// Defaults are multiples of the radius, so they fit agents of any size.
///
/// ```
/// use bevy_steer::{Length, prelude::*};
///
/// let arrive = Arrive::default().with_stop_radius(0.5);
/// assert_eq!(arrive.stop_radius, Length::Units(0.5));
/// let flock = Flock::new(Length::Radii(8.0));
/// assert_eq!(flock.separation_radius, Length::Radii(4.0));
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Length {
    /// World units.
    Units(#[reflect(@Unit::Length)] f32),
    /// Multiples of [`Vehicle::radius`](crate::Vehicle::radius). An agent with a radius of zero
    /// counts with the radius that [`Vehicle::new`](crate::Vehicle::new) would give it.
    Radii(#[reflect(@Unit::Radii)] f32),
}

impl Default for Length {
    /// The radius of the agent.
    fn default() -> Self {
        Self::Radii(1.0)
    }
}

impl From<f32> for Length {
    fn from(units: f32) -> Self {
        Self::Units(units)
    }
}

impl Mul<f32> for Length {
    type Output = Self;

    fn mul(mut self, factor: f32) -> Self {
        *self.number_mut() *= factor;
        self
    }
}

impl Length {
    /// This length for an agent with this body, in units.
    #[inline(always)]
    pub fn in_units(self, vehicle: &Vehicle) -> f32 {
        match self {
            Self::Units(units) => units,
            Self::Radii(radii) => radii * vehicle.size(),
        }
    }

    /// The number, in either unit.
    pub fn number_mut(&mut self) -> &mut f32 {
        let (Self::Units(number) | Self::Radii(number)) = self;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_in_units() {
        let vehicle = Vehicle::new(40.0).with_radius(3.0);
        assert_eq!(Length::from(2.0).in_units(&vehicle), 2.0);
        assert_eq!((Length::default() * 2.0).in_units(&vehicle), 6.0);
        // For a radius of zero, the radius is derived from the speed.
        assert_eq!(Length::Radii(2.0).in_units(&vehicle.with_radius(0.0)), 8.0);
    }
}
