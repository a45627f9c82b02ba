//! The data that the kernels of a flock read.

use bevy::prelude::*;

use crate::{
    agent::height::HeightSpan,
    behaviors::flock::params::ParamTable,
    neighbors::{EntryKind, NeighborIndex, PlaneIndex},
    simd::lanes::Lanes,
    space::{plane::SteeringPlane, vector::direction},
};

/// A plane with `D` coordinates, and how agents flock in it.
#[derive(Clone, Copy)]
pub(super) struct FlockContext<'a, const D: usize> {
    pub index: &'a NeighborIndex,
    pub own: &'a PlaneIndex,
    pub plane: SteeringPlane,
    /// The axis of each coordinate.
    pub axes: [usize; D],
    pub positions: [&'a [f32]; D],
    pub velocities: [&'a [f32]; D],
    pub table: &'a ParamTable,
}

impl<'a, const D: usize> FlockContext<'a, D> {
    pub(super) fn new(
        index: &'a NeighborIndex,
        plane: SteeringPlane,
        axes: [usize; D],
        table: &'a ParamTable,
    ) -> Self {
        let own = &index.planes[plane as usize];
        let positions = core::array::from_fn(|d| own.positions[d].get());
        let velocities = core::array::from_fn(|d| own.velocities[d].get());
        Self { index, own, plane, axes, positions, velocities, table }
    }

    /// The layers of the agent in this slot; none for what is not an agent.
    #[inline(always)]
    pub(super) fn layers_of(&self, slot: usize) -> u32 {
        let entry = || self.own.entry(slot);
        let is_agent = self.index.kinds.get(entry) == EntryKind::Agent;
        if is_agent { self.index.layers.get(entry) } else { 0 }
    }

    /// The layers of all, if all are agents with the same.
    fn same_layers(&self) -> Option<u32> {
        self.index.layers.same().filter(|_| self.index.kinds.same() == Some(EntryKind::Agent))
    }

    /// How far the entity in this slot reaches along the normal; `None` if all are level.
    #[inline]
    pub(super) fn span_of(&self, slot: usize) -> Option<HeightSpan> {
        self.own.spans.each().map(|spans| spans[self.own.entry(slot)])
    }

    /// Which of eight agents with these spans are level with the entity in a slot.
    #[inline(always)]
    pub(super) fn is_level<L: Lanes>(&self, l: L, slot: usize, [low, high]: [L::F; 2]) -> L::M {
        let span = self.span_of(slot).unwrap_or(HeightSpan::ALL);
        l.and(l.le(l.splat(span.low), high), l.le(low, l.splat(span.high)))
    }

    /// Whether some in reach of an agent may not count for it: they are at another height, in
    /// other layers, or no agents.
    pub(super) fn may_not_count(&self) -> bool {
        self.own.spans.each().is_some() || self.same_layers().is_none()
    }

    /// Whether the entities in two slots are level.
    pub(super) fn are_level(&self, a: usize, b: usize) -> bool {
        self.span_of(a).zip(self.span_of(b)).is_none_or(|(a, b)| a.meets(b))
    }

    /// The direction that the agent in this slot faces: along its velocity, or its heading at rest.
    pub(super) fn facing(&self, slot: usize) -> [f32; D] {
        let mut velocity = Vec3::ZERO;
        for d in 0..D {
            velocity[self.axes[d]] = self.velocities[d][slot];
        }
        let mut facing = direction(velocity);
        if facing == Vec3::ZERO {
            let standing = &self.table.standing[self.plane as usize];
            let own = self.own.entry(slot) as u32;
            let found = standing.binary_search_by_key(&own, |&(entry, _)| entry);
            facing = found.map_or(Vec3::ZERO, |i| standing[i].1);
        }
        self.axes.map(|axis| facing[axis])
    }
}
