//! The system that assigns slots, and finds out how well formations are together.

use bevy::{
    ecs::{query::QueryData, relationship::RelationshipTarget},
    prelude::*,
};
use bevy_steer::{
    AgentId, AngularVelocity, Bounds, Heading, SteeringPlane, SteeringSettings, Vehicle, Velocity,
    WorldBounds,
};

use crate::{
    arrangement::{Arrangement, Member, Place, State},
    assignment::{assign, total_way},
    events::{FormationBroken, FormationFormed},
    formation::{Formation, Turn},
    frame::Frame,
    measure::{Measure, Reported},
    members::{FormationMembers, FormationSlot},
    wait::WaitForMembers,
};

/// The anchor of a formation.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Anchor {
    entity: Entity,
    formation: &'static mut Formation,
    members: Option<&'static FormationMembers>,
    transform: &'static Transform,
    velocity: Option<&'static Velocity>,
    heading: Option<&'static Heading>,
    vehicle: Option<&'static Vehicle>,
    plane: Option<&'static SteeringPlane>,
    waits: Option<&'static WaitForMembers>,
    /// Whether it turns by itself, rather than face along its velocity.
    turns: Has<AngularVelocity>,
    id: Option<&'static AgentId>,
    parent: Option<&'static ChildOf>,
}

/// An event that is to be triggered.
#[derive(Clone, Copy)]
enum Notice {
    Formed,
    Broken,
}

/// One tick of all formations: turns the patterns, assigns slots where something has changed, tells
/// each member its slot, and finds out how far the members are from theirs.
pub(crate) fn form_up(
    mut anchors: Query<Anchor>,
    mut members: Query<Member>,
    transforms: TransformHelper,
    mut commands: Commands,
    settings: Res<SteeringSettings>,
    bounds: Option<Res<WorldBounds>>,
    time: Res<Time>,
    mut reported: Local<Reported>,
) {
    let bounds = bounds.map_or(Bounds::UNBOUNDED, |bounds| bounds.0);
    let mut notices: Vec<(Option<AgentId>, Entity, Notice)> = Vec::new();
    for mut anchor in &mut anchors {
        // Members stay as they are while the anchor is nowhere.
        let Some(frame) = anchor.frame(&transforms) else { continue };
        let plane = anchor.plane.copied().unwrap_or(settings.plane);
        let list = anchor.members.map(|members| members.collection().as_slice());
        let entities: Vec<Entity> = list.unwrap_or_default().to_vec();
        let bodies = entities.iter().filter_map(|&entity| Some(members.get(entity).ok()?.vehicle));
        let bodies = bodies.chain(anchor.vehicle);
        let dt = time.delta_secs();
        let measure = Measure::new(anchor.entity, &anchor.formation, bodies, dt, &mut reported);

        let wanted = anchor.wanted_heading(&frame, plane);
        let memory = &mut *anchor.formation.bypass_change_detection().memory;
        let before = memory.heading;
        let turn = memory.turn(wanted, measure.spacing, dt);
        let heading = memory.heading;
        // Slots that have jumped have not gone round.
        let has_wheeled = turn == Turn::Wheels && before != Vec3::ZERO;
        let before = if has_wheeled { before } else { heading };
        let anchor_entity = anchor.entity;
        let arrangement =
            Arrangement { anchor: anchor_entity, frame, heading, before, plane, bounds, measure };

        let has_other_slots =
            anchor.assign_slots(turn, &arrangement, &entities, &mut members, &mut reported);
        let memory = &mut *anchor.formation.bypass_change_detection().memory;
        let state = arrangement.guide(&memory.slots, &entities, &mut members);
        if let Some(notice) = anchor.note(&state, has_other_slots, dt) {
            notices.push((anchor.id.copied(), anchor.entity, notice));
        }
    }
    notices.sort_by_key(|&(id, entity, _)| (id, entity));
    for (_, entity, notice) in notices {
        match notice {
            Notice::Formed => commands.trigger(FormationFormed { entity }),
            Notice::Broken => commands.trigger(FormationBroken { entity }),
        }
    }
}

impl AnchorItem<'_, '_> {
    fn frame(&self, transforms: &TransformHelper) -> Option<Frame> {
        let parent = match self.parent {
            Some(of) => Some(transforms.compute_global_transform(of.parent()).ok()?),
            None => None,
        };
        Frame::new(self.transform, self.heading, self.velocity, parent.as_ref())
    }

    /// The direction that the pattern should face: a unit vector.
    ///
    /// An agent that faces along its velocity says by what it requests where it will face: while it
    /// waits it may creep or be pushed anywhere.
    fn wanted_heading(&self, frame: &Frame, plane: SteeringPlane) -> Vec3 {
        /// Less of its top speed says nothing about the direction.
        const SLOW: f32 = 0.2;
        let (Some(vehicle), false) = (self.vehicle, self.turns) else {
            return frame.heading(plane);
        };
        let slow = SLOW * vehicle.max_speed;
        let waits = self.waits.filter(|waits| waits.blend.enabled);
        let desired = waits.map_or(Vec3::ZERO, |waits| plane.flatten(waits.memory.desired));
        let speed = self.velocity.map_or(0.0, |velocity| plane.flatten(velocity.0).length());
        let before = plane.flatten(self.formation.memory.wanted).try_normalize();
        match (desired.try_normalize(), before) {
            (Some(direction), _) if desired.length() > slow => direction,
            (_, Some(before)) if speed <= slow => before,
            _ => frame.heading(plane),
        }
    }

    /// Assigns slots if the pattern or the members have changed, or if the pattern has faced about.
    /// Returns whether there are other slots or members than before.
    fn assign_slots(
        &mut self,
        turn: Turn,
        arrangement: &Arrangement,
        entities: &[Entity],
        members: &mut Query<Member>,
        reported: &mut Reported,
    ) -> bool {
        /// When it faces about, members keep their slots unless the total way to others is shorter
        /// by this factor.
        const SHORTER: f64 = 0.9;
        let (anchor, has_place) = (self.entity, self.vehicle.is_some());
        let present: Vec<FormationSlot> =
            entities.iter().filter_map(|&entity| Some(*members.get(entity).ok()?.slot)).collect();
        let formation = self.formation.bypass_change_detection();
        let memory = &mut *formation.memory;
        let has_other_slots = !memory.pattern.is_same_as(&formation.pattern)
            || memory.has_place != has_place
            || memory.slots.len() != present.len();
        if has_other_slots {
            match formation.pattern.problem() {
                Some((field, problem)) => reported.warn(anchor, &field, &problem),
                None => reported.forget_pattern(anchor),
            }
            memory.pattern.clone_from(&formation.pattern);
            memory.has_place = has_place;
            memory.slots = formation.pattern.slots(present.len(), has_place);
        }
        let keeps_slots = !has_other_slots && is_permutation(&present, anchor);
        if keeps_slots && turn == Turn::Wheels {
            return false;
        }

        let places = arrangement.places(entities, members);
        let offsets: Vec<Vec3> = places.iter().map(|place| place.offset).collect();
        let assigned = assign(&offsets, &memory.slots);
        if keeps_slots {
            let kept = |place: &Place| Some(members.get(place.entity).ok()?.slot.index as usize);
            let kept: Vec<usize> = places.iter().filter_map(kept).collect();
            let way = |assigned: &[usize]| total_way(&offsets, &memory.slots, assigned);
            if way(&assigned) >= SHORTER * way(&kept) {
                return false;
            }
        }
        for (place, index) in places.iter().zip(assigned) {
            if let Ok(mut member) = members.get_mut(place.entity) {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                *member.slot = FormationSlot { index, anchor: Some(anchor), ..default() };
            }
        }
        !keeps_slots
    }

    /// Notes how well the formation is together. Returns what is to be said about it, if it is new.
    fn note(&mut self, state: &State, has_other_slots: bool, dt: f32) -> Option<Notice> {
        /// A formation is broken after a member has been far from its slot for this time, in
        /// seconds. Where an anchor turns about within a tick all are for a moment.
        const APART: f32 = 0.5;
        let memory = &mut *self.formation.bypass_change_detection().memory;
        memory.cohesion = state.cohesion;
        memory.top_pace = state.top_pace;
        memory.apart = if state.cohesion > 0.0 { 0.0 } else { memory.apart + dt };
        let is_apart = memory.apart >= APART || has_other_slots || state.top_pace.is_none();
        let notice = match (memory.is_formed, state.is_complete) {
            (false, true) => Notice::Formed,
            (true, false) if is_apart => Notice::Broken,
            _ => return None,
        };
        memory.is_formed = matches!(notice, Notice::Formed);
        Some(notice)
    }
}

/// Whether each slot is that of one member, in the formation of this anchor.
fn is_permutation(slots: &[FormationSlot], anchor: Entity) -> bool {
    let mut is_taken = vec![false; slots.len()];
    slots.iter().all(|slot| {
        let taken = is_taken.get_mut(slot.index as usize);
        slot.is_of(anchor) && taken.is_some_and(|taken| !core::mem::replace(taken, true))
    })
}
