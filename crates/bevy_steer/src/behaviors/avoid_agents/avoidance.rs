//! [`Avoidance`]: the limits that keep an agent off others.

use bevy::prelude::*;

use crate::{
    agent::{
        AgentId, Claim, EncounterRequest, HalfSpace, Haste, LimitRow, RightOfWay, VelocityLimit,
    },
    behavior::{Agent, braking::stoppable},
    behaviors::avoid_agents::velocity_obstacle::Pair,
    sensing::{Encounter, Other},
    simd::{Arithmetic, NEGLIGIBLE, One, Vector, dot, each, length, select},
    space::{SteeringPlane, direction},
};

/// How an agent keeps off others: the formulas of [`AvoidAgents`](crate::AvoidAgents) for one other
/// agent, for an avoidance behaviour of your own that decides which of its
/// [`Encounters`](crate::Encounters) count.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{Avoidance, EncounterRequest, Encounters, prelude::*};
///
/// /// Keeps clear of whatever is larger, and of nothing else.
/// #[derive(Component, Reflect, Clone, Default)]
/// #[reflect(Component)]
/// struct KeepClear {
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for KeepClear {
///     type Param = Encounters<'static>;
///     const PRIORITY: Priority = Priority::Critical;
///     const DRIVES: bool = false;
///     const ENCOUNTERS: bool = true;
///     const LIMITS: bool = true;
///     bevy_steer::blend_field!();
///
///     fn encounter_request(&self, agent: &Agent) -> Option<EncounterRequest> {
///         Some(Avoidance::new(agent, agent.vehicle.radius, 1.5).request())
///     }
///
///     fn steer(&mut self, _: &Agent, _: &ParamOf<Self>) -> Steering {
///         Steering::NONE
///     }
///
///     fn limits(
///         &mut self,
///         agent: &Agent,
///         encounters: &ParamOf<Self>,
///         limits: &mut VelocityLimits,
///     ) {
///         let radius = agent.vehicle.radius;
///         let avoidance = Avoidance::new(agent, radius, 1.5);
///         for other in encounters.of(agent).filter(|other| other.radius > Some(radius)) {
///             for limit in avoidance.limits(&other, false).into_iter().flatten() {
///                 limits.add(limit);
///             }
///         }
///     }
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_steering_behavior::<KeepClear>();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Avoidance {
    id: AgentId,
    plane: SteeringPlane,
    velocity: Vec3,
    radius: f32,
    /// The radius of the room that it wants, in units.
    room: f32,
    max_speed: f32,
    max_acceleration: f32,
    response: f32,
    look_ahead: f32,
    haste: Haste,
    /// The largest change of velocity in a tick.
    reach: f32,
    claim: Claim,
    /// The unit vector to where the agent wants to go.
    ahead: Vec3,
}

impl Avoidance {
    /// Of an agent that wants others to stay out of `room` units around its centre, and looks
    /// `look_ahead` seconds ahead. Of both, values below zero count as zero.
    pub fn new(agent: &Agent, room: f32, look_ahead: f32) -> Self {
        let max_acceleration = agent.vehicle.max_acceleration();
        Self {
            id: agent.id,
            plane: agent.plane,
            velocity: agent.velocity,
            radius: agent.vehicle.radius,
            room: room.max(0.0),
            max_speed: agent.vehicle.max_speed,
            max_acceleration,
            response: agent.response(),
            look_ahead: look_ahead.max(0.0),
            haste: Haste::of(agent.response(), agent.dt),
            reach: max_acceleration * agent.dt,
            claim: Claim::default(),
            ahead: Vec3::ZERO,
        }
    }

    /// Sets what decides the right of way: the agent's claim, as
    /// [others know it](crate::Encounters::claim), and the velocity that its behaviours
    /// [want](crate::VelocityLimits::desired), in units a second. Default: those of an idle agent.
    #[must_use]
    pub fn with_intent(self, claim: Claim, desired: Vec3) -> Self {
        Self { claim, ahead: direction(desired), ..self }
    }

    /// Which others it has to know of. Without a claim; one tells others that the agent avoids
    /// them: [`Agent::claim`].
    pub fn request(&self) -> EncounterRequest {
        // Firm limits are for those that pass nearly as near as they touch.
        let room = self.room.max(FRINGE * self.radius);
        let spare = self.haste.spare(self.reach) / (0.5 - SHIFT);
        EncounterRequest { spare, ..EncounterRequest::new(room, self.look_ahead) }
    }

    /// The limits on the velocity of the next tick that keep the agent off another one: first the
    /// one that keeps their room free within the look-ahead
    /// ([`velocity_obstacle`](crate::formulas::velocity_obstacle)), which takes its time, then one
    /// that keeps their bodies from touching. `None` for what cannot matter in this tick.
    ///
    /// Where it `comes_close`, it wants no room beside the body of the other one, as near an entity
    /// that it [accompanies](crate::Goal::Accompany).
    pub fn limits(&self, other: &Encounter, comes_close: bool) -> [Option<VelocityLimit>; 2] {
        let [mut comfort, firm] = self.limits_in_lanes(One, &other.into(), !comes_close);
        if dot(One, comfort.normal, comfort.normal) <= 0.0 {
            comfort.normal = self.parting(other.id).to_array();
        }
        [comfort, firm].map(|limit| {
            let ((normal, bound, weight), matters) = self.row(One, limit);
            let limit = VelocityLimit::firm(normal.into(), bound, weight);
            matters.then(|| limit.with_source(other.entity))
        })
    }

    /// The direction in which it parts from another one in the same place.
    pub(super) fn parting(&self, other: AgentId) -> Vec3 {
        self.plane.parting(self.id.0, other.0)
    }

    /// [`limits`](Self::limits) of several others, in lanes. The first limit has no direction where
    /// the other one is in the same place.
    #[inline(always)]
    pub(super) fn limits_in_lanes<L: Arithmetic>(
        &self,
        l: L,
        others: &Other<L>,
        wants_room: L::M,
    ) -> [NearLimit<L>; 2] {
        let own_radius = l.splat(self.radius);
        let radius = l.select(others.has_body, others.radius, own_radius);
        let room = l.splat(self.room);
        let room = l.select(wants_room, room, l.min(room, own_radius));
        let ahead = l.div(
            dot(l, others.offset, each!(d => l.splat(self.ahead[d]))),
            l.max(others.distance, l.splat(NEGLIGIBLE)),
        );
        let right = self.claim.right_of_way_in_lanes(l, others.claim, ahead);
        // Whoever gives way does so to what the other one wants, as far as that is held up.
        let gives = right.yielding;
        let wanted = l.sub(l.add(others.claim.room, own_radius), radius);
        let yields = l.and(l.lt(l.splat(0.0), gives), wants_room);
        let room = l.select(yields, l.max(room, wanted), room);
        let answers = l.mul(gives, others.claim.stuck);
        let velocity = each!(d => {
            let (now, then) = (others.velocity[d], others.claim.desired[d]);
            l.add(now, l.mul(answers, l.sub(then, now)))
        });
        Near::of(l, self, others, velocity, room, radius).limits(l, self, right)
    }

    /// A limit on the velocity of the next tick, and whether it is valid and may matter in it.
    #[inline(always)]
    pub(super) fn row<L: Arithmetic>(&self, l: L, limit: NearLimit<L>) -> (LimitRow<L>, L::M) {
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
struct Near<L: Arithmetic> {
    /// With the distance that both want to keep.
    pair: Pair<L>,
    /// At this distance they touch.
    touch: L::F,
}

/// A limit that the present velocity misses by so much, after the share of the agent and of the
/// tick.
#[derive(Clone, Copy)]
pub(super) struct NearLimit<L: Arithmetic> {
    pub normal: Vector<L>,
    missing: L::F,
    weight: L::F,
}

impl<L: Arithmetic> Near<L> {
    /// `velocity` and `radius` are what counts as those of the other one; `room` is what the agent
    /// wants around it.
    #[inline(always)]
    fn of(
        l: L,
        own: &Avoidance,
        &Other { offset, distance, .. }: &Other<L>,
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
    fn limits(&self, l: L, own: &Avoidance, right: RightOfWay<L::F, L::M>) -> [NearLimit<L>; 2] {
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
    fn firm_limit(&self, l: L, own: &Avoidance, share: L::F) -> NearLimit<L> {
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
