//! What the inspector shows first, and whether a click selects.

use bevy::prelude::*;
use bevy_steer::{ShowSteeringGizmos, prelude::*};
use bevy_steer_inspector::Inspector;

/// Selects an agent in the inspector: one that shows its gizmos, or else any.
pub fn select_agent(
    agents: Query<(Entity, Has<ShowSteeringGizmos>), With<Vehicle>>,
    mut inspector: ResMut<Inspector>,
) {
    let agent = agents.iter().max_by_key(|&(agent, shows_gizmos)| (shows_gizmos, agent));
    inspector.select(agent.map(|(agent, _)| agent));
}

/// While the inspector is open, a click selects an agent instead of what it does in the game.
pub fn inspector_is_closed(inspector: Option<Res<Inspector>>) -> bool {
    inspector.is_none_or(|inspector| !inspector.is_open)
}
