//! Notes how much each agent wants to get on, before any of them looks at others.

use bevy::prelude::*;

use crate::{
    agent::{
        id::AgentId,
        index_slot::IndexSlot,
        tick_context::Tick,
        vehicle::{Vehicle, Velocity},
    },
    behavior::several::Several,
    behaviors::avoid_agents::{
        component::AvoidAgents,
        drive::{Drive, Drives, turn},
    },
};

/// An agent that is not indexed has a higher entry.
const MOST_ENTRIES: usize = u32::MAX as usize;

pub(crate) fn gather_drives(
    agents: Query<(
        &IndexSlot,
        &AgentId,
        &Velocity,
        &Vehicle,
        Option<&AvoidAgents>,
        Option<&Several<AvoidAgents>>,
    )>,
    mut drives: ResMut<Drives>,
    tick: Tick,
) {
    let tick = tick.borrow();
    drives.clear();
    for (entry, &id, velocity, vehicle, one, several) in &agents {
        let all = one.into_iter().chain(several.into_iter().flat_map(|several| several.iter()));
        let Some(avoid) = all.into_iter().find(|avoid| avoid.blend.enabled) else { continue };
        let entry = entry.get();
        if entry >= MOST_ENTRIES {
            continue;
        }
        let speed = velocity.0.length() / vehicle.max_speed.max(f32::MIN_POSITIVE);
        let stuck = (avoid.drive - speed).clamp(0.0, 1.0);
        let turn = if stuck > 0.0 { turn(id, tick.count, tick.dt) } else { 0.0 };
        drives.set(entry, Drive { push: avoid.drive + avoid.pushiness, stuck, turn });
    }
}
