//! Clicks in the world: they select agents, or give a parameter its target.

use bevy::prelude::*;
use bevy_egui::input::EguiWantsInput;
use bevy_steer::{Obstacle, SteeringLayers, SteeringPlane, SteeringSettings, Vehicle, Velocity};

use super::camera::WorldCameras;
use crate::{
    inspector::Inspector,
    selected::pick::{Picked, deliver},
};

/// A pointer that has moved farther than this between press and release, in pixels, has dragged and not clicked.
const STEADY: f32 = 4.0;

/// What is under the pointer: everything along a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// The ray through the pointer.
    pub ray: Ray3d,
    /// The ray a few pixels beside it. What is no farther from the first than this one is hit, however small it is.
    pub beside: Ray3d,
}

impl Sight {
    /// How far beside the ray still hits, at this distance along it.
    pub fn tolerance(&self, along: f32) -> f32 {
        self.ray.get_point(along).distance(self.beside.get_point(along))
    }
}

/// The one of these (entity, centre, radius) that is nearest to the ray in proportion to what would hit it: its radius, or the
/// few pixels of tolerance.
pub fn nearest_to_ray(
    sight: &Sight,
    bodies: impl IntoIterator<Item = (Entity, Vec3, f32)>,
) -> Option<Entity> {
    let miss = |center: Vec3, radius: f32| {
        let along = (center - sight.ray.origin).dot(*sight.ray.direction);
        let distance = sight.ray.get_point(along).distance(center);
        let reach = radius.max(sight.tolerance(along));
        (along >= 0.0 && distance <= reach && reach > 0.0).then(|| distance / reach)
    };
    let hits = bodies
        .into_iter()
        .filter_map(|(entity, center, radius)| Some((entity, miss(center, radius)?)));
    hits.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(entity, _)| entity)
}

/// A click: selects the agent that is hit, or nobody; while a target is being picked, gives it what is hit.
pub fn click(world: &mut World, sight: &Sight) {
    let inspector = world.resource::<Inspector>();
    let (selected, is_picking) = (inspector.selected, inspector.pick.is_some());
    if let Some(agent) = selected.filter(|_| is_picking) {
        let picked = match thing_at(world, sight, agent) {
            Some(entity) => Some(Picked::Entity(entity)),
            None => point_at(world, sight, agent).map(Picked::Point),
        };
        if let Some(picked) = picked {
            deliver(world, picked);
        }
        return;
    }
    let mut agents = world.query::<(Entity, &Transform, &Vehicle)>();
    let bodies = agents.iter(world).map(|(agent, place, vehicle)| {
        (agent, place.translation, if vehicle.radius.is_finite() { vehicle.radius } else { 0.0 })
    });
    let hit = nearest_to_ray(sight, bodies);
    if hit.is_some() {
        world.resource_mut::<Inspector>().select(hit);
    }
}

/// Anything that can be a target, other than the agent itself.
fn thing_at(world: &mut World, sight: &Sight, except: Entity) -> Option<Entity> {
    type Things = Or<(With<Vehicle>, With<SteeringLayers>, With<Velocity>, With<Obstacle>)>;
    let mut things =
        world.query_filtered::<(Entity, &GlobalTransform, &Transform, Option<&Vehicle>), Things>();
    let bodies = things.iter(world).filter(|&(thing, ..)| thing != except).map(
        |(thing, place, own, vehicle)| {
            // Agents are where steering has put them; what is parented moves with its parents.
            let center = if vehicle.is_some() { own.translation } else { place.translation() };
            (thing, center, vehicle.map_or(0.0, |vehicle| vehicle.radius))
        },
    );
    nearest_to_ray(sight, bodies)
}

/// The place in the agent's plane; in free space, as far from the camera as the agent.
fn point_at(world: &World, sight: &Sight, agent: Entity) -> Option<Vec3> {
    let origin = world.get::<Transform>(agent)?.translation;
    let plane = plane_of(world, agent);
    let normal = if plane.is_planar() { plane.normal() } else { *sight.ray.direction };
    let point = sight.ray.plane_intersection_point(origin, InfinitePlane3d::new(normal))?;
    Some(point)
}

/// The space in which an agent steers.
pub(crate) fn plane_of(world: &World, agent: Entity) -> SteeringPlane {
    let default = world.get_resource::<SteeringSettings>().map(|settings| settings.plane);
    world.get::<SteeringPlane>(agent).copied().or(default).unwrap_or_default()
}

/// Where the button was pressed.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Press(Option<Vec2>);

pub(crate) fn click_in_window(
    mut commands: Commands,
    mut press: ResMut<Press>,
    cameras: WorldCameras,
    buttons: Res<ButtonInput<MouseButton>>,
    egui: Res<EguiWantsInput>,
    inspector: Res<Inspector>,
) {
    if !inspector.is_open {
        return;
    }
    let Some(pointer) = cameras.pointer() else { return };
    if buttons.just_pressed(MouseButton::Left) {
        press.0 = (!egui.wants_any_pointer_input()).then_some(pointer);
    }
    if !buttons.just_released(MouseButton::Left) {
        return;
    }
    let is_steady = press.0.take().is_some_and(|from| from.distance(pointer) <= STEADY);
    if let Some(sight) = cameras.sight(pointer).filter(|_| is_steady) {
        commands.queue(move |world: &mut World| click(world, &sight));
    }
}
