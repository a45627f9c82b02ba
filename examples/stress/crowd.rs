//! The crowd on the screen: all agents are one mesh, so that any number of them is one draw.

use bevy::{
    asset::RenderAssetUsages, camera::visibility::NoFrustumCulling, math::ops,
    mesh::PrimitiveTopology, prelude::*,
};
use bevy_steer::{Velocity, prelude::*};

use super::{
    options::Plane,
    window::{SIZE, Setup},
    world::{BODY, OBSTACLE, SPEED, side},
};
use crate::palette;

/// The mesh of the crowd.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct CrowdMesh(Handle<Mesh>);

/// The colours of agents: the hue tells the heading, the brightness the speed.
#[derive(Resource, Clone, Debug)]
pub(super) struct Colors(Vec<[f32; 4]>);

/// The steps of headings and of speeds that have a colour of their own.
const HUES: usize = 72;
const SHADES: usize = 8;

impl Default for Colors {
    fn default() -> Self {
        let color = |index: usize| {
            let hue = (index / SHADES) as f32 / HUES as f32 * 360.0;
            let share = (index % SHADES) as f32 / (SHADES - 1) as f32;
            LinearRgba::from(Oklcha::lch(0.5 + 0.35 * share, 0.16, hue)).to_f32_array()
        };
        Self((0..HUES * SHADES).map(color).collect())
    }
}

impl Colors {
    fn of(&self, heading: Vec2, speed: f32) -> [f32; 4] {
        let turn = ops::atan2(heading.y, heading.x) / core::f32::consts::TAU;
        let hue = (turn.rem_euclid(1.0) * HUES as f32) as usize % HUES;
        let shade = ((speed / SPEED).min(1.0) * (SHADES - 1) as f32).round() as usize;
        self.0[hue * SHADES + shade]
    }
}

/// The size of an agent on the screen. In a large world an agent of its true size is less than a
/// pixel.
fn size(setup: &Setup) -> f32 {
    (side(&setup.0) / SIZE.y as f32 * 3.2).max(BODY * 3.0)
}

/// Spawns the mesh of the crowd, and gives obstacles theirs.
pub(super) fn spawn(
    obstacles: Query<Entity, With<Obstacle>>,
    setup: Res<Setup>,
    mut crowd: ResMut<CrowdMesh>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut flat: ResMut<Assets<ColorMaterial>>,
    mut solid: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    crowd.0 = meshes.add(Arrows::default().into_mesh());
    let everywhere = (NoFrustumCulling, Transform::IDENTITY);
    if setup.0.plane == Plane::Xy {
        let material = MeshMaterial2d(flat.add(ColorMaterial::default()));
        commands.spawn((Mesh2d(crowd.0.clone()), material, everywhere));
        let disc = Mesh2d(meshes.add(Circle::new(OBSTACLE)));
        let stone = MeshMaterial2d(flat.add(palette::STONE_RIM));
        for obstacle in &obstacles {
            commands.entity(obstacle).insert((disc.clone(), stone.clone()));
        }
        return;
    }
    let unlit = StandardMaterial { unlit: true, cull_mode: None, ..default() };
    let material = MeshMaterial3d(solid.add(unlit.clone()));
    commands.spawn((Mesh3d(crowd.0.clone()), material, everywhere));
    let ball = Mesh3d(meshes.add(Sphere::new(OBSTACLE)));
    let stone = StandardMaterial { base_color: palette::STONE_RIM, ..unlit };
    let stone = MeshMaterial3d(solid.add(stone));
    for obstacle in &obstacles {
        commands.entity(obstacle).insert((ball.clone(), stone.clone()));
    }
}

/// Draws all agents anew.
pub(super) fn draw(
    agents: Query<(&Transform, &Velocity), With<Vehicle>>,
    setup: Res<Setup>,
    crowd: Res<CrowdMesh>,
    colors: Res<Colors>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let plane = setup.0.plane;
    let size = size(&setup);
    let mut arrows = Arrows::default();
    for (transform, velocity) in &agents {
        let [forward, side, other_side] = match plane {
            Plane::Xy => [Vec3::X, Vec3::Y, Vec3::ZERO],
            Plane::Xz => [Vec3::NEG_Z, Vec3::X, Vec3::ZERO],
            // Two crossed arrows, one of which is seen from anywhere.
            Plane::Free => [Vec3::NEG_Z, Vec3::X, Vec3::Y],
        }
        .map(|axis| transform.rotation * axis * size);
        let heading = if plane == Plane::Xy { forward.xy() } else { forward.xz() };
        let color = colors.of(heading, velocity.length());
        arrows.add(transform.translation, forward, side, color);
        if other_side != Vec3::ZERO {
            arrows.add(transform.translation, forward, other_side, color);
        }
    }
    // The mesh that is replaced is gone already, as only the renderer keeps it.
    let _ = meshes.insert(&crowd.0, arrows.into_mesh());
}

/// Arrows, a triangle each.
#[derive(Default)]
struct Arrows {
    corners: Vec<[f32; 3]>,
    colors: Vec<[f32; 4]>,
}

impl Arrows {
    fn add(&mut self, center: Vec3, forward: Vec3, side: Vec3, color: [f32; 4]) {
        let tail = center - forward;
        let corners = [center + forward, tail + side * 0.7, tail - side * 0.7];
        self.corners.extend(corners.map(|corner| corner.to_array()));
        self.colors.extend([color; 3]);
    }

    fn into_mesh(self) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.corners)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors)
    }
}
