//! Stones: rocks that light falls on from the upper left.

use bevy::{math::ops, prelude::*};
use bevy_steer::prelude::*;

use crate::{
    palette,
    sheet::{Corner, Sheet, circle},
};

const CORNERS: u32 = 26;

/// Gives new obstacles a mesh.
pub(super) fn add_meshes(
    stones: Query<(Entity, &Vehicle), (With<Obstacle>, Without<Mesh2d>)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (stone, body) in &stones {
        commands.entity(stone).insert((
            Mesh2d(meshes.add(rock(body.radius).into_mesh())),
            MeshMaterial2d(materials.add(ColorMaterial::default())),
        ));
    }
}

/// A rock with a shadow, a slope that is lit on one side, and a flat top.
fn rock(radius: f32) -> Sheet {
    let light = Vec2::new(-0.6, 0.8);
    let [stone, rim] = [palette::STONE, palette::SUNLIT].map(LinearRgba::from);
    let mut sheet = Sheet::default();
    let shadow = LinearRgba::BLACK.with_alpha(0.5);
    sheet.glow(-light * 0.22 * radius, 1.35 * radius, shadow);
    // No two rocks are alike: the radius decides the phases of the waves on the outline.
    let outline: Vec<Vec2> = circle(CORNERS, 1.0)
        .map(|at| {
            let angle = at.to_angle();
            let waves = ops::sin(3.0 * angle + radius) + 0.7 * ops::sin(5.0 * angle + 3.0 * radius);
            at * radius * (0.97 + 0.025 * waves)
        })
        .collect();
    let ring = |scale: f32, color: &dyn Fn(f32) -> LinearRgba| -> Vec<Corner> {
        let corner = |&at: &Vec2| {
            let lit = at.normalize_or_zero().dot(light);
            Corner { at: at * scale + light * (1.0 - scale) * 0.3 * radius, color: color(lit) }
        };
        outline.iter().map(corner).collect()
    };
    let middle = |color| Corner { at: Vec2::ZERO, color };
    let dim = |share: f32| (stone * share).with_alpha(1.0);
    let edge = ring(1.0, &|lit| dim(0.25).mix(&rim, ((lit + 0.1) * 1.3).clamp(0.0, 1.0)));
    sheet.polygon(middle(dim(0.4)), edge);
    let slope = ring(0.9, &|lit| dim(0.3).mix(&dim(1.0), (0.5 + 0.5 * lit).clamp(0.0, 1.0)));
    sheet.polygon(middle(dim(0.55)), slope);
    let top = ring(0.66, &|lit| dim(0.62 + 0.18 * lit));
    sheet.polygon(middle(dim(0.7)), top);
    sheet
}
