//! Collects whoever can be found, and builds the index.

use bevy::prelude::*;

use super::index::{Entry, NeighborIndex};
use crate::{
    behaviors::Flock,
    layers::SteeringLayers,
    number::AgentNumber,
    plane::SteeringPlane,
    tick::Tick,
    vehicle::{Vehicle, Velocity},
};

pub(crate) fn build_index(
    mut index: ResMut<NeighborIndex>,
    found: Query<(
        Entity,
        &Transform,
        &SteeringLayers,
        &AgentNumber,
        Option<&Velocity>,
        Option<&Vehicle>,
        Option<&SteeringPlane>,
        Has<ChildOf>,
    )>,
    flocks: Query<&Flock>,
    hierarchy: TransformHelper,
    tick: Tick,
) {
    let default_plane = tick.settings.plane;
    let mut used = [false; SteeringPlane::ALL.len()];
    used[default_plane as usize] = true;
    let mut entries = index.take_entries();
    for (entity, transform, &layers, &number, velocity, vehicle, plane, is_child) in &found {
        // Agents live in their parent's space, which is the world's; anything else may be anywhere in a hierarchy.
        let position = if is_child && vehicle.is_none() {
            let global = hierarchy.compute_global_transform(entity);
            global.map_or(Vec3::NAN, |global| global.translation())
        } else {
            transform.translation
        };
        let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        let radius = vehicle.map_or(0.0, |vehicle| vehicle.radius);
        if !(position.is_finite() && velocity.is_finite() && radius.is_finite()) {
            continue;
        }
        if vehicle.is_some() {
            used[plane.copied().unwrap_or(default_plane) as usize] = true;
        }
        let (radius, is_agent) = (radius.max(0.0), vehicle.is_some());
        entries.push(Entry { position, velocity, radius, is_agent, layers, number, entity });
    }
    let widest = flocks
        .iter()
        .filter(|flock| flock.blend.enabled && flock.radius.is_finite())
        .fold(0.0_f32, |widest, flock| widest.max(flock.radius));
    index.build(entries, default_plane, used, tick.world_bounds(), widest);
}
