//! [`AgentRecord`]: what others know of an agent.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use bevy::prelude::*;

use crate::{
    agent::right_of_way::Claim,
    ecs::parallel::{pieces_for, run_all},
    neighbors::{EntryKind, NeighborIndex, point},
    sensing::encounter_requests::EncounterRequests,
    simd::vector::NEGLIGIBLE,
    space::{bounds::shortest, plane::SteeringPlane},
};

/// What others know of an agent. In one place, as those that an agent encounters are here and there
/// in the columns of the index.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct AgentRecord {
    /// The position, and the radius: below zero for what has no body.
    pub position: [f32; 4],
    /// The velocity, and the eagerness of its [`Claim`]: NaN for what avoids nobody.
    pub velocity: [f32; 4],
    /// Its claim: how stuck it is, its turn, its room; and whether it tells of its goal, as 1 or 0.
    pub claim: [f32; 4],
    /// The offset to its goal if it tells of that, else the velocity that it wants; and the factor
    /// that makes that velocity of it.
    pub intent: [f32; 4],
}

impl AgentRecord {
    /// Whether it is a body that avoids nobody.
    pub(super) fn is_passive(&self) -> bool {
        let Self { position: [.., radius], velocity: [.., eagerness], .. } = *self;
        radius >= 0.0 && eagerness.is_nan()
    }

    /// Its claim; `None` for what avoids nobody.
    pub(super) fn claim(&self) -> Option<Claim> {
        let Self { velocity: [.., eagerness], claim: [stuck, turn, room, _], .. } = *self;
        let [intent @ .., factor] = self.intent;
        let desired = intent.map(|x| x * factor);
        (!eagerness.is_nan()).then_some(Claim { eagerness, stuck, turn, desired, room })
    }

    /// The goal that it has almost reached.
    pub(super) fn near_goal(&self) -> Option<Vec3> {
        let Self { position: [place @ .., _], claim: [.., tells], intent: [way @ .., _], .. } =
            *self;
        (tells != 0.0).then_some(Vec3::from_array(place) + Vec3::from_array(way))
    }

    /// Those of all in a plane, by their slots. Returns whether any is
    /// [passive](Self::is_passive).
    pub(super) fn collect(
        index: &NeighborIndex,
        space: SteeringPlane,
        requests: &EncounterRequests,
        into: &mut Vec<Self>,
    ) -> bool {
        let have_passive = &AtomicBool::new(false);
        let plane = &index.planes[space as usize];
        into.resize(plane.len, Self::default());
        let size = plane.len.div_ceil(pieces_for(plane.len)).max(1);
        let jobs = into.chunks_mut(size).enumerate().map(|(piece, some)| {
            move || {
                let mut is_any = false;
                for (slot, one) in (piece * size..).zip(some) {
                    *one = Self::of(index, space, requests, slot);
                    is_any |= one.is_passive();
                }
                if is_any {
                    have_passive.store(true, Relaxed);
                }
            }
        });
        run_all(jobs.collect());
        have_passive.load(Relaxed)
    }

    fn of(
        index: &NeighborIndex,
        space: SteeringPlane,
        requests: &EncounterRequests,
        slot: usize,
    ) -> Self {
        let plane = &index.planes[space as usize];
        let entry = plane.entry(slot);
        let [x, y, z] = space.unproject(point(&plane.positions, slot)).to_array();
        let [vx, vy, vz] = space.unproject(point(&plane.velocities, slot)).to_array();
        let has_body = index.kinds.get(|| entry) == EntryKind::Agent;
        let radius = if has_body { index.radii.get(|| entry) } else { -1.0 };
        let mut claim = requests.claim(entry);
        let periods = space.flatten(index.bounds.periods());
        let to_goal = requests
            .near_goal(entry)
            .map(|goal| shortest(space.flatten(goal) - Vec3::new(x, y, z), periods));
        // An agent that is near its goal does not give way to others that want to go there too.
        if let (Some(claim), Some(way)) = (&mut claim, to_goal)
            && way.length() > radius
        {
            claim.eagerness = claim.eagerness.max(1.0);
        }
        let Claim { eagerness, stuck, turn, desired, room } = claim.unwrap_or(Claim::PASSIVE);
        let desired = space.flatten(desired.into());
        let (intent, tells) = match to_goal {
            // Near its goal it wants to go straight there.
            Some(way) => (way.extend(desired.length() / way.length().max(NEGLIGIBLE)), 1.0),
            None => (desired.extend(1.0), 0.0),
        };
        Self {
            position: [x, y, z, radius],
            velocity: [vx, vy, vz, eagerness],
            claim: [stuck, turn, room, tells],
            intent: intent.to_array(),
        }
    }
}
