//! The cameras that show the world in the primary window.

use bevy::{
    camera::RenderTarget,
    ecs::{query::QueryData, system::SystemParam},
    prelude::*,
    window::{PrimaryWindow, WindowRef},
};
use bevy_egui::EguiContext;

use super::sight::Sight;

/// The distance from an agent that still hits it, in pixels.
const PIXELS: f32 = 8.0;

#[derive(QueryData)]
pub(crate) struct View {
    entity: Entity,
    camera: &'static Camera,
    target: &'static RenderTarget,
    place: &'static GlobalTransform,
}

/// The cameras of the primary window, without those that only carry an egui context.
#[derive(SystemParam)]
pub(crate) struct WorldCameras<'w, 's> {
    cameras: Query<'w, 's, View, Without<EguiContext>>,
    windows: Query<'w, 's, (Entity, &'static Window), With<PrimaryWindow>>,
}

impl WorldCameras<'_, '_> {
    /// Where the pointer is in the primary window, in logical pixels.
    pub(crate) fn pointer(&self) -> Option<Vec2> {
        self.windows.single().ok()?.1.cursor_position()
    }

    /// The camera that is drawn last at a point of the window, or anywhere.
    fn topmost(&self, at: Option<Vec2>) -> Option<ViewItem<'_, '_>> {
        let (window, _) = self.windows.single().ok()?;
        let shows = |view: &ViewItem| {
            let rect = view.camera.logical_viewport_rect();
            view.camera.is_active
                && renders_to(view.target, window)
                && rect.is_some_and(|rect| at.is_none_or(|at| rect.contains(at)))
        };
        self.cameras.iter().filter(shows).max_by_key(|view| (view.camera.order, view.entity))
    }

    /// The rays through a point of the window.
    pub(crate) fn sight(&self, at: Vec2) -> Option<Sight> {
        sight_through(&self.topmost(Some(at))?, at)
    }

    /// The camera that shows the world, and its transform.
    pub(crate) fn main(&self) -> Option<(Entity, GlobalTransform)> {
        self.topmost(None).map(|view| (view.entity, *view.place))
    }

    /// The size of a pixel at a point in the world, in units.
    pub(crate) fn pixel_at(&self, place: Vec3) -> Option<f32> {
        let view = self.topmost(None)?;
        let at = view.camera.world_to_viewport(view.place, place).ok()?;
        let sight = sight_through(&view, at)?;
        let along = (place - sight.ray.origin).dot(*sight.ray.direction);
        Some(sight.tolerance(along) / PIXELS)
    }
}

fn sight_through(view: &ViewItem, at: Vec2) -> Option<Sight> {
    let ray = |at| view.camera.viewport_to_world(view.place, at).ok();
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
