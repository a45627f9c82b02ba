//! Shapes of agents: outlines that point along `x`, as flat meshes for 2D and as solids for 3D.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// The outline of an agent, star-shaped around its centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Silhouette {
    /// A plain arrow.
    Arrow,
    /// An arrowhead with swept wings.
    Raptor,
    /// A fish with a tail.
    Fish,
    /// A bird that glides.
    Bird,
    /// A beetle with feet.
    Beetle,
    /// A bull from above: broad shoulders, horns.
    Bull,
    /// A long boat.
    Boat,
    /// A compass needle.
    Needle,
    /// A person from above: head and shoulders.
    Person,
}

/// The brightness of the tail relative to the nose, which shows the heading in a still picture.
const TAIL_SHADE: f32 = 0.62;

impl Silhouette {
    /// The upper half of the outline from nose to tail, in multiples of the body's radius. The
    /// lower half mirrors it.
    const fn half(self) -> &'static [(f32, f32)] {
        match self {
            Self::Arrow => &[(1.35, 0.0), (-0.95, 0.85), (-0.55, 0.0)],
            Self::Raptor => &[(1.35, 0.0), (-0.15, 0.55), (-1.05, 1.0), (-0.6, 0.0)],
            Self::Fish => {
                &[(1.25, 0.0), (0.75, 0.48), (0.1, 0.6), (-0.6, 0.22), (-1.25, 0.62), (-1.0, 0.0)]
            }
            Self::Bird => &[
                (1.15, 0.0),
                (0.8, 0.2),
                (0.35, 0.24),
                (-0.1, 0.95),
                (-0.55, 1.5),
                (-0.4, 0.6),
                (-0.35, 0.24),
                (-1.2, 0.42),
                (-0.95, 0.0),
            ],
            Self::Beetle => &[
                (1.2, 0.0),
                (1.15, 0.3),
                (0.75, 0.38),
                (0.6, 0.72),
                (0.1, 0.85),
                (-0.55, 0.76),
                (-1.0, 0.4),
                (-1.1, 0.0),
            ],
            Self::Bull => &[
                (0.95, 0.0),
                (1.0, 0.3),
                (1.4, 0.75),
                (0.75, 0.62),
                (0.35, 0.85),
                (-0.5, 0.7),
                (-1.1, 0.45),
                (-1.2, 0.0),
            ],
            Self::Boat => {
                &[(1.9, 0.0), (1.3, 0.42), (0.5, 0.6), (-0.8, 0.6), (-1.4, 0.46), (-1.5, 0.0)]
            }
            Self::Needle => &[(1.9, 0.0), (0.0, 0.34), (-1.3, 0.0)],
            Self::Person => &[
                (0.72, 0.0),
                (0.64, 0.24),
                (0.42, 0.42),
                (0.36, 0.8),
                (0.12, 1.0),
                (-0.2, 0.95),
                (-0.42, 0.6),
                (-0.5, 0.0),
            ],
        }
    }

    /// The whole outline, counterclockwise from the nose, for a body of this radius.
    fn outline(self, radius: f32) -> Vec<Vec2> {
        let half = self.half();
        let upper = half.iter().map(|&(x, y)| Vec2::new(x, y));
        let lower = half.iter().rev().filter(|(_, y)| *y > 0.0).map(|&(x, y)| Vec2::new(x, -y));
        upper.chain(lower).map(|point| point * radius).collect()
    }

    /// A flat mesh in the `Xy` plane that points along `x`.
    pub fn flat(self, radius: f32) -> Mesh {
        let outline = self.outline(radius);
        let count = outline.len() as u32;
        let (min, max) = outline
            .iter()
            .fold((f32::MAX, f32::MIN), |(min, max), point| (min.min(point.x), max.max(point.x)));
        let points: Vec<Vec2> = core::iter::once(Vec2::ZERO).chain(outline).collect();
        let colors: Vec<[f32; 4]> = points
            .iter()
            .map(|point| {
                let share = (point.x - min) / (max - min);
                let shade = TAIL_SHADE + (1.0 - TAIL_SHADE) * share;
                [shade, shade, shade, 1.0]
            })
            .collect();
        let positions: Vec<[f32; 3]> = points.iter().map(|p| p.extend(0.0).to_array()).collect();
        let indices = (0..count).flat_map(|i| [0, i + 1, (i + 1) % count + 1]).collect();
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
            .with_inserted_indices(Indices::U32(indices))
    }

    /// A solid that stands on the ground and points along `−z`, like a piece of a board game.
    pub fn piece(self, radius: f32) -> Mesh {
        let outline = self.outline(radius);
        let on = |point: Vec2, height: f32| Vec3::new(-point.y, height * radius, -point.x);
        let mut corners = Vec::new();
        for (i, &from) in outline.iter().enumerate() {
            let to = outline[(i + 1) % outline.len()];
            let (low_from, low_to) = (on(from, 0.0), on(to, 0.0));
            let (high_from, high_to) = (on(from * 0.78, 0.75), on(to * 0.78, 0.75));
            corners.extend([low_from, low_to, high_to, low_from, high_to, high_from]);
            corners.extend([high_from, high_to, on(Vec2::ZERO, 1.0)]);
        }
        facets(corners)
    }

    /// A solid that points along `−z`, with the outline as its side view, such as a fish.
    pub fn swimmer(self, radius: f32) -> Mesh {
        let outline = self.outline(radius);
        let at = |point: Vec2| Vec3::new(0.0, point.y, -point.x);
        let flank = Vec3::new(0.34, 0.0, -0.25) * radius;
        let mut corners = Vec::new();
        for (i, &from) in outline.iter().enumerate() {
            let to = outline[(i + 1) % outline.len()];
            corners.extend([at(from), at(to), flank]);
            corners.extend([at(to), at(from), flank.with_x(-flank.x)]);
        }
        facets(corners)
    }
}

/// A mesh of triangles with flat shading.
fn facets(corners: Vec<Vec3>) -> Mesh {
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
        .with_computed_flat_normals()
}
