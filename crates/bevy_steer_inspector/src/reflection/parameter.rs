//! [`Parameter`]: what a number means, and how far its slider goes.

/// What a number is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Nothing: a weight, a share, a count.
    None,
    Length,
    /// Lengths in multiples of the radius of the agent's body.
    Radii,
    Speed,
    Force,
    Mass,
    Time,
    /// Radians, shown as degrees.
    Angle,
    AngularSpeed,
    AngularAcceleration,
    /// How far the angle of a random walk spreads in a second, in radians.
    AngularSpread,
}

impl Unit {
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Length => " units",
            Self::Radii => " × radius",
            Self::Speed => " units/s",
            Self::Force => " N",
            Self::Mass => " kg",
            Self::Time => " s",
            Self::Angle => "°",
            Self::AngularSpeed => "°/s",
            Self::AngularAcceleration => "°/s²",
            Self::AngularSpread => "°/√s",
        }
    }

    /// So much larger is the number that is shown.
    pub(crate) fn factor(self) -> f64 {
        match self {
            Self::Angle | Self::AngularSpeed | Self::AngularAcceleration | Self::AngularSpread => {
                180.0 / core::f64::consts::PI
            }
            _ => 1.0,
        }
    }
}

/// What a number means, and how far its slider goes. Put on fields by the [`table`](super::table).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) unit: Unit,
    /// The upper end of the slider, in the unit that is shown; `None` to fit it to the agent.
    pub(crate) max: Option<f64>,
    /// Whether nothing beyond the upper end makes sense.
    pub(crate) is_strict: bool,
}

impl Parameter {
    /// A number whose slider fits the agent.
    pub(crate) const fn fitted(unit: Unit) -> Self {
        Self { unit, max: None, is_strict: false }
    }

    /// A number whose slider goes up to this. What is typed may go beyond.
    pub(crate) const fn up_to(max: f64, unit: Unit) -> Self {
        Self { unit, max: Some(max), is_strict: false }
    }

    /// A number that is never above this.
    pub(crate) const fn at_most(max: f64, unit: Unit) -> Self {
        Self { unit, max: Some(max), is_strict: true }
    }
}

/// How large the selected agent is, for sliders of which the value says nothing. Kept in egui's memory for the editors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Yardstick {
    pub(crate) radius: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_force: f32,
}

impl Yardstick {
    /// A value that is nothing special.
    pub(crate) fn usual(self, unit: Unit) -> f64 {
        let usual = match unit {
            Unit::Length => self.radius * 10.0,
            Unit::Speed => self.max_speed,
            Unit::Force => self.max_force,
            _ => 1.0,
        };
        if usual.is_finite() && usual > 0.0 { f64::from(usual) } else { 1.0 }
    }
}

/// The upper end of a slider on which `value` is in the lower part: one, two or five times a power of ten.
pub(crate) fn round_above(value: f64) -> f64 {
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
            assert!(
                (round_above(value) - end).abs() < end * 1e-9,
                "{value}: {}",
                round_above(value)
            );
        }
        for senseless in [0.0, -3.0, f64::NAN, f64::INFINITY] {
            assert_eq!(round_above(senseless), 1.0);
        }
    }
}
