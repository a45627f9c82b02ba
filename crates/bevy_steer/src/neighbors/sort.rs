//! A counting sort by cell, shared out over threads, whose result does not depend on how.
//!
//! Each thread has a part of the entries. It counts how many of them fall into each bucket; the sums of these counts say
//! where in each bucket the entries of each part go; then the threads put them there. Inside a bucket entries are in the
//! order of their numbers, whatever the order of the tables.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use bevy::prelude::*;

use super::{
    gather::{Table, pieces},
    grid::CellGrid,
    index::{PlaneIndex, Who},
};
use crate::{bounds::Bounds, plane::SteeringPlane, rows::run_all};

/// Sorts the entries of an index.
pub(super) struct Sorter<'a> {
    pub(super) parts: &'a [Vec<Table<'a>>],
    pub(super) total: usize,
    /// By entry, unless they are in order.
    pub(super) keys: &'a [Who],
    pub(super) plane: SteeringPlane,
    pub(super) bounds: &'a Bounds,
}

impl Sorter<'_> {
    /// Sorts all entries by the `D` coordinates of the plane; `R` is twice that.
    pub(super) fn sort<const D: usize, const R: usize>(&self, index: &mut PlaneIndex) {
        let total = self.total;
        index.scratch.resize_with(total * R, AtomicU32::default);
        index.slots.resize_with(total, AtomicU32::default);
        index.order.resize_with(total, AtomicU32::default);
        index.who.resize_with(total, Default::default);
        self.count::<D, R>(index);
        index.len = add_up(&mut index.grid, &mut index.histograms);
        self.place(index);
        if !self.keys.is_empty() {
            self.order_buckets(index);
        }
        self.fill::<D, R>(index);
    }

    /// Gives each entry its slot, and notes who is there.
    fn place(&self, index: &mut PlaneIndex) {
        let (order, who) = (&index.order, &index.who);
        let slots = pieces(self.parts, 1, &mut index.slots);
        let mut first_entry = 0;
        let jobs =
            self.parts.iter().zip(slots).zip(&mut index.histograms).map(|((part, slots), next)| {
                let mut entry = first_entry;
                first_entry += slots.len();
                move || {
                    let mut slots = slots.iter_mut();
                    for table in part {
                        let rows = table.numbers.iter().zip(table.entities);
                        for ((&number, &entity), bucket) in rows.zip(&mut slots) {
                            let bucket = bucket.get_mut();
                            let slot = &mut next[*bucket as usize];
                            order[*slot as usize].store(entry as u32, Relaxed);
                            note(who, *slot, Who { number, entity });
                            *bucket = *slot;
                            *slot += 1;
                            entry += 1;
                        }
                    }
                }
            });
        run_all(jobs.collect());
    }

    /// Brings the entries of each bucket into the order of their numbers.
    fn order_buckets(&self, index: &mut PlaneIndex) {
        let (starts, slots, who) = (&index.grid.starts, &index.slots, &index.who);
        let mut order = index.order.as_mut_slice();
        let (mut bucket, mut slot) = (0, 0);
        let mut jobs = Vec::new();
        for part in 1..=self.parts.len() {
            let goal = (index.len * part / self.parts.len()) as u32;
            let end_bucket = starts.partition_point(|&start| start < goal).max(bucket);
            let end_slot = starts[end_bucket] as usize;
            let (piece, rest) = core::mem::take(&mut order).split_at_mut(end_slot - slot);
            order = rest;
            let buckets = bucket..end_bucket;
            let first_slot = slot;
            jobs.push(move || {
                for bucket in buckets {
                    let run = starts[bucket] as usize..starts[bucket + 1] as usize;
                    self.order_bucket(&mut piece[run.start - first_slot..run.end - first_slot]);
                }
                for (i, entry) in piece.iter_mut().enumerate() {
                    let (entry, slot) = (*entry.get_mut() as usize, (first_slot + i) as u32);
                    slots[entry].store(slot, Relaxed);
                    note(who, slot, self.keys[entry]);
                }
            });
            (bucket, slot) = (end_bucket, end_slot);
        }
        run_all(jobs);
    }

    fn order_bucket(&self, entries: &mut [AtomicU32]) {
        const SHORT: usize = 16;
        let key = |entry: u32| self.keys[entry as usize];
        if entries.len() > SHORT {
            let mut sorted: Vec<u32> = entries.iter_mut().map(|entry| *entry.get_mut()).collect();
            sorted.sort_unstable_by_key(|&entry| key(entry));
            for (entry, sorted) in entries.iter_mut().zip(sorted) {
                *entry.get_mut() = sorted;
            }
            return;
        }
        for i in 1..entries.len() {
            let mut j = i;
            while j > 0 && key(*entries[j].get_mut()) < key(*entries[j - 1].get_mut()) {
                entries.swap(j, j - 1);
                j -= 1;
            }
        }
    }

    /// Copies positions and velocities to their slots.
    fn fill<const D: usize, const R: usize>(&self, index: &mut PlaneIndex) {
        let (records, order) = (index.scratch.as_chunks::<R>().0, &index.order);
        let mut columns: Vec<&mut [f32]> = Vec::with_capacity(R);
        for (i, column) in
            index.positions[..D].iter_mut().chain(&mut index.velocities[..D]).enumerate()
        {
            column.resize(index.len, i);
            columns.push(column.get_mut());
        }
        let mut jobs = Vec::new();
        let mut first = 0;
        for part in 1..=self.parts.len() {
            let end = index.len * part / self.parts.len();
            let mut here: [&mut [f32]; R] = core::array::from_fn(|_| Default::default());
            for (column, here) in columns.iter_mut().zip(&mut here) {
                let (piece, rest) = core::mem::take(column).split_at_mut(end - first);
                (*here, *column) = (piece, rest);
            }
            let order = &order[first..end];
            jobs.push(move || {
                let here = here.map(|column| &mut column[..order.len()]);
                for (slot, entry) in order.iter().enumerate() {
                    let record = &records[entry.load(Relaxed) as usize];
                    for i in 0..R {
                        here[i][slot] = f32::from_bits(record[i].load(Relaxed));
                    }
                }
            });
            first = end;
        }
        run_all(jobs);
    }
}

/// Turns the counts of each part into the slots where its entries begin. Returns how many entries are in buckets at all.
fn add_up(grid: &mut CellGrid, histograms: &mut [Vec<u32>]) -> usize {
    let buckets = grid.bucket_count();
    grid.starts.clear();
    grid.starts.reserve(buckets + 1);
    let mut sum = 0;
    if let [counts] = histograms {
        for count in counts {
            grid.starts.push(sum);
            sum += core::mem::replace(count, sum);
        }
    } else {
        for bucket in 0..=buckets {
            grid.starts.push(sum);
            for counts in histograms.iter_mut() {
                sum += core::mem::replace(&mut counts[bucket], sum);
            }
        }
    }
    grid.starts.last().map_or(0, |&len| len as usize)
}

#[inline(always)]
fn note(who: &[[AtomicU64; 2]], slot: u32, Who { number, entity }: Who) {
    let [own_number, own_entity] = &who[slot as usize];
    own_number.store(number.0, Relaxed);
    own_entity.store(entity.to_bits(), Relaxed);
}

/// Who each entry is.
pub(super) fn keys(parts: &[Vec<Table>]) -> Vec<Who> {
    let tables = parts.iter().flatten();
    let rows = tables.flat_map(|table| table.numbers.iter().zip(table.entities));
    rows.map(|(&number, &entity)| Who { number, entity }).collect()
}
