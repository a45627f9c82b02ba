//! Draws the [`Overlay`]: a camera of the render world, spawned again in each frame.

use core::mem;

use bevy::{
    camera::{
        CameraMainTextureUsages, CameraOutputMode, Exposure, MsaaWriteback, NormalizedRenderTarget,
    },
    core_pipeline::Core2d,
    ecs::schedule::ScheduleLabel,
    prelude::*,
    render::{
        MainWorld,
        camera::ExtractedCamera,
        render_resource::{BlendState, TextureFormat},
        sync_world::{MainEntity, TemporaryRenderEntity},
        view::{ExtractedView, RetainedViewEntity},
    },
    window::{PrimaryWindow, WindowRef},
};
use bevy_egui::{
    EguiOutput, EguiPixelsPerPoint, EguiRenderOutput,
    render::{EguiCameraView, EguiViewTarget},
};

use super::overlay::Overlay;

/// Above all cameras of the game.
const ORDER: isize = 1000;
/// Any number that no other view of the same entity has.
const EGUI_SUBVIEW: u32 = 1;
const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// Gives the render world a camera that shows the overlay, if there is anything to show.
pub(crate) fn extract_overlay(mut commands: Commands, mut world: ResMut<MainWorld>) {
    let mut windows = world.query_filtered::<(Entity, &Window), With<PrimaryWindow>>();
    let Ok((window, size)) =
        windows.single(&world).map(|(entity, window)| (entity, window.physical_size()))
    else {
        return;
    };
    let mut overlays = world.query_filtered::<
        (Entity, &EguiOutput, &mut EguiRenderOutput),
        (With<Overlay>, Without<Camera>),
    >();
    let Ok((overlay, output, mut render_output)) = overlays.single_mut(&mut world) else { return };
    let pixels_per_point = output.pixels_per_point;
    let render_output = mem::take(&mut *render_output);
    if render_output.paint_jobs.is_empty() || size.min_element() == 0 {
        return;
    }
    let window = WindowRef::Primary.normalize(Some(window));
    let view = |subview| ExtractedView {
        retained_view_entity: RetainedViewEntity::new(overlay.into(), None, subview),
        clip_from_view: Mat4::IDENTITY,
        world_from_view: GlobalTransform::IDENTITY,
        clip_from_world: None,
        target_format: FORMAT,
        viewport: UVec4::new(0, 0, size.x, size.y),
        color_grading: default(),
        invert_culling: false,
    };
    let camera = commands.spawn((
        MainEntity::from(overlay),
        ExtractedCamera {
            target: window.map(NormalizedRenderTarget::Window),
            physical_viewport_size: Some(size),
            physical_target_size: Some(size),
            viewport: None,
            schedule: Core2d.intern(),
            order: ORDER,
            output_mode: CameraOutputMode::Write {
                blend_state: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                clear_color: ClearColorConfig::None,
            },
            msaa_writeback: MsaaWriteback::Off,
            clear_color: ClearColorConfig::Custom(Color::NONE),
            sorted_camera_index_for_target: 0,
            exposure: Exposure::default().exposure(),
            hdr: false,
        },
        view(0),
        CameraMainTextureUsages::default(),
        Msaa::Off,
        TemporaryRenderEntity::default(),
    ));
    let camera = camera.id();
    let egui_view = commands.spawn((
        view(EGUI_SUBVIEW),
        EguiViewTarget(camera),
        render_output,
        EguiPixelsPerPoint { pixels_per_point },
        TemporaryRenderEntity::default(),
    ));
    let egui_view = egui_view.id();
    commands.entity(camera).insert(EguiCameraView(egui_view));
}
