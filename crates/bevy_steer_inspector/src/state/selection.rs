//! The components that the panel puts on agents: traces, and the mark for gizmos on the agent that
//! it shows.

use bevy::prelude::*;
use bevy_steer::{HideSteeringTrace, ShowSteeringGizmos, SteeringTrace, Vehicle};

use super::{inspector::Inspector, time::records_all};

/// The maximum number of agents at which all have a trace while the panel is open. In larger worlds
/// only the selected agent has one, until time is paused.
const ALL_TRACED: usize = 2000;

/// Marks the agents with a trace from the panel, so that only those are removed again.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct TracedByPanel;

/// The agent that the panel has marked for gizmos, unless it was marked already.
#[derive(Resource, Debug, Default)]
pub(crate) struct Marks {
    agent: Option<Entity>,
    gizmos: bool,
}

/// Marks the selected agent, unmarks the previous one, and deselects despawned agents.
pub(crate) fn update_marks(world: &mut World) {
    let gone: Vec<Entity> = {
        let selection = world.resource::<Inspector>().selection();
        selection.filter(|&agent| world.get::<Vehicle>(agent).is_none()).collect()
    };
    let mut inspector = world.resource_mut::<Inspector>();
    for agent in gone {
        if inspector.selected == Some(agent) {
            inspector.follows = false;
        }
        inspector.toggle(agent);
    }
    let wanted = inspector.selected.filter(|_| inspector.is_open);
    let is_open = inspector.is_open;
    let records_all = records_all(world);
    // A system, so that its queries are kept from frame to frame.
    if let Err(error) = world.run_system_cached_with(trace, (is_open, records_all, wanted)) {
        error!("the traces of agents are not updated: {error}");
    }
    if world.resource::<Marks>().agent == wanted {
        return;
    }
    let old = core::mem::take(&mut *world.resource_mut::<Marks>());
    if let Some(mut agent) = old.agent.and_then(|agent| world.get_entity_mut(agent).ok())
        && old.gizmos
    {
        agent.remove::<ShowSteeringGizmos>();
    }
    if let Some(mut agent) = wanted.and_then(|agent| world.get_entity_mut(agent).ok()) {
        let gizmos = !agent.contains::<ShowSteeringGizmos>();
        agent.insert_if_new(ShowSteeringGizmos);
        world.insert_resource(Marks { agent: wanted, gizmos });
    }
}

/// Adds and removes the traces of agents. Gizmos draw only the trace of the selected agent: arrows
/// of all agents would cover the scene.
fn trace(
    In((is_open, records_all, selected)): In<(bool, bool, Option<Entity>)>,
    agents: Query<(), With<Vehicle>>,
    traced: Query<(Entity, Has<Vehicle>, Has<HideSteeringTrace>), With<TracedByPanel>>,
    untraced: Query<Entity, (With<Vehicle>, Without<SteeringTrace>)>,
    mut commands: Commands,
) {
    let all = records_all || is_open && agents.iter().len() <= ALL_TRACED;
    let is_selected = |agent: Entity| selected == Some(agent);
    for (agent, is_agent, is_hidden) in &traced {
        let mut commands = commands.entity(agent);
        if !(is_agent && (all || is_selected(agent))) {
            commands.remove::<(SteeringTrace, TracedByPanel, HideSteeringTrace)>();
        } else if is_hidden && is_selected(agent) {
            commands.remove::<HideSteeringTrace>();
        } else if !(is_hidden || is_selected(agent)) {
            commands.insert(HideSteeringTrace);
        }
    }
    let trace = || (SteeringTrace::default(), TracedByPanel);
    if let Some(agent) = selected.filter(|&agent| untraced.contains(agent)) {
        commands.entity(agent).insert(trace());
    }
    if all {
        let others = untraced.iter().filter(|&agent| !is_selected(agent));
        let others: Vec<_> = others.map(|agent| (agent, (trace(), HideSteeringTrace))).collect();
        commands.insert_batch(others);
    }
}
