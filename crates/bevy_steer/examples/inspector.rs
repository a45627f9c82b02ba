//! A small scene with the panel that shows what steers an agent.
//!
//! Click an agent in the world or in the list, see the force of each behaviour, and drag the
//! sliders of its parameters. F1 closes the panel and opens it again; Esc closes it, then the
//! window.
//!
//! `cargo run -p bevy_steer --example inspector`

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_inspector::{Inspector, SteeringInspectorPlugin, leave_panel};

fn main() {
    let window = Window { title: "bevy_steer: inspector".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    let world = Bounds::rect(vec2(-440.0, -320.0), vec2(440.0, 350.0), BoundsEdge::Wrap);
    // This line adds the panel. It finds all behaviours, including your own.
    app.add_plugins(SteeringInspectorPlugin::default())
        .add_plugins(SteeringPlugin::default())
        .insert_resource(WorldBounds(world))
        .insert_resource(ClearColor(Color::srgb(0.06, 0.07, 0.09)))
        .add_systems(Startup, spawn)
        .add_systems(Update, leave);
}

/// Esc closes the panel, then the window.
fn leave(keys: Res<ButtonInput<KeyCode>>, mut commands: Commands) {
    if keys.just_pressed(KeyCode::Escape) {
        commands.queue(|world: &mut World| {
            if leave_panel(world) {
                world.write_message(AppExit::Success);
            }
        });
    }
}

const PREY: SteeringLayers = SteeringLayers::layer(0);
const HUNTER: SteeringLayers = SteeringLayers::layer(1);

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut inspector: ResMut<Inspector>,
) {
    commands.spawn(Camera2d);
    let line = Text2d::new("Click an agent to see what steers it");
    commands.spawn((line, Transform::from_xyz(-200.0, -340.0, 0.0)));
    let disc = Mesh2d(meshes.add(Circle::new(45.0)));
    let stone = (disc, MeshMaterial2d(materials.add(Color::srgb(0.3, 0.34, 0.4))));
    commands.spawn((Obstacle::sphere(45.0), stone, Transform::from_xyz(150.0, -120.0, -1.0)));
    for i in 0..40 {
        commands.spawn((
            // The list in the panel shows the names.
            Name::new(format!("Prey {i}")),
            body(90.0, PREY, Color::srgb(0.34, 0.7, 0.91)),
            Transform::from_xyz(40.0 * (i % 8) as f32 - 160.0, 40.0 * (i / 8) as f32, 0.0),
            (Flock::new(70.0), Wander::default(), AvoidObstacles::default()),
            Flee::new(Target::nearest(HUNTER, 110.0)),
        ));
    }
    for i in 0..3 {
        let hunter = commands.spawn((
            Name::new(format!("Hunter {i}")),
            body(105.0, HUNTER, Color::srgb(0.9, 0.62, 0.0)),
            Transform::from_xyz(-400.0, 200.0 - 200.0 * i as f32, 0.0),
            (Pursue::new(Target::nearest(PREY, 400.0)), AvoidObstacles::default()),
            AvoidAgents::default().with_layers(HUNTER),
        ));
        // The panel shows the last one until another is clicked.
        inspector.select(Some(hunter.id()));
    }
}

fn body(speed: f32, layers: SteeringLayers, color: Color) -> impl Bundle {
    let vehicle = Vehicle::new(speed).with_radius(8.0);
    (vehicle, layers, Sprite::from_color(color, Vec2::new(18.0, 9.0)))
}
