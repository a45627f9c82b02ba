//! Building the index: statistics of the entries, a grid for each storey that suits those on it,
//! and a sort by cells.

use bevy::{math::ops, prelude::*};

use crate::{
    ecs::parallel::{pieces_for, threads_for},
    grid::{
        cell_grid::CellGrid,
        extent::{Extent, roomy_cell},
    },
    neighbors::{
        index::{NeighborIndex, PlaneIndex},
        sort::Sorter,
        spans::collect_spans,
        statistics::{Population, populations, statistics},
        storeys::{Storey, heights_of_storeys},
        tables::{Table, parts},
    },
    space::{bounds::Bounds, plane::SteeringPlane},
};

/// The least number of points that should share a square as high as a cell.
const PER_SQUARE: f32 = 2.0;
/// The same for a cube.
const PER_CUBE: f32 = 4.0;
/// No cell is higher than this many roomy ones: an agent that sees to the end of the world must not
/// put the whole world into one cell for all others.
const HIGHEST_CELL: f32 = 6.0;
/// A table for this many points costs next to nothing: in smaller crowds cells fit the widest
/// search alone, however sparse they are.
const SMALL: usize = 2000;
/// More threads than this would spend their time on adding up their histograms.
const MOST_PARTS: usize = 16;

/// What is wanted of the index.
pub(super) struct Wanted {
    /// Cells for searches of so many units, within limits.
    pub(super) widest: f32,
    /// Whether identities will be asked for.
    pub(super) asked: bool,
}

impl NeighborIndex {
    /// Builds the index of every plane in use from these tables.
    pub(super) fn build(
        &mut self,
        tables: &[Table],
        default_plane: SteeringPlane,
        bounds: &Bounds,
        Wanted { widest, asked }: Wanted,
    ) {
        let build = self.build_count;
        self.build_count = build.wrapping_add(1);
        let total: usize = tables.iter().map(Table::len).sum();
        let statistics = statistics(&parts(tables, pieces_for(total)), &mut self.keys);
        self.default_plane = default_plane;
        self.bounds = *bounds;
        let is_used = |plane: SteeringPlane| {
            plane == default_plane
                || tables.iter().any(|table| {
                    table.vehicles.is_some()
                        && table.planes.is_some_and(|planes| planes.contains(&plane))
                })
        };
        let used = SteeringPlane::ALL.map(is_used);

        let rows = || tables.iter().flat_map(|table| (0..table.len()).map(move |row| (table, row)));
        let parts = parts(tables, threads_for(total).min(MOST_PARTS));
        self.entries = total;
        self.largest = statistics.largest;
        self.has_things = statistics.has_things;
        self.layers.collect(statistics.layers, rows().map(|(table, row)| table.layers[row].0));
        self.radii.collect(statistics.radius, rows().map(|(table, row)| table.radius(row)));

        let everybody = [Population { count: total, sample: statistics.sample, widest }];
        for plane in SteeringPlane::ALL {
            let index = &mut self.planes[plane as usize];
            index.built = used[plane as usize];
            index.reset();
            if !index.built {
                index.slots.clear();
                continue;
            }
            collect_spans(&parts, plane, &mut index.spans);
            let spans = index.spans.each().unwrap_or_default();
            let heights = heights_of_storeys(spans);
            index.storeys.resize_with(heights.len(), Storey::default);
            index.storeys.iter_mut().zip(heights).for_each(|(storey, span)| storey.span = span);
            let of_storeys = match index.storeys[..] {
                [_] => Vec::new(),
                _ => populations(&parts, spans, &index.storeys, build),
            };
            let populations = if of_storeys.is_empty() { &everybody[..] } else { &of_storeys };
            let mut first_bucket = 0;
            for (storey, population) in index.storeys.iter_mut().zip(populations) {
                lay_out(&mut storey.grid, population, plane, bounds);
                storey.first_bucket = first_bucket;
                first_bucket += storey.grid.bucket_count() as u32;
            }
            let (keys, in_order) = (&self.keys, statistics.in_order);
            let sorter = Sorter { parts: &parts, keys, asked, in_order, plane, bounds };
            let fastest_squared = if plane.is_planar() {
                sorter.sort::<2, 4>(index)
            } else {
                sorter.sort::<3, 6>(index)
            };
            self.fastest = fastest_squared.sqrt();
            index.room = room(index, plane);
        }
    }
}

/// The radius of a disc or a ball as large as the share of each point in the stored cells.
fn room(index: &PlaneIndex, plane: SteeringPlane) -> f32 {
    let stored = |Storey { grid, .. }: &Storey| {
        let cell: f32 = plane.axes().map(|axis| grid.axes[axis].cell).product();
        cell * grid.bucket_count() as f32
    };
    let share = index.storeys.iter().map(stored).sum::<f32>() / index.len.max(1) as f32;
    if plane.is_planar() {
        (share / core::f32::consts::PI).sqrt()
    } else {
        ops::cbrt(share * 0.75 / core::f32::consts::PI)
    }
}

/// Cells as high as the widest search, and half as wide on a plane, a quarter in space: a search
/// then looks at few points beyond its reach at the ends of each row.
fn lay_out(grid: &mut CellGrid, population: &Population, plane: SteeringPlane, bounds: &Bounds) {
    let per_cell = if plane.is_planar() { PER_SQUARE } else { PER_CUBE };
    let extent = Extent::of(&population.sample);
    let most = population.count.max(SMALL);
    let [roomy, least] =
        [population.count, most].map(|count| roomy_cell(count, extent.spread, plane, per_cell));
    let wanted = if population.widest > 0.0 { population.widest } else { roomy };
    let height = wanted.clamp(least, roomy * HIGHEST_CELL);
    let width = if plane.is_planar() { height * 0.5 } else { height * 0.25 };
    grid.lay_out(most, plane, bounds, Vec3::new(width, height, height), extent.table);
}
