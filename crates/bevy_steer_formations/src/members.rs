//! [`MemberOf`] and [`FormationSlot`]: the members of a formation.

use bevy::{ecs::relationship::RelationshipTarget, prelude::*};
use bevy_steer::{OffsetPursue, RuntimeState, Target, Unit, Vehicle};

use crate::{formation::Formation, measure::Measure};

/// The agent is a member of the [`Formation`](crate::Formation) of this entity, its anchor.
///
/// A member gets a slot, and its [`OffsetPursue`] is set to keep that, with the profile and the
/// weight that it has. Avoidance is added as for any other agent. When this component is removed,
/// the agent's `OffsetPursue` has no target any more and the other members close up. The same
/// happens to all when the anchor is despawned or loses its `Formation`.
///
/// A member may be the anchor of another formation.
#[derive(Component, FromTemplate, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[relationship(relationship_target = FormationMembers)]
#[require(OffsetPursue, FormationSlot)]
#[reflect(Component, FromWorld, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct MemberOf(#[entities] pub Entity);

impl FromWorld for MemberOf {
    /// For reflection, which sets the entity afterwards.
    fn from_world(_: &mut World) -> Self {
        Self(Entity::PLACEHOLDER)
    }
}

/// The members of a formation, in no particular order.
#[derive(Component, Reflect, Debug, Default, PartialEq, Eq)]
#[relationship_target(relationship = MemberOf)]
#[reflect(Component, Debug, Default, PartialEq)]
pub struct FormationMembers(Vec<Entity>);

/// The slot of a member. Written by [`FormationPlugin`](crate::FormationPlugin).
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[reflect(@RuntimeState)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct FormationSlot {
    /// The index of its slot among those of the [`Pattern`](crate::Pattern).
    pub index: u32,
    /// The anchor whose formation the slot is in. `None` until it has been assigned.
    #[entities]
    pub anchor: Option<Entity>,
    /// The distance to its slot, in units.
    #[reflect(@Unit::Length)]
    pub distance: f32,
    /// How far it has moved towards its slot by itself since it last made progress, in units.
    #[reflect(@Unit::Length)]
    pub gained: f32,
    /// The time since it last made progress, in seconds.
    #[reflect(@Unit::Time)]
    pub stalled: f32,
    /// Whether the formation does not wait for it, as it was stuck. See
    /// [`Formation::patience`](crate::Formation::patience).
    pub is_left_out: bool,
}

/// The distances from a slot, in spacings, at which the anchor begins to slow down, and at which it
/// stands.
const NEAR: f32 = 0.5;
const FAR: f32 = 2.0;

impl FormationSlot {
    /// Whether it has been given a slot in the formation of this anchor.
    pub(crate) fn is_of(&self, anchor: Entity) -> bool {
        self.anchor == Some(anchor)
    }

    /// Whether it is in its slot, as far as its distance says.
    pub(crate) fn is_near(&self, spacing: f32) -> bool {
        self.distance <= NEAR * spacing
    }

    /// The share of its speed that the anchor keeps for this member: 1 up to half a spacing from
    /// the slot, 0 from two spacings on.
    pub(crate) fn cohesion(&self, spacing: f32) -> f32 {
        ((FAR - self.distance / spacing) / (FAR - NEAR)).clamp(0.0, 1.0)
    }

    /// Notes how far the member is from its slot, and whether it makes progress by itself: a slow
    /// member that follows at a constant distance does, one that is held by an obstacle does not.
    pub(crate) fn observe(
        &mut self,
        to_slot: Vec3,
        velocity: Vec3,
        body: &Vehicle,
        measure: Measure,
    ) {
        /// Less of its top speed, towards its slot, is no progress.
        const SLOW: f32 = 0.2;
        /// It is waited for again after it has moved this far towards its slot, in spacings. One
        /// that moves to and fro in a dead end does not get so far.
        const REJOINS: f32 = 4.0;
        let Measure { spacing, patience, dt } = measure;
        self.distance = to_slot.length();
        if self.is_near(spacing) {
            (self.gained, self.stalled, self.is_left_out) = (0.0, 0.0, false);
            return;
        }
        let closing = velocity.dot(to_slot / self.distance) * dt;
        self.gained = if closing.is_finite() { self.gained + closing } else { 0.0 };
        if self.is_left_out {
            self.gained = self.gained.max(0.0);
            if self.gained >= REJOINS * spacing {
                (self.gained, self.stalled, self.is_left_out) = (0.0, 0.0, false);
            }
            return;
        }
        let step = (SLOW * patience * body.max_speed).min(0.25 * spacing);
        if self.gained > step {
            (self.gained, self.stalled) = (0.0, 0.0);
        } else {
            self.stalled += dt;
            if self.stalled >= patience {
                (self.gained, self.is_left_out) = (0.0, true);
            }
        }
    }
}

/// An agent that leaves a formation has no slot to keep any more.
pub(crate) fn leave(
    left: On<Remove<MemberOf>>,
    mut members: Query<(&MemberOf, &mut OffsetPursue, &mut FormationSlot)>,
) {
    if let Ok((of, mut pursue, mut slot)) = members.get_mut(left.entity) {
        give_up(of.0, &mut pursue, &mut slot);
    }
}

/// The members of a formation that is removed have no slots to keep, until there is another one.
pub(crate) fn disband(
    removed: On<Remove<Formation>>,
    formations: Query<&FormationMembers>,
    mut members: Query<(&mut OffsetPursue, &mut FormationSlot)>,
) {
    let Ok(of_formation) = formations.get(removed.entity) else { return };
    for member in of_formation.iter() {
        if let Ok((mut pursue, mut slot)) = members.get_mut(member) {
            give_up(removed.entity, &mut pursue, &mut slot);
        }
    }
}

fn give_up(anchor: Entity, pursue: &mut OffsetPursue, slot: &mut FormationSlot) {
    *slot = FormationSlot::default();
    // It may pursue something else by now.
    if pursue.target == anchor.into() {
        pursue.target = Target::None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a member that is `distance` spacings away for some seconds, and moves at a
    /// share of its top speed towards its slot.
    fn observed(slot: &mut FormationSlot, distance: f32, speed: f32, seconds: f32) {
        let measure = Measure { spacing: 2.0, patience: 3.0, dt: 0.1 };
        let (to_slot, body) = (Vec3::X * distance * measure.spacing, Vehicle::new(5.0));
        for _ in 0..(seconds * 10.0) as usize {
            slot.observe(to_slot, Vec3::X * speed * body.max_speed, &body, measure);
        }
    }

    #[test]
    fn the_anchor_waits_the_more_the_farther_a_member_is_behind() {
        let cohesion = |distance| FormationSlot { distance, ..default() }.cohesion(2.0);
        assert_eq!([0.0, 1.0, 2.5, 4.0, 1e9].map(cohesion), [1.0, 1.0, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn a_stuck_member_is_left_out_and_a_slow_one_is_not() {
        let mut slow = FormationSlot::default();
        observed(&mut slow, 1.5, 0.3, 60.0);
        assert!(!slow.is_left_out);
        let mut stuck = FormationSlot::default();
        observed(&mut stuck, 1.5, 0.0, 2.8);
        assert!(!stuck.is_left_out);
        observed(&mut stuck, 1.5, 0.0, 0.3);
        assert!(stuck.is_left_out);
        // To and fro in a dead end.
        for _ in 0..20 {
            observed(&mut stuck, 1.5, 0.5, 1.0);
            observed(&mut stuck, 1.5, -0.5, 1.0);
        }
        assert!(stuck.is_left_out);
        // It has come out.
        observed(&mut stuck, 6.0, 1.0, 2.0);
        assert!(!stuck.is_left_out);
        let mut stuck = FormationSlot { is_left_out: true, ..default() };
        observed(&mut stuck, 0.4, 0.0, 0.2);
        assert!(!stuck.is_left_out, "the anchor has come back");
    }

    #[test]
    fn one_that_is_in_its_slot_may_stand_for_ever() {
        let mut slot = FormationSlot::default();
        observed(&mut slot, 0.3, 0.0, 60.0);
        assert!(!slot.is_left_out && slot.stalled == 0.0);
    }
}
