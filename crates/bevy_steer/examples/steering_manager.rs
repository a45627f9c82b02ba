//! A steering manager as in the classic tutorials: `seek`, `flee`, then `update`.
//!
//! `cargo run -p bevy_steer --example steering_manager`

use bevy::prelude::*;
use bevy_steer::{Velocity, formulas, prelude::*};

fn main() {
    let window = Window { title: "bevy_steer: steering manager".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, draw_trails)
        .add_systems(SteeringSchedule, decide.in_set(SteeringSystems::Decide));
}

/// Sums up the steering of its host in this tick.
struct SteeringManager<'a> {
    host: (&'a Transform, &'a Velocity, &'a Vehicle),
    steering: Vec3,
}

impl SteeringManager<'_> {
    fn seek(&mut self, target: Vec3) {
        let (place, velocity, vehicle) = self.host;
        self.steering += formulas::seek(place.translation, velocity.0, target, vehicle.max_speed);
    }

    fn flee(&mut self, threat: Vec3, within: f32) {
        let (place, velocity, vehicle) = self.host;
        let within = Some(within);
        self.steering +=
            formulas::flee(place.translation, velocity.0, threat, vehicle.max_speed, within);
    }

    /// Arbitration combines this request with those of the host's behaviours, such as
    /// `AvoidObstacles`.
    fn update(self, wishes: &mut SteeringWish) {
        wishes.push(Wish::change(self.steering));
    }
}

const MEADOW: Vec3 = Vec3::new(450.0, 0.0, 0.0);

#[derive(Component)]
pub(crate) struct Wolf;

fn decide(
    mut sheep: Query<(&Transform, &Velocity, &Vehicle, &mut SteeringWish)>,
    wolf: Single<&Transform, With<Wolf>>,
) {
    for (place, velocity, vehicle, mut wishes) in &mut sheep {
        let mut manager =
            SteeringManager { host: (place, velocity, vehicle), steering: Vec3::ZERO };
        manager.seek(MEADOW);
        manager.flee(wolf.translation, 200.0);
        manager.update(&mut wishes);
    }
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new(
        "Sheep run to the meadow on the right, away from the red wolf and around the rock",
    ));
    let look =
        |color, x, y| (Sprite::from_color(color, vec2(26.0, 14.0)), Transform::from_xyz(x, y, 0.0));
    commands.spawn((Wolf, look(Color::srgb(0.9, 0.3, 0.2), 0.0, 90.0)));
    let mut disc = |radius: f32, color: Color| {
        (Mesh2d(meshes.add(Circle::new(radius))), MeshMaterial2d(materials.add(color)))
    };
    let (rock, grass) = (Color::srgb(0.4, 0.42, 0.48), Color::srgb(0.15, 0.3, 0.15));
    let place = Transform::from_xyz(250.0, -60.0, 0.0);
    commands.spawn((Obstacle::sphere(40.0), place, disc(40.0, rock)));
    commands.spawn((Transform::from_translation(MEADOW - Vec3::Z), disc(110.0, grass)));
    for i in 0..8 {
        let sheep = (Vehicle::new(150.0).with_radius(12.0), SteeringWish::default());
        let avoid = (AvoidObstacles::default(), AvoidAgents::default());
        commands.spawn((sheep, avoid, look(Color::WHITE, -500.0, -30.0 * i as f32)));
    }
}

/// Draws where the sheep have been.
fn draw_trails(
    sheep: Query<&Transform, With<Vehicle>>,
    mut trails: Local<Vec<Vec2>>,
    mut gizmos: Gizmos,
) {
    trails.extend(sheep.iter().map(|sheep| sheep.translation.truncate()));
    let old = trails.len().saturating_sub(2000);
    trails.drain(..old);
    for &place in &*trails {
        gizmos.circle_2d(place, 1.0, Color::srgb(0.5, 0.52, 0.55)).resolution(4);
    }
}
