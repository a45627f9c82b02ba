//! [`Arrangement`]: where the members of a formation should be in a tick, and where they are.

use bevy::{ecs::query::QueryData, prelude::*};
use bevy_steer::{
    AgentId, Bounds, Length, MAX_MAGNITUDE, OffsetPursue, SteeringPlane, Target, Vehicle, Velocity,
};

use crate::{
    frame::{Axes, Frame, is_valid},
    measure::Measure,
    members::FormationSlot,
};

/// An agent in a formation.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Member {
    id: &'static AgentId,
    pub(crate) slot: &'static mut FormationSlot,
    pursue: &'static mut OffsetPursue,
    transform: &'static Transform,
    velocity: &'static Velocity,
    pub(crate) vehicle: &'static Vehicle,
    plane: Option<&'static SteeringPlane>,
    bounds: Option<&'static Bounds>,
}

/// The formation of an anchor in a tick.
#[derive(Clone, Copy)]
pub(crate) struct Arrangement {
    pub(crate) anchor: Entity,
    pub(crate) frame: Frame,
    /// The direction that the pattern faces: a unit vector.
    pub(crate) heading: Vec3,
    /// The direction that it faced in the last tick.
    pub(crate) before: Vec3,
    /// The plane and the bounds of members that have none of their own.
    pub(crate) plane: SteeringPlane,
    pub(crate) bounds: Bounds,
    pub(crate) measure: Measure,
}

/// Where a member is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) id: AgentId,
    pub(crate) entity: Entity,
    /// As seen from the anchor: ahead, to the left, up, in spacings.
    pub(crate) offset: Vec3,
}

/// How well a formation is together.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) cohesion: f32,
    /// The pace of a formation that is together, in units a second. `None` without members.
    pub(crate) top_pace: Option<f32>,
    /// Whether all members are in their slots.
    pub(crate) is_complete: bool,
}

impl Arrangement {
    /// The direction that the pattern faces, in this plane.
    fn heading_in(&self, plane: SteeringPlane) -> Vec3 {
        let heading = plane.flatten(self.heading).try_normalize();
        heading.unwrap_or_else(|| self.frame.heading(plane))
    }

    /// Where members are, in an order that does not depend on when they became members.
    pub(crate) fn places(&self, entities: &[Entity], members: &mut Query<Member>) -> Vec<Place> {
        let mut places = Vec::with_capacity(entities.len());
        for &entity in entities {
            let Ok(member) = members.get_mut(entity) else { continue };
            let plane = member.plane.copied().unwrap_or(self.plane);
            let axes = Axes::of_heading(plane, self.heading_in(plane));
            let offset = axes.coordinates(self.offset_to(&member, plane)) / self.measure.spacing;
            places.push(Place { id: *member.id, entity, offset });
        }
        places.sort_unstable_by_key(|place| (place.id, place.entity));
        places
    }

    /// The offset from the anchor to a member, in the member's plane.
    fn offset_to(&self, member: &MemberItem, plane: SteeringPlane) -> Vec3 {
        let position = member.transform.translation;
        // One that is nowhere may get any slot.
        let position = if is_valid(position) { position } else { self.frame.position };
        let bounds = member.bounds.unwrap_or(&self.bounds);
        bounds.shortest(plane.flatten(position - self.frame.position))
    }

    /// Tells the members their slots, and measures how far they are from them.
    pub(crate) fn guide(
        &self,
        slots: &[Vec2],
        entities: &[Entity],
        members: &mut Query<Member>,
    ) -> State {
        /// The share of the slowest member's top speed that the anchor uses. The rest is for
        /// catching up, and for the outside of a turn.
        const PACE: f32 = 0.9;
        let spacing = self.measure.spacing;
        let (mut cohesion, mut slowest) = (1.0_f32, f32::INFINITY);
        let (mut is_complete, mut has_members) = (true, false);
        for &entity in entities {
            let Ok(mut member) = members.get_mut(entity) else { continue };
            let Some(&slot) = slots.get(member.slot.index as usize) else { continue };
            self.guide_one(&mut member, slot * spacing);
            // What it has reported may be about another slot.
            let body = Length::Radii(1.0).in_units(member.vehicle);
            is_complete &= member.pursue.has_arrived() && member.slot.distance <= body;
            if member.slot.is_left_out {
                continue;
            }
            has_members = true;
            cohesion = cohesion.min(member.slot.cohesion(spacing));
            // One that is pinned in place is stuck as soon as the anchor has left it.
            if member.vehicle.max_speed > 0.0 {
                slowest = slowest.min(member.vehicle.max_speed);
            }
        }
        // All members may be pinned.
        let top_pace = has_members.then_some((PACE * slowest).min(MAX_MAGNITUDE));
        State { cohesion, top_pace, is_complete: is_complete && has_members }
    }

    /// Tells a member its slot, in units as seen from the anchor, and notes how far it is from it.
    fn guide_one(&self, member: &mut MemberItem, slot: Vec2) {
        let plane = member.plane.copied().unwrap_or(self.plane);
        let in_world = Axes::of_heading(plane, self.heading_in(plane)).offset(slot);
        // The anchor may face elsewhere than the pattern, which turns more slowly.
        let anchor_heading = self.frame.heading(plane);
        let limit = Vec3::splat(MAX_MAGNITUDE);
        let local = (plane.rotation(anchor_heading).inverse() * in_world).clamp(-limit, limit);
        let target = Target::Entity(self.anchor);
        if member.pursue.target != target || member.pursue.offset != local {
            (member.pursue.target, member.pursue.offset) = (target, local);
        }
        // It derives the velocity of its slot from the turn of the anchor since the last tick. Here
        // that is the turn of the pattern.
        let turn_back = Quat::from_rotation_arc(self.heading, self.before);
        member.pursue.bypass_change_detection().memory.seen_heading =
            plane.flatten(turn_back * anchor_heading);

        let bounds = member.bounds.unwrap_or(&self.bounds);
        let to_slot = bounds.shortest(in_world - self.offset_to(member, plane));
        let (velocity, vehicle) = (plane.flatten(member.velocity.0), member.vehicle);
        let slot = member.slot.bypass_change_detection();
        slot.observe(to_slot, velocity, vehicle, self.measure);
    }
}
