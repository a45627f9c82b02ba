//! [`Measure`]: the spacing and the patience of a formation, from valid numbers.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_steer::{MAX_MAGNITUDE, Vehicle};

use crate::formation::{Formation, PATIENCE, SPACING};

/// What the members of a formation are measured by in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    /// The length of a spacing, in units; above zero.
    pub(crate) spacing: f32,
    /// See [`Formation::patience`], in seconds.
    pub(crate) patience: f32,
    /// The time step, in seconds.
    pub(crate) dt: f32,
}

impl Measure {
    /// The measure of a formation with these bodies. Numbers that are invalid are reported, and
    /// count as the default.
    pub(crate) fn new<'a>(
        anchor: Entity,
        formation: &Formation,
        bodies: impl Iterator<Item = &'a Vehicle>,
        dt: f32,
        reported: &mut Reported,
    ) -> Self {
        let mut spacing = formation.spacing;
        let number = *spacing.number_mut();
        if !(number > 0.0 && number <= MAX_MAGNITUDE) {
            let problem =
                format!("is {number}; it counts as 4 radii; set a length above zero, up to 1e9");
            reported.warn(anchor, "spacing", &problem);
            spacing = SPACING;
        }
        let mut patience = formation.patience;
        if patience.is_nan() || patience < 0.0 {
            let problem = format!("is {patience}; it counts as 3; set a number of seconds");
            reported.warn(anchor, "patience", &problem);
            patience = PATIENCE;
        }
        // `max` takes the number where the other one is NaN.
        let largest = bodies.map(|body| spacing.in_units(body)).fold(0.0, f32::max);
        // Only points that do not move have no size.
        let spacing = if largest > 0.0 { largest.min(MAX_MAGNITUDE) } else { 1.0 };
        Self { spacing, patience, dt }
    }
}

/// The fields that have been reported as invalid.
#[derive(Default)]
pub(crate) struct Reported(HashSet<(Entity, String)>);

impl Reported {
    /// Logs a warning, the first time for this entity and field of its [`Formation`].
    pub(crate) fn warn(&mut self, anchor: Entity, field: &str, problem: &str) {
        /// The maximum number of warnings. Further ones are suppressed.
        const MOST: usize = 1000;
        if self.0.len() < MOST && self.0.insert((anchor, field.to_owned())) {
            log::warn!("bevy_steer_formations: {anchor}: Formation.{field} {problem}");
        }
    }

    /// Forgets what was wrong with a pattern, after it has been mended: another mistake in it is
    /// logged again.
    pub(crate) fn forget_pattern(&mut self, anchor: Entity) {
        self.0.retain(|(entity, field)| *entity != anchor || !field.starts_with("pattern"));
    }
}

#[cfg(test)]
mod tests {
    use bevy_steer::Length;

    use super::*;

    #[test]
    fn the_largest_body_counts() {
        let bodies = [0.5, 2.0, f32::NAN].map(|radius| Vehicle::new(5.0).with_radius(radius));
        let spacing = |length: Length, count| {
            let formation = Formation::default().with_spacing(length);
            let bodies = bodies[..count].iter();
            Measure::new(Entity::PLACEHOLDER, &formation, bodies, 0.1, &mut default()).spacing
        };
        assert_eq!(spacing(Length::Radii(4.0), 3), 8.0);
        assert_eq!(spacing(Length::Units(3.0), 3), 3.0);
        assert_eq!(spacing(Length::Radii(f32::NAN), 1), 2.0);
        assert_eq!(spacing(Length::Radii(4.0), 0), 1.0);
        assert_eq!(spacing(Length::Radii(1e9), 2), 1e9);
    }

    #[test]
    fn a_mended_pattern_is_forgotten_and_nothing_else() {
        let mut world = World::new();
        let [mended, other] = [(), ()].map(|()| world.spawn_empty().id());
        let mut reported = Reported::default();
        for (anchor, field) in
            [(mended, "pattern.columns"), (mended, "spacing"), (other, "pattern.Slots[0]")]
        {
            reported.warn(anchor, field, "is wrong");
        }
        reported.forget_pattern(mended);
        let kept = [(mended, "spacing"), (other, "pattern.Slots[0]")];
        let kept = kept.map(|(anchor, field)| (anchor, field.to_owned()));
        assert_eq!(reported.0, HashSet::from(kept));
    }
}
