//! All agents that avoid others look around at once, before any of them is limited.

use bevy::prelude::*;

use crate::{
    agent::{
        columns::{AgentColumns, AgentData},
        tick_context::Tick,
        velocity_limits::VelocityLimits,
    },
    behavior::{agent::Agent, several::Several},
    behaviors::avoid_agents::{component::AvoidAgents, drive::Drive},
    ecs::parallel::for_each_piece,
    neighbors::{CurrentIndex, Lookout, Lookouts, Meetings, look_out},
};

/// Notes how much each agent wants to get on, and finds those that each may meet.
pub(crate) fn look_around(
    agents: Query<
        (AgentData, &VelocityLimits, Option<&AvoidAgents>, Option<&Several<AvoidAgents>>),
        Or<(With<AvoidAgents>, With<Several<AvoidAgents>>)>,
    >,
    index: Res<CurrentIndex>,
    mut lookouts: ResMut<Lookouts>,
    mut meetings: ResMut<Meetings>,
    tick: Tick,
) {
    if agents.is_empty() {
        return;
    }
    let (index, tick) = (&index.0, tick.borrow());
    lookouts.begin(index.entries);
    let tables = agents.contiguous_iter().into_iter().flatten();
    let tables = tables.map(|(agents, limits, one, several)| {
        let agents = AgentColumns::from(agents);
        (agents.len(), (agents, limits, one, several))
    });
    let noted = &*lookouts;
    for_each_piece(tables.collect(), |count, (agents, limits, one, several)| {
        for row in 0..count {
            let one = one.map(|rows| &rows[row]);
            let several = several.into_iter().flat_map(|rows| rows[row].iter());
            let mut enabled = one.into_iter().chain(several).filter(|avoid| avoid.blend.enabled);
            let Some(avoid) = enabled.next() else { continue };
            let parts = agents.row::<false>(row);
            let agent = Agent::new(&parts, 0, tick);
            let looks = limits[row].is_open && one.is_some_and(|one| one.blend.enabled);
            let lookout = Lookout {
                plane: looks.then_some(agent.plane),
                layers: avoid.layers,
                approach: avoid.body(&agent).approach(),
                told: Drive::of(&parts, avoid.drive, avoid.pushiness, tick).told(),
            };
            noted.set(parts.entry.get(), lookout);
        }
    });
    look_out(index, noted, &mut meetings);
}
