//! Building the index: statistics of the entries, levels with a grid that suits each, and a sort by
//! cells.

use bevy::{math::ops, prelude::*};

use crate::{
    agent::{AgentId, HeightSpan},
    ecs::{chunks, pieces_for, run_all, threads_for},
    grid::cell_grid::{CellGrid, Extent, roomy_cell},
    neighbors::{
        counting_sort::Sorter,
        entry_table::{Table, body_radius, parts, pieces},
        index::{EntryKey, NeighborIndex, PerEntry, PlaneIndex},
        levels::{CLASSES, Level, UsualSize, height_bands},
    },
    simd::{Kernel, Lanes, WIDTH, dispatch, dot, side_by_side},
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

/// The size of the sample that tells how densely points are spread.
const SAMPLES: f32 = 128.0;

/// This many rows are read, column by column, while they are in the nearest cache.
const VALIDATE_CHUNK: usize = 2048;

/// Statistics of the entries.
#[derive(Default)]
struct Statistics {
    /// What cells depend on, but for the width of searches.
    all: Population,
    /// Whether they come in the order of their ids.
    in_order: bool,
    first: Option<AgentId>,
    last: Option<AgentId>,
    /// Their layers, if all have the same.
    layers: Option<u32>,
    /// Their radius, if all have the same.
    radius: Option<f32>,
}

/// Reads all entries, collects their keys, and tells the agents among them their entry.
fn statistics(parts: &[Vec<Table>], keys: &mut Vec<EntryKey>) -> Statistics {
    let total = parts.iter().flatten().map(Table::len).sum();
    keys.resize(total, EntryKey::NONE);
    let mut first_entry = 0;
    let jobs = parts.iter().zip(pieces(parts, 1, keys)).map(|(part, keys)| {
        let kernel = StatisticsKernel { tables: part, total, first_entry, keys };
        first_entry += kernel.keys.len();
        move || dispatch(kernel)
    });
    let of_parts = run_all(jobs.collect());
    let mut whole = Statistics {
        in_order: true,
        layers: of_parts.first().and_then(|part| part.layers),
        radius: of_parts.first().and_then(|part| part.radius),
        ..Statistics::default()
    };
    let mut last = None;
    for part in of_parts {
        whole.in_order &= part.in_order && (last.is_none() || last < part.first);
        last = part.last;
        whole.layers = whole.layers.filter(|_| whole.layers == part.layers);
        whole.radius = whole.radius.filter(|_| whole.radius == part.radius);
        let all = &mut whole.all;
        all.count += part.all.count;
        all.fastest_squared = all.fastest_squared.max(part.all.fastest_squared);
        all.largest = all.largest.max(part.all.largest);
        all.sample.extend(part.all.sample);
    }
    whole
}

/// The entries of one thread.
struct StatisticsKernel<'a> {
    tables: &'a [Table<'a>],
    /// Of all parts.
    total: usize,
    first_entry: usize,
    keys: &'a mut [EntryKey],
}

impl Kernel for StatisticsKernel<'_> {
    type Output = Statistics;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Statistics {
        // The compiler vectorizes these loops, with the instructions that a kernel may use.
        let mut statistics = Statistics { in_order: true, ..Statistics::default() };
        let mut fastest = l.splat(0.0);
        let mut first: Option<(u32, f32)> = None;
        let (mut same_layers, mut same_radius) = (true, true);
        let (mut entry, mut rest) = (self.first_entry as u32, self.keys);
        let pieces =
            self.tables.iter().flat_map(|&table| chunks(table.len(), table, VALIDATE_CHUNK));
        for (_, table) in pieces {
            let keys;
            (keys, rest) = rest.split_at_mut(table.len());
            let now = || {
                let rows = table.ids.iter().zip(table.entities);
                rows.map(|(&id, &entity)| EntryKey { id, entity })
            };
            // Unchanged keys are not written, which saves memory bandwidth.
            let changes = keys.iter().zip(now()).fold(0, |all, (before, now)| {
                all | (before.id.0 ^ now.id.0) | (before.entity.to_bits() ^ now.entity.to_bits())
            });
            if changes != 0 {
                keys.iter_mut().zip(now()).for_each(|(keys, now)| *keys = now);
            }
            for (entry, own) in (entry..).zip(table.entries.unwrap_or_default()) {
                own.set(entry);
            }
            entry += table.len() as u32;
            statistics.in_order &= is_rising(table.ids);
            statistics.in_order &=
                statistics.last.is_none() || statistics.last < table.ids.first().copied();
            statistics.first = statistics.first.or_else(|| table.ids.first().copied());
            statistics.last = table.ids.last().copied();
            let like = *first.get_or_insert_with(|| (table.layers[0].0, table.radius(0)));
            same_layers &= differences(table.layers.iter().map(|layers| layers.0), like.0) == 0;
            same_radius &= table.vehicles.is_some() || table.radius(0) == like.1;
            let vehicles = table.vehicles.unwrap_or_default();
            let radii = vehicles.iter().map(body_radius);
            if differences(radii.clone().map(f32::to_bits), like.1.to_bits()) != 0 {
                same_radius = false;
                let largest = &mut statistics.all.largest;
                *largest = radii.map(finite_or_zero).fold(*largest, f32::max);
            }
            let velocities = table.velocities.filter(|_| table.motions.is_none());
            let (blocks, _) = velocities.unwrap_or_default().as_chunks::<WIDTH>();
            for block in blocks {
                let velocity = side_by_side(l, block);
                let squared = dot(l, velocity, velocity);
                let counts = l.and(l.lt(fastest, squared), l.le(squared, l.splat(f32::MAX)));
                fastest = l.select(counts, squared, fastest);
            }
            for row in blocks.len() * WIDTH..table.len() {
                let squared = finite_or_zero(table.velocity(row).length_squared());
                statistics.all.fastest_squared = statistics.all.fastest_squared.max(squared);
            }
            statistics.all.count += table.len();
            let threshold = threshold(self.total);
            for (row, &id) in table.ids.iter().enumerate() {
                if id.hash() <= threshold && table.position(row).is_finite() {
                    statistics.all.sample.push(Sampled::of(&table, row));
                }
            }
        }
        let all = &mut statistics.all;
        all.fastest_squared = l.unpack(fastest).into_iter().fold(all.fastest_squared, f32::max);
        all.largest = all.largest.max(first.map_or(0.0, |first| finite_or_zero(first.1)));
        statistics.layers = first.filter(|_| same_layers).map(|first| first.0);
        statistics.radius = first.filter(|_| same_radius).map(|first| first.1);
        statistics
    }
}

/// An entry is in the sample of `count` entries if the hash of its id is at most this.
fn threshold(count: usize) -> u32 {
    (SAMPLES / count as f32 * 4_294_967_296.0) as u32
}

/// What the cells of a level depend on.
#[derive(Clone, Debug, Default)]
struct Population {
    count: usize,
    /// Some of them: the same ones whatever the order of the tables.
    sample: Vec<Sampled>,
    /// The widest search of any of them, in units.
    widest: f32,
    fastest_squared: f32,
    largest: f32,
}

/// An entry in a sample.
#[derive(Clone, Copy, Debug)]
struct Sampled {
    position: Vec3,
    speed_squared: f32,
    radius: f32,
}

impl Sampled {
    fn of(table: &Table, row: usize) -> Self {
        Self {
            position: table.position(row),
            speed_squared: finite_or_zero(table.velocity(row).length_squared()),
            radius: finite_or_zero(table.radius(row)),
        }
    }
}

impl Population {
    /// What is usual among them.
    fn usual(&self) -> UsualSize {
        let sample = self.sample.iter();
        UsualSize::of(
            sample.clone().map(|one| one.speed_squared).collect(),
            sample.map(|one| one.radius).collect(),
        )
    }
}

/// The populations of `count` groups of entries. `group_of` tells that of each, if it has one, from
/// its entry, table and row.
fn populations(
    parts: &[Vec<Table>],
    count: usize,
    build: u32,
    group_of: impl Fn(usize, &Table, usize) -> Option<usize>,
) -> Vec<Population> {
    let mut populations = vec![Population::default(); count];
    let tables = parts.iter().flatten();
    let rows = tables.flat_map(|table| (0..table.len()).map(move |row| (table, row)));
    let groups = rows.enumerate().filter_map(|(entry, (table, row))| {
        group_of(entry, table, row).map(|group| (group, table, row))
    });
    for (group, table, row) in groups.clone() {
        let population = &mut populations[group];
        let reach = table.entries.map_or(0.0, |entries| entries[row].reach(build));
        let Sampled { speed_squared, radius, .. } = Sampled::of(table, row);
        population.count += 1;
        population.widest = population.widest.max(reach);
        population.fastest_squared = population.fastest_squared.max(speed_squared);
        population.largest = population.largest.max(radius);
    }
    let thresholds: Vec<u32> = populations.iter().map(|some| threshold(some.count)).collect();
    for (group, table, row) in groups {
        if table.ids[row].hash() <= thresholds[group] {
            populations[group].sample.push(Sampled::of(table, row));
        }
    }
    populations
}

/// Zero if all these words equal `one`. Without an early exit, which is faster in the usual case.
#[inline(always)]
fn differences(words: impl Iterator<Item = u32>, one: u32) -> u32 {
    words.fold(0, |all, word| all | (word ^ one))
}

#[inline(always)]
fn is_rising(ids: &[AgentId]) -> bool {
    let pairs = ids.iter().zip(ids.get(1..).unwrap_or_default());
    pairs.fold(true, |so_far, (a, b)| so_far & (a.0 < b.0))
}

fn finite_or_zero(number: f32) -> f32 {
    if number <= f32::MAX { number } else { 0.0 }
}

/// Collects the height spans of all entries in their order; none where all are level with each
/// other.
fn collect_spans(parts: &[Vec<Table>], plane: SteeringPlane, spans: &mut PerEntry<HeightSpan>) {
    let has_heights = |table: &Table| table.heights.is_some();
    let is_limited =
        plane == SteeringPlane::Xz || plane.is_planar() && parts.iter().flatten().any(has_heights);
    let all = || parts.iter().flatten().flat_map(move |table| spans_of(table, plane));
    let are_level = !is_limited || {
        // What all of them have in common.
        let common = |all: HeightSpan, own: HeightSpan| HeightSpan {
            low: all.low.max(own.low),
            high: all.high.min(own.high),
        };
        let jobs = parts.iter().map(|part| {
            move || {
                let spans = part.iter().flat_map(|table| spans_of(table, plane));
                spans.fold(HeightSpan::ALL, common)
            }
        });
        let common = run_all(jobs.collect()).into_iter().fold(HeightSpan::ALL, common);
        common.low <= common.high
    };
    spans.collect(are_level.then_some(HeightSpan::default()), all());
}

fn spans_of(table: &Table, plane: SteeringPlane) -> impl Iterator<Item = HeightSpan> {
    (0..table.len()).map(move |row| table.span(row, plane))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::entry_table::Crowd;

    #[test]
    fn who_they_are_is_written_down_anew_where_it_has_changed() {
        let collect = |crowd: &Crowd, keys: &mut Vec<EntryKey>| {
            statistics(&[vec![crowd.table()]], keys);
        };
        let (crowd, other) = (Crowd::of(3 * VALIDATE_CHUNK), Crowd::of(2 * VALIDATE_CHUNK + 5));
        let [mut keys, mut fresh] = [Vec::new(), Vec::new()];
        collect(&crowd, &mut keys);
        assert_eq!(keys[VALIDATE_CHUNK + 1].id, AgentId(VALIDATE_CHUNK as u64 + 1));
        keys[VALIDATE_CHUNK + 1].id = AgentId(7);
        keys[0].entity = Entity::from_raw_u32(9).expect("an entity");
        collect(&other, &mut keys);
        keys[VALIDATE_CHUNK + 1].id = AgentId(7);
        collect(&other, &mut keys);
        collect(&other, &mut fresh);
        assert_eq!(keys, fresh);
    }

    #[test]
    fn the_sample_of_a_large_crowd_is_small_and_of_a_small_one_everybody() {
        let sampled = |size: usize| {
            statistics(&[vec![Crowd::of(size).table()]], &mut Vec::new()).all.sample.len()
        };
        assert_eq!(sampled(100), 100);
        assert!((64..256).contains(&sampled(20_000)), "{}", sampled(20_000));
    }
}
