//! Statistics of the entries, collected before they are sorted.

use bevy::prelude::*;

use crate::{
    agent::id::AgentId,
    ecs::{columns::chunks, parallel::run_all},
    neighbors::{
        index::EntryKey,
        storeys::{Storey, storey_of},
        tables::{Table, body_radius, pieces},
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes},
    },
};

/// The size of the sample that tells how densely points are spread.
const SAMPLES: f32 = 128.0;

/// Statistics of the entries.
#[derive(Default)]
pub(super) struct Statistics {
    pub(super) largest: f32,
    /// Whether some are no agents.
    pub(super) has_things: bool,
    /// The positions of some of them: the same ones whatever the order of the tables.
    pub(super) sample: Vec<Vec3>,
    /// Whether they come in the order of their ids.
    pub(super) in_order: bool,
    first: Option<AgentId>,
    last: Option<AgentId>,
    /// Their layers, if all have the same.
    pub(super) layers: Option<u32>,
    /// Their radius, if all have the same.
    pub(super) radius: Option<f32>,
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
    let mut all = Statistics {
        in_order: true,
        layers: of_parts.first().and_then(|statistics| statistics.layers),
        radius: of_parts.first().and_then(|statistics| statistics.radius),
        ..Statistics::default()
    };
    let mut last = None;
    for statistics in of_parts {
        all.in_order &= statistics.in_order && (last.is_none() || last < statistics.first);
        last = statistics.last;
        all.largest = all.largest.max(statistics.largest);
        all.has_things |= statistics.has_things;
        all.sample.extend(statistics.sample);
        all.layers = all.layers.filter(|_| all.layers == statistics.layers);
        all.radius = all.radius.filter(|_| all.radius == statistics.radius);
    }
    all
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
    fn run<L: Lanes>(self, _: L) -> Statistics {
        // The compiler vectorizes these loops, with the instructions that a kernel may use.
        let mut statistics = Statistics { in_order: true, ..Statistics::default() };
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
            statistics.has_things |= table.vehicles.is_none();
            let vehicles = table.vehicles.unwrap_or_default();
            let radii = vehicles.iter().map(body_radius);
            if differences(radii.clone().map(f32::to_bits), like.1.to_bits()) != 0 {
                same_radius = false;
                statistics.largest = radii.map(finite_or_zero).fold(statistics.largest, f32::max);
            }
            let threshold = threshold(self.total);
            for (row, &id) in table.ids.iter().enumerate() {
                if hash(id) <= threshold && table.position(row).is_finite() {
                    statistics.sample.push(table.position(row));
                }
            }
        }
        statistics.largest =
            statistics.largest.max(first.map_or(0.0, |first| finite_or_zero(first.1)));
        statistics.layers = first.filter(|_| same_layers).map(|first| first.0);
        statistics.radius = first.filter(|_| same_radius).map(|first| first.1);
        statistics
    }
}

/// An entry is in the sample of so many if the [`hash`] of its id is no larger than this.
fn threshold(count: usize) -> u32 {
    (SAMPLES / count as f32 * 4_294_967_296.0) as u32
}

/// A number that looks random.
#[inline(always)]
pub(super) fn hash(id: AgentId) -> u32 {
    (id.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// What the cells of a storey depend on.
#[derive(Clone, Debug, Default)]
pub(super) struct Population {
    pub(super) count: usize,
    pub(super) sample: Vec<Vec3>,
    /// The widest search of any of them, in units.
    pub(super) widest: f32,
}

/// The populations of these storeys; `spans` are those of all entries.
pub(super) fn populations(
    parts: &[Vec<Table>],
    spans: &[[f32; 2]],
    storeys: &[Storey],
    build: u32,
) -> Vec<Population> {
    let mut populations = vec![Population::default(); storeys.len()];
    let rows =
        parts.iter().flatten().flat_map(|table| (0..table.len()).map(move |row| (table, row)));
    let on_storeys = rows
        .zip(spans)
        .filter(|(_, span)| !span[0].is_nan())
        .map(|((table, row), &span)| (table, row, storey_of(storeys, span)));
    for (table, row, storey) in on_storeys.clone() {
        let reach = table.entries.map_or(0.0, |entries| entries[row].reach(build));
        populations[storey].count += 1;
        populations[storey].widest = populations[storey].widest.max(reach);
    }
    let thresholds: Vec<u32> = populations.iter().map(|some| threshold(some.count)).collect();
    for (table, row, storey) in on_storeys {
        if hash(table.ids[row]) <= thresholds[storey] {
            populations[storey].sample.push(table.position(row));
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

#[inline(always)]
fn finite_or_zero(radius: f32) -> f32 {
    if radius <= f32::MAX { radius } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::tables::Crowd;

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
            statistics(&[vec![Crowd::of(size).table()]], &mut Vec::new()).sample.len()
        };
        assert_eq!(sampled(100), 100);
        assert!((64..256).contains(&sampled(20_000)), "{}", sampled(20_000));
    }
}
