//! Drawings of coloured triangles that are made anew in each frame.

use bevy::{
    asset::RenderAssetUsages,
    camera::visibility::NoFrustumCulling,
    math::ops,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// A mesh of coloured triangles. Systems draw on it in `Update`; [`SheetPlugin`] shows what they
/// have drawn and clears the sheet.
///
/// Thousands of small shapes that change all the time cost less as one mesh than as an entity and a
/// material each, and each corner can have a colour of its own: tails that fade, halos, shades.
#[derive(Component, Clone, Debug, Default)]
pub struct Sheet {
    positions: Vec<[f32; 3]>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Where it is, in units.
    pub at: Vec2,
    /// Its colour.
    pub color: LinearRgba,
}

/// A point of a ribbon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RibbonPoint {
    /// Where it is, in units.
    pub at: Vec2,
    /// Half the ribbon's width there.
    pub half_width: f32,
    /// The colour there.
    pub color: LinearRgba,
}

/// The corners of a circle.
const CIRCLE: u32 = 20;

impl Sheet {
    /// What a new sheet consists of, at this height: sheets that are higher cover lower ones.
    pub fn bundle(
        z: f32,
        meshes: &mut Assets<Mesh>,
        materials: &mut Assets<ColorMaterial>,
    ) -> impl Bundle {
        (
            Self::default(),
            Mesh2d(meshes.add(Self::default().into_mesh())),
            MeshMaterial2d(materials.add(ColorMaterial::default())),
            Transform::from_xyz(0.0, 0.0, z),
            // What is drawn changes its extent.
            NoFrustumCulling,
        )
    }

    /// What is drawn on the sheet, as a mesh.
    pub fn into_mesh(mut self) -> Mesh {
        if self.positions.is_empty() {
            // The renderer warns of meshes without any corner.
            self.triangle([Corner { at: Vec2::ZERO, color: LinearRgba::NONE }; 3]);
        }
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors)
            .with_inserted_indices(Indices::U32(self.indices))
    }

    /// A polygon around a point from which all its corners are seen.
    pub fn polygon(&mut self, center: Corner, corners: impl IntoIterator<Item = Corner>) {
        let middle = self.corner(center);
        let first = self.positions.len() as u32;
        for corner in corners {
            self.corner(corner);
        }
        let end = self.positions.len() as u32;
        for index in first..end {
            let next = if index + 1 == end { first } else { index + 1 };
            self.indices.extend([middle, index, next]);
        }
    }

    /// A disc that fades from one colour in the middle to another at its edge.
    pub fn disc(&mut self, center: Vec2, radius: f32, middle: LinearRgba, edge: LinearRgba) {
        let corners = circle(CIRCLE, radius).map(|at| Corner { at: center + at, color: edge });
        self.polygon(Corner { at: center, color: middle }, corners);
    }

    /// Light around a point, which fades smoothly.
    pub fn glow(&mut self, center: Vec2, radius: f32, color: LinearRgba) {
        // The opacity at a share `r` of the radius is (1 - r²)⁶: no edge can be seen.
        let fade = |r: f32| color.with_alpha(color.alpha * ops::powf(1.0 - r * r, 6.0));
        let [inner, middle] = [0.3, 0.6];
        self.disc(center, inner * radius, color, fade(inner));
        self.ring(center, inner * radius, middle * radius, fade(inner), fade(middle));
        self.ring(center, middle * radius, radius, fade(middle), fade(1.0));
    }

    /// A ring between two radii, with a colour on either side.
    pub fn ring(
        &mut self,
        center: Vec2,
        inner: f32,
        outer: f32,
        inner_color: LinearRgba,
        outer_color: LinearRgba,
    ) {
        let first = self.positions.len() as u32;
        for at in circle(CIRCLE, 1.0) {
            self.corner(Corner { at: center + at * inner, color: inner_color });
            self.corner(Corner { at: center + at * outer, color: outer_color });
        }
        for index in 0..CIRCLE {
            let [this, next] = [index, (index + 1) % CIRCLE].map(|index| first + 2 * index);
            self.indices.extend([this, this + 1, next, next, this + 1, next + 1]);
        }
    }

    /// A line with a width and a colour that change along it.
    pub fn ribbon(&mut self, points: &[RibbonPoint]) {
        let first = self.positions.len() as u32;
        for (index, point) in points.iter().enumerate() {
            let before = points[index.saturating_sub(1)].at;
            let after = points[(index + 1).min(points.len() - 1)].at;
            let side = (after - before).perp().normalize_or_zero() * point.half_width;
            self.corner(Corner { at: point.at + side, color: point.color });
            self.corner(Corner { at: point.at - side, color: point.color });
        }
        for index in 1..points.len() as u32 {
            let [before, this] = [index - 1, index].map(|index| first + 2 * index);
            self.indices.extend([before, before + 1, this, this, before + 1, this + 1]);
        }
    }

    /// One triangle.
    pub fn triangle(&mut self, corners: [Corner; 3]) {
        let indices = corners.map(|corner| self.corner(corner));
        self.indices.extend(indices);
    }

    fn corner(&mut self, corner: Corner) -> u32 {
        self.positions.push(corner.at.extend(0.0).to_array());
        self.colors.push(corner.color.to_f32_array());
        self.positions.len() as u32 - 1
    }
}

/// The corners of a regular polygon around the origin.
pub fn circle(corners: u32, radius: f32) -> impl Iterator<Item = Vec2> {
    (0..corners)
        .map(move |i| Vec2::from_angle(core::f32::consts::TAU * i as f32 / corners as f32) * radius)
}

/// Shows [`Sheet`]s.
#[derive(Clone, Copy, Debug)]
pub struct SheetPlugin;

impl Plugin for SheetPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostUpdate, show);
    }
}

/// Makes what was drawn the mesh of the sheet, and clears the sheet for the next frame.
fn show(mut sheets: Query<(&mut Sheet, &Mesh2d)>, mut meshes: ResMut<Assets<Mesh>>) {
    for (mut sheet, mesh) in &mut sheets {
        if let Some(mut mesh) = meshes.get_mut(&mesh.0) {
            *mesh = core::mem::take(&mut *sheet).into_mesh();
        }
    }
}
