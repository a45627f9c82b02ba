//! The game in a window: what is drawn, and what the keys and the mouse do.

use std::time::Duration;

use bevy::{
    camera::ScalingMode,
    prelude::*,
    time::common_conditions::once_after_real_delay,
    window::{PrimaryWindow, WindowResolution},
};
use bevy_egui::input::egui_wants_any_keyboard_input;
use bevy_steer::{NextAgentId, prelude::*};
use bevy_steer_inspector::{Inspector, SteeringInspectorPlugin};

use super::{
    game::{ARENA, Dice, GamePlugin, Hunter, LURE, Prey, Score, Setup, arena},
    hud,
    options::Options,
    spawn,
};
use crate::{
    clock::step_once,
    gizmos::draw_nothing,
    palette,
    picture::{quit, save_picture_and_quit},
    shapes::Silhouette,
};

/// What is shown of the world.
#[derive(Resource, Debug, Default)]
pub(super) struct View {
    /// Whether forces are drawn.
    pub(super) forces: bool,
}

/// The mouse, as something that prey follow.
#[derive(Component)]
#[require(Transform, SteeringLayers = SteeringLayers::NONE)]
struct Mouse;

/// A lure that was put down by a click.
#[derive(Component)]
#[require(SteeringLayers = LURE)]
struct Lure;

/// The window's size, in logical pixels and in units of the arena.
const SIZE: UVec2 = UVec2::new(1280, 720);
/// The speeds that the keys step through.
const SPEEDS: [f32; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

/// Opens the window and plays until it is closed.
pub fn run(options: &Options) {
    let window = Window {
        title: "bevy_steer: hunters and prey".to_owned(),
        resolution: WindowResolution::new(SIZE.x, SIZE.y),
        ..default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.set(windows),
        GamePlugin::new(options.clone()),
        SteeringGizmosPlugin,
        SteeringInspectorPlugin::default().with_key(KeyCode::KeyI).closed(),
    ))
    .insert_resource(ClearColor(palette::GROUND))
    .insert_resource(View { forces: options.forces })
    .add_systems(Startup, (set_up, hud::spawn))
    .add_systems(
        PreUpdate,
        (
            follow_mouse,
            press_keys.run_if(not(egui_wants_any_keyboard_input)),
            // While the inspector is open a click selects.
            click.run_if(|inspector: Res<Inspector>| !inspector.is_open),
        )
            .chain(),
    )
    .add_systems(
        Update,
        (
            dress,
            color_by_mood,
            draw_arena,
            draw_agents,
            show_forces.run_if(resource_changed::<View>),
            hud::update,
        ),
    );
    if let Some(seconds) = options.seconds.or(options.screenshot.as_ref().map(|_| 5.0)) {
        let over = once_after_real_delay(Duration::from_secs_f32(seconds));
        app.add_systems(Update, leave.run_if(over));
    }
    app.run();
}

fn set_up(mut commands: Commands, mut gizmos: ResMut<GizmoConfigStore>) {
    let scaling_mode = ScalingMode::AutoMin { min_width: SIZE.x as f32, min_height: SIZE.y as f32 };
    let projection =
        OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
    commands.spawn(Mouse);
    gizmos.config_mut::<DefaultGizmoConfigGroup>().0.line.width = 2.5;
    let (_, steering) = gizmos.config_mut::<SteeringGizmos>();
    draw_nothing(steering);
    steering.force = Some(palette::RED);
}

/// Puts the mouse where it points to, and out of the game while it is outside the arena.
fn follow_mouse(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut mouse: Single<(&mut Transform, &mut SteeringLayers), With<Mouse>>,
) {
    let (camera, view) = *camera;
    let pointed =
        window.cursor_position().and_then(|at| camera.viewport_to_world_2d(view, at).ok());
    let (transform, layers) = &mut *mouse;
    match pointed.filter(|place| place.abs().cmple(ARENA).all()) {
        Some(place) => {
            transform.translation = place.extend(0.0);
            **layers = LURE;
        }
        None => **layers = SteeringLayers::NONE,
    }
}

fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut virtual_time: ResMut<Time<Virtual>>,
    mut fixed_time: ResMut<Time<Fixed>>,
    mut view: ResMut<View>,
    mut bounds: ResMut<WorldBounds>,
    lures: Query<Entity, With<Lure>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    let faster = [KeyCode::Equal, KeyCode::NumpadAdd];
    let slower = [KeyCode::Minus, KeyCode::NumpadSubtract];
    if keys.just_pressed(KeyCode::Space) {
        if virtual_time.is_paused() { virtual_time.unpause() } else { virtual_time.pause() }
    }
    if keys.just_pressed(KeyCode::KeyN) {
        virtual_time.pause();
        step_once(&mut fixed_time);
    }
    if keys.any_just_pressed(faster) || keys.any_just_pressed(slower) {
        let now = SPEEDS.iter().position(|&speed| speed >= virtual_time.relative_speed());
        let now = now.unwrap_or(SPEEDS.len() - 1);
        let next = if keys.any_just_pressed(faster) { now + 1 } else { now.saturating_sub(1) };
        virtual_time.set_relative_speed(SPEEDS[next.min(SPEEDS.len() - 1)]);
    }
    if keys.just_pressed(KeyCode::KeyF) {
        view.forces = !view.forces;
    }
    if keys.just_pressed(KeyCode::KeyE) {
        let other =
            if bounds.edge == BoundsEdge::Wrap { BoundsEdge::Bounce } else { BoundsEdge::Wrap };
        bounds.0 = arena(other);
    }
    if keys.just_pressed(KeyCode::KeyC) {
        lures.iter().for_each(|lure| commands.entity(lure).despawn());
    }
    if keys.just_pressed(KeyCode::KeyR) {
        commands.queue(reset);
    }
    if keys.just_pressed(KeyCode::Escape) {
        exit.write(AppExit::Success);
    }
}

/// Everything as at the beginning.
fn reset(world: &mut World) {
    let mut everybody = world.query_filtered::<Entity, Or<(With<Vehicle>, With<Lure>)>>();
    let everybody: Vec<Entity> = everybody.iter(world).collect();
    for entity in everybody {
        world.despawn(entity);
    }
    let seed = world.resource::<Setup>().options.seed;
    world.insert_resource(Dice::new(seed));
    world.insert_resource(Score::default());
    world.insert_resource(NextAgentId::default());
    if let Err(error) = world.run_system_cached(spawn::populate) {
        error!("cannot fill the arena: {error}");
    }
}

fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    mouse: Single<(&Transform, &SteeringLayers), With<Mouse>>,
    mut commands: Commands,
) {
    let (transform, &layers) = *mouse;
    if buttons.just_pressed(MouseButton::Left) && layers == LURE {
        commands.spawn((Lure, *transform));
    }
}

/// Gives everybody who is new a shape.
fn dress(
    naked: Query<(Entity, &Vehicle, Has<Hunter>, Has<Prey>), Without<Mesh2d>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, vehicle, is_hunter, is_prey) in &naked {
        let (mesh, color) = if is_hunter {
            (Silhouette::Raptor.flat(vehicle.radius), palette::ORANGE)
        } else if is_prey {
            (Silhouette::Fish.flat(vehicle.radius), palette::SKY)
        } else {
            (Circle::new(vehicle.radius).into(), palette::STONE)
        };
        let material = materials.add(ColorMaterial::from(color));
        commands.entity(entity).insert((Mesh2d(meshes.add(mesh)), MeshMaterial2d(material)));
    }
}

fn color_by_mood(
    hunters: Query<(&Pursue, &MeshMaterial2d<ColorMaterial>), With<Hunter>>,
    prey: Query<(&Evade, &MeshMaterial2d<ColorMaterial>), With<Prey>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let hunters = hunters.iter().map(|(pursue, material)| {
        (material, if pursue.blend.enabled { palette::ORANGE } else { palette::TIRED })
    });
    let prey = prey.iter().map(|(evade, material)| {
        (material, if evade.memory.current.is_some() { palette::YELLOW } else { palette::SKY })
    });
    for (material, color) in hunters.chain(prey) {
        // Only a change is sent to the GPU.
        if materials.get(&material.0).is_some_and(|material| material.color != color)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            material.color = color;
        }
    }
}

fn draw_arena(mut gizmos: Gizmos, lures: Query<&Transform, With<Lure>>, time: Res<Time<Real>>) {
    gizmos.rect_2d(Isometry2d::IDENTITY, 2.0 * ARENA, palette::FRAME);
    for lure in &lures {
        let place = lure.translation.truncate();
        let pulse = Prey::SLOW * (0.5 + 0.5 * (time.elapsed_secs() % 1.5) / 1.5);
        gizmos.circle_2d(place, 5.0, palette::GREEN);
        gizmos.circle_2d(place, pulse, palette::GREEN.with_alpha(1.2 - pulse / Prey::SLOW));
    }
}

fn draw_agents(mut gizmos: Gizmos, agents: Query<(&Transform, &Vehicle, Option<&Hunter>)>) {
    for (transform, vehicle, hunter) in &agents {
        let place = transform.translation.truncate();
        if let Some(hunter) = hunter {
            let share = hunter.stamina / Hunter::STAMINA;
            let left = place + Vec2::new(-vehicle.radius, vehicle.radius * 1.6);
            let full = Vec2::X * 2.0 * vehicle.radius;
            gizmos.line_2d(left, left + full, palette::FRAME);
            gizmos.line_2d(left, left + full * share.clamp(0.0, 1.0), palette::ORANGE);
        }
        if vehicle.max_force == 0.0 {
            gizmos.circle_2d(place, vehicle.radius, palette::STONE_RIM);
        }
    }
}

fn show_forces(view: Res<View>, mut gizmos: ResMut<GizmoConfigStore>) {
    gizmos.config_mut::<SteeringGizmos>().0.enabled = view.forces;
}

/// Leaves when the time that was given is over, with a picture if one was asked for.
fn leave(setup: Res<Setup>, commands: Commands, exit: MessageWriter<AppExit>) {
    match &setup.options.screenshot {
        Some(path) => save_picture_and_quit(path.clone(), commands),
        None => quit(exit),
    }
}
