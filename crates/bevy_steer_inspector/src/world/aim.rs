//! The target that was picked last is drawn while its agent is selected, whatever the gizmos of
//! steering show.

use bevy::{
    prelude::*,
    reflect::{GetPath, PartialReflect},
};
use bevy_steer::{Bearing, Point, Target};

use super::{
    camera::WorldCameras,
    click::plane_of,
    ring::{COLOR, SelectionGizmos, ring_of},
};
use crate::{
    editors::registry::Editors,
    state::{
        aim::Aim,
        inspector::{Inspector, PickRequest},
    },
};

/// The radius of the ring around the target, in pixels.
const PIXELS: f32 = 7.0;

pub(crate) fn draw_aim(world: &World, cameras: WorldCameras, mut gizmos: Gizmos<SelectionGizmos>) {
    let (Some(agent), Some((_, camera))) = (aiming_agent(world), cameras.main()) else { return };
    let (Some(from), Some(to)) = (position(world, agent), target(world, agent)) else { return };
    gizmos.line(from, to, COLOR.with_alpha(0.4));
    if let Some(pixel) = cameras.pixel_at(to).filter(|pixel| pixel.is_finite()) {
        let ring = ring_of(to, plane_of(world, agent), camera.translation());
        gizmos.circle(ring, pixel * PIXELS, COLOR).resolution(24);
    }
}

/// The selected agent, if the parameter that was picked last is one of it.
fn aiming_agent(world: &World) -> Option<Entity> {
    let inspector = world.resource::<Inspector>();
    let (agent, _) = world.resource::<Aim>().0.as_ref()?;
    (inspector.is_open && inspector.selected == Some(*agent)).then_some(*agent)
}

/// Where the parameter that was picked last leads to, if it still leads to a place.
fn target(world: &World, agent: Entity) -> Option<Vec3> {
    let (_, PickRequest { component, path, .. }) = world.resource::<Aim>().0.as_ref()?;
    let registry = &world.resource::<Editors>().registry;
    let reflect = registry.get_type_data::<ReflectComponent>(*component)?;
    let component = reflect.reflect(world.get_entity(agent).ok()?)?;
    match Place::of(component.reflect_path(path.as_str()).ok()?)? {
        Place::Point(point) => {
            Some(point.in_plane(plane_of(world, agent))).filter(|point| point.is_finite())
        }
        Place::Entity(entity) => position(world, entity),
    }
}

/// A value that leads to a place.
enum Place {
    Point(Point),
    Entity(Entity),
}

impl Place {
    fn of(value: &dyn PartialReflect) -> Option<Self> {
        if let Some(target) = value.try_downcast_ref::<Target>() {
            return match *target {
                Target::Point(point) => Some(Self::Point(point)),
                Target::Entity(entity) => Some(Self::Entity(entity)),
                _ => None,
            };
        }
        if let Some(Bearing::Like(entity)) = value.try_downcast_ref() {
            return Some(Self::Entity(*entity));
        }
        value.try_downcast_ref().copied().map(Self::Entity)
    }
}

fn position(world: &World, entity: Entity) -> Option<Vec3> {
    let place = world.get::<GlobalTransform>(entity)?.translation();
    Some(place).filter(|place| place.is_finite())
}
