//! Reflection attributes that describe the parameters of components: unit, range, help, state.

use bevy::prelude::*;

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
    /// Multiples of the radius of the agent's [`Vehicle`](crate::Vehicle).
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

#[cfg(test)]
mod tests {
    use bevy::reflect::{TypeInfo, Typed};

    use super::*;
    use crate::agent::vehicle::Vehicle;

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
}
