//! Who gives way: how much each agent wants to get on.

use bevy::prelude::*;

use crate::{
    agent::{
        id::AgentId,
        index_slot::IndexSlot,
        vehicle::{Vehicle, Velocity},
    },
    behavior::several::Several,
    behaviors::avoid_agents::AvoidAgents,
};

/// How much an agent wants to get on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Drive {
    /// Its drive in the last tick and its pushiness; `None` for what avoids nobody.
    push: Option<f32>,
    /// By how much its speed falls short of its drive, 0 to 1.
    stuck: f32,
}

/// The drives of all agents that avoid others, by their entries in the index.
#[derive(Resource, Debug, Default)]
pub struct Drives(Vec<Drive>);

/// An agent that is not indexed has a higher one.
const MOST_ENTRIES: usize = u32::MAX as usize;

pub(crate) fn gather_drives(
    agents: Query<(
        &IndexSlot,
        &Velocity,
        &Vehicle,
        Option<&AvoidAgents>,
        Option<&Several<AvoidAgents>>,
    )>,
    mut drives: ResMut<Drives>,
) {
    drives.0.clear();
    for (entry, velocity, vehicle, one, several) in &agents {
        let all = one.into_iter().chain(several.into_iter().flat_map(|several| several.iter()));
        let Some(avoid) = all.into_iter().find(|avoid| avoid.blend.enabled) else { continue };
        let entry = entry.get();
        if entry >= MOST_ENTRIES {
            continue;
        }
        if entry >= drives.0.len() {
            drives.0.resize(entry + 1, Drive::default());
        }
        let speed = velocity.0.length() / vehicle.max_speed.max(f32::MIN_POSITIVE);
        drives.0[entry] = Drive {
            push: Some(avoid.drive + avoid.pushiness),
            stuck: (avoid.drive - speed).clamp(0.0, 1.0),
        };
    }
}

impl Drives {
    pub(super) fn of(&self, entry: usize) -> Drive {
        self.0.get(entry).copied().unwrap_or_default()
    }
}

/// Who goes ahead of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct RightOfWay {
    /// From -1, where the agent gives way, to 1, where the other one does.
    pub(super) of_way: f32,
    /// Whether the other one avoids at all.
    pub(super) is_shared: bool,
}

/// Two that block each other take turns in such a time, in seconds.
const PERIOD: f32 = 3.0;
/// How much that counts.
const TURNS: f32 = 0.8;

impl Drive {
    /// Whether the agent has the right of way over another one: if it wants to get on more, or if it
    /// is its [`turn`] where they block each other. Those behind look out for themselves: `ahead` is
    /// the cosine between where it wants to go and the way to the other one.
    #[inline(always)]
    pub(super) fn right_of_way(self, other: Self, turns: [f32; 2], ahead: f32) -> RightOfWay {
        let Some(others) = other.push else { return RightOfWay { of_way: -1.0, is_shared: false } };
        let own = self.push.unwrap_or_default();
        let turn = (turns[0] - turns[1]).clamp(-1.0, 1.0) * TURNS * self.stuck * other.stuck;
        let between = (own - others + turn).clamp(-1.0, 1.0);
        let of_way = (between + (-ahead).max(0.0)).clamp(-1.0, 1.0);
        RightOfWay { of_way, is_shared: true }
    }
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

    fn drive(push: f32, stuck: f32) -> Drive {
        Drive { push: Some(push), stuck }
    }

    #[test]
    fn the_one_that_wants_to_get_on_goes_ahead() {
        let of_way = |own, other| drive(own, 0.0).right_of_way(drive(other, 0.0), [0.3, 0.9], 0.0);
        assert_eq!([of_way(1.0, 0.0).of_way, of_way(0.0, 1.0).of_way], [1.0, -1.0]);
        assert_eq!(of_way(1.0, 1.0).of_way, 0.0);
        assert!(of_way(1.0, 1.0).is_shared);
        let alone = drive(1.0, 0.0).right_of_way(Drive::default(), [0.0; 2], 0.0);
        assert_eq!((alone.of_way, alone.is_shared), (-1.0, false));
    }

    #[test]
    fn those_behind_look_out_for_themselves() {
        let of_way = |ahead| drive(1.0, 0.0).right_of_way(drive(1.0, 0.0), [0.0; 2], ahead).of_way;
        assert_eq!([of_way(1.0), of_way(0.0), of_way(-0.5)], [0.0, 0.0, 0.5]);
    }

    #[test]
    fn blocked_agents_take_turns() {
        let of_way = |tick| {
            let turns = [3, 8].map(|id| turn(AgentId(id), tick, 1.0 / 64.0));
            let stuck = drive(1.0, 1.0);
            let pair = [turns, [turns[1], turns[0]]];
            let [one, other] = pair.map(|turns| stuck.right_of_way(stuck, turns, 0.0).of_way);
            assert_eq!(one, -other);
            one
        };
        let all: Vec<f32> = (0..192).map(of_way).collect();
        let ahead = all.iter().filter(|of_way| **of_way > 0.0).count();
        assert!((60..132).contains(&ahead), "{ahead} of 192");
        assert!((all[191] - all[0]).abs() < 0.1, "three seconds later it is the same");
        let changes = all.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(changes < 0.1, "without a jump: {changes}");
    }
}
