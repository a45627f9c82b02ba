//! Where the panel is: docked to a side of the primary window, with the cameras beside it.

use bevy::{
    camera::{CameraOutputMode, RenderTarget, Viewport, visibility::RenderLayers},
    prelude::*,
    render::render_resource::BlendState,
    window::PrimaryWindow,
};
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};

use crate::{inspector::Inspector, panel::inspector_ui, style, world::camera::renders_to};

/// A side of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The left.
    Left,
    /// The right.
    #[default]
    Right,
}

const WIDTH: f32 = 340.0;
const NARROWEST: f32 = 300.0;

/// How much of the window the panel takes at each side, in logical pixels.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Taken {
    left: f32,
    right: f32,
}

/// The viewport that a camera had before it made room, and the one that it was given.
#[derive(Component, Clone, Debug)]
pub(crate) struct MadeRoom {
    own: Option<Viewport>,
    given: Viewport,
}

/// A camera for egui alone, over the whole window and everything else in it.
pub(crate) fn spawn_camera(mut commands: Commands) {
    commands.spawn((
        Name::new("Steering inspector"),
        PrimaryEguiContext,
        Camera2d,
        RenderLayers::none(),
        Camera {
            order: 1000,
            output_mode: CameraOutputMode::Write {
                blend_state: Some(BlendState::ALPHA_BLENDING),
                clear_color: ClearColorConfig::None,
            },
            clear_color: ClearColorConfig::Custom(Color::NONE),
            ..default()
        },
    ));
}

/// Keeps the panel's camera at the multisampling of the scene's: cameras of one window share their depth texture, and Bevy quits
/// if they differ.
pub(crate) fn match_msaa(
    mut own: Query<&mut Msaa, With<PrimaryEguiContext>>,
    others: Query<
        (&Msaa, &RenderTarget, Has<Camera2d>),
        (With<Camera>, Without<PrimaryEguiContext>),
    >,
    window: Single<Entity, With<PrimaryWindow>>,
) {
    let here = others.iter().filter(|(_, target, _)| renders_to(target, *window));
    let Some((&wanted, ..)) = here.max_by_key(|(.., is_2d)| *is_2d) else { return };
    for mut msaa in &mut own {
        if *msaa != wanted {
            *msaa = wanted;
        }
    }
}

/// Shows the panel in the primary egui context.
pub(crate) fn show_panel(world: &mut World) {
    let inspector = world.resource::<Inspector>();
    let (is_open, side) = (inspector.is_open, inspector.side);
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let context = contexts.single_mut(world).ok().map(|mut context| context.get_mut().clone());
    let mut taken = Taken::default();
    if let Some(context) = context.filter(|_| is_open) {
        let panel = match side {
            Side::Left => egui::Panel::left("steering inspector"),
            Side::Right => egui::Panel::right("steering inspector"),
        };
        let widest = (context.viewport_rect().width() * 0.6).max(NARROWEST);
        let panel = panel
            .default_size(WIDTH)
            .size_range(NARROWEST..=widest)
            .resizable(true)
            .frame(style::frame());
        #[expect(
            deprecated,
            reason = "only this tells egui that the pointer over the panel is its"
        )]
        let shown = panel.show(&context, |ui| inspector_ui(ui, world));
        let width = shown.response.rect.width();
        match side {
            Side::Left => taken.left = width,
            Side::Right => taken.right = width,
        }
    }
    if world.get_resource::<Taken>() != Some(&taken) {
        world.insert_resource(taken);
    }
}

/// Gives the cameras of the primary window what the panel leaves, and what they had when it is closed.
pub(crate) fn fit_cameras(
    mut commands: Commands,
    inspector: Res<Inspector>,
    taken: Option<Res<Taken>>,
    window: Single<(Entity, &Window), With<PrimaryWindow>>,
    mut cameras: Query<
        (Entity, &mut Camera, &RenderTarget, Option<&mut MadeRoom>),
        Without<EguiContext>,
    >,
) {
    let (primary, window) = *window;
    let taken = taken.filter(|_| inspector.fits_cameras).map(|taken| *taken).unwrap_or_default();
    let size = window.physical_size();
    let free = free_rect(size, taken, window.scale_factor());
    let here = cameras.iter().filter(|(_, _, target, _)| renders_to(target, primary));
    let is_alone = here.count() == 1;
    for (entity, mut camera, target, made_room) in &mut cameras {
        if !renders_to(target, primary) {
            continue;
        }
        let own = match &made_room {
            // Who has set it since has set what is its own.
            Some(room) if camera.viewport.as_ref().is_some_and(|now| same(now, &room.given)) => {
                room.own.clone()
            }
            _ => camera.viewport.clone(),
        };
        let Some(free) = free.filter(|_| taken != Taken::default()) else {
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

/// What the panel leaves of the window, in physical pixels; `None` if that is nothing.
fn free_rect(size: UVec2, taken: Taken, scale: f32) -> Option<URect> {
    let pixels = |length: f32| (length * scale).ceil().max(0.0) as u32;
    let (left, right) = (pixels(taken.left), pixels(taken.right));
    let end = size.x.checked_sub(right)?;
    (end > left && size.y > 0).then(|| URect::new(left, 0, end, size.y))
}

/// What a camera has of the free rectangle: where it shows as much of the window as before; one of several that share the window, the
/// same part as before.
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
    fn cameras_get_what_the_panel_leaves() {
        let taken = Taken { left: 0.0, right: 320.0 };
        let free = free_rect(SIZE, taken, 1.0).unwrap();
        let given = inside(None, SIZE, free, true);
        assert_eq!(
            (given.physical_position, given.physical_size),
            (UVec2::ZERO, UVec2::new(960, 720))
        );
    }

    #[test]
    fn split_screens_stay_split() {
        let taken = Taken { left: 320.0, right: 0.0 };
        let free = free_rect(SIZE, taken, 1.0).unwrap();
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
    fn a_lone_camera_keeps_what_is_beside_the_panel() {
        let taken = Taken { left: 0.0, right: 320.0 };
        let free = free_rect(SIZE, taken, 1.0).unwrap();
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
    fn a_window_narrower_than_the_panel_has_nothing_left() {
        let taken = Taken { left: 0.0, right: 320.0 };
        assert_eq!(free_rect(UVec2::new(200, 100), taken, 1.0), None);
        assert_eq!(free_rect(UVec2::new(500, 100), taken, 2.0), None);
    }
}
