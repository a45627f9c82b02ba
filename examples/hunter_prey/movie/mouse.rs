//! The mouse pointer of the movie, which is drawn: screenshots do not show that of the system.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::script::Script;
use crate::{
    hunter_prey::{game::LURE, mouse::Pointer},
    palette,
    sheet::{Corner, Sheet},
};

/// What is seen of the mouse pointer.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Arrow;

/// Its height: it covers everything.
const HEIGHT: f32 = 4.0;

pub(super) fn spawn_arrow(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let mut sheet = Sheet::default();
    // A white arrow with a dark rim. Its tip is where it points.
    for (grown, color) in [(1.35, palette::DEEP), (1.0, palette::TEXT)] {
        let color = color.to_linear();
        let middle = Vec2::new(7.0, -15.0);
        let outline = [(0.0, 0.0), (0.0, -29.0), (7.5, -21.5), (20.0, -20.0)];
        let corners = outline.map(|at| middle + grown * (Vec2::from(at) - middle));
        let corners = corners.map(|at| Corner { at, color });
        sheet.polygon(Corner { at: middle, color }, corners);
    }
    commands.spawn((
        Arrow,
        Mesh2d(meshes.add(sheet.into_mesh())),
        MeshMaterial2d(materials.add(ColorMaterial::default())),
        Transform::from_xyz(0.0, 0.0, HEIGHT),
    ));
}

/// Moves the pointer along its path.
pub(super) fn lead(
    script: Res<Script>,
    pointer: Single<(&mut Transform, &mut SteeringLayers), (With<Pointer>, Without<Arrow>)>,
    mut arrow: Single<&mut Transform, With<Arrow>>,
    mut along: Local<f32>,
    time: Res<Time>,
) {
    let (mut transform, mut layers) = pointer.into_inner();
    // It stays where the path ends.
    if let Some((place, change)) = script.mouse.at(*along) {
        transform.translation = place.extend(0.0);
        arrow.translation = place.extend(HEIGHT);
        *along += script.mouse.speed * time.delta_secs() / change.length().max(1.0);
    }
    *layers = LURE;
}
