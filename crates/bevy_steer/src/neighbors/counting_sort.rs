//! A counting sort by cell on all threads. Its result does not depend on their number.
//!
//! Each thread has a part of the entries. It finds the bucket of each, and counts how many of them
//! fall into each bucket; the sums of these counts say where in each bucket the entries of each
//! part go; then the threads put them there. Inside a bucket entries are in the order of their ids,
//! whatever the order of the tables.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::prelude::*;

use crate::{
    agent::{HeightSpan, Velocity},
    ecs::{Columns, block, block_mut, chunks, for_each_piece, pieces_for, run_all},
    grid::cell_grid::CellGrid,
    neighbors::{
        entry_table::{Table, pieces},
        index::{EntryKey, PlaneIndex},
        levels::Level,
    },
    simd::{Kernel, Lanes, WIDTH, dispatch, dot, is_valid, pack, positions, side_by_side},
    space::{Bounds, BoundsEdge, SteeringPlane, vector},
};

/// Sorts the entries of an index.
pub(super) struct Sorter<'a> {
    pub parts: &'a [Vec<Table<'a>>],
    /// By entry.
    pub keys: &'a [EntryKey],
    /// Whether identities are in demand.
    pub asked: bool,
    /// Whether the entries come in the order of their ids.
    pub in_order: bool,
    pub plane: SteeringPlane,
    pub bounds: &'a Bounds,
}

impl Sorter<'_> {
    /// Sorts all entries, of which each has `R` coordinates of position and velocity.
    pub(super) fn sort<const R: usize>(&self, index: &mut PlaneIndex) {
        let total = self.keys.len();
        index.scratch.resize_with(total * R, AtomicU32::default);
        index.slots.resize_with(total, AtomicU32::default);
        index.order.resize_with(total, AtomicU32::default);
        let sums = count_buckets::<R>(self.parts, self.plane, self.bounds, index);
        index.len = add_up(&mut index.levels, &mut index.histograms, &sums);
        self.place(index);
        if !self.in_order {
            self.order_buckets(index);
        }
        self.fill::<R>(index);
        self.copy_identities(index);
    }

    /// Gives each entry its slot.
    fn place(&self, index: &mut PlaneIndex) {
        let order = &index.order;
        let slots = pieces(self.parts, 1, &mut index.slots);
        let mut first_entry = 0;
        let jobs = slots.into_iter().zip(&mut index.histograms).map(|(slots, next)| {
            let first = first_entry;
            first_entry += slots.len();
            move || {
                for (entry, slot) in (first as u32..).zip(slots) {
                    let slot = slot.get_mut();
                    let next = &mut next[*slot as usize];
                    *slot = *next;
                    *next += 1;
                    order[*slot as usize].store(entry, Relaxed);
                }
            }
        });
        run_all(jobs.collect());
    }

    /// Brings the entries of each bucket into the order of their ids.
    fn order_buckets(&self, index: &PlaneIndex) {
        let jobs =
            index.shares(pieces_for(index.len)).into_iter().map(|(Level { grid, .. }, rows)| {
                move || {
                    let (_, buckets) = grid.rows();
                    let mut members: Vec<(EntryKey, u32)> = Vec::new();
                    for bucket in rows.start * buckets..rows.end * buckets {
                        let run = grid.run(0, bucket as u32, 1);
                        members.clear();
                        members.extend(run.clone().map(|slot| {
                            let entry = index.entry(slot);
                            (self.keys[entry], entry as u32)
                        }));
                        members.sort_unstable();
                        for (slot, &(_, entry)) in run.zip(&members) {
                            index.order[slot].store(entry, Relaxed);
                            index.slots[entry as usize].store(slot as u32, Relaxed);
                        }
                    }
                }
            });
        run_all(jobs.collect());
    }

    /// Copies positions and velocities to their slots.
    fn fill<const R: usize>(&self, index: &mut PlaneIndex) {
        let (records, order) = (index.scratch.as_chunks::<R>().0, &index.order);
        let columns = index.positions[..R / 2].iter_mut().chain(&mut index.velocities[..R / 2]);
        let columns = columns.enumerate().map(|(i, column)| {
            column.resize(index.len, i);
            column.get_mut()
        });
        let columns = (columns.collect::<Vec<_>>(), &order[..index.len]);
        for_each_piece(vec![(index.len, columns)], |_, (columns, order)| {
            let mut columns = columns.into_iter();
            let here: [&mut [f32]; R] = core::array::from_fn(|_| {
                let column = columns.next().unwrap_or_default();
                &mut column[..order.len()]
            });
            for (slot, entry) in order.iter().enumerate() {
                let record = &records[entry.load(Relaxed) as usize];
                for i in 0..R {
                    here[i][slot] = f32::from_bits(record[i].load(Relaxed));
                }
            }
        });
    }

    /// Copies identities to their slots, if they are in demand.
    fn copy_identities(&self, index: &mut PlaneIndex) {
        index.keys.clear();
        if !self.asked {
            return;
        }
        index.keys.resize(index.len, EntryKey::NONE);
        let columns = (&mut index.keys[..], &index.order[..index.len]);
        for_each_piece(vec![(index.len, columns)], |_, (keys, order)| {
            for (key, entry) in keys.iter_mut().zip(order) {
                *key = self.keys[entry.load(Relaxed) as usize];
            }
        });
    }
}

/// Copies the `R` coordinates of positions and velocities, finds the bucket of each entry, and
/// counts the entries of each bucket. Returns the sums of the counts of each part, for each share
/// of the buckets.
fn count_buckets<const R: usize>(
    parts: &[Vec<Table>],
    plane: SteeringPlane,
    bounds: &Bounds,
    index: &mut PlaneIndex,
) -> Vec<Vec<u32>> {
    let levels = &index.levels[..];
    let invalid = bucket_count(levels);
    let share = share_of_buckets(invalid, parts.len());
    index.histograms.resize_with(parts.len(), Vec::new);
    let records = pieces(parts, R, &mut index.scratch);
    let slots = pieces(parts, 1, &mut index.slots);
    let outputs = records.into_iter().zip(slots).zip(&mut index.histograms);
    let jobs = parts.iter().zip(outputs).map(|(part, ((records, slots), counts))| {
        move || {
            counts.clear();
            counts.resize(invalid + 1, 0);
            let (mut records, mut slots) = (records.as_chunks_mut::<R>().0, slots);
            for &table in part {
                let (own, others) = (records, slots).split_at(table.len());
                (records, slots) = others;
                let (records, slots) = own;
                let counts = &mut counts[..];
                Histogram { plane, bounds, levels, table, records, slots, counts }.count();
            }
            counts.chunks(share).map(|counts| counts.iter().sum()).collect()
        }
    });
    run_all(jobs.collect())
}

/// The number of buckets of all these.
fn bucket_count(levels: &[Level]) -> usize {
    levels.iter().map(|level| level.grid.bucket_count()).sum()
}

/// The number of buckets for which one thread adds up the counts.
fn share_of_buckets(buckets: usize, parts: usize) -> usize {
    (buckets + 1).div_ceil(parts)
}

/// The entries of a table, and where the results go: a record of `R` numbers each.
struct Histogram<'a, const R: usize> {
    plane: SteeringPlane,
    bounds: &'a Bounds,
    levels: &'a [Level],
    table: Table<'a>,
    records: &'a mut [[AtomicU32; R]],
    slots: &'a mut [AtomicU32],
    counts: &'a mut [u32],
}

impl<const R: usize> Histogram<'_, R> {
    fn count(mut self) {
        let is_usual = self.table.motions.is_none() && self.table.velocities.is_some();
        let heights = |level: Option<&Level>| level.map(|level| level.heights);
        if is_usual && heights(self.levels.first()) == heights(self.levels.last()) {
            dispatch(self);
        } else {
            (0..self.table.len()).for_each(|row| self.count_one(row));
        }
    }

    fn count_one(&mut self, row: usize) {
        let (mut position, velocity) = (self.table.position(row), self.table.velocity(row));
        let plane = self.plane;
        let bucket = if vector::is_valid(position) & vector::is_valid(velocity) {
            if self.bounds.edge == BoundsEdge::Wrap {
                self.bounds.confine(&mut position, &mut Vec3::default());
            }
            self.records[row] = record(plane, position, velocity);
            let own = match self.levels {
                [_] => 0,
                several => {
                    let span = self.table.span(row, plane);
                    let speed_squared = self.table.velocity(row).length_squared();
                    level_of(several, span, speed_squared, self.table.radius(row))
                }
            };
            let Level { grid, first_bucket, .. } = &self.levels[own];
            first_bucket + grid.bucket_inside(position)
        } else {
            bucket_count(self.levels) as u32
        };
        *self.slots[row].get_mut() = bucket;
        self.counts[bucket as usize] += 1;
    }
}

/// The number of the level of an entry.
fn level_of(levels: &[Level], span: HeightSpan, speed_squared: f32, radius: f32) -> usize {
    let first = levels.partition_point(|level| level.heights.high < span.low);
    let first = first.min(levels.len() - 1);
    let Level { heights, usual, .. } = &levels[first];
    let class = usual.class(speed_squared, radius);
    let band = levels[first..].iter().take_while(|level| level.heights == *heights);
    band.enumerate().find(|(_, level)| level.class == class).map_or(first, |(i, _)| first + i)
}

/// The coordinates that the plane has: the place, then the velocity.
#[inline(always)]
fn record<const R: usize>(plane: SteeringPlane, position: Vec3, velocity: Vec3) -> [AtomicU32; R] {
    let (place, motion) = (plane.project(position), plane.project(velocity));
    let coordinate = |i: usize| if i < R / 2 { place[i] } else { motion[i - R / 2] };
    core::array::from_fn(|i| AtomicU32::new(coordinate(i).to_bits()))
}

impl<const R: usize> Kernel for Histogram<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let Self { plane, bounds, levels, table, .. } = self;
        let count = table.len();
        let velocities = table.velocities.unwrap_or_default();
        // The entries of the first level; those of others one by one.
        let Level { grid, usual: size, .. } = &levels[0];
        let is_only = levels.len() == 1;
        let mut first = 0;
        while first + WIDTH <= count {
            let positions = block(table.transforms, first);
            let velocities = block(velocities, first);
            let (buckets, mut usual) = buckets(l, grid, bounds, plane, positions, velocities);
            if !is_only {
                let velocity = side_by_side(l, velocities);
                let is_slow = l.le(dot(l, velocity, velocity), l.splat(size.speed_squared));
                let radius = pack!(l, i => table.radius(first + i));
                usual &= l.bits(l.and(is_slow, l.le(radius, l.splat(size.radius))));
            }
            if usual == u8::MAX {
                let records = block_mut(self.records, first);
                let slots = block_mut(self.slots, first);
                for i in 0..WIDTH {
                    records[i] = record(plane, positions[i].translation, velocities[i].0);
                    *slots[i].get_mut() = buckets[i];
                    self.counts[buckets[i] as usize] += 1;
                }
            } else {
                for row in first..first + WIDTH {
                    self.count_one(row);
                }
            }
            first += WIDTH;
        }
        (first..count).for_each(|row| self.count_one(row));
    }
}

/// The buckets of eight entries, and for which of them they are right, one bit each: the others are
/// outside of the table or of the world, or invalid.
#[inline(always)]
fn buckets<L: Lanes>(
    l: L,
    grid: &CellGrid,
    bounds: &Bounds,
    plane: SteeringPlane,
    transforms: &[Transform; WIDTH],
    velocities: &[Velocity; WIDTH],
) -> ([u32; WIDTH], u8) {
    let (position, velocity) = (positions(l, transforms), side_by_side(l, velocities));
    let mut usual = l.and(is_valid(l, position), is_valid(l, velocity));
    let has = plane.flatten(Vec3::ONE);
    let mut buckets = [0_u32; WIDTH];
    for axis in [2, 1, 0] {
        if has[axis] == 0.0 {
            continue;
        }
        if bounds.edge == BoundsEdge::Wrap {
            let (min, max) = (l.splat(bounds.min[axis]), l.splat(bounds.max[axis]));
            let is_inside = l.and(l.le(min, position[axis]), l.lt(position[axis], max));
            usual = l.and(usual, is_inside);
        }
        let own = &grid.axes[axis];
        let scaled = l.mul(l.sub(position[axis], l.splat(own.origin)), l.splat(own.per_unit));
        let in_table = l.and(l.le(l.splat(0.0), scaled), l.lt(scaled, l.splat(own.buckets as f32)));
        usual = l.and(usual, in_table);
        let cells = l.whole(scaled);
        for i in 0..WIDTH {
            buckets[i] = buckets[i].wrapping_mul(own.buckets).wrapping_add(cells[i]);
        }
    }
    (buckets, l.bits(usual))
}

/// Turns the counts of each part into the slots where its entries begin. Returns the number of
/// entries in buckets. `sums` are those of the counts of each part, for each share of the buckets.
fn add_up(levels: &mut [Level], histograms: &mut [Vec<u32>], sums: &[Vec<u32>]) -> usize {
    let buckets = bucket_count(levels);
    let share = share_of_buckets(buckets, histograms.len());
    let [first, others @ ..] = levels else { return 0 };
    let all = &mut first.grid.starts;
    all.resize(buckets + 1, 0);
    let counts: Vec<&mut [u32]> = histograms.iter_mut().map(|counts| &mut counts[..]).collect();
    let mut before = 0;
    let cut = chunks(buckets + 1, (&mut all[..], counts), share);
    let jobs = cut.zip(0..).map(|((_, (starts, mut parts)), i)| {
        let first = before;
        before += sums.iter().map(|sums| sums[i]).sum::<u32>();
        move || add_up_from(first, starts, &mut parts)
    });
    run_all(jobs.collect());
    let len = all.last().map_or(0, |&len| len as usize);
    for Level { grid, .. } in others.iter_mut().rev() {
        let begin = all.len() - 1 - grid.bucket_count();
        grid.starts.extend_from_slice(&all[begin..]);
        all.truncate(begin + 1);
    }
    len
}

fn add_up_from(first: u32, starts: &mut [u32], parts: &mut [&mut [u32]]) {
    let mut sum = first;
    if let [counts] = parts {
        for (start, count) in starts.iter_mut().zip(counts.iter_mut()) {
            *start = sum;
            sum += core::mem::replace(count, sum);
        }
        return;
    }
    for (bucket, start) in starts.iter_mut().enumerate() {
        *start = sum;
        for counts in parts.iter_mut() {
            sum += core::mem::replace(&mut counts[bucket], sum);
        }
    }
}
