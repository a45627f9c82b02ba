//! What the parameters of behaviours have in common: attributes that describe them (unit, range,
//! help, state), the types [`Length`], [`Priority`] and [`Blend`], and builder methods.

use core::ops::Mul;

use bevy::prelude::*;

use crate::agent::vehicle::Vehicle;

/// The unit of a parameter: a reflection attribute of a field.
///
/// Tools read it from the type information of the component. `bevy_steer_inspector` shows the unit
/// behind the value, shows angles in degrees, and scales lengths when it applies a preset to an
/// agent of another size. A field without this attribute is a plain number.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{Blend, ParameterRange, RuntimeState, Unit};
///
/// #[derive(Component, Reflect, Default)]
/// #[reflect(Component, Default)]
/// struct Orbit {
///     /// Radius of the orbit, in world units.
///     #[reflect(@Unit::Length)]
///     radius: f32,
///     /// Time of one revolution, in seconds.
///     #[reflect(@Unit::Time, @ParameterRange::up_to(60.0))]
///     period: f32,
///     /// Angle reached so far, in radians.
///     #[reflect(@RuntimeState)]
///     angle: f32,
///     blend: Blend,
/// }
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Debug, Default, PartialEq, Clone, Hash)]
pub enum Unit {
    /// A plain number: a weight, a ratio, a count.
    #[default]
    None,
    /// World units.
    Length,
    /// Multiples of the radius of the agent's [`Vehicle`].
    Radii,
    /// World units per second.
    Speed,
    /// Kilogram world units per second squared.
    Force,
    /// Kilograms.
    Mass,
    /// Seconds.
    Time,
    /// Radians.
    Angle,
    /// Radians per second.
    AngularSpeed,
    /// Radians per second squared.
    AngularAcceleration,
    /// Radians per square root of a second: how fast the angle of a random walk spreads.
    AngularSpread,
}

/// The range of a slider for a parameter: a reflection attribute of a field.
///
/// In the unit of the field, so angles are in radians ([`degrees`](Self::degrees) converts). It is
/// advice for tools: the pipeline never clamps a parameter to it. Without this attribute a tool
/// chooses the range by the value and the [`Unit`].
///
/// See [`Unit`] for an example.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct ParameterRange {
    /// The lower end. No smaller value makes sense.
    pub min: f32,
    /// The upper end.
    pub max: f32,
    /// Whether no value above `max` makes sense. Otherwise a larger one may be typed.
    pub strict: bool,
    /// Whether the slider is logarithmic.
    pub logarithmic: bool,
}

impl ParameterRange {
    /// From 0 to `max`; larger values make sense too.
    pub const fn up_to(max: f32) -> Self {
        Self { min: 0.0, max, strict: false, logarithmic: false }
    }

    /// From 0 to `max`, and never more.
    pub const fn at_most(max: f32) -> Self {
        Self { strict: true, ..Self::up_to(max) }
    }

    /// From `min` to `max`, and never less or more.
    pub const fn between(min: f32, max: f32) -> Self {
        Self { min, max, strict: true, logarithmic: false }
    }

    /// The same range with a logarithmic slider.
    #[must_use]
    pub const fn logarithmic(self) -> Self {
        Self { logarithmic: true, ..self }
    }

    /// Converts the ends from degrees to radians.
    #[must_use]
    pub const fn degrees(self) -> Self {
        Self { min: self.min.to_radians(), max: self.max.to_radians(), ..self }
    }
}

/// A text that explains a parameter: a reflection attribute of a field.
///
/// Overrides the doc comment, which tools show otherwise. Bevy keeps doc comments only with its
/// feature `reflect_documentation`.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(opaque)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Help(pub &'static str);

/// What `None` means for an optional parameter, in a few words: a reflection attribute of a field.
///
/// `bevy_steer_inspector` shows it instead of the number. Without it that is "none".
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::{Unit, WhenNone};
/// #[derive(Reflect)]
/// struct Chase {
///     /// Gives up beyond this distance, in world units; `None` for never.
///     #[reflect(@Unit::Length, @WhenNone("never gives up"))]
///     patience: Option<f32>,
/// }
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(opaque)]
#[reflect(Debug, PartialEq, Clone)]
pub struct WhenNone(pub &'static str);

/// Marks state that a behaviour writes itself from tick to tick: a reflection attribute of a field,
/// or of the type of a field (a struct or an enum).
///
/// Such a field is not a parameter: tools show it read-only, and presets omit it.
///
/// See [`Unit`] for an example.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, Default, PartialEq, Clone)]
pub struct RuntimeState;

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
    /// Multiples of [`Vehicle::radius`]. An agent with a radius of zero counts with the radius that
    /// [`Vehicle::new`] would give it.
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

/// How urgent a behaviour is; more urgent is greater. Arbitration serves the most urgent first.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Priority {
    /// Everything else: wander.
    Low,
    /// Getting somewhere: seek, arrive, pursue, follow a path, flock; keeping off walls.
    #[default]
    Normal,
    /// Running away: flee, evade.
    High,
    /// Avoiding obstacles and other agents.
    Critical,
}

impl Priority {
    /// The number of tiers.
    pub const COUNT: usize = 4;
    /// All tiers, most urgent first.
    pub const ALL: [Self; Self::COUNT] = [Self::Critical, Self::High, Self::Normal, Self::Low];

    /// The index of its tier in [`ALL`](Self::ALL), and in all that is kept for each tier.
    #[inline]
    pub(crate) const fn tier(self) -> usize {
        Self::COUNT - 1 - self as usize
    }
}

/// How a behaviour takes part in arbitration. Every behaviour component has one, in its field
/// `blend`.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Blend {
    /// Factor on the change of velocity that the behaviour requests. Default 1. With 0 the
    /// behaviour does not move its agent, which is idle unless another behaviour does.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub weight: f32,
    /// The tier, or `None` for the behaviour's own
    /// ([`SteeringBehavior::PRIORITY`](crate::SteeringBehavior::PRIORITY)). Default `None`.
    pub priority: Option<Priority>,
    /// A disabled behaviour is not computed at all. Default true.
    pub enabled: bool,
}

impl Default for Blend {
    fn default() -> Self {
        Self { weight: 1.0, priority: None, enabled: true }
    }
}

/// Builder methods that set a field each: `with_mass(mass: f32);` is a method `with_mass` that sets
/// the field `mass`. With `impl Into<…>` it takes whatever converts into the field's type: the
/// builder of an optional field takes a value, or `None`.
///
/// ```
/// /// How a ship sails.
/// #[derive(Default)]
/// struct Sail {
///     area: f32,
///     reef: Option<f32>,
/// }
///
/// impl Sail {
///     bevy_steer::builders! {
///         /// Sets the area, in square units.
///         with_area(area: f32);
///         /// Sets how much of it is reefed, 0 to 1.
///         with_reef(reef: impl Into<Option<f32>>);
///     }
/// }
///
/// let sail = Sail::default().with_area(20.0).with_reef(0.5);
/// assert_eq!((sail.area, sail.reef), (20.0, Some(0.5)));
/// assert_eq!(sail.with_reef(None).reef, None);
/// ```
#[macro_export]
macro_rules! builders {
    (@method [$($doc:literal)+] $name:ident $field:ident impl Into<$type:ty>) => {
        $(#[doc = $doc])+
        #[must_use]
        pub fn $name(mut self, $field: impl Into<$type>) -> Self {
            self.$field = $field.into();
            self
        }
    };
    (@method [$($doc:literal)+] $name:ident $field:ident $type:ty) => {
        $(#[doc = $doc])+
        #[must_use]
        pub fn $name(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    };
    ($($(#[doc = $doc:literal])+ $name:ident($field:ident: $($type:tt)+);)+) => {
        $($crate::builders!(@method [$($doc)+] $name $field $($type)+);)+
    };
}
pub(crate) use builders;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::vehicle::Vehicle;
    use bevy::reflect::{TypeInfo, Typed};

    #[test]
    fn fields_have_their_attributes() {
        let TypeInfo::Struct(vehicle) = Vehicle::type_info() else { panic!("a struct") };
        let response = vehicle.field("response").unwrap();
        assert_eq!(response.get_attribute::<Unit>(), Some(&Unit::Time));
        assert_eq!(response.get_attribute(), Some(&ParameterRange::up_to(1.0)));
    }

    #[test]
    fn ranges_in_degrees_are_kept_in_radians() {
        let range = ParameterRange::between(-90.0, 180.0).degrees();
        assert_eq!((range.min, range.max), (-90_f32.to_radians(), 180_f32.to_radians()));
        assert!(range.strict && !range.logarithmic && range.logarithmic().logarithmic);
    }

    #[test]
    fn lengths_in_units() {
        let vehicle = Vehicle::new(40.0).with_radius(3.0);
        assert_eq!(Length::from(2.0).in_units(&vehicle), 2.0);
        assert_eq!((Length::default() * 2.0).in_units(&vehicle), 6.0);
        // For a radius of zero, the radius is derived from the speed.
        assert_eq!(Length::Radii(2.0).in_units(&vehicle.with_radius(0.0)), 8.0);
    }

    #[test]
    fn the_more_urgent_tier_is_greater_and_comes_first() {
        assert!(Priority::ALL.is_sorted_by(|one, next| one > next));
        assert_eq!(Priority::ALL.map(Priority::tier), [0, 1, 2, 3]);
    }
}
