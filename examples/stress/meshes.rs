//! Meshes of the crowd. All agents share one mesh and a few materials, so that they are drawn as
//! instances.

use bevy::prelude::*;
use bevy_steer::{AgentId, prelude::*};

use super::{
    options::Plane,
    window::{SIZE, Setup},
    world::{BODY, OBSTACLE, side},
};
use crate::palette;

const COLORS: [Color; 4] = [palette::SKY, palette::ORANGE, palette::GREEN, palette::YELLOW];

type Agents<'w, 's> = Query<'w, 's, (Entity, &'static AgentId), With<Vehicle>>;
type Obstacles<'w, 's> = Query<'w, 's, Entity, With<Obstacle>>;

/// The size of an agent's mesh. In a large world an agent of its true size is less than a pixel.
fn mesh_size(setup: &Setup) -> f32 {
    (side(&setup.0) / SIZE.y as f32 * 1.6).max(BODY * 1.4)
}

pub(super) fn is_flat(setup: Res<Setup>) -> bool {
    setup.0.plane == Plane::Xy
}

pub(super) fn add_flat_meshes(
    agents: Agents,
    obstacles: Obstacles,
    setup: Res<Setup>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let size = mesh_size(&setup);
    let [nose, left, right] = [(1.0, 0.0), (-1.0, 0.7), (-1.0, -0.7)].map(Vec2::from);
    let arrow = Mesh2d(meshes.add(Triangle2d::new(nose * size, left * size, right * size)));
    let disc = Mesh2d(meshes.add(Circle::new(OBSTACLE)));
    let mut material = |color| MeshMaterial2d(materials.add(ColorMaterial::from(color)));
    let (colors, stone) = (COLORS.map(&mut material), material(palette::STONE_RIM));
    for (agent, id) in &agents {
        let color = colors[id.0 as usize % colors.len()].clone();
        commands.entity(agent).insert((arrow.clone(), color));
    }
    for obstacle in &obstacles {
        commands.entity(obstacle).insert((disc.clone(), stone.clone()));
    }
}

pub(super) fn add_solid_meshes(
    agents: Agents,
    obstacles: Obstacles,
    setup: Res<Setup>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    let size = mesh_size(&setup);
    let cone = Mesh::from(Cone::new(size * 0.7, size * 2.0).mesh().resolution(8))
        .rotated_by(Quat::from_rotation_x(-core::f32::consts::FRAC_PI_2));
    let cone = Mesh3d(meshes.add(cone));
    let ball = Mesh3d(meshes.add(Sphere::new(OBSTACLE)));
    let mut material = |color| {
        let material = StandardMaterial { base_color: color, unlit: true, ..default() };
        MeshMaterial3d(materials.add(material))
    };
    let (colors, stone) = (COLORS.map(&mut material), material(palette::STONE_RIM));
    for (agent, id) in &agents {
        let color = colors[id.0 as usize % colors.len()].clone();
        commands.entity(agent).insert((cone.clone(), color));
    }
    for obstacle in &obstacles {
        commands.entity(obstacle).insert((ball.clone(), stone.clone()));
    }
}
