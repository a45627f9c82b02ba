//! The limits that one other agent puts on the velocity.

use bevy::prelude::*;

use crate::{
    agent::velocity_limits::{HalfSpace, Haste},
    behavior::{Agent, braking::stoppable_speed},
    behaviors::avoid_agents::{
        drive::RightOfWay,
        limit::{Encounter, velocity_obstacle},
    },
    neighbors::Approach,
    space::{plane::SteeringPlane, vector::NEGLIGIBLE},
};

/// What an agent knows of itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    plane: SteeringPlane,
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
        let Self { velocity, room, radius, horizon, .. } = *self;
        Approach { room, body: radius, velocity, spare: self.spare(), horizon }
    }

    /// How much faster the agent can come near something within a tick and its share of what there
    /// is to spare.
    fn spare(&self) -> f32 {
        self.haste.spare(self.reach) / (0.5 - SHIFT)
    }

    /// A limit that the present velocity misses by so much, unless it cannot matter in this tick.
    fn limit(&self, normal: Vec3, missing: f32, weight: f32) -> Option<HalfSpace> {
        let bound = self.velocity.dot(normal) + missing;
        (missing > -self.reach && bound.is_finite()).then_some(HalfSpace { normal, bound, weight })
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

/// The weight of a limit that keeps bodies from touching.
const FIRM: f32 = 200.0;

/// One other agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// The unit vector away from it.
    pub(super) away: Vec3,
    distance: f32,
    /// The velocity relative to it.
    relative: Vec3,
    /// The distance that both want to keep, and the one at which they touch.
    room: f32,
    touch: f32,
}

impl Near {
    /// `offset` is the way to it, `distance` the length of that.
    #[inline(always)]
    pub(super) fn of(own: &Body, offset: Vec3, velocity: Vec3, distance: f32, radius: f32) -> Self {
        Self {
            away: offset * (-1.0 / distance.max(NEGLIGIBLE)),
            distance,
            relative: own.velocity - velocity,
            room: own.room + radius,
            touch: own.radius + radius,
        }
    }

    /// Whether they would not come too near within the horizon even if the agent turned towards it
    /// as far as it can in a tick, which is cheaper to tell than their limits.
    #[inline(always)]
    pub(super) fn is_far(&self, own: &Body) -> bool {
        let gap = self.distance - self.room;
        gap > 0.0 && (own.spare() - self.relative.dot(self.away)) * own.horizon < gap
    }

    /// A soft limit that keeps room within the horizon, and a firm one that keeps the bodies from
    /// coming too fast too near.
    #[inline(always)]
    pub(super) fn limits(
        &self,
        own: &Body,
        right: RightOfWay,
        parting: impl Fn() -> Vec3,
    ) -> [Option<HalfSpace>; 2] {
        let Self { away, distance, relative, room, .. } = *self;
        let share = if right.is_shared { 0.5 - SHIFT * right.of_way } else { 1.0 };
        let [least, grows] = NEAR_HORIZON;
        let gap = (distance - room).max(0.0) / own.max_speed.max(f32::MIN_POSITIVE);
        let shortened = if right.of_way > 0.0 { SHORTENED } else { 1.0 };
        let near = (least * own.response + grows * gap).min(own.horizon);
        let horizon = (near * (1.0 - shortened * right.of_way)).min(own.horizon);
        let encounter = Encounter { offset: away * distance, relative, room };
        let (normal, missing) = velocity_obstacle(own.plane, encounter, horizon, own.response);
        let normal = if normal == Vec3::ZERO { parting() } else { normal };
        // Of what there is to spare the other one leaves as much as it does not need.
        let spare = if right.is_shared { 1.0 - share } else { 1.0 };
        let part = missing * own.haste.part(missing > 0.0);
        let comfort = part * if missing > 0.0 { share } else { spare };
        let comfort = own.limit(normal, comfort, HalfSpace::WEIGHT);
        [comfort, self.firm_limit(own, if right.is_shared { 0.5 } else { 1.0 })]
    }

    /// Never faster towards the other one than both can stop from, if they would touch.
    #[inline(always)]
    fn firm_limit(&self, own: &Body, share: f32) -> Option<HalfSpace> {
        let Self { away, distance, relative, touch, .. } = *self;
        let gap = distance - touch - 0.06 * own.radius;
        let closing = -relative.dot(away);
        let allowed = if gap > 0.0 {
            stoppable_speed(gap, 0.8 * own.max_acceleration, 0.5 * own.response)
        } else {
            gap / own.response
        };
        let missing = share * (closing - allowed);
        if missing <= -own.reach || away == Vec3::ZERO {
            return None;
        }
        // How near they would pass each other.
        let time = (closing * distance / relative.length_squared().max(f32::MIN_POSITIVE)).max(0.0);
        let miss = (away * distance + relative * time).length();
        let certainty = ((1.1 * touch - miss) / (0.1 * touch)).clamp(0.0, 1.0);
        own.limit(away, -own.reach + (missing + own.reach) * certainty, FIRM)
    }
}
