//! The components that the panel puts on the selected agent: its trace and the mark for gizmos.

use bevy::prelude::*;
use bevy_steer::{ShowSteeringGizmos, SteeringTrace, Vehicle};

use super::inspector::Inspector;

/// Which components the panel has added to which agent, so that only those are removed again.
#[derive(Resource, Debug, Default)]
pub(crate) struct Marks {
    agent: Option<Entity>,
    trace: bool,
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
    if world.resource::<Marks>().agent == wanted {
        return;
    }
    unmark(world);
    if let Some(agent) = wanted {
        mark(world, agent);
    }
}

fn mark(world: &mut World, agent: Entity) {
    let Ok(mut entity) = world.get_entity_mut(agent) else { return };
    let marks = Marks {
        agent: Some(agent),
        trace: !entity.contains::<SteeringTrace>(),
        gizmos: !entity.contains::<ShowSteeringGizmos>(),
    };
    entity.insert_if_new((SteeringTrace::default(), ShowSteeringGizmos));
    world.insert_resource(marks);
}

fn unmark(world: &mut World) {
    let marks = core::mem::take(&mut *world.resource_mut::<Marks>());
    let Some(mut entity) = marks.agent.and_then(|agent| world.get_entity_mut(agent).ok()) else {
        return;
    };
    if marks.trace {
        entity.remove::<SteeringTrace>();
    }
    if marks.gizmos {
        entity.remove::<ShowSteeringGizmos>();
    }
}
