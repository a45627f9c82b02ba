//! Whom the inspector shows first.

use bevy::prelude::*;
use bevy_steer::{ShowSteeringGizmos, prelude::*};
use bevy_steer_inspector::Inspector;

/// Selects an agent whose gizmos are shown, or any.
pub fn select_somebody(
    agents: Query<(Entity, Has<ShowSteeringGizmos>), With<Vehicle>>,
    mut inspector: ResMut<Inspector>,
) {
    let found = agents.iter().max_by_key(|&(agent, is_marked)| (is_marked, agent));
    inspector.select(found.map(|(agent, _)| agent));
}
