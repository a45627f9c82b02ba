//! The panel adds no camera that the systems of a game can see.

use bevy::{camera::Viewport, prelude::*, window::PrimaryWindow};
use bevy_egui::{EguiContext, PrimaryEguiContext};
use bevy_steer::prelude::*;
use bevy_steer_inspector::{Inspector, SteeringInspectorPlugin};

use crate::common::headless;

#[derive(Resource, Default)]
struct Runs {
    camera: usize,
    with_transform: usize,
}

fn game() -> App {
    let mut app = App::new();
    app.add_plugins((headless(), SteeringPlugin::default(), SteeringInspectorPlugin::default()))
        .init_resource::<Runs>()
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(Camera2d);
        })
        .add_systems(Update, |_: Single<&Camera>, mut runs: ResMut<Runs>| runs.camera += 1)
        .add_systems(
            PostUpdate,
            |_: Single<(&Camera, &GlobalTransform)>, mut runs: ResMut<Runs>| {
                runs.with_transform += 1;
            },
        );
    app.finish();
    app.cleanup();
    app
}

fn viewport(app: &mut App) -> Option<Viewport> {
    let mut cameras = app.world_mut().query::<&Camera>();
    cameras.single(app.world()).expect("one camera").viewport.clone()
}

#[test]
fn game_with_a_single_camera_keeps_running() {
    let mut app = game();
    for frame in 1..=5 {
        app.update();
        let runs = app.world().resource::<Runs>();
        assert_eq!((runs.camera, runs.with_transform), (frame, frame));
    }
}

#[test]
fn panel_covers_the_window_and_the_camera_makes_room() {
    let mut app = game();
    (0..5).for_each(|_| app.update());
    let mut windows = app.world_mut().query_filtered::<&Window, With<PrimaryWindow>>();
    let size = windows.single(app.world()).expect("a window").physical_size();
    let mut contexts =
        app.world_mut().query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let mut context = contexts.single_mut(app.world_mut()).expect("one context");
    let covered = context.get_mut().viewport_rect().size();
    assert_eq!((covered.x, covered.y), (size.x as f32, size.y as f32));
    let beside = viewport(&mut app).expect("a viewport beside the panel");
    assert!(beside.physical_size.x < size.x && beside.physical_size.y == size.y, "{beside:?}");
    app.world_mut().resource_mut::<Inspector>().is_open = false;
    (0..3).for_each(|_| app.update());
    assert!(viewport(&mut app).is_none());
}
