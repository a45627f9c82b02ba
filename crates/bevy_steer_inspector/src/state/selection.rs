//! The components that the panel puts on agents: traces, and the mark for gizmos on the selected
//! one.

use bevy::{gizmos::config::GizmoConfigStore, prelude::*};
use bevy_steer::{Paint, ShowSteeringGizmos, Shown, SteeringGizmos, SteeringTrace, Vehicle};

use super::inspector::Inspector;

/// In worlds with at most this many agents all have a trace while the panel is open, so that one
/// that is selected while time is paused shows its last tick. In larger ones only the selected agent
/// has one.
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

/// Marks the selected agent, unmarks the previous one, and deselects an agent that is gone.
pub(crate) fn update_marks(world: &mut World) {
    let inspector = world.resource::<Inspector>();
    let mut selected = inspector.selected;
    let is_open = inspector.is_open;
    if let Some(agent) = selected
        && world.get::<Vehicle>(agent).is_none()
    {
        let mut inspector = world.resource_mut::<Inspector>();
        inspector.select(None);
        inspector.follows = false;
        selected = None;
    }
    let wanted = selected.filter(|_| is_open);
    trace(world, is_open, wanted);
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

/// Whether the traces of all agents would be drawn, which would cover the scene with arrows.
fn draws_all_traces(world: &World) -> bool {
    let store = world.get_resource::<GizmoConfigStore>();
    let config = store.and_then(GizmoConfigStore::get_config::<SteeringGizmos>);
    config.is_some_and(|(config, gizmos)| {
        config.enabled && gizmos.shown == Shown::All && gizmos.wishes != Paint::Off
    })
}

/// Gives agents traces, and takes them away from those that need none.
fn trace(world: &mut World, is_open: bool, selected: Option<Entity>) {
    let mut agents = world.query_filtered::<(), With<Vehicle>>();
    let all = is_open && agents.iter(world).len() <= ALL_TRACED && !draws_all_traces(world);
    let is_wanted = |agent: Entity| all || selected == Some(agent);
    let mut traced = world.query_filtered::<(Entity, Has<Vehicle>), With<TracedByPanel>>();
    let traced = traced.iter(world).filter(|&(agent, is_agent)| !is_agent || !is_wanted(agent));
    for (agent, _) in traced.collect::<Vec<_>>() {
        world.entity_mut(agent).remove::<(SteeringTrace, TracedByPanel)>();
    }
    let mut untraced = world.query_filtered::<Entity, (With<Vehicle>, Without<SteeringTrace>)>();
    let new: Vec<Entity> = match selected {
        _ if all => untraced.iter(world).collect(),
        Some(agent) => untraced.get(world, agent).into_iter().collect(),
        None => Vec::new(),
    };
    for agent in new {
        world.entity_mut(agent).insert((SteeringTrace::default(), TracedByPanel));
    }
}
