//! Statistics of the entries, collected before they are sorted.

use bevy::prelude::*;

use crate::{
    agent::AgentId,
    ecs::{chunks, run_all},
    neighbors::{
        entry_table::{Table, body_radius, pieces},
        index::EntryKey,
        levels::UsualSize,
    },
    simd::{Kernel, Lanes, WIDTH, dispatch, dot, side_by_side},
};

/// The size of the sample that tells how densely points are spread.
const SAMPLES: f32 = 128.0;

/// Statistics of the entries.
#[derive(Default)]
pub(super) struct Statistics {
    /// What cells depend on, but for the width of searches.
    pub all: Population,
    /// Whether they come in the order of their ids.
    pub in_order: bool,
    first: Option<AgentId>,
    last: Option<AgentId>,
    /// Their layers, if all have the same.
    pub layers: Option<u32>,
    /// Their radius, if all have the same.
    pub radius: Option<f32>,
}

/// Reads all entries, collects their keys, and tells the agents among them their entry.
pub(super) fn statistics(parts: &[Vec<Table>], keys: &mut Vec<EntryKey>) -> Statistics {
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
pub(super) struct Population {
    pub count: usize,
    /// Some of them: the same ones whatever the order of the tables.
    pub sample: Vec<Sampled>,
    /// The widest search of any of them, in units.
    pub widest: f32,
    pub fastest_squared: f32,
    pub largest: f32,
}

/// An entry in a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    pub position: Vec3,
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
    pub(super) fn usual(&self) -> UsualSize {
        let sample = self.sample.iter();
        UsualSize::of(
            sample.clone().map(|one| one.speed_squared).collect(),
            sample.map(|one| one.radius).collect(),
        )
    }
}

/// The populations of `count` groups of entries. `group_of` tells that of each, if it has one, from
/// its entry, table and row.
pub(super) fn populations(
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

/// This many rows are read, column by column, while they are in the nearest cache.
const VALIDATE_CHUNK: usize = 2048;

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
