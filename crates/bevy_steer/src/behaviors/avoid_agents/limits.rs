//! [`Limiter`]: the limits that others put on the velocity of an agent.

use bevy::prelude::*;

use crate::{
    agent::{
        encounter_request::EncounterRequest,
        half_spaces::{HalfSpace, LimitRow},
        id::AgentId,
        layers::SteeringLayers,
        right_of_way::{Claim, RightOfWay},
        velocity_limits::{Haste, VelocityLimits},
    },
    behavior::{Agent, braking::stoppable},
    behaviors::avoid_agents::velocity_obstacle::Pair,
    sensing::{EncounterBlock, EncounterView, GoalsOf, Pursuit},
    simd::{
        lanes::{Arithmetic, Kernel, Lanes, WIDTH, unset_lanes},
        vector::{NEGLIGIBLE, Vector, at, dot, each, length, select, unpacked},
    },
    space::plane::SteeringPlane,
};

/// Finds the limits that matter in this tick: of the change from the present velocity, the part
/// that is made in it.
pub(super) struct Limiter<'a, T> {
    pub(super) id: AgentId,
    pub(super) own: Body,
    pub(super) claim: Claim,
    /// The layers that it avoids, if it has encounters in others too.
    pub(super) layers: Option<SteeringLayers>,
    /// The goals of the agent, and the agents that have it as their goal.
    pub(super) goals: GoalsOf<'a>,
    /// Whether it avoids those that it goes for too.
    pub(super) avoid_targets: bool,
    /// The unit vector to where the agent wants to go.
    pub(super) ahead: Vec3,
    pub(super) view: EncounterView<'a>,
    /// Its encounters.
    pub(super) slots: &'a [u32],
    pub(super) found: &'a mut T,
}

/// What is done with limits that were found.
pub(super) trait TakeLimits {
    /// Takes those of eight limits with a bit set.
    fn take<L: Lanes>(&mut self, l: L, others: &EncounterBlock<L>, limit: LimitRow<L>, lanes: u8);
}

impl TakeLimits for VelocityLimits {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, l: L, others: &EncounterBlock<L>, limit: LimitRow<L>, lanes: u8) {
        if self.are_noted() {
            for (lane, one) in unpack(l, limit, lanes) {
                self.note(one, false, Some(others.view.entity(others.slots[lane])));
            }
        }
        self.add_block(l, limit, lanes);
    }
}

/// Calls a function with each limit, and the slot of the other one.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(HalfSpace, usize)> TakeLimits for Each<F> {
    fn take<L: Lanes>(&mut self, l: L, others: &EncounterBlock<L>, limit: LimitRow<L>, lanes: u8) {
        unpack(l, limit, lanes).for_each(|(lane, one)| self.0(one, others.slots[lane]));
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

impl<T: TakeLimits> Kernel for Limiter<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        for slots in self.slots.chunks(WIDTH) {
            let mut others = self.view.block(l, slots);
            if let Some(layers) = self.layers {
                for (lane, &slot) in slots.iter().enumerate() {
                    let counts = self.view.layers(slot as usize).overlaps(layers);
                    others.lanes &= !(u8::from(!counts) << lane);
                }
            }
            let close = if self.goals.are_empty() { 0 } else { self.apply_goals(l, &mut others) };
            self.limit(l, &others, close);
        }
    }
}

impl<T: TakeLimits> Limiter<'_, T> {
    /// Leaves out those that the agent goes for, and those that go for it. Where only one of a pair
    /// goes for the other, that one alone avoids the collision, if it does at all. Returns those to
    /// which the agent comes close, one bit each: it wants no room beside their bodies.
    #[cold]
    #[inline(never)]
    fn apply_goals<L: Lanes>(&self, l: L, others: &mut EncounterBlock<L>) -> u8 {
        let mut eagerness = l.unpack(others.claim.eagerness);
        let [velocities, mut desired] =
            [others.velocity, others.claim.desired].map(|v| unpacked(l, v));
        let mut close = 0;
        for lane in unset_lanes(!others.lanes) {
            let other = others.view.entity(others.slots[lane]);
            let Pursuit { reaches, pursues, is_pursued } = self.goals.pursuit(other);
            let is_close = pursues && !self.avoid_targets;
            let leaves_out = if pursues { reaches && is_close } else { is_pursued };
            others.lanes &= !(u8::from(leaves_out) << lane);
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
        others.claim.eagerness = l.pack(eagerness);
        others.claim.desired = desired.map(|column| l.pack(column));
        close
    }

    #[inline(always)]
    fn limit<L: Lanes>(&mut self, l: L, others: &EncounterBlock<L>, close: u8) {
        let own = &self.own;
        let radius = l.select(others.has_body, others.radius, l.splat(own.radius));
        let mut room = l.splat(own.room);
        if close != 0 {
            room = l.select(l.bits_to_mask(close), l.min(room, l.splat(own.radius)), room);
        }
        let ahead = l.div(
            dot(l, others.offset, each!(d => l.splat(self.ahead[d]))),
            l.max(others.distance, l.splat(NEGLIGIBLE)),
        );
        let right = self.claim.right_of_way_in_lanes(l, others.claim, ahead);
        // Whoever gives way does so to what the other one wants, as far as that is held up.
        let gives = right.yielding;
        let wanted = l.sub(l.add(others.claim.room, l.splat(own.radius)), radius);
        let yields = l.and(l.lt(l.splat(0.0), gives), l.bits_to_mask(!close));
        room = l.select(yields, l.max(room, wanted), room);
        let answers = l.mul(gives, others.claim.stuck);
        let velocity = each!(d => {
            let (now, then) = (others.velocity[d], others.claim.desired[d]);
            l.add(now, l.mul(answers, l.sub(then, now)))
        });
        let way = (others.offset, others.distance);
        let near = Near::of(l, own, way, velocity, room, radius);
        let [mut comfort, firm] = near.limits(l, own, right);
        let directed = l.lt(l.splat(0.0), dot(l, comfort.normal, comfort.normal));
        let in_place = others.lanes & !l.bits(directed);
        if in_place != 0 {
            comfort.normal = self.parting(l, others, comfort.normal, in_place);
        }
        for limit in [comfort, firm] {
            let (limit, matters) = own.limit(l, limit);
            let lanes = others.lanes & l.bits(matters);
            if lanes != 0 {
                self.found.take(l, others, limit, lanes);
            }
        }
    }

    /// These normals; of those that are in the same place, the direction in which they part.
    #[cold]
    #[inline(never)]
    fn parting<L: Lanes>(
        &self,
        l: L,
        others: &EncounterBlock<L>,
        normal: Vector<L>,
        in_place: u8,
    ) -> Vector<L> {
        let mut normals = unpacked(l, normal);
        for lane in unset_lanes(!in_place) {
            let other = others.view.id(others.slots[lane]);
            let normal = self.own.plane.parting(self.id.0, other.0);
            normals.iter_mut().zip(normal.to_array()).for_each(|(column, x)| column[lane] = x);
        }
        normals.map(|column| l.pack(column))
    }
}

/// What an agent knows of itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) plane: SteeringPlane,
    velocity: Vec3,
    pub(super) radius: f32,
    /// The radius of the room that it wants, in units.
    room: f32,
    max_speed: f32,
    max_acceleration: f32,
    response: f32,
    look_ahead: f32,
    haste: Haste,
    /// The largest change of velocity in a tick.
    reach: f32,
}

impl Body {
    pub(super) fn of(agent: &Agent, room: f32, look_ahead: f32) -> Self {
        let max_acceleration = agent.vehicle.max_acceleration();
        Self {
            plane: agent.plane,
            velocity: agent.velocity,
            radius: agent.vehicle.radius,
            room,
            max_speed: agent.vehicle.max_speed,
            max_acceleration,
            response: agent.response(),
            look_ahead,
            haste: Haste::of(agent.response(), agent.dt),
            reach: max_acceleration * agent.dt,
        }
    }

    /// Which others it has to know of.
    pub(super) fn request(&self) -> EncounterRequest {
        // Firm limits are for those that pass nearly as near as they touch.
        let room = self.room.max(FRINGE * self.radius);
        let spare = self.haste.spare(self.reach) / (0.5 - SHIFT);
        EncounterRequest { spare, ..EncounterRequest::new(room, self.look_ahead) }
    }

    /// The limits on the velocity of the next tick, and which of them are valid and may matter in
    /// it.
    #[inline(always)]
    pub(super) fn limit<L: Arithmetic>(&self, l: L, limit: NearLimit<L>) -> (LimitRow<L>, L::M) {
        let NearLimit { normal, missing, weight } = limit;
        let present = dot(l, each!(d => l.splat(self.velocity[d])), normal);
        let bound = l.add(present, missing);
        let may_matter = l.lt(l.splat(-self.reach), missing);
        let is_finite = l.lt(l.abs(bound), l.splat(f32::INFINITY));
        let is_directed = l.lt(l.splat(0.0), dot(l, normal, normal));
        let matters = l.and(may_matter, l.and(is_finite, is_directed));
        ((normal, bound, weight), matters)
    }
}

/// How far agents look ahead near others, in multiples of the response time, and how it grows with
/// the gap, in multiples of the time that the gap takes at top speed: in a dense crowd an agent
/// that looked far would not make progress.
const NEAR_LOOK_AHEAD: [f32; 2] = [4.0, 2.0];

/// By how much the right of way changes the share of the avoiding, which is else one half.
const SHIFT: f32 = 0.2;
/// By how much it shortens the look-ahead of the agent that has it.
const SHORTENED: f32 = 0.7;

/// How much more it counts that an agent gives way, if it is not eager at all.
const YIELDING: f32 = 10.0;

/// Firm limits matter to those that pass at less than this multiple of the distance at which they
/// touch.
const PASSING: f32 = 1.1;
/// The least room in which others are looked for, in radii: as large an agent that passes at that
/// distance is found.
const FRINGE: f32 = 2.0 * PASSING - 1.0;

/// Bodies keep this far clear of each other, in radii.
const CLEAR: f32 = 0.06;
/// The weight of a limit that keeps bodies from touching.
const FIRM_WEIGHT: f32 = 200.0;

/// One other agent; several in lanes.
#[derive(Clone, Copy)]
pub(super) struct Near<L: Arithmetic> {
    /// With the distance that both want to keep.
    pair: Pair<L>,
    /// At this distance they touch.
    touch: L::F,
}

/// A limit that the present velocity misses by so much, after the share of the agent and of the
/// tick.
#[derive(Clone, Copy)]
pub(super) struct NearLimit<L: Arithmetic> {
    pub(super) normal: Vector<L>,
    missing: L::F,
    weight: L::F,
}

impl<L: Arithmetic> Near<L> {
    /// `offset` is the way to it, `distance` the length of that; `room` is what the agent wants
    /// around it.
    #[inline(always)]
    pub(super) fn of(
        l: L,
        own: &Body,
        (offset, distance): (Vector<L>, L::F),
        velocity: Vector<L>,
        room: L::F,
        radius: L::F,
    ) -> Self {
        let per_distance = l.div(l.splat(-1.0), l.max(distance, l.splat(NEGLIGIBLE)));
        let away = each!(d => l.mul(offset[d], per_distance));
        let relative = each!(d => l.sub(l.splat(own.velocity[d]), velocity[d]));
        let room = l.add(room, radius);
        let touch = l.add(l.splat(own.radius), radius);
        Self { pair: Pair { away, distance, relative, room }, touch }
    }

    /// A soft limit that keeps room within the look-ahead, and a firm one that keeps the bodies
    /// from coming too fast too near.
    #[inline(always)]
    pub(super) fn limits(
        &self,
        l: L,
        own: &Body,
        right: RightOfWay<L::F, L::M>,
    ) -> [NearLimit<L>; 2] {
        let RightOfWay { precedence, is_shared, .. } = right;
        let (zero, half, one) = (l.splat(0.0), l.splat(0.5), l.splat(1.0));
        let share = l.select(is_shared, l.sub(half, l.mul(l.splat(SHIFT), precedence)), one);
        let [least, grows] = NEAR_LOOK_AHEAD;
        let Pair { distance, room, .. } = self.pair;
        let per_speed = l.splat(grows / own.max_speed.max(f32::MIN_POSITIVE));
        let gap = l.mul(l.max(l.sub(distance, room), zero), per_speed);
        let shortened = l.select(l.lt(zero, precedence), l.splat(SHORTENED), one);
        let whole = l.splat(own.look_ahead);
        let near = l.min(l.add(l.splat(least * own.response), gap), whole);
        let look_ahead = l.min(l.mul(near, l.sub(one, l.mul(shortened, precedence))), whole);
        let (normal, missing) = self.pair.velocity_obstacle(l, own.plane, look_ahead, own.response);
        // Of what there is to spare the other one leaves as much as it does not need.
        let spare = l.select(is_shared, l.sub(one, share), one);
        let is_missing = l.lt(zero, missing);
        let [made, used] = [true, false].map(|is_missing| own.haste.part(is_missing));
        let share = l.select(is_missing, l.mul(share, l.splat(made)), l.mul(spare, l.splat(used)));
        let missing = l.mul(missing, share);
        // To make room counts more than to be back in its place.
        let gives = l.max(l.neg(precedence), zero);
        let gives = l.mask(is_shared, gives);
        let weight = l.add(one, l.mul(l.splat(YIELDING - 1.0), gives));
        let weight = l.mul(l.splat(HalfSpace::WEIGHT), weight);
        let comfort = NearLimit { normal, missing, weight };
        [comfort, self.firm_limit(l, own, l.select(is_shared, half, one))]
    }

    /// Never faster towards the other one than both can stop from, if they would touch; or past it,
    /// if that takes less.
    #[inline(always)]
    fn firm_limit(&self, l: L, own: &Body, share: L::F) -> NearLimit<L> {
        let Self { pair: Pair { away, distance, relative, .. }, touch } = *self;
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let gap = l.sub(l.sub(distance, touch), l.splat(CLEAR * own.radius));
        let closing = l.neg(dot(l, relative, away));
        let (acceleration, delay) = (0.8 * own.max_acceleration, 0.5 * own.response);
        let stops = stoppable(l, gap, l.splat(acceleration), l.splat(delay));
        let leaves = l.mul(gap, l.splat(1.0 / own.response));
        let allowed = l.select(l.lt(zero, gap), stops, leaves);
        let missing = l.mul(share, l.sub(closing, allowed));
        let firm = NearLimit { normal: away, missing, weight: l.splat(FIRM_WEIGHT) };
        // Mostly none of them is near.
        if !l.any(l.lt(l.splat(-own.reach), missing)) {
            return firm;
        }
        // How near they would pass each other.
        let squared = l.max(dot(l, relative, relative), l.splat(f32::MIN_POSITIVE));
        let time = l.max(l.div(l.mul(closing, distance), squared), zero);
        let passing = each!(d => l.add(l.mul(away[d], distance), l.mul(relative[d], time)));
        let miss = length(l, passing);
        let beside = l.sub(l.mul(l.splat(PASSING), touch), miss);
        let certainty = l.div(beside, l.mul(l.splat(PASSING - 1.0), touch));
        let certainty = l.max(l.min(certainty, one), zero);
        let reach = l.splat(own.reach);
        let missing = l.sub(l.mul(l.add(missing, reach), certainty), reach);
        // Out of the way of what is fast it is nearer to the side than ahead of it.
        let pair = Pair { room: l.sub(distance, gap), ..self.pair };
        let (aside, missing_aside) = pair.cone(l, own.plane, closing);
        let missing_aside = l.mul(share, missing_aside);
        let steps_aside = l.and(l.lt(zero, gap), l.lt(missing_aside, missing));
        let normal = select(l, steps_aside, aside, away);
        NearLimit { normal, missing: l.select(steps_aside, missing_aside, missing), ..firm }
    }
}
