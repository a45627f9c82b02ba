//! A warning about bounds of another plane.

use bevy::prelude::*;

use crate::{
    agent::{invalid_input::InvalidInputLog, settings::SteeringSettings},
    space::{
        bounds::{Bounds, WorldBounds},
        plane::SteeringPlane,
    },
};

const PROBLEM: &str = "is for another plane: it has edges across the plane of the agents, and \
                       none on a side of it; use Bounds::rect in the plane Xy, Bounds::ground in \
                       Xz";

/// Warns of bounds that were made for another plane, once they are set.
pub(crate) fn check_bounds(
    mut is_logged: Local<bool>,
    world: Option<Res<WorldBounds>>,
    agents: Query<(Entity, &Bounds, Option<&SteeringPlane>), Changed<Bounds>>,
    settings: Res<SteeringSettings>,
    invalid_input: Res<InvalidInputLog>,
) {
    if !*is_logged
        && let Some(bounds) = world
        && bounds.is_changed()
        && is_of_another(&bounds, settings.plane)
    {
        *is_logged = true;
        log::warn!("bevy_steer: WorldBounds {PROBLEM}");
    }
    let misplaced = agents.iter().filter(|(_, bounds, plane)| {
        is_of_another(bounds, plane.copied().unwrap_or(settings.plane))
    });
    invalid_input.warn_together(misplaced.map(|(agent, ..)| agent), "Bounds", PROBLEM);
}

/// Whether these are bounds of another plane.
fn is_of_another(bounds: &Bounds, plane: SteeringPlane) -> bool {
    let is_across = (0..3).any(|axis| bounds.has_edge(axis) && plane.normal()[axis] != 0.0);
    plane.is_planar() && is_across && plane.axes().any(|axis| !bounds.has_edge(axis))
}
