//! Characters walk over hills: steering decides where to, and a character controller of the game,
//! with Avian's `MoveAndSlide`, keeps them on the ground.
//!
//! `cargo run -p bevy_steer_avian --example hills_3d`

use avian3d::{dynamics::integrator::CustomPositionIntegration, prelude::*};
use bevy::{
    asset::RenderAssetUsages,
    core_pipeline::tonemapping::Tonemapping,
    math::ops,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use bevy_steer::prelude::*;
use bevy_steer_avian::dim3::AvianSteeringPlugin;
use bevy_steer_examples::{camera::WindowCamera, window::run_in_window};

fn main() -> AppExit {
    run_in_window("bevy_steer: hills", game, |_| {})
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((
        SteeringPlugin::default().with_plane(SteeringPlane::Xz),
        PhysicsPlugins::default(),
        AvianSteeringPlugin::default(),
    ))
    .insert_resource(ClearColor(Color::srgb(0.6, 0.76, 0.88)))
    .add_systems(Startup, (spawn_hills, spawn_walkers))
    // Steering has set the velocities; the controller moves the characters by them.
    .add_systems(FixedUpdate, walk.after(RunSteering));
}

/// The height of the ground, in metres.
pub(crate) fn height(place: Vec2) -> f32 {
    let (along, across) = (ops::sin(0.33 * place.x), ops::cos(0.27 * place.y + 0.6));
    1.3 * along * across + 0.5 * ops::sin(0.7 * place.y)
}

const HALF_SIZE: f32 = 30.0;

/// Half the length of a character's body, from its middle to its feet.
const HALF_HEIGHT: f32 = 0.9;

fn on_ground(place: Vec2, above: f32) -> Vec3 {
    Vec3::new(place.x, height(place) + above, place.y)
}

fn spawn_hills(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let camera = WindowCamera::solid(Vec3::new(0.0, 17.0, 31.0), Vec3::new(0.0, -2.0, 2.0));
    commands.spawn((Camera3d::default(), Tonemapping::None, camera));
    let sun = Transform::from_xyz(12.0, 14.0, 8.0).looking_at(Vec3::ZERO, Vec3::Y);
    let light = DirectionalLight { shadow_maps_enabled: true, illuminance: 9000.0, ..default() };
    commands.spawn((light, sun));
    commands.spawn((
        Text::new("Both groups walk over the hills and back, round rocks, the hut and each other"),
        TextColor(Color::BLACK),
        Node { left: px(12), top: px(10), ..default() },
    ));

    // Ground that is less steep than 45° is no obstacle.
    const CELLS: u32 = 60;
    let rows = (0..=CELLS).flat_map(|z| (0..=CELLS).map(move |x| UVec2::new(x, z).as_vec2()));
    let corners: Vec<Vec3> =
        rows.map(|cell| on_ground((cell * (2.0 / CELLS as f32) - 1.0) * HALF_SIZE, 0.0)).collect();
    let cells = (0..CELLS).flat_map(|z| (0..CELLS).map(move |x| z * (CELLS + 1) + x));
    let triangles: Vec<[u32; 3]> = cells
        .flat_map(|at| {
            let below = at + CELLS + 1;
            [[at, below, at + 1], [at + 1, below, below + 1]]
        })
        .collect();
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners.clone())
        .with_inserted_indices(Indices::U32(triangles.concat()))
        .with_computed_normals();
    let grass = StandardMaterial {
        base_color: Color::srgb(0.36, 0.55, 0.25),
        perceptual_roughness: 1.0,
        ..default()
    };
    commands.spawn((
        (RigidBody::Static, Collider::trimesh(corners, triangles)),
        (Mesh3d(meshes.add(mesh)), MeshMaterial3d(materials.add(grass))),
    ));

    let stone = materials.add(Color::srgb(0.5, 0.49, 0.47));
    let rocks =
        [(-9.0, 3.0, 1.6), (-3.0, -5.0, 1.2), (8.0, 5.0, 1.8), (11.0, -4.0, 1.3), (0.0, 9.0, 1.4)];
    for (x, z, radius) in rocks {
        let place = on_ground(Vec2::new(x, z), 0.3 * radius);
        commands.spawn((
            (RigidBody::Static, Collider::sphere(radius)),
            (Mesh3d(meshes.add(Sphere::new(radius))), MeshMaterial3d(stone.clone())),
            Transform::from_translation(place),
        ));
    }
    let hut = Cuboid::new(4.0, 4.0, 3.0);
    let place = Transform::from_translation(on_ground(Vec2::new(1.5, 1.0), 1.0))
        .with_rotation(Quat::from_rotation_y(0.5));
    commands.spawn((
        (RigidBody::Static, Collider::cuboid(4.0, 4.0, 3.0), place),
        (Mesh3d(meshes.add(hut)), MeshMaterial3d(materials.add(Color::srgb(0.55, 0.36, 0.24)))),
    ));
}

fn spawn_walkers(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let body = meshes.add(Capsule3d::new(0.35, 1.1));
    let nose = meshes.add(Sphere::new(0.14));
    let white = materials.add(Color::WHITE);
    let groups = [(-1.0, Color::srgb(0.2, 0.45, 0.85)), (1.0, Color::srgb(0.9, 0.55, 0.15))];
    for (side, color) in groups {
        let color = materials.add(color);
        for i in 0..12 {
            let start = Vec2::new(side * (18.0 + 1.8 * (i / 6) as f32), 1.9 * (i % 6) as f32 - 4.0);
            let path = PathFollow::new([start, Vec2::new(-start.x, start.y)])
                .with_end(PathEnd::PingPong)
                .by_waypoints(1.0);
            let behaviors = (path, AvoidAgents::default(), AvoidObstacles::default());
            // The engine does not move it, the controller below does.
            let collider = Collider::capsule(0.35, 1.1);
            let body_of = (RigidBody::Kinematic, collider, CustomPositionIntegration);
            let place = Transform::from_translation(on_ground(start, HALF_HEIGHT + 0.05));
            commands
                .spawn((Vehicle::new(3.5), behaviors, body_of, place, TransformInterpolation))
                .insert((Mesh3d(body.clone()), MeshMaterial3d(color.clone())))
                .with_child((
                    (Mesh3d(nose.clone()), MeshMaterial3d(white.clone())),
                    Transform::from_xyz(0.0, 0.6, -0.33),
                ));
        }
    }
}

/// A step that a character takes in its stride, upwards or downwards, in metres.
const STEP: f32 = 0.35;

/// A character controller: lifts the body by a step, slides it along what is in the way, and puts
/// it down on the ground, if there is any.
fn walk(
    mut walkers: Query<
        (Entity, &Collider, &mut Transform, &mut LinearVelocity),
        With<CustomPositionIntegration>,
    >,
    controller: MoveAndSlide,
    time: Res<Time>,
) {
    let (dt, config) = (time.delta_secs(), MoveAndSlideConfig::default());
    for (walker, collider, mut transform, mut linear) in &mut walkers {
        let filter = SpatialQueryFilter::from_excluded_entities([walker]);
        let (start, rotation) = (transform.translation, transform.rotation);
        let ahead = Vec3::new(linear.x, 0.0, linear.z);
        let moved = controller.move_and_slide(
            collider,
            start + Vec3::Y * STEP,
            rotation,
            ahead,
            time.delta(),
            &config,
            &filter,
            |_| MoveAndSlideHitResponse::Accept,
        );
        let falling = linear.y - 9.81 * dt;
        let down = Vec3::NEG_Y * (STEP + STEP.max(-falling * dt));
        let ground = controller.cast_move(
            collider,
            moved.position,
            rotation,
            down,
            config.skin_width,
            &filter,
        );
        let drop = ground.map_or(STEP - falling * dt, |ground| ground.distance);
        transform.translation = moved.position - Vec3::Y * drop;
        // Steering reads how it has really moved.
        let velocity = (transform.translation - start) / dt;
        let falling = if ground.is_some() { 0.0 } else { falling };
        linear.0 = Vec3::new(velocity.x, falling, velocity.z);
    }
}
