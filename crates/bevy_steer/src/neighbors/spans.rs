//! How far the entries reach along the normal of a plane: which of them are level with each other.

use bevy::prelude::*;

use crate::{
    agent::height::SteeringHeight,
    ecs::parallel::run_all,
    neighbors::{columns::PerEntry, tables::Table},
    space::{plane::SteeringPlane, vector::is_valid},
};

/// Collects the spans of all entries in their order; none where all are level with each other.
pub(super) fn collect_spans(
    parts: &[Vec<Table>],
    plane: SteeringPlane,
    spans: &mut PerEntry<[f32; 2]>,
) {
    let has_heights = |table: &Table| table.heights.is_some();
    let is_limited =
        plane == SteeringPlane::Xz || plane.is_planar() && parts.iter().flatten().any(has_heights);
    let overlap = if is_limited { overlap(parts, plane) } else { [0.0; 2] };
    let all = parts.iter().flatten().flat_map(|table| of_table(table, plane));
    spans.collect((overlap[0] <= overlap[1]).then_some([0.0; 2]), all);
}

fn of_table(table: &Table, plane: SteeringPlane) -> impl Iterator<Item = [f32; 2]> {
    (0..table.len()).map(move |row| span(table, row, plane))
}

/// How far the entry in a row reaches along the normal; NaN if it has no valid place.
#[inline(always)]
pub(super) fn span(table: &Table, row: usize, plane: SteeringPlane) -> [f32; 2] {
    if !is_valid(table.position(row)) {
        return [f32::NAN; 2];
    }
    let own = table.heights.map(|heights| &heights[row]);
    let agent = table.vehicles.map(|vehicles| &vehicles[row]);
    let half = SteeringHeight::half(own, plane, agent);
    SteeringHeight::span(plane, table.position(row), half)
}

/// The span that all of them have in common; empty (its end before its beginning) if there is none.
fn overlap(parts: &[Vec<Table>], plane: SteeringPlane) -> [f32; 2] {
    let common = |all: [f32; 2], own: [f32; 2]| [all[0].max(own[0]), all[1].min(own[1])];
    let all = [f32::NEG_INFINITY, f32::INFINITY];
    let jobs = parts
        .iter()
        .map(|part| move || part.iter().flat_map(|table| of_table(table, plane)).fold(all, common));
    run_all(jobs.collect()).into_iter().fold(all, common)
}
