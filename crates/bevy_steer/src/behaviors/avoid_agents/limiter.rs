//! All others that an agent may meet, as limits on its velocity, eight at a time.

use bevy::prelude::*;

use crate::{
    agent::{id::AgentId, velocity_limits::HalfSpace},
    behaviors::avoid_agents::{
        drive::{Drive, Drives},
        near::{Body, Near, NearLimit},
    },
    neighbors::{Approach, Meet, Met, Other},
    simd::{
        lanes::{Lanes, unset_lanes},
        vector::{at, unpacked},
    },
};

/// Calls `found` with the limits that matter in this tick: of the change from the present velocity,
/// the part that is made in it.
pub(super) struct Limiter<'a, F> {
    pub(super) id: AgentId,
    pub(super) own: Body,
    pub(super) approach: Approach,
    pub(super) drive: Drive,
    pub(super) drives: &'a Drives,
    /// The unit vector to where the agent wants to go.
    pub(super) ahead: Vec3,
    pub(super) found: F,
}

impl<F: FnMut(HalfSpace, &Other)> Meet for Limiter<'_, F> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, l: L, met: &Met<L>) {
        let own = &self.own;
        let is_agent = l.le(l.splat(0.0), met.radius);
        let radius = l.select(is_agent, met.radius, l.splat(own.radius));
        let near = Near::of(l, own, (met.offset, met.distance), met.velocity, radius);
        let bits = met.bits & !l.bits(near.is_far(l, own, &self.approach));
        if bits == 0 {
            return;
        }
        let drives = self.drives.block(l, &met.entries);
        let right = self.drive.right_of_way(l, drives, near.ahead(l, self.ahead));
        for limit in near.limits(l, own, right) {
            let bits = bits & l.bits(self.own.matters(l, &limit));
            self.add(l, met, &limit, bits);
        }
    }
}

impl<F: FnMut(HalfSpace, &Other)> Limiter<'_, F> {
    #[inline(always)]
    fn add<L: Lanes>(&mut self, l: L, met: &Met<L>, limit: &NearLimit<L>, bits: u8) {
        if bits == 0 {
            return;
        }
        let (normals, missing) = (unpacked(l, limit.normal), l.unpack(limit.missing));
        for lane in unset_lanes(!bits) {
            let (mut normal, other) = (at(&normals, lane), met.other(lane));
            if normal == Vec3::ZERO && limit.is_comfort {
                normal = self.own.plane.parting(self.id.0, other.id().0);
            }
            if let Some(limit) = self.own.limit(normal, missing[lane], limit.weight) {
                (self.found)(limit, &other);
            }
        }
    }
}
