//! The crowd in a window, with a graph of how long each frame takes.

use std::time::Duration;

use bevy::{
    app::TaskPoolPlugin,
    camera::ScalingMode,
    dev_tools::fps_overlay::{FpsOverlayConfig, FpsOverlayPlugin, FrameTimeGraphConfig},
    diagnostic::{Diagnostic, DiagnosticsStore},
    input::common_conditions::input_just_pressed,
    math::ops,
    prelude::*,
    time::common_conditions::once_after_real_delay,
    ui::IsDefaultUiCamera,
    window::{PresentMode, WindowResolution},
};
use bevy_egui::input::egui_wants_any_keyboard_input;
use bevy_steer::{AgentId, SteeringDiagnosticsPlugin, prelude::*};
use bevy_steer_inspector::SteeringInspectorPlugin;

use super::{
    options::{Options, Plane},
    world::{BODY, CrowdPlugin, side},
};
use crate::{
    choice::select_somebody,
    palette,
    picture::{quit, save_picture_and_quit},
};

/// What the command line said.
#[derive(Resource, Clone)]
struct Setup(Options);

/// The line of figures.
#[derive(Component)]
struct Figures;

/// The size of the window, in logical pixels.
const SIZE: UVec2 = UVec2::new(1280, 720);

/// What Bevy's frame-time overlay takes of it, at the upper left.
const GRAPH: UVec2 = UVec2::new(140, 76);

/// Opens the window, and shows the crowd until it is closed.
pub fn run(options: &Options) {
    let window = Window {
        title: format!("bevy_steer: {} agents", options.agents),
        resolution: WindowResolution::new(SIZE.x, SIZE.y),
        present_mode: PresentMode::AutoNoVsync,
        ..default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    let overlay = FpsOverlayConfig {
        text_config: TextFont::from_font_size(22.0),
        text_color: palette::TEXT,
        frame_time_graph_config: FrameTimeGraphConfig {
            enabled: true,
            min_fps: 10.0,
            target_fps: 60.0,
        },
        ..default()
    };
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.set(windows).set(threads(options)),
        FpsOverlayPlugin { config: overlay },
        CrowdPlugin { options: options.clone() },
        SteeringInspectorPlugin {
            open: options.inspector,
            ..SteeringInspectorPlugin::default().with_key(KeyCode::KeyI)
        },
    ))
    .insert_resource(ClearColor(palette::GROUND))
    .insert_resource(Setup(options.clone()))
    .add_systems(Startup, (set_up_camera, dress, spawn_figures))
    .add_systems(
        Update,
        (
            show_figures,
            quit.run_if(
                input_just_pressed(KeyCode::Escape).and_then(not(egui_wants_any_keyboard_input)),
            ),
        ),
    );
    if options.inspector {
        app.add_systems(PostStartup, select_somebody);
    }
    if options.plane != Plane::Xy {
        app.add_systems(Update, orbit);
    }
    if options.screenshot.is_some() {
        let delay = Duration::from_secs_f32(options.seconds);
        app.add_systems(Update, take_picture.run_if(once_after_real_delay(delay)));
    }
    app.run();
}

fn threads(options: &Options) -> TaskPoolPlugin {
    let mut pools = TaskPoolOptions::default();
    // The thread of the app itself takes its share of the work.
    pools.compute.min_threads = usize::from(options.threads).saturating_sub(1).max(1);
    TaskPoolPlugin { task_pool_options: pools }
}

fn set_up_camera(mut commands: Commands, setup: Res<Setup>) {
    let side = side(&setup.0);
    let mut camera = commands.spawn(IsDefaultUiCamera);
    if setup.0.plane == Plane::Xy {
        let scaling_mode = ScalingMode::AutoMin { min_width: side, min_height: side * 0.6 };
        let projection =
            OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
        camera.insert((Camera2d, Projection::Orthographic(projection)));
    } else {
        camera.insert(Camera3d::default());
    }
}

/// All agents share a mesh and a few materials, so that they are drawn as instances, a material at a time.
fn dress(
    agents: Query<(Entity, &AgentId), With<Vehicle>>,
    obstacles: Query<(Entity, &Obstacle)>,
    setup: Res<Setup>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut flat: ResMut<Assets<ColorMaterial>>,
    mut solid: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    let colors = [palette::SKY, palette::ORANGE, palette::GREEN, palette::YELLOW];
    // In a large world an agent of its true size would be less than a pixel.
    let size = (side(&setup.0) / SIZE.y as f32 * 1.6).max(BODY * 1.4);
    let stone = 4.0 * BODY;
    if setup.0.plane == Plane::Xy {
        let arrow = Triangle2d::new(
            Vec2::new(size, 0.0),
            Vec2::new(-size, size * 0.7),
            Vec2::new(-size, -size * 0.7),
        );
        let arrow = Mesh2d(meshes.add(arrow));
        let disc = Mesh2d(meshes.add(Circle::new(stone)));
        let colors = colors.map(|color| MeshMaterial2d(flat.add(ColorMaterial::from(color))));
        let rock = MeshMaterial2d(flat.add(ColorMaterial::from(palette::STONE_RIM)));
        for (agent, number) in &agents {
            let color = colors[number.0 as usize % colors.len()].clone();
            commands.entity(agent).insert((arrow.clone(), color));
        }
        for (obstacle, _) in &obstacles {
            commands.entity(obstacle).insert((disc.clone(), rock.clone()));
        }
    } else {
        let cone = Mesh::from(Cone::new(size * 0.7, size * 2.0).mesh().resolution(8))
            .rotated_by(Quat::from_rotation_x(-core::f32::consts::FRAC_PI_2));
        let cone = Mesh3d(meshes.add(cone));
        let ball = Mesh3d(meshes.add(Sphere::new(stone)));
        let mut material = |color| {
            let material = StandardMaterial { base_color: color, unlit: true, ..default() };
            MeshMaterial3d(solid.add(material))
        };
        let colors = colors.map(&mut material);
        let rock = material(palette::STONE_RIM);
        for (agent, number) in &agents {
            let color = colors[number.0 as usize % colors.len()].clone();
            commands.entity(agent).insert((cone.clone(), color));
        }
        for (obstacle, _) in &obstacles {
            commands.entity(obstacle).insert((ball.clone(), rock.clone()));
        }
    }
}

fn orbit(mut camera: Single<&mut Transform, With<Camera3d>>, setup: Res<Setup>, time: Res<Time>) {
    let (sin, cos) = ops::sin_cos(time.elapsed_secs() * 0.1);
    let side = side(&setup.0);
    let height = if setup.0.plane == Plane::Xz { 0.7 } else { 0.45 };
    let place = Vec3::new(cos, height, sin) * (side * 0.95);
    **camera = Transform::from_translation(place).looking_at(Vec3::ZERO, Vec3::Y);
}

/// The line of figures, and what the graph stands out against.
fn spawn_figures(mut commands: Commands) {
    let ground = BackgroundColor(palette::GROUND.with_alpha(0.8));
    let behind_graph = Node {
        position_type: PositionType::Absolute,
        width: px(GRAPH.x),
        height: px(GRAPH.y),
        ..default()
    };
    commands.spawn((behind_graph, ground));
    let place = Node {
        position_type: PositionType::Absolute,
        bottom: px(10),
        left: px(12),
        max_width: percent(97),
        padding: UiRect::axes(px(8), px(4)),
        ..default()
    };
    commands.spawn((
        Figures,
        Text::default(),
        TextFont::from_font_size(16.0),
        TextColor(palette::TEXT),
        ground,
        place,
    ));
}

fn show_figures(
    mut text: Single<&mut Text, With<Figures>>,
    diagnostics: Res<DiagnosticsStore>,
    setup: Res<Setup>,
    time: Res<Time>,
    mut next: Local<f32>,
) {
    if time.elapsed_secs() < *next {
        return;
    }
    *next = time.elapsed_secs() + 0.25;
    let smooth = |path| diagnostics.get(&path).and_then(Diagnostic::smoothed).unwrap_or_default();
    let tick = smooth(SteeringDiagnosticsPlugin::TICK);
    let stages: Vec<String> = [
        ("sense", SteeringSystems::Sense),
        ("behave", SteeringSystems::Behave),
        ("combine", SteeringSystems::Combine),
        ("integrate", SteeringSystems::Integrate),
    ]
    .into_iter()
    .map(|(name, stage)| format!("{name} {:.2}", smooth(SteeringDiagnosticsPlugin::stage(stage))))
    .collect();
    text.0 = format!(
        "{} agents   steering {tick:.2} ms a tick   {:.0} ns an agent\n{}       I inspector   Esc quit",
        setup.0.agents,
        tick * 1e6 / f64::from(setup.0.agents),
        stages.join("   "),
    );
}

fn take_picture(setup: Res<Setup>, commands: Commands) {
    if let Some(path) = &setup.0.screenshot {
        save_picture_and_quit(path.clone(), commands);
    }
}
