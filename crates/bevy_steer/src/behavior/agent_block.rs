//! [`AgentBlock`]: eight agents as a [`SimdBehavior`](crate::behavior::simd_behavior::SimdBehavior)
//! sees them.

use bevy::prelude::*;

use crate::{
    agent::{
        columns::AgentColumns,
        id::AgentId,
        index_slot::IndexSlot,
        tick_context::TickRef,
        vehicle::{Vehicle, VehicleBlock},
    },
    behavior::braking::{Agility, approach_reach, resolution},
    ecs::columns::aligned,
    simd::{
        lanes::{Lanes, WIDTH, every, pack},
        vector::{Vector, each, flattened, is_valid, length, positions, side_by_side, vector},
    },
    space::{bounds::shortest_on_axis, plane::SteeringPlane, point::Point},
};

/// Eight agents without rare components.
pub(crate) struct AgentBlock<'a> {
    pub plane: SteeringPlane,
    /// One for the coordinates in the plane, zero for the others.
    pub has: Vec3,
    pub tick: &'a TickRef<'a>,
    pub agents: &'a AgentColumns<'a>,
    /// The row of the first agent.
    pub first: usize,
}

impl<'a> AgentBlock<'a> {
    #[inline(always)]
    pub(crate) fn new(tick: &'a TickRef<'a>, agents: &'a AgentColumns<'a>, first: usize) -> Self {
        let plane = tick.settings.plane;
        Self { plane, has: plane.flatten(Vec3::ONE), tick, agents, first }
    }
}

impl AgentBlock<'_> {
    pub(crate) fn id(&self, i: usize) -> AgentId {
        self.agents.id[self.first + i]
    }

    #[inline]
    pub(crate) fn entries(&self) -> &[IndexSlot; WIDTH] {
        aligned(self.agents.entry, self.first)
    }

    #[inline(always)]
    pub(crate) fn velocity<L: Lanes>(&self, l: L) -> Vector<L> {
        flattened(l, side_by_side(l, aligned(self.agents.velocity, self.first)), self.has)
    }

    #[inline(always)]
    pub(crate) fn position<L: Lanes>(&self, l: L) -> Vector<L> {
        flattened(l, positions(l, aligned(self.agents.transform, self.first)), self.has)
    }

    #[inline]
    pub(crate) fn vehicles(&self) -> &[Vehicle; WIDTH] {
        aligned(self.agents.vehicle, self.first)
    }

    #[inline(always)]
    pub(crate) fn vehicle<L: Lanes>(&self, l: L) -> VehicleBlock<L> {
        VehicleBlock::new(l, self.vehicles())
    }

    /// The time until their next decisions, in seconds.
    #[inline(always)]
    pub(crate) fn dt<L: Lanes>(&self, l: L) -> L::F {
        let Some(thinks) = self.agents.think else { return l.splat(self.tick.dt) };
        let thinks = aligned(thinks, self.first);
        l.pack(every!(i => self.tick.dt * thinks[i].ticks() as f32))
    }

    /// Which of them are due to think, one bit each.
    #[inline(always)]
    pub(crate) fn due(&self) -> u8 {
        let Some(thinks) = self.agents.think else { return u8::MAX };
        let (thinks, ids) = (aligned(thinks, self.first), aligned(self.agents.id, self.first));
        let agents = thinks.iter().zip(ids).enumerate();
        let count = self.tick.count;
        agents.fold(0, |due, (i, (think, &id))| due | u8::from(think.is_due(id, count)) << i)
    }

    #[inline(always)]
    pub(crate) fn agility<L: Lanes>(&self, l: L) -> Agility<L> {
        let resolution = pack!(l, i => {
            resolution(self.plane.flatten(self.agents.transform[self.first + i].translation))
        });
        Agility::new(l, self.vehicle(l), self.dt(l), l.div(resolution, l.splat(self.tick.dt)))
    }

    /// The distance at which a surface begins to limit their speeds, in units.
    #[inline(always)]
    pub(crate) fn approach_reach<L: Lanes>(&self, l: L) -> L::F {
        let VehicleBlock { mass, max_force, radius, .. } = self.vehicle(l);
        let speed = length(l, self.velocity(l));
        approach_reach(l, [radius, speed, l.div(max_force, mass), self.dt(l)])
    }

    /// The way from each of them to its point, and whether that is a valid point in its plane.
    #[inline(always)]
    pub(crate) fn towards<L: Lanes>(&self, l: L, points: &[Point; WIDTH]) -> (Vector<L>, L::M) {
        let point = flattened(l, vector!(l, i => points[i].in_plane(self.plane)), self.has);
        let position = self.position(l);
        let offset = each!(d => {
            let straight = l.sub(point[d], position[d]);
            if self.has[d] == 0.0 {
                straight
            } else {
                shortest_on_axis(l, straight, self.tick.periods[d])
            }
        });
        (offset, is_valid(l, point))
    }
}
