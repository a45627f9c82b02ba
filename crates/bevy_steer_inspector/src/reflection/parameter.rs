//! [`Parameter`]: the unit of a number and the range of its slider.

use bevy_steer::{ParameterRange, Unit};

/// The unit of a number and the range of its slider, as its reflection attributes say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parameter {
    pub(crate) unit: Unit,
    /// `None`: the range is fitted to the agent.
    pub(crate) range: Option<ParameterRange>,
    /// What `None` means.
    pub(crate) when_none: Option<&'static str>,
}

impl Parameter {
    /// The ends of the slider in the unit that is shown; `None` to fit them to the agent.
    pub(crate) fn shown_range(self) -> Option<(f64, f64)> {
        self.range.map(|range| (to_shown(self.unit, range.min), to_shown(self.unit, range.max)))
    }
}

/// An end of a range in the unit that is shown. Degrees are rounded like those that were written.
fn to_shown(unit: Unit, value: f32) -> f64 {
    if factor(unit) == 1.0 { value.into() } else { value.to_degrees().into() }
}

/// The text behind a number.
pub(crate) fn suffix(unit: Unit) -> &'static str {
    match unit {
        // Forces are in kg·units/s², which is too long to show.
        Unit::None | Unit::Force => "",
        Unit::Length => " units",
        Unit::Radii => " × radius",
        Unit::Speed => " units/s",
        Unit::Mass => " kg",
        Unit::Time => " s",
        Unit::Angle => "°",
        Unit::AngularSpeed => "°/s",
        Unit::AngularAcceleration => "°/s²",
        Unit::AngularSpread => "°/√s",
    }
}

/// The factor from the stored number to the one that is shown: angles are shown in degrees.
pub(crate) fn factor(unit: Unit) -> f64 {
    match unit {
        Unit::Angle | Unit::AngularSpeed | Unit::AngularAcceleration | Unit::AngularSpread => {
            180.0 / core::f64::consts::PI
        }
        _ => 1.0,
    }
}

/// The size of the selected agent, for sliders without a range of their own.
///
/// Kept in egui's memory for the editors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Yardstick {
    pub(crate) radius: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_force: f32,
}

impl Yardstick {
    /// A typical value.
    pub(crate) fn typical(self, unit: Unit) -> f64 {
        let typical = match unit {
            Unit::Length => self.radius * 10.0,
            Unit::Speed => self.max_speed,
            Unit::Force => self.max_force,
            _ => 1.0,
        };
        if typical.is_finite() && typical > 0.0 { f64::from(typical) } else { 1.0 }
    }
}

/// The smallest of 1, 2 or 5 times a power of ten that is not below `value`.
pub(crate) fn round_up(value: f64) -> f64 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps.into_iter().find(|step| step * power >= value * 0.999_999);
    step.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_sliders_are_round_and_not_below() {
        for (value, end) in [(0.3, 0.5), (1.0, 1.0), (1.1, 2.0), (40.0, 50.0), (501.0, 1000.0)] {
            assert!((round_up(value) - end).abs() < end * 1e-9, "{value}: {}", round_up(value));
        }
        for invalid in [0.0, -3.0, f64::NAN, f64::INFINITY] {
            assert_eq!(round_up(invalid), 1.0);
        }
    }

    #[test]
    fn angles_are_shown_in_whole_degrees() {
        let range = Some(ParameterRange::at_most(360.0).degrees());
        assert_eq!(
            Parameter { unit: Unit::Angle, range, when_none: None }.shown_range(),
            Some((0.0, 360.0))
        );
    }
}
