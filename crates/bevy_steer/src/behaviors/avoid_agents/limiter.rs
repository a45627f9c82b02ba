//! [`Limiter`]: the limits that others put on the velocity of an agent.

use crate::{
    agent::{
        half_spaces::{HalfSpace, LimitRow},
        layers::SteeringLayers,
        velocity_limits::VelocityLimits,
    },
    behaviors::avoid_agents::avoidance::Avoidance,
    sensing::{EncounterBlock, EncounterView, GoalsOf, Pursuit},
    simd::{
        lanes::{Kernel, Lanes, WIDTH, unset_lanes},
        vector::{Vector, at, dot, unpacked},
    },
};

/// Adds the limits that matter in this tick: of the change from the present velocity, the part that
/// is made in it.
pub(super) struct Limiter<'a> {
    pub own: Avoidance,
    /// The layers that it avoids, if it has encounters in others too.
    pub layers: Option<SteeringLayers>,
    /// The goals of the agent, and the agents that have it as their goal.
    pub goals: GoalsOf<'a>,
    /// Whether it avoids those that it goes for too.
    pub avoid_targets: bool,
    pub view: EncounterView<'a>,
    /// Its encounters.
    pub slots: &'a [u32],
    pub limits: &'a mut VelocityLimits,
}

impl Kernel for Limiter<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        for slots in self.slots.chunks(WIDTH) {
            let mut block = self.view.block(l, slots);
            if let Some(layers) = self.layers {
                for (lane, &slot) in slots.iter().enumerate() {
                    let counts = self.view.layers(slot as usize).overlaps(layers);
                    block.lanes &= !(u8::from(!counts) << lane);
                }
            }
            let close = if self.goals.are_empty() { 0 } else { self.apply_goals(l, &mut block) };
            self.limit(l, &block, close);
        }
    }
}

impl Limiter<'_> {
    /// Leaves out those that the agent goes for, and those that go for it. Where only one of a pair
    /// goes for the other, that one alone avoids the collision, if it does at all. Returns those to
    /// which the agent comes close, one bit each: it wants no room beside their bodies.
    #[cold]
    #[inline(never)]
    fn apply_goals<L: Lanes>(&self, l: L, block: &mut EncounterBlock<L>) -> u8 {
        let mut eagerness = l.unpack(block.others.claim.eagerness);
        let [velocities, mut desired] =
            [block.others.velocity, block.others.claim.desired].map(|v| unpacked(l, v));
        let mut close = 0;
        for lane in unset_lanes(!block.lanes) {
            let other = block.view.entity(block.slots[lane]);
            let Pursuit { reaches, pursues, is_pursued } = self.goals.pursuit(other);
            let is_close = pursues && !self.avoid_targets;
            let leaves_out = if pursues { reaches && is_close } else { is_pursued };
            block.lanes &= !(u8::from(leaves_out) << lane);
            close |= u8::from(is_close) << lane;
            if pursues && !is_pursued {
                eagerness[lane] = f32::NAN;
            }
            // Each of two that are bound for each other answers to what the other one does.
            if pursues || is_pursued {
                for (desired, velocity) in desired.iter_mut().zip(&velocities) {
                    desired[lane] = velocity[lane];
                }
            }
        }
        block.others.claim.eagerness = l.pack(eagerness);
        block.others.claim.desired = desired.map(|column| l.pack(column));
        close
    }

    #[inline(always)]
    fn limit<L: Lanes>(&mut self, l: L, block: &EncounterBlock<L>, close: u8) {
        let wants_room = l.bits_to_mask(!close);
        let [mut comfort, firm] = self.own.limits_in_lanes(l, &block.others, wants_room);
        let directed = l.lt(l.splat(0.0), dot(l, comfort.normal, comfort.normal));
        let in_place = block.lanes & !l.bits(directed);
        if in_place != 0 {
            comfort.normal = self.parting(l, block, comfort.normal, in_place);
        }
        for limit in [comfort, firm] {
            let (limit, matters) = self.own.row(l, limit);
            let lanes = block.lanes & l.bits(matters);
            if lanes == 0 {
                continue;
            }
            if self.limits.are_noted() {
                for (lane, one) in unpack(l, limit, lanes) {
                    self.limits.note(one, false, Some(block.view.entity(block.slots[lane])));
                }
            }
            self.limits.add_block(l, limit, lanes);
        }
    }

    /// These normals; of those that are in the same place, the direction in which they part.
    #[cold]
    #[inline(never)]
    fn parting<L: Lanes>(
        &self,
        l: L,
        block: &EncounterBlock<L>,
        normal: Vector<L>,
        in_place: u8,
    ) -> Vector<L> {
        let mut normals = unpacked(l, normal);
        for lane in unset_lanes(!in_place) {
            let normal = self.own.parting(block.view.id(block.slots[lane]));
            normals.iter_mut().zip(normal.to_array()).for_each(|(column, x)| column[lane] = x);
        }
        normals.map(|column| l.pack(column))
    }
}

/// Each limit with a bit set, and its lane.
fn unpack<L: Lanes>(
    l: L,
    (normal, bound, weight): LimitRow<L>,
    lanes: u8,
) -> impl Iterator<Item = (usize, HalfSpace)> {
    let normals = unpacked(l, normal);
    let [bounds, weights] = [bound, weight].map(|column| l.unpack(column));
    unset_lanes(!lanes).map(move |lane| {
        let (bound, weight) = (bounds[lane], weights[lane]);
        (lane, HalfSpace { normal: at(&normals, lane), bound, weight })
    })
}
