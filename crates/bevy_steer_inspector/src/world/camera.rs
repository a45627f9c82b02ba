//! The cameras through which the primary window shows the world.

use bevy::{
    camera::RenderTarget,
    ecs::{query::QueryData, system::SystemParam},
    prelude::*,
    window::{PrimaryWindow, WindowRef},
};
use bevy_egui::EguiContext;

use super::click::Sight;

/// So many pixels beside an agent still hit it.
const PIXELS: f32 = 8.0;

#[derive(QueryData)]
pub(crate) struct Seen {
    entity: Entity,
    camera: &'static Camera,
    target: &'static RenderTarget,
    place: &'static GlobalTransform,
}

/// The cameras of the primary window, without those that only carry an egui context.
#[derive(SystemParam)]
pub(crate) struct WorldCameras<'w, 's> {
    cameras: Query<'w, 's, Seen, Without<EguiContext>>,
    windows: Query<'w, 's, (Entity, &'static Window), With<PrimaryWindow>>,
}

impl WorldCameras<'_, '_> {
    /// Where the pointer is in the primary window, in logical pixels.
    pub(crate) fn pointer(&self) -> Option<Vec2> {
        self.windows.single().ok()?.1.cursor_position()
    }

    /// The one under a place of the window that is drawn last, or the one that is drawn last of all.
    fn topmost(&self, at: Option<Vec2>) -> Option<SeenItem<'_, '_>> {
        let (window, _) = self.windows.single().ok()?;
        let shows = |seen: &SeenItem| {
            let rect = seen.camera.logical_viewport_rect();
            seen.camera.is_active
                && renders_to(seen.target, window)
                && rect.is_some_and(|rect| at.is_none_or(|at| rect.contains(at)))
        };
        self.cameras.iter().filter(shows).max_by_key(|seen| (seen.camera.order, seen.entity))
    }

    /// What lies under a place of the window.
    pub(crate) fn sight(&self, at: Vec2) -> Option<Sight> {
        sight_through(&self.topmost(Some(at))?, at)
    }

    /// The camera that shows the world, and where it is.
    pub(crate) fn main(&self) -> Option<(Entity, GlobalTransform)> {
        self.topmost(None).map(|seen| (seen.entity, *seen.place))
    }

    /// How long a pixel is in the world at a place.
    pub(crate) fn pixel_at(&self, place: Vec3) -> Option<f32> {
        let seen = self.topmost(None)?;
        let at = seen.camera.world_to_viewport(seen.place, place).ok()?;
        let sight = sight_through(&seen, at)?;
        let along = (place - sight.ray.origin).dot(*sight.ray.direction);
        Some(sight.tolerance(along) / PIXELS)
    }
}

fn sight_through(seen: &SeenItem, at: Vec2) -> Option<Sight> {
    let ray = |at| seen.camera.viewport_to_world(seen.place, at).ok();
    Some(Sight { ray: ray(at)?, beside: ray(at + Vec2::X * PIXELS)? })
}

/// Whether a camera with this target renders to this window, the primary one.
pub(crate) fn renders_to(target: &RenderTarget, primary: Entity) -> bool {
    match target {
        RenderTarget::Window(WindowRef::Primary) => true,
        RenderTarget::Window(WindowRef::Entity(window)) => *window == primary,
        _ => false,
    }
}
