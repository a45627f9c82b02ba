//! A counting sort by cell on all threads. Its result does not depend on their number.
//!
//! Each thread has a part of the entries. It counts how many of them fall into each bucket; the
//! sums of these counts say where in each bucket the entries of each part go; then the threads put
//! them there. Inside a bucket entries are in the order of their ids, whatever the order of the
//! tables.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::prelude::*;

use crate::{
    ecs::{
        columns::chunks,
        parallel::{for_each_piece, run_all},
    },
    neighbors::{
        entry_table::{Table, pieces},
        histogram::{count_buckets, share_of_buckets},
        index::{EntryKey, PlaneIndex},
        levels::{Level, bucket_count},
    },
    space::{bounds::Bounds, plane::SteeringPlane},
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
        let jobs = index.shares().into_iter().map(|(Level { grid, .. }, rows)| {
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
