//! Meshes: of agents and goals by their [`Look`], of obstacles and walls by their shapes.

use bevy::{platform::collections::HashMap, prelude::*};
use bevy_steer::{ObstacleShape, prelude::*};

use super::{
    look::{Look, Shape},
    scene::View,
    stage::CurrentScene,
};
use crate::palette;

/// Marks obstacles and walls that have a mesh.
#[derive(Component)]
pub(super) struct HasMesh;

/// Meshes and materials that are shared, so that equal agents are drawn as instances.
#[derive(Resource, Default)]
pub(super) struct MeshCache {
    meshes: HashMap<(Shape, u32, bool), Handle<Mesh>>,
    flat: HashMap<[u32; 4], Handle<ColorMaterial>>,
    solid: HashMap<[u32; 4], Handle<StandardMaterial>>,
}

/// The thickness of walls: in units of a flat scene, and in metres.
const WALL: (f32, f32) = (6.0, 0.3);
/// The height of walls and obstacles on the ground, in metres.
const HEIGHT: f32 = 1.6;
/// The width of an obstacle's rim in a flat scene, in units.
const RIM: f32 = 2.5;
/// The `z` of obstacles and walls in a flat scene, below the agents.
const BELOW: f32 = -5.0;

fn key(color: Color) -> [u32; 4] {
    color.to_linear().to_f32_array().map(f32::to_bits)
}

/// Gives agents and goals the mesh of a new or changed look.
pub(super) fn add_look_meshes(
    looks: Query<(Entity, &Look, Option<&Vehicle>), Changed<Look>>,
    current: Res<CurrentScene>,
    mut cache: ResMut<MeshCache>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut flat: ResMut<Assets<ColorMaterial>>,
    mut solid: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    let MeshCache { meshes: known, flat: flats, solid: solids } = &mut *cache;
    let view = current.0.view;
    for (entity, look, vehicle) in &looks {
        let size = look.size.or(vehicle.map(|vehicle| vehicle.radius)).unwrap_or(1.0);
        let is_swimmer = view == View::Space;
        let mesh = known
            .entry((look.shape, size.to_bits(), is_swimmer))
            .or_insert_with(|| meshes.add(mesh(look.shape, size, view)))
            .clone();
        let mut entity = commands.entity(entity);
        if view == View::Flat {
            let material = flats
                .entry(key(look.color))
                .or_insert_with(|| flat.add(ColorMaterial::from(look.color)));
            entity.insert((Mesh2d(mesh), MeshMaterial2d(material.clone())));
        } else {
            let material = solids.entry(key(look.color)).or_insert_with(|| {
                solid.add(StandardMaterial {
                    cull_mode: None,
                    double_sided: true,
                    ..matte(look.color)
                })
            });
            entity.insert((Mesh3d(mesh), MeshMaterial3d(material.clone())));
        }
    }
}

fn matte(color: Color) -> StandardMaterial {
    StandardMaterial { base_color: color, perceptual_roughness: 0.85, ..default() }
}

fn mesh(shape: Shape, size: f32, view: View) -> Mesh {
    let quarter = core::f32::consts::FRAC_PI_2;
    match (shape, view) {
        (Shape::Agent(silhouette), View::Flat) => silhouette.flat(size),
        (Shape::Agent(silhouette), View::Ground) => silhouette.piece(size),
        (Shape::Agent(silhouette), View::Space) => silhouette.swimmer(size),
        (Shape::Goal, View::Flat) => {
            let mut ring = Mesh::from(Annulus::new(size * 0.75, size));
            // Cannot fail: both meshes have the same attributes.
            let _ = ring.merge(&Circle::new(size * 0.3).into());
            ring
        }
        (Shape::Goal, _) => {
            let ring = Mesh::from(Torus::new(size * 0.8, size));
            let mut pole = Mesh::from(Cylinder::new(size * 0.12, size * 2.4));
            pole = pole.translated_by(Vec3::Y * size * 1.2);
            let _ = pole.merge(&ring);
            pole
        }
        (Shape::Light, View::Flat) => Circle::new(size).into(),
        (Shape::Light, _) => {
            Sphere::new(size).mesh().build().rotated_by(Quat::from_rotation_x(quarter))
        }
    }
}

/// Gives new obstacles and walls their meshes, as children.
pub(super) fn add_obstacle_meshes(
    obstacles: Query<(Entity, &Obstacle), Without<HasMesh>>,
    walls: Query<(Entity, &Wall), Without<HasMesh>>,
    current: Res<CurrentScene>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut flat: ResMut<Assets<ColorMaterial>>,
    mut solid: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    let is_flat = current.0.view == View::Flat;
    let mut part = |mesh: Mesh, color: Color, place: Transform, commands: &mut Commands| {
        let mesh = meshes.add(mesh);
        if is_flat {
            let material = MeshMaterial2d(flat.add(ColorMaterial::from(color)));
            commands.spawn((Mesh2d(mesh), material, place)).id()
        } else {
            let material = MeshMaterial3d(solid.add(matte(color)));
            commands.spawn((Mesh3d(mesh), material, place)).id()
        }
    };
    for (entity, obstacle) in &obstacles {
        let parts = if is_flat {
            let below = |z: f32| Transform::from_xyz(0.0, 0.0, BELOW + z);
            vec![
                part(
                    flat_shape(obstacle.shape, 0.0),
                    palette::STONE_RIM,
                    below(0.0),
                    &mut commands,
                ),
                part(flat_shape(obstacle.shape, RIM), palette::STONE, below(0.1), &mut commands),
            ]
        } else {
            let (mesh, height) = solid_shape(obstacle.shape, current.0.view);
            let place = Transform::from_xyz(0.0, height, 0.0);
            vec![part(mesh, palette::STONE_RIM, place, &mut commands)]
        };
        commands.entity(entity).insert((HasMesh, Visibility::default())).add_children(&parts);
    }
    for (entity, wall) in &walls {
        let [start, end] = wall.ends(SteeringPlane::Xy);
        let (along, middle) = (end - start, start.midpoint(end));
        let wall = if is_flat {
            let turn = Quat::from_rotation_z(along.truncate().to_angle());
            let place = Transform::from_translation(middle.with_z(BELOW)).with_rotation(turn);
            let bar = Capsule2d::new(WALL.0 * 0.5, along.length());
            let bar =
                Mesh::from(bar).rotated_by(Quat::from_rotation_z(core::f32::consts::FRAC_PI_2));
            part(bar, palette::STONE_RIM, place, &mut commands)
        } else {
            let turn = Quat::from_rotation_arc(Vec3::X, along.normalize_or(Vec3::X));
            let place = middle + Vec3::Y * HEIGHT * 0.5;
            let place = Transform::from_translation(place).with_rotation(turn);
            let bar = Cuboid::new(along.length() + WALL.1, HEIGHT, WALL.1);
            part(bar.into(), palette::STONE, place, &mut commands)
        };
        commands.entity(entity).insert((HasMesh, Visibility::default())).add_child(wall);
    }
}

/// An obstacle seen from above, smaller by `rim` on all sides.
fn flat_shape(shape: ObstacleShape, rim: f32) -> Mesh {
    match shape {
        ObstacleShape::Sphere { radius } => Circle::new(radius - rim).mesh().resolution(64).build(),
        ObstacleShape::Box { half_size } => {
            let size = 2.0 * (half_size.truncate() - rim);
            Rectangle::new(size.x, size.y).into()
        }
        ObstacleShape::Capsule { radius, half_length } => {
            Capsule2d::new(radius - rim, 2.0 * half_length).into()
        }
        ObstacleShape::Segment { start, end } => {
            Segment2d::new(start.truncate(), end.truncate()).into()
        }
    }
}

/// An obstacle as a solid, and the height of the solid's centre above the entity.
fn solid_shape(shape: ObstacleShape, view: View) -> (Mesh, f32) {
    match shape {
        ObstacleShape::Sphere { radius } if view == View::Ground => {
            (Cylinder::new(radius, HEIGHT).into(), HEIGHT * 0.5)
        }
        ObstacleShape::Sphere { radius } => {
            (Sphere::new(radius).mesh().ico(4).unwrap_or_else(|_| Sphere::new(radius).into()), 0.0)
        }
        ObstacleShape::Box { half_size } if view == View::Ground => {
            (Cuboid::new(2.0 * half_size.x, HEIGHT, 2.0 * half_size.z).into(), HEIGHT * 0.5)
        }
        ObstacleShape::Box { half_size } => {
            let size = 2.0 * half_size;
            (Cuboid::new(size.x, size.y, size.z).into(), 0.0)
        }
        ObstacleShape::Capsule { radius, half_length } => {
            (Capsule3d::new(radius, 2.0 * half_length).into(), 0.0)
        }
        ObstacleShape::Segment { start, end } => (Polyline3d::new([start, end]).into(), 0.0),
    }
}
