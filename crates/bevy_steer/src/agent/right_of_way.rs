//! What an agent tells the search for encounters: an [`EncounterRequest`] says which others it has
//! to know of, a [`Claim`] and [`RightOfWay`] which of two gives way, a [`Goal`] which entity it
//! goes for.

use bevy::prelude::*;

use crate::{
    agent::{id::AgentId, layers::SteeringLayers},
    simd::{Arithmetic, One, dot, split},
};

/// What a behaviour asks of the search for other agents that its agent may collide with, see
/// [`Encounters`](crate::Encounters). Where several behaviours of an agent ask, the search is as
/// wide as the widest of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EncounterRequest {
    /// Layers of the agents to find. Default: all.
    pub layers: SteeringLayers,
    /// The radius of the room that the agent wants around itself, in units. Default 0.
    pub room: f32,
    /// How far ahead to look, in seconds. Default 0: only agents in that room.
    #[doc(alias = "horizon")]
    pub look_ahead: f32,
    /// By how much the agents may come to approach each other faster than they do now, in units a
    /// second. Default 0.
    pub spare: f32,
    /// What other agents learn of this one's intentions. Default none: it does not avoid them, so
    /// they give way.
    pub claim: Option<Claim>,
}

impl EncounterRequest {
    /// A request for agents that come within `room` units of the agent's centre in the next
    /// `look_ahead` seconds.
    pub fn new(room: f32, look_ahead: f32) -> Self {
        Self { layers: SteeringLayers::ALL, room, look_ahead, spare: 0.0, claim: None }
    }
}

/// An agent's claim to the right of way: what others that encounter it know of its intentions.
///
/// Made by [`Agent::claim`](crate::Agent::claim).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Claim<F = f32> {
    /// How eager it is: how fast its behaviours want it to be, as a share of its top speed, and its
    /// pushiness.
    pub eagerness: F,
    /// The share of the speed that it wants by which it is too slow, 0 to 1.
    pub stuck: F,
    /// A slow wave between -1 and 1 that is another for each agent: where two block each other, the
    /// one with the greater value goes ahead. Zero unless it is stuck.
    pub turn: F,
    /// The velocity that its behaviours want, in units a second.
    pub desired: [F; 3],
    /// The radius of the room that it wants around itself, in units.
    pub room: F,
}

/// Which of two agents goes ahead, see [`Claim::right_of_way`].
#[derive(Clone, Copy, Debug)]
pub struct RightOfWay<F = f32, M = bool> {
    /// From -1, where the agent gives way, to 1, where the other one does.
    pub precedence: F,
    /// How far the agent makes room for the other one, and answers to what that one wants instead
    /// of what it does: 0 to 1. As `-precedence`, but a turn counts only between two that come
    /// towards each other and are blocked: in a crowd that moves, room that is made in turn is lost
    /// to all behind.
    pub yielding: F,
    /// Whether the other one avoids collisions too.
    pub is_shared: M,
}

/// The time in which two agents that block each other take turns, in seconds.
const PERIOD: f32 = 3.0;
/// How much a turn counts, compared with eagerness.
const TURN_WEIGHT: f32 = 0.8;

impl Claim {
    /// Of what avoids nobody: its eagerness is NaN.
    pub(crate) const PASSIVE: Self =
        Self { eagerness: f32::NAN, stuck: 0.0, turn: 0.0, desired: [0.0; 3], room: 0.0 };

    /// Whether an agent with this claim has the right of way over another one: if it is more eager
    /// or larger, or if it is its [`turn`](Self::turn) where they block each other. Agents behind
    /// others look out for themselves: `ahead` is the cosine between the direction in which the
    /// agent wants to go and the direction to the other one. `None` is the claim of what avoids
    /// nobody: it always goes ahead.
    pub fn right_of_way(self, other: Option<Self>, ahead: f32) -> RightOfWay {
        self.right_of_way_in_lanes(One, other.unwrap_or(Self::PASSIVE), ahead)
    }

    /// [`right_of_way`](Self::right_of_way) over several others, in lanes;
    /// [`PASSIVE`](Self::PASSIVE) for what avoids nobody.
    #[inline(always)]
    pub(crate) fn right_of_way_in_lanes<L: Arithmetic>(
        self,
        l: L,
        other: Claim<L::F>,
        ahead: L::F,
    ) -> RightOfWay<L::F, L::M> {
        let is_shared = l.le(other.eagerness, other.eagerness);
        let turns = within_one(l, l.sub(l.splat(self.turn), other.turn));
        let blocked = l.mul(l.splat(self.stuck), other.stuck);
        let turn = l.mul(l.mul(turns, l.splat(TURN_WEIGHT)), blocked);
        // How much of a turn makes room.
        let yields_in_turn = if self.stuck > 0.0 {
            let [own, its] = [self.desired.map(|x| l.splat(x)), other.desired];
            let opposed = l.neg(dot(l, split(l, own).0, split(l, its).0));
            l.mul(l.mul(blocked, blocked), l.max(opposed, l.splat(0.0)))
        } else {
            l.splat(0.0)
        };
        let eagerness = l.sub(l.splat(self.eagerness), other.eagerness);
        // The smaller one of two can more easily make room.
        let both = l.max(l.add(l.splat(self.room), other.room), l.splat(f32::MIN_POSITIVE));
        let larger = l.div(l.sub(l.splat(self.room), other.room), both);
        let rank = l.add(eagerness, larger);
        let behind = l.max(l.neg(ahead), l.splat(0.0));
        let precedence = |turn| within_one(l, l.add(within_one(l, l.add(rank, turn)), behind));
        let yielding = l.neg(precedence(l.mul(turn, yields_in_turn)));
        RightOfWay {
            precedence: l.select(is_shared, precedence(turn), l.splat(-1.0)),
            yielding: l.mask(is_shared, l.max(yielding, l.splat(0.0))),
            is_shared,
        }
    }
}

/// `x`, between -1 and 1.
#[inline(always)]
fn within_one<L: Arithmetic>(l: L, x: L::F) -> L::F {
    l.max(l.min(x, l.splat(1.0)), l.splat(-1.0))
}

/// A wave between -1 and 1 that is another for each agent.
pub(crate) fn turn(id: AgentId, tick: u64, dt: f32) -> f32 {
    const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = id.0.wrapping_add(1).wrapping_mul(MIXER).rotate_left(31).wrapping_mul(MIXER);
    let phase = (mixed >> 40) as f32 / (1 << 24) as f32;
    // In double precision, for worlds that run for days.
    let periods = f64::from(phase) + tick as f64 * f64::from(dt) / f64::from(PERIOD);
    let place = (periods - periods.floor()) as f32;
    4.0 * (place - 0.5).abs() - 1.0
}

/// The entity that a behaviour goes for, see
/// [`SteeringBehavior::goal`](crate::SteeringBehavior::goal). It does not give way to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The entity itself: the agent does not avoid it, unless
    /// [`avoid_targets`](crate::AvoidAgents::avoid_targets) says so.
    Reach(Entity),
    /// A position beside the entity: the agent comes as close as it likes, and keeps off its body
    /// without its help.
    Accompany(Entity),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(eagerness: f32, stuck: f32) -> Claim {
        Claim { eagerness, stuck, ..Claim::default() }
    }

    #[test]
    fn the_more_eager_agent_goes_ahead() {
        let between =
            |own, other| claim(own, 0.0).right_of_way(Some(claim(other, 0.0)), 0.0).precedence;
        assert_eq!([between(1.0, 0.0), between(0.0, 1.0), between(1.0, 1.0)], [1.0, -1.0, 0.0]);
        assert!(claim(1.0, 0.0).right_of_way(Some(claim(0.0, 0.0)), 0.0).is_shared);
        let alone = claim(1.0, 0.0).right_of_way(None, 0.0);
        assert_eq!((alone.precedence, alone.is_shared), (-1.0, false));
    }

    #[test]
    fn agents_behind_others_look_out_for_themselves() {
        let ahead = |ahead| claim(1.0, 0.0).right_of_way(Some(claim(1.0, 0.0)), ahead).precedence;
        assert_eq!([ahead(1.0), ahead(0.0), ahead(-0.5)], [0.0, 0.0, 0.5]);
    }

    #[test]
    fn turns_make_room_only_between_two_that_block_each_other() {
        let yielding = |stuck, [x, y]: [f32; 2]| {
            let claim = |turn, desired| Claim { turn, desired, ..claim(1.0, stuck) };
            let [own, other] = [claim(-0.5, [2.0, 0.0, 0.0]), claim(0.5, [x, y, 0.0])];
            own.right_of_way(Some(other), 0.0).yielding
        };
        let oncoming = [-3.0, 0.0];
        assert!(yielding(1.0, oncoming) > 0.7 && yielding(0.7, oncoming) < 0.1);
        assert_eq!(yielding(0.0, oncoming), 0.0);
        assert_eq!([[0.0, 1.0], [1.0, 0.0]].map(|way| yielding(1.0, way)), [0.0, 0.0]);
        let idle = claim(0.0, 0.0).right_of_way(Some(claim(1.0, 0.0)), 0.0);
        assert_eq!(idle.yielding, 1.0, "an idle agent makes room for one that wants to pass");
        assert_eq!(claim(0.0, 0.0).right_of_way(None, 0.0).yielding, 0.0);
    }

    #[test]
    fn blocked_agents_take_turns() {
        let ahead = |tick| {
            let turn = |id| turn(AgentId(id), tick, 1.0 / 64.0);
            let [one, other] = [3, 8].map(|id| Claim { turn: turn(id), ..claim(1.0, 1.0) });
            let ahead = one.right_of_way(Some(other), 0.0).precedence;
            assert_eq!(ahead, -other.right_of_way(Some(one), 0.0).precedence);
            ahead
        };
        let all: Vec<f32> = (0..192).map(ahead).collect();
        let first = all.iter().filter(|precedence| **precedence > 0.0).count();
        assert!((60..132).contains(&first), "{first} of 192");
        assert!((all[191] - all[0]).abs() < 0.1, "three seconds later it is the same");
        let changes = all.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(changes < 0.1, "without a jump: {changes}");
    }
}
