//! All others that an agent may meet, as limits on its velocity, eight at a time.

use bevy::prelude::*;

use crate::{
    agent::{
        half_spaces::{HalfSpace, LimitRow},
        id::AgentId,
        velocity_limits::VelocityLimits,
    },
    behaviors::avoid_agents::{
        drive::Drive,
        near::{Body, Near},
    },
    neighbors::{Meet, Met, Other},
    simd::{
        lanes::{Lanes, unset_lanes},
        vector::{Vector, at, dot, unpacked},
    },
};

/// Finds the limits that matter in this tick: of the change from the present velocity, the part
/// that is made in it.
pub(super) struct Limiter<'a, T> {
    pub(super) id: AgentId,
    pub(super) own: Body,
    pub(super) drive: Drive,
    /// The unit vector to where the agent wants to go.
    pub(super) ahead: Vec3,
    pub(super) found: &'a mut T,
}

/// What is done with limits that were found.
pub(super) trait TakeLimits {
    /// Takes those of eight limits with a bit set.
    fn take<L: Lanes>(&mut self, l: L, met: &Met<L>, limit: LimitRow<L>, bits: u8);
}

impl TakeLimits for VelocityLimits {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, l: L, met: &Met<L>, limit: LimitRow<L>, bits: u8) {
        if self.are_noted() {
            let limits = unpack(l, limit, bits);
            limits.for_each(|(lane, one)| self.note(one, false, Some(met.other(lane).entity())));
        }
        self.add_block(l, limit, bits);
    }
}

/// Calls a function with each limit.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(HalfSpace, &Other)> TakeLimits for Each<F> {
    fn take<L: Lanes>(&mut self, l: L, met: &Met<L>, limit: LimitRow<L>, bits: u8) {
        unpack(l, limit, bits).for_each(|(lane, one)| self.0(one, &met.other(lane)));
    }
}

/// Each limit with a bit set, and its lane.
fn unpack<L: Lanes>(
    l: L,
    (normal, bound, weight): LimitRow<L>,
    bits: u8,
) -> impl Iterator<Item = (usize, HalfSpace)> {
    let normals = unpacked(l, normal);
    let [bounds, weights] = [bound, weight].map(|column| l.unpack(column));
    unset_lanes(!bits).map(move |lane| {
        let (bound, weight) = (bounds[lane], weights[lane]);
        (lane, HalfSpace { normal: at(&normals, lane), bound, weight })
    })
}

impl<T: TakeLimits> Meet for Limiter<'_, T> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, l: L, met: &Met<L>) {
        let own = &self.own;
        let is_agent = l.le(l.splat(0.0), met.radius);
        let radius = l.select(is_agent, met.radius, l.splat(own.radius));
        let near = Near::of(l, own, (met.offset, met.distance), met.velocity, radius);
        let ahead = near.ahead(l, self.ahead);
        let right = self.drive.right_of_way(l, met.told.into(), ahead);
        let [mut comfort, firm] = near.limits(l, own, right);
        let directed = l.lt(l.splat(0.0), dot(l, comfort.normal, comfort.normal));
        let in_place = met.bits & !l.bits(directed);
        if in_place != 0 {
            comfort.normal = self.parting(l, met, comfort.normal, in_place);
        }
        for limit in [comfort, firm] {
            let (limit, matters) = own.limit(l, limit);
            let bits = met.bits & l.bits(matters);
            if bits != 0 {
                self.found.take(l, met, limit, bits);
            }
        }
    }
}

impl<T> Limiter<'_, T> {
    /// These normals; of those that are in the same place, the direction in which they part.
    #[cold]
    #[inline(never)]
    fn parting<L: Lanes>(&self, l: L, met: &Met<L>, normal: Vector<L>, in_place: u8) -> Vector<L> {
        let mut normals = unpacked(l, normal);
        for lane in unset_lanes(!in_place) {
            let normal = self.own.plane.parting(self.id.0, met.other(lane).id().0);
            normals.iter_mut().zip(normal.to_array()).for_each(|(column, x)| column[lane] = x);
        }
        normals.map(|column| l.pack(column))
    }
}
