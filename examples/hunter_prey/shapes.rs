//! What vehicles look like: outlines that point along `x`, in multiples of the body's radius.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// A hunter: an arrowhead with swept wings.
const HUNTER: [Vec2; 6] = [
    Vec2::new(1.35, 0.0),
    Vec2::new(-0.15, 0.55),
    Vec2::new(-1.05, 1.0),
    Vec2::new(-0.6, 0.0),
    Vec2::new(-1.05, -1.0),
    Vec2::new(-0.15, -0.55),
];

/// Prey: a fish with a tail.
const PREY: [Vec2; 10] = [
    Vec2::new(1.25, 0.0),
    Vec2::new(0.75, 0.48),
    Vec2::new(0.1, 0.6),
    Vec2::new(-0.6, 0.22),
    Vec2::new(-1.25, 0.62),
    Vec2::new(-1.0, 0.0),
    Vec2::new(-1.25, -0.62),
    Vec2::new(-0.6, -0.22),
    Vec2::new(0.1, -0.6),
    Vec2::new(0.75, -0.48),
];

pub(super) fn hunter(radius: f32) -> Mesh {
    fan(&HUNTER, radius)
}

pub(super) fn prey(radius: f32) -> Mesh {
    fan(&PREY, radius)
}

/// The polygon as triangles about the origin, from where all of it must be in sight.
fn fan(outline: &[Vec2], radius: f32) -> Mesh {
    let count = outline.len() as u32;
    let rim = outline.iter().map(|point| (*point * radius).extend(0.0).to_array());
    let positions: Vec<[f32; 3]> = core::iter::once([0.0; 3]).chain(rim).collect();
    let indices = (0..count).flat_map(|i| [0, i + 1, (i + 1) % count + 1]).collect();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(indices))
}
