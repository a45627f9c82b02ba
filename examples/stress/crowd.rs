//! The crowd on the screen: all agents are one mesh, so that any number of them is one draw.

use bevy::{
    asset::RenderAssetUsages, camera::visibility::NoFrustumCulling, math::ops,
    mesh::PrimitiveTopology, platform::time::Instant, prelude::*,
};
use bevy_steer::{Velocity, prelude::*};

use super::{
    cost::Drawing,
    options::Plane,
    window::Setup,
    world::{BODY, OBSTACLE, SPEED},
};
use crate::{camera::WindowCamera, palette};

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

/// The least size of an agent on the screen, in pixels: in a large world one of its true size is
/// less than a pixel.
const LEAST: f32 = 3.2;

/// The meshes and materials of obstacles.
#[derive(Resource, Clone, Debug)]
pub(super) enum Stones {
    Flat(Mesh2d, MeshMaterial2d<ColorMaterial>),
    Solid(Mesh3d, MeshMaterial3d<StandardMaterial>),
}

/// Spawns the mesh of the crowd.
pub(super) fn spawn(
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
        commands.insert_resource(Stones::Flat(disc, stone));
        return;
    }
    let unlit = StandardMaterial { unlit: true, cull_mode: None, ..default() };
    let material = MeshMaterial3d(solid.add(unlit.clone()));
    commands.spawn((Mesh3d(crowd.0.clone()), material, everywhere));
    let ball = Mesh3d(meshes.add(Sphere::new(OBSTACLE)));
    let stone = StandardMaterial { base_color: palette::STONE_RIM, ..unlit };
    commands.insert_resource(Stones::Solid(ball, MeshMaterial3d(solid.add(stone))));
}

/// Gives new obstacles their meshes.
pub(super) fn show_obstacles(
    obstacles: Query<Entity, Added<Obstacle>>,
    stones: Res<Stones>,
    mut commands: Commands,
) {
    for obstacle in &obstacles {
        let mut obstacle = commands.entity(obstacle);
        match stones.clone() {
            Stones::Flat(mesh, material) => obstacle.insert((mesh, material)),
            Stones::Solid(mesh, material) => obstacle.insert((mesh, material)),
        };
    }
}

/// Draws all agents anew.
pub(super) fn draw(
    agents: Query<(&Transform, &Velocity), With<Vehicle>>,
    camera: Single<(&Camera, &Projection, &WindowCamera)>,
    setup: Res<Setup>,
    crowd: Res<CrowdMesh>,
    colors: Res<Colors>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut drawing: ResMut<Drawing>,
) {
    let begin = Instant::now();
    let plane = setup.0.plane;
    let (camera, projection, state) = *camera;
    let pixel = state.units_a_pixel(camera, projection).unwrap_or_default();
    let size = (LEAST * pixel).max(BODY * 3.0);
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
    drawing.0 = begin.elapsed();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hue_tells_the_heading_and_the_brightness_the_speed() {
        let colors = Colors::default();
        let color = |turn: f32, speed: f32| {
            let [red, green, blue, _] = colors.of(Vec2::from_angle(turn), speed);
            Oklcha::from(LinearRgba::rgb(red, green, blue))
        };
        for turn in [0.0, 0.5, 1.0, 2.0, 3.1, 4.0, 6.2_f32] {
            let (slow, fast) = (color(turn, 0.0), color(turn, SPEED));
            assert!(fast.lightness > slow.lightness + 0.2, "{turn}: {slow:?} {fast:?}");
            let off = (slow.hue - turn.to_degrees()).rem_euclid(360.0);
            assert!(off.min(360.0 - off) < 360.0 / HUES as f32 + 0.5, "{turn}: {slow:?}");
            assert_eq!(color(turn, SPEED), color(turn, 9.0 * SPEED));
        }
    }
}
