//! The ground of the sea, and the dark around it.

use bevy::prelude::*;

use crate::{
    hunter_prey::game::ARENA,
    palette,
    sheet::{Corner, Sheet, circle},
};

/// How far inside the arena's edge the dark begins: what leaves on one side and enters on the other
/// does so in the dark.
const DUSK: f32 = 44.0;
/// How far the ground goes on around the arena, in units.
const BEYOND: f32 = 4000.0;

pub(super) fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (sheet, z) in [(water(), -10.0), (dark(), 5.0)] {
        commands.spawn((
            Mesh2d(meshes.add(sheet.into_mesh())),
            MeshMaterial2d(materials.add(ColorMaterial::default())),
            Transform::from_xyz(0.0, 0.0, z),
        ));
    }
}

/// Light in the middle, deep at the edges.
fn water() -> Sheet {
    const RINGS: u32 = 16;
    let [sea, deep] = [palette::SEA, palette::DEEP].map(LinearRgba::from);
    let mut sheet = Sheet::default();
    // From the outside in: each disc covers the middle of the one before.
    for ring in (0..RINGS).rev() {
        let color = |ring: u32| {
            let share = ring as f32 / RINGS as f32;
            sea.mix(&deep, share * share * (3.0 - 2.0 * share))
        };
        let size = ARENA * 1.25 * ((ring + 1) as f32 / RINGS as f32);
        let corners = circle(64, 1.0).map(|at| Corner { at: at * size, color: color(ring + 1) });
        sheet.polygon(Corner { at: Vec2::ZERO, color: color(ring) }, corners);
    }
    sheet
}

/// A frame that is clear at its inner edge and dark from the arena's edge on.
fn dark() -> Sheet {
    let deep = palette::DEEP.to_linear();
    let frame = |inset: f32, alpha: f32| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|corner| Corner {
            at: (ARENA - inset) * Vec2::from(corner),
            color: deep.with_alpha(alpha),
        })
    };
    let frames = [frame(DUSK, 0.0), frame(0.35 * DUSK, 0.55), frame(0.0, 1.0), frame(-BEYOND, 1.0)];
    let mut sheet = Sheet::default();
    for pair in frames.windows(2) {
        for (this, next) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
            sheet.triangle([pair[0][this], pair[1][this], pair[1][next]]);
            sheet.triangle([pair[0][this], pair[1][next], pair[0][next]]);
        }
    }
    sheet
}
