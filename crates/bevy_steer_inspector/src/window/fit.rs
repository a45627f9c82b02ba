//! Makes room for the panel: the cameras of the primary window use the rest of the window.

use bevy::{
    camera::{RenderTarget, Viewport},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::EguiContext;

use super::dock::PanelWidth;
use crate::{state::inspector::Inspector, world::camera::renders_to};

/// The viewport that a camera had before it made room, and the one that it has now.
#[derive(Component, Clone, Debug)]
pub(crate) struct MadeRoom {
    own: Option<Viewport>,
    given: Viewport,
}

/// Shrinks the viewports of the cameras beside the panel, and restores them when it is closed.
pub(crate) fn fit_cameras(
    mut commands: Commands,
    inspector: Res<Inspector>,
    panel: Res<PanelWidth>,
    window: Single<(Entity, &Window), With<PrimaryWindow>>,
    mut cameras: Query<
        (Entity, &mut Camera, &RenderTarget, Option<&mut MadeRoom>),
        Without<EguiContext>,
    >,
) {
    let (primary, window) = *window;
    let panel = if inspector.fits_cameras { *panel } else { PanelWidth::default() };
    let size = window.physical_size();
    let free = free_rect(size, panel, window.scale_factor());
    let here = cameras.iter().filter(|(_, _, target, _)| renders_to(target, primary));
    let is_alone = here.count() == 1;
    for (entity, mut camera, target, made_room) in &mut cameras {
        if !renders_to(target, primary) {
            continue;
        }
        let own = match &made_room {
            // The game has set the viewport since then: keep it.
            Some(room) if camera.viewport.as_ref().is_some_and(|now| same(now, &room.given)) => {
                room.own.clone()
            }
            _ => camera.viewport.clone(),
        };
        let Some(free) = free.filter(|_| panel != PanelWidth::default()) else {
            if made_room.is_some() {
                camera.viewport = own;
                commands.entity(entity).remove::<MadeRoom>();
            }
            continue;
        };
        let given = inside(own.as_ref(), size, free, is_alone);
        if !camera.viewport.as_ref().is_some_and(|now| same(now, &given)) {
            camera.viewport = Some(given.clone());
        }
        let new = MadeRoom { own, given };
        match made_room {
            Some(mut room) => *room = new,
            None => {
                commands.entity(entity).insert(new);
            }
        }
    }
}

/// The part of the window beside the panel, in physical pixels; `None` if there is none.
fn free_rect(size: UVec2, panel: PanelWidth, scale: f32) -> Option<URect> {
    let pixels = |length: f32| (length * scale).ceil().max(0.0) as u32;
    let (left, right) = (pixels(panel.left), pixels(panel.right));
    let end = size.x.checked_sub(right)?;
    (end > left && size.y > 0).then(|| URect::new(left, 0, end, size.y))
}

/// The viewport of a camera in the free rectangle. A lone camera keeps the part of its own viewport
/// that is free; one of several that share the window gets the same fraction as before.
fn inside(own: Option<&Viewport>, size: UVec2, free: URect, is_alone: bool) -> Viewport {
    let Some(own) = own else {
        return Viewport { physical_position: free.min, physical_size: free.size(), ..default() };
    };
    let rect =
        URect::from_corners(own.physical_position, own.physical_position + own.physical_size);
    let left = rect.intersect(free);
    if is_alone && !left.is_empty() {
        return Viewport {
            physical_position: left.min,
            physical_size: left.size(),
            depth: own.depth.clone(),
        };
    }
    let share = free.size().as_vec2() / size.max(UVec2::ONE).as_vec2();
    let min = own.physical_position.as_vec2() * share;
    let max = (own.physical_position + own.physical_size).as_vec2() * share;
    let (min, max) = (min.round().as_uvec2(), max.round().as_uvec2());
    Viewport {
        physical_position: free.min + min,
        physical_size: (max - min).max(UVec2::ONE),
        depth: own.depth.clone(),
    }
}

fn same(a: &Viewport, b: &Viewport) -> bool {
    a.physical_position == b.physical_position
        && a.physical_size == b.physical_size
        && a.depth == b.depth
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: UVec2 = UVec2::new(1280, 720);

    #[test]
    fn cameras_get_the_space_beside_the_panel() {
        let panel = PanelWidth { left: 0.0, right: 320.0 };
        let free = free_rect(SIZE, panel, 1.0).unwrap();
        let given = inside(None, SIZE, free, true);
        assert_eq!(
            (given.physical_position, given.physical_size),
            (UVec2::ZERO, UVec2::new(960, 720))
        );
    }

    #[test]
    fn split_screen_keeps_its_proportions() {
        let panel = PanelWidth { left: 320.0, right: 0.0 };
        let free = free_rect(SIZE, panel, 1.0).unwrap();
        let half = Viewport {
            physical_position: UVec2::new(640, 0),
            physical_size: UVec2::new(640, 720),
            ..default()
        };
        let given = inside(Some(&half), SIZE, free, false);
        assert_eq!(given.physical_position, UVec2::new(800, 0));
        assert_eq!(given.physical_size, UVec2::new(480, 720));
    }

    #[test]
    fn lone_camera_keeps_the_free_part_of_its_viewport() {
        let panel = PanelWidth { left: 0.0, right: 320.0 };
        let free = free_rect(SIZE, panel, 1.0).unwrap();
        let beside_a_list = Viewport {
            physical_position: UVec2::new(232, 50),
            physical_size: UVec2::new(1048, 640),
            ..default()
        };
        let given = inside(Some(&beside_a_list), SIZE, free, true);
        assert_eq!(given.physical_position, UVec2::new(232, 50));
        assert_eq!(given.physical_size, UVec2::new(728, 640));
    }

    #[test]
    fn narrow_window_has_no_space_beside_the_panel() {
        let panel = PanelWidth { left: 0.0, right: 320.0 };
        assert_eq!(free_rect(UVec2::new(200, 100), panel, 1.0), None);
        assert_eq!(free_rect(UVec2::new(500, 100), panel, 2.0), None);
    }
}
