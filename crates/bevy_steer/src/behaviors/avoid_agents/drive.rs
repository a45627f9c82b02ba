//! Which of two gives way: how much each agent wants to get on.

use crate::{
    agent::{columns::AgentParts, id::AgentId, tick_context::TickRef},
    simd::lanes::Arithmetic,
};

/// How much an agent wants to get on; of several in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive<F = f32> {
    /// Its drive in the last tick and its pushiness; NaN for what avoids nobody.
    pub(super) push: F,
    /// By how much its speed falls short of its drive, 0 to 1.
    pub(super) stuck: F,
    /// See [`turn`]: where two block each other the one with more goes ahead.
    pub(super) turn: F,
}

impl Default for Drive {
    fn default() -> Self {
        Self { push: f32::NAN, stuck: 0.0, turn: 0.0 }
    }
}

impl Drive {
    /// That of an agent that wanted to get on so much in the last tick.
    pub(super) fn of(parts: &AgentParts, drive: f32, pushiness: f32, tick: TickRef) -> Self {
        let speed = parts.velocity.0.length() / parts.vehicle.max_speed.max(f32::MIN_POSITIVE);
        let stuck = (drive - speed).clamp(0.0, 1.0);
        let turn = if stuck > 0.0 { turn(*parts.id, tick.count, tick.dt) } else { 0.0 };
        Self { push: drive + pushiness, stuck, turn }
    }

    /// What others are told of it.
    pub(super) fn told(self) -> [f32; 3] {
        [self.push, self.stuck, self.turn]
    }
}

impl<F> From<[F; 3]> for Drive<F> {
    fn from([push, stuck, turn]: [F; 3]) -> Self {
        Self { push, stuck, turn }
    }
}

/// Which of two goes ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct RightOfWay<L: Arithmetic> {
    /// From -1, where the agent gives way, to 1, where the other one does.
    pub(super) of_way: L::F,
    /// Whether the other one avoids at all.
    pub(super) is_shared: L::M,
}

/// Two that block each other take turns in such a time, in seconds.
const PERIOD: f32 = 3.0;
/// How much that counts.
const TURNS: f32 = 0.8;

impl Drive {
    /// Whether the agent has the right of way over another one: if it wants to get on more, or if
    /// it is its [`turn`] where they block each other. Those behind look out for themselves:
    /// `ahead` is the cosine between where it wants to go and the way to the other one.
    #[inline(always)]
    pub(super) fn right_of_way<L: Arithmetic>(
        self,
        l: L,
        other: Drive<L::F>,
        ahead: L::F,
    ) -> RightOfWay<L> {
        let is_shared = l.le(other.push, other.push);
        let own = l.splat(if self.push.is_nan() { 0.0 } else { self.push });
        let turns = up_to_one(l, l.sub(l.splat(self.turn), other.turn));
        let turn = l.mul(l.mul(turns, l.splat(TURNS * self.stuck)), other.stuck);
        let between = up_to_one(l, l.add(l.sub(own, other.push), turn));
        let of_way = up_to_one(l, l.add(between, l.max(l.neg(ahead), l.splat(0.0))));
        RightOfWay { of_way: l.select(is_shared, of_way, l.splat(-1.0)), is_shared }
    }
}

/// `x`, between -1 and 1.
#[inline(always)]
fn up_to_one<L: Arithmetic>(l: L, x: L::F) -> L::F {
    l.max(l.min(x, l.splat(1.0)), l.splat(-1.0))
}

/// A wave between -1 and 1 that is another for each agent.
pub(super) fn turn(id: AgentId, tick: u64, dt: f32) -> f32 {
    const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = id.0.wrapping_add(1).wrapping_mul(MIXER).rotate_left(31).wrapping_mul(MIXER);
    let phase = (mixed >> 40) as f32 / (1 << 24) as f32;
    // In double precision, for worlds that run for days.
    let periods = f64::from(phase) + tick as f64 * f64::from(dt) / f64::from(PERIOD);
    let place = (periods - periods.floor()) as f32;
    4.0 * (place - 0.5).abs() - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::one::One;

    fn drive(push: f32, stuck: f32) -> Drive {
        Drive { push, stuck, turn: 0.0 }
    }

    fn of_way(own: Drive, other: Drive, ahead: f32) -> (f32, bool) {
        let right = own.right_of_way(One, other, ahead);
        (right.of_way, right.is_shared)
    }

    #[test]
    fn the_one_that_wants_to_get_on_goes_ahead() {
        let between = |own, other| of_way(drive(own, 0.0), drive(other, 0.0), 0.0);
        assert_eq!([between(1.0, 0.0), between(0.0, 1.0)], [(1.0, true), (-1.0, true)]);
        assert_eq!(between(1.0, 1.0), (0.0, true));
        assert_eq!(of_way(drive(1.0, 0.0), Drive::default(), 0.0), (-1.0, false));
    }

    #[test]
    fn those_behind_look_out_for_themselves() {
        let ahead = |ahead| of_way(drive(1.0, 0.0), drive(1.0, 0.0), ahead).0;
        assert_eq!([ahead(1.0), ahead(0.0), ahead(-0.5)], [0.0, 0.0, 0.5]);
    }

    #[test]
    fn blocked_agents_take_turns() {
        let ahead = |tick| {
            let [one, other] = [3, 8].map(|id| Drive {
                push: 1.0,
                stuck: 1.0,
                turn: turn(AgentId(id), tick, 1.0 / 64.0),
            });
            let (ahead, back) = (of_way(one, other, 0.0).0, of_way(other, one, 0.0).0);
            assert_eq!(ahead, -back);
            ahead
        };
        let all: Vec<f32> = (0..192).map(ahead).collect();
        let first = all.iter().filter(|of_way| **of_way > 0.0).count();
        assert!((60..132).contains(&first), "{first} of 192");
        assert!((all[191] - all[0]).abs() < 0.1, "three seconds later it is the same");
        let changes = all.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(changes < 0.1, "without a jump: {changes}");
    }
}
