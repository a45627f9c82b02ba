//! Building the index: statistics of the entries, levels with a grid that suits each, and a sort by
//! cells.

use bevy::{math::ops, prelude::*};

use crate::{
    agent::HeightSpan,
    ecs::{pieces_for, threads_for},
    grid::cell_grid::{CellGrid, Extent, roomy_cell},
    neighbors::{
        counting_sort::Sorter,
        entry_table::{Table, collect_spans, parts},
        index::{NeighborIndex, PlaneIndex},
        levels::{CLASSES, Level, UsualSize, height_bands},
        statistics::{Population, populations, statistics},
    },
    space::{Bounds, SteeringPlane, is_valid},
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
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The radius of the widest search, in units: cells are made for it, within limits.
    pub widest: f32,
    /// Whether identities will be asked for.
    pub identities: bool,
    /// Whether searches will depend on speeds and radii.
    pub classes: bool,
}

impl NeighborIndex {
    /// Builds the index of every plane in use from these tables.
    pub(super) fn build(
        &mut self,
        tables: &[Table],
        default_plane: SteeringPlane,
        bounds: &Bounds,
        wanted: Wanted,
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
        self.largest = statistics.all.largest;
        self.fastest = statistics.all.fastest_squared.sqrt();
        let kind = tables.first().map(Table::kind).unwrap_or_default();
        let same_kind = tables.iter().all(|table| table.kind() == kind).then_some(kind);
        self.kinds.collect(same_kind, rows().map(|(table, _)| table.kind()));
        self.layers.collect(statistics.layers, rows().map(|(table, row)| table.layers[row].0));
        self.radii.collect(statistics.radius, rows().map(|(table, row)| table.radius(row)));

        let everybody = Population { widest: wanted.widest, ..statistics.all };
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
            let populated = populated_levels(&parts, spans, build, wanted, &everybody);
            index.levels.resize_with(populated.len(), Level::default);
            let mut first_bucket = 0;
            for (level, (key, population)) in index.levels.iter_mut().zip(populated) {
                (level.heights, level.usual, level.class) = (key.heights, key.usual, key.class);
                level.fastest = population.fastest_squared.sqrt();
                level.largest = population.largest;
                lay_out(&mut level.grid, &population, plane, bounds);
                level.first_bucket = first_bucket;
                first_bucket += level.grid.bucket_count() as u32;
            }
            let (keys, in_order) = (&self.keys, statistics.in_order);
            let asked = wanted.identities;
            let sorter = Sorter { parts: &parts, keys, asked, in_order, plane, bounds };
            if plane.is_planar() {
                sorter.sort::<4>(index);
            } else {
                sorter.sort::<6>(index);
            }
            index.room = room(index, plane);
        }
    }
}

/// What all entries of a level have in common.
struct LevelKey {
    heights: HeightSpan,
    usual: UsualSize,
    class: usize,
}

/// The levels that there are in a plane. `spans` are the height spans of all entries, unless all
/// are level.
fn populated_levels(
    parts: &[Vec<Table>],
    spans: &[HeightSpan],
    build: u32,
    wanted: Wanted,
    everybody: &Population,
) -> Vec<(LevelKey, Population)> {
    let bands = height_bands(spans);
    let band_of = |entry: usize| match bands[..] {
        [_] => Some(0),
        _ => {
            let span = spans[entry];
            let band = bands.partition_point(|band| band.high < span.low);
            (!span.low.is_nan()).then_some(band.min(bands.len() - 1))
        }
    };
    let of_bands = match bands[..] {
        [_] => vec![everybody.clone()],
        _ => populations(parts, bands.len(), build, |entry, _, _| band_of(entry)),
    };
    let usual: Vec<UsualSize> = of_bands
        .iter()
        .map(|band| if wanted.classes { band.usual() } else { UsualSize::default() })
        .collect();
    let are_usual = |(band, usual): (&Population, &UsualSize)| {
        usual.includes(band.fastest_squared, band.largest)
    };
    if of_bands.iter().zip(&usual).all(are_usual) {
        let levels = bands.into_iter().zip(usual).zip(of_bands);
        return levels
            .map(|((heights, usual), band)| (LevelKey { heights, usual, class: 0 }, band))
            .collect();
    }
    let group_of = |entry: usize, table: &Table, row: usize| {
        let (position, velocity) = (table.position(row), table.velocity(row));
        let band = band_of(entry).filter(|_| is_valid(position) && is_valid(velocity))?;
        let class = usual[band].class(velocity.length_squared(), table.radius(row));
        Some(band * CLASSES + class)
    };
    let of_classes = populations(parts, bands.len() * CLASSES, build, group_of);
    let mut levels = Vec::new();
    for (group, population) in of_classes.into_iter().enumerate() {
        let (band, class) = (group / CLASSES, group % CLASSES);
        if population.count > 0 {
            let key = LevelKey { heights: bands[band], usual: usual[band], class };
            // Every search of the band looks at all its levels.
            levels.push((key, Population { widest: of_bands[band].widest, ..population }));
        }
    }
    if levels.is_empty() {
        let key = LevelKey { heights: bands[0], usual: usual[0], class: 0 };
        levels.push((key, Population::default()));
    }
    levels
}

/// The radius of a disc or a ball as large as the share of each point in the stored cells.
fn room(index: &PlaneIndex, plane: SteeringPlane) -> f32 {
    let stored = |Level { grid, .. }: &Level| {
        let cell: f32 = plane.axes().map(|axis| grid.axes[axis].cell).product();
        cell * grid.bucket_count() as f32
    };
    let share = index.levels.iter().map(stored).sum::<f32>() / index.len.max(1) as f32;
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
    let positions: Vec<Vec3> = population.sample.iter().map(|one| one.position).collect();
    let extent = Extent::of(&positions);
    let most = population.count.max(SMALL);
    let [roomy, least] =
        [population.count, most].map(|count| roomy_cell(count, extent.spread, plane, per_cell));
    let wanted = if population.widest > 0.0 { population.widest } else { roomy };
    let height = wanted.clamp(least, roomy * HIGHEST_CELL);
    let width = if plane.is_planar() { height * 0.5 } else { height * 0.25 };
    grid.lay_out(most, plane, bounds, Vec3::new(width, height, height), extent.table);
}
