//! The limits that one other agent puts on the velocity.

use bevy::prelude::*;

use crate::{
    agent::velocity_limits::{HalfSpace, Haste},
    behavior::{Agent, braking::stoppable},
    behaviors::avoid_agents::{drive::RightOfWay, limit::Pair},
    neighbors::Approach,
    simd::{
        lanes::Arithmetic,
        vector::{NEGLIGIBLE, Vector, dot, each, length},
    },
    space::plane::SteeringPlane,
};

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
    horizon: f32,
    haste: Haste,
    /// The largest change of velocity in a tick.
    reach: f32,
}

impl Body {
    pub(super) fn of(agent: &Agent, room: f32, horizon: f32) -> Self {
        let max_acceleration = agent.vehicle.max_acceleration();
        Self {
            plane: agent.plane,
            velocity: agent.velocity,
            radius: agent.vehicle.radius,
            room,
            max_speed: agent.vehicle.max_speed,
            max_acceleration,
            response: agent.response(),
            horizon,
            haste: Haste::of(agent.response(), agent.dt),
            reach: max_acceleration * agent.dt,
        }
    }

    pub(super) fn approach(&self) -> Approach {
        let Self { velocity, room, radius, horizon, max_speed, .. } = *self;
        let spare = self.spare();
        Approach { room, body: radius, velocity, spare, top_speed: max_speed, horizon }
    }

    /// How much faster the agent can come near something within a tick and its share of what there
    /// is to spare.
    fn spare(&self) -> f32 {
        self.haste.spare(self.reach) / (0.5 - SHIFT)
    }

    /// A limit that the present velocity misses by so much, unless it cannot matter in this tick.
    #[inline(always)]
    pub(super) fn limit(&self, normal: Vec3, missing: f32, weight: f32) -> Option<HalfSpace> {
        let bound = self.velocity.dot(normal) + missing;
        let matters = missing > -self.reach && bound.is_finite() && normal != Vec3::ZERO;
        matters.then_some(HalfSpace { normal, bound, weight })
    }

    /// Which limits may matter in this tick.
    #[inline(always)]
    pub(super) fn matters<L: Arithmetic>(&self, l: L, limit: &NearLimit<L>) -> L::M {
        l.lt(l.splat(-self.reach), limit.missing)
    }
}

/// The horizon near others, in multiples of the response time, and how it grows with the gap, in
/// multiples of the time that the gap takes at top speed: in a dense crowd an agent that looked
/// far would not get on.
const NEAR_HORIZON: [f32; 2] = [4.0, 2.0];

/// By how much the right of way changes the share of the avoiding, which is else one half.
const SHIFT: f32 = 0.2;
/// By how much it shortens the horizon of the agent that has it.
const SHORTENED: f32 = 0.7;

/// Bodies keep this far clear of each other, in radii.
const CLEAR: f32 = 0.06;
/// The weight of a limit that keeps bodies from touching.
const FIRM: f32 = 200.0;

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
    pub(super) missing: L::F,
    pub(super) weight: f32,
    /// Whether two in the same place part by it.
    pub(super) is_comfort: bool,
}

impl<L: Arithmetic> Near<L> {
    /// `offset` is the way to it, `distance` the length of that.
    #[inline(always)]
    pub(super) fn of(
        l: L,
        own: &Body,
        (offset, distance): (Vector<L>, L::F),
        velocity: Vector<L>,
        radius: L::F,
    ) -> Self {
        let per_distance = l.div(l.splat(-1.0), l.max(distance, l.splat(NEGLIGIBLE)));
        let away = each!(d => l.mul(offset[d], per_distance));
        let relative = each!(d => l.sub(l.splat(own.velocity[d]), velocity[d]));
        let room = l.add(l.splat(own.room), radius);
        let touch = l.add(l.splat(own.radius), radius);
        Self { pair: Pair { away, distance, relative, room }, touch }
    }

    /// The cosine between a unit vector and the way to it.
    #[inline(always)]
    pub(super) fn ahead(&self, l: L, direction: Vec3) -> L::F {
        l.neg(dot(l, each!(d => l.splat(direction[d])), self.pair.away))
    }

    /// Whether they would not come too near within the horizon even if the agent turned towards it
    /// as far as it can in a tick, which is cheaper to tell than their limits; or at top speed.
    #[inline(always)]
    pub(super) fn is_far(&self, l: L, own: &Body, approach: &Approach) -> L::M {
        let Pair { away, distance, relative, room } = self.pair;
        let gap = l.sub(distance, room);
        let closing = l.sub(l.splat(own.spare()), dot(l, relative, away));
        let way = l.mul(closing, l.splat(own.horizon));
        let other = each!(d => l.sub(l.splat(own.velocity[d]), relative[d]));
        let is_beyond = l.or(l.lt(way, gap), l.lt(approach.way(l, length(l, other)), gap));
        l.and(l.lt(l.splat(0.0), gap), is_beyond)
    }

    /// A soft limit that keeps room within the horizon, and a firm one that keeps the bodies from
    /// coming too fast too near.
    #[inline(always)]
    pub(super) fn limits(&self, l: L, own: &Body, right: RightOfWay<L>) -> [NearLimit<L>; 2] {
        let RightOfWay { of_way, is_shared } = right;
        let (zero, half, one) = (l.splat(0.0), l.splat(0.5), l.splat(1.0));
        let share = l.select(is_shared, l.sub(half, l.mul(l.splat(SHIFT), of_way)), one);
        let [least, grows] = NEAR_HORIZON;
        let Pair { distance, room, .. } = self.pair;
        let per_speed = l.splat(grows / own.max_speed.max(f32::MIN_POSITIVE));
        let gap = l.mul(l.max(l.sub(distance, room), zero), per_speed);
        let shortened = l.select(l.lt(zero, of_way), l.splat(SHORTENED), one);
        let whole = l.splat(own.horizon);
        let near = l.min(l.add(l.splat(least * own.response), gap), whole);
        let horizon = l.min(l.mul(near, l.sub(one, l.mul(shortened, of_way))), whole);
        let (normal, missing) = self.pair.velocity_obstacle(l, own.plane, horizon, own.response);
        // Of what there is to spare the other one leaves as much as it does not need.
        let spare = l.select(is_shared, l.sub(one, share), one);
        let is_missing = l.lt(zero, missing);
        let [made, used] = [true, false].map(|is_missing| own.haste.part(is_missing));
        let share = l.select(is_missing, l.mul(share, l.splat(made)), l.mul(spare, l.splat(used)));
        let comfort = NearLimit {
            normal,
            missing: l.mul(missing, share),
            weight: HalfSpace::WEIGHT,
            is_comfort: true,
        };
        [comfort, self.firm_limit(l, own, l.select(is_shared, half, one))]
    }

    /// Never faster towards the other one than both can stop from, if they would touch.
    #[inline(always)]
    fn firm_limit(&self, l: L, own: &Body, share: L::F) -> NearLimit<L> {
        let Self { pair: Pair { away, distance, relative, .. }, touch } = *self;
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let gap = l.sub(l.sub(distance, touch), l.splat(CLEAR * own.radius));
        let closing = l.neg(dot(l, relative, away));
        let stops = stoppable(l, gap, 0.8 * own.max_acceleration, 0.5 * own.response);
        let leaves = l.div(gap, l.splat(own.response));
        let allowed = l.select(l.lt(zero, gap), stops, leaves);
        let missing = l.mul(share, l.sub(closing, allowed));
        // How near they would pass each other.
        let squared = l.max(dot(l, relative, relative), l.splat(f32::MIN_POSITIVE));
        let time = l.max(l.div(l.mul(closing, distance), squared), zero);
        let passing = each!(d => l.add(l.mul(away[d], distance), l.mul(relative[d], time)));
        let miss = length(l, passing);
        let beside = l.sub(l.mul(l.splat(1.1), touch), miss);
        let certainty = l.div(beside, l.mul(l.splat(0.1), touch));
        let certainty = l.max(l.min(certainty, one), zero);
        let reach = l.splat(own.reach);
        let missing = l.sub(l.mul(l.add(missing, reach), certainty), reach);
        NearLimit { normal: away, missing, weight: FIRM, is_comfort: false }
    }
}
