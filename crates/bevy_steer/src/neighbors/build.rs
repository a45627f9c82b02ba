//! Building the index: a counting sort by cell, shared out over threads, whose result does not depend on how.
//!
//! Each thread has a part of the entries. It counts how many of them fall into each bucket; the sums of these counts say
//! where in each bucket the entries of each part go; then the threads put them there. Inside a bucket entries are in the
//! order of their numbers, whatever the order of the tables.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::prelude::*;

use super::{
    gather::{Table, parts, pieces},
    grid::{CellGrid, roomy_cell, spread},
    index::{NeighborIndex, PlaneIndex},
};
use crate::{
    bounds::{Bounds, Edge},
    number::AgentNumber,
    plane::SteeringPlane,
    rows::{Rows, run_all, threads_for},
    vector::are_finite,
};

/// How many points are looked at to find out how densely they stand.
const SAMPLES: f32 = 128.0;
/// How many points should at least share a square as high as a cell.
const PER_SQUARE: f32 = 1.0;
/// The same for a cube.
const PER_CUBE: f32 = 2.0;
/// No cell is higher than this many that would just be roomy: somebody who sees to the end of the world must not put all the
/// world into one cell for everybody else.
const HIGHEST_CELL: f32 = 8.0;
/// More threads than this would spend their time on adding up their counts.
const MOST_PARTS: usize = 16;

/// What there is to know of the entries before they are sorted.
#[derive(Default)]
struct Survey {
    fastest_squared: f32,
    largest: f32,
    /// Where some of them are: the same ones whatever the order of the tables.
    sample: Vec<Vec3>,
    /// Whether they come in the order of their numbers.
    in_order: bool,
    layers: Option<u32>,
    radius: Option<f32>,
}

impl NeighborIndex {
    /// Builds the index of every plane in use, with cells for searches of `widest` units, within reason.
    pub(super) fn build(
        &mut self,
        tables: Vec<Table>,
        default_plane: SteeringPlane,
        bounds: &Bounds,
        widest: f32,
    ) {
        let total: usize = tables.iter().map(Table::len).sum();
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

        let survey = self.survey(&tables, total);
        self.fastest = survey.fastest_squared.sqrt();
        self.largest = survey.largest;
        let rows = || tables.iter().flat_map(|table| (0..table.len()).map(move |row| (table, row)));
        self.layers.collect(survey.layers, rows().map(|(table, row)| table.layers[row].0));
        self.radii.collect(survey.radius, rows().map(|(table, row)| table.radius(row)));

        let parts = parts(tables, threads_for(total).min(MOST_PARTS));
        let spread = spread(&survey.sample);
        for plane in SteeringPlane::ALL {
            let index = &mut self.planes[plane as usize];
            index.built = used[plane as usize];
            index.len = 0;
            index.grid.starts.clear();
            if !index.built {
                continue;
            }
            lay_out(&mut index.grid, total, plane, bounds, widest, spread);
            let sorter = Sorter {
                parts: &parts,
                entities: &self.entities,
                numbers: &self.numbers,
                in_order: survey.in_order,
                plane,
                default_plane,
                bounds,
            };
            if plane.is_planar() {
                sorter.sort::<2, 4>(index);
            } else {
                sorter.sort::<3, 6>(index);
            }
        }
    }

    /// Looks at all entries, and keeps who they are.
    fn survey(&mut self, tables: &[Table], total: usize) -> Survey {
        self.entities.resize(total, Entity::PLACEHOLDER);
        self.numbers.resize(total, AgentNumber::UNASSIGNED);
        let parts = parts(tables.to_vec(), threads_for(total).min(MOST_PARTS));
        let outputs = pieces(&parts, 1, &mut self.entities).into_iter().zip(pieces(
            &parts,
            1,
            &mut self.numbers,
        ));
        let jobs = parts
            .iter()
            .zip(outputs)
            .map(|(part, (entities, numbers))| move || survey_part(part, total, entities, numbers));
        let surveys = run_all(jobs.collect());
        let mut all = Survey {
            in_order: self.numbers.is_sorted_by(|a, b| a < b),
            layers: surveys.first().and_then(|survey| survey.layers),
            radius: surveys.first().and_then(|survey| survey.radius),
            ..Survey::default()
        };
        for survey in surveys {
            all.fastest_squared = all.fastest_squared.max(survey.fastest_squared);
            all.largest = all.largest.max(survey.largest);
            all.sample.extend(survey.sample);
            all.layers = all.layers.filter(|_| all.layers == survey.layers);
            all.radius = all.radius.filter(|_| all.radius == survey.radius);
        }
        all
    }
}

fn survey_part(
    part: &[Table],
    total: usize,
    entities: &mut [Entity],
    numbers: &mut [AgentNumber],
) -> Survey {
    // The share of samples among the entries, as a number below which the hash of their number must be.
    let threshold = (SAMPLES / total as f32 * 4_294_967_296.0) as u32;
    let mut survey = Survey::default();
    let mut first: Option<(u32, f32)> = None;
    let (mut same_layers, mut same_radius) = (true, true);
    let mut start = 0;
    for table in part {
        let count = table.len();
        entities[start..start + count].copy_from_slice(table.entities);
        numbers[start..start + count].copy_from_slice(table.numbers);
        start += count;
        let like =
            *first.get_or_insert((table.layers[..1].first().map_or(0, |l| l.0), table.radius(0)));
        same_layers &= table.layers.iter().all(|layers| layers.0 == like.0);
        let (mut fastest, mut largest) = (survey.fastest_squared, survey.largest);
        for row in 0..count {
            let radius = table.radius(row);
            let squared = table.velocity(row).length_squared();
            // The larger of a number and none is the number.
            fastest = fastest.max(if squared <= f32::MAX { squared } else { 0.0 });
            largest = largest.max(if radius <= f32::MAX { radius } else { 0.0 });
            same_radius &= radius == like.1;
        }
        (survey.fastest_squared, survey.largest) = (fastest, largest);
        for (row, number) in table.numbers.iter().enumerate() {
            let hash = (number.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32;
            if hash <= threshold && table.position(row).is_finite() {
                survey.sample.push(table.position(row));
            }
        }
    }
    survey.layers = first.filter(|_| same_layers).map(|first| first.0);
    survey.radius = first.filter(|_| same_radius).map(|first| first.1);
    survey
}

/// Cells as high as the widest search, and half as wide on a plane, a quarter in space: a search then looks at few points
/// that are out of its reach at the ends of each row.
fn lay_out(
    grid: &mut CellGrid,
    total: usize,
    plane: SteeringPlane,
    bounds: &Bounds,
    widest: f32,
    spread: Vec3,
) {
    let per_cell = if plane.is_planar() { PER_SQUARE } else { PER_CUBE };
    let roomy = roomy_cell(total, spread, plane, per_cell);
    let height = widest.clamp(roomy, roomy * HIGHEST_CELL);
    let width = if plane.is_planar() { height * 0.5 } else { height * 0.25 };
    // The middle 80 % and some more.
    grid.lay_out(total, plane, bounds, Vec3::new(width, height, height), spread * 1.3);
}

struct Sorter<'a> {
    parts: &'a [Vec<Table<'a>>],
    entities: &'a [Entity],
    numbers: &'a [AgentNumber],
    in_order: bool,
    plane: SteeringPlane,
    default_plane: SteeringPlane,
    bounds: &'a Bounds,
}

impl Sorter<'_> {
    /// Sorts all entries by the `D` coordinates of the plane; `R` is twice that.
    fn sort<const D: usize, const R: usize>(&self, index: &mut PlaneIndex) {
        let total = self.entities.len();
        index.scratch.resize(total * R, 0.0);
        index.marks.resize_with(total, AtomicU32::default);
        index.order.resize_with(total, AtomicU32::default);
        self.count::<D, R>(index);
        index.len = add_up(&mut index.grid, &mut index.histograms);
        self.place(index);
        if !self.in_order {
            self.order_buckets(index);
        }
        self.tell_slots(index);
        self.fill::<D, R>(index);
    }

    /// Copies positions and velocities, finds the bucket of each entry, and counts the entries of each.
    fn count<const D: usize, const R: usize>(&self, index: &mut PlaneIndex) {
        let grid = &index.grid;
        let nowhere = grid.bucket_count();
        index.histograms.resize_with(self.parts.len(), Vec::new);
        let records = pieces(self.parts, R, &mut index.scratch);
        let marks = pieces(self.parts, 1, &mut index.marks);
        let outputs = records.into_iter().zip(marks).zip(&mut index.histograms);
        let jobs = self.parts.iter().zip(outputs).map(|(part, ((records, marks), counts))| {
            move || {
                counts.clear();
                counts.resize(nowhere + 1, 0);
                let (mut records, mut marks) = (records.as_chunks_mut::<R>().0, marks);
                for table in part {
                    let (own_records, other_records) = records.split_at_mut(table.len());
                    let (own_marks, other_marks) = marks.split_at_mut(table.len());
                    self.count_table::<D, R>(grid, table, own_records, own_marks, counts);
                    (records, marks) = (other_records, other_marks);
                }
            }
        });
        run_all(jobs.collect());
    }

    fn count_table<const D: usize, const R: usize>(
        &self,
        grid: &CellGrid,
        table: &Table,
        records: &mut [[f32; R]],
        marks: &mut [AtomicU32],
        counts: &mut [u32],
    ) {
        let nowhere = counts.len() - 1;
        let table = table.cut(records.len()).0;
        for (row, (record, mark)) in records.iter_mut().zip(marks).enumerate() {
            let (position, velocity) = (table.position(row), table.velocity(row));
            let bucket = if are_finite(position, velocity) {
                let position = wrapped(self.bounds, position);
                let (place, motion) = self.plane.project_both(position, velocity);
                for d in 0..D {
                    (record[d], record[D + d]) = (place[d], motion[d]);
                }
                grid.bucket_in::<D>(place, self.plane) as usize
            } else {
                nowhere
            };
            *mark.get_mut() = bucket as u32;
            counts[bucket] += 1;
        }
    }

    /// Gives each entry its slot.
    fn place(&self, index: &mut PlaneIndex) {
        let order = &index.order;
        let marks = pieces(self.parts, 1, &mut index.marks);
        let mut first_entry = 0;
        let jobs = marks.into_iter().zip(&mut index.histograms).map(|(marks, next)| {
            let first = first_entry;
            first_entry += marks.len();
            move || {
                for (entry, mark) in marks.iter_mut().enumerate() {
                    let mark = mark.get_mut();
                    let slot = &mut next[*mark as usize];
                    *mark = *slot;
                    order[*slot as usize].store((first + entry) as u32, Relaxed);
                    *slot += 1;
                }
            }
        });
        run_all(jobs.collect());
    }

    /// Brings the entries of each bucket into the order of their numbers.
    fn order_buckets(&self, index: &mut PlaneIndex) {
        let (starts, marks) = (&index.grid.starts, &index.marks);
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
                    marks[*entry.get_mut() as usize].store((first_slot + i) as u32, Relaxed);
                }
            });
            (bucket, slot) = (end_bucket, end_slot);
        }
        run_all(jobs);
    }

    fn order_bucket(&self, entries: &mut [AtomicU32]) {
        const SHORT: usize = 16;
        let key = |entry: u32| (self.numbers[entry as usize], self.entities[entry as usize]);
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

    /// Tells the agents of this plane their slots.
    fn tell_slots(&self, index: &mut PlaneIndex) {
        let marks = pieces(self.parts, 1, &mut index.marks);
        let jobs = self.parts.iter().zip(marks).map(|(part, marks)| {
            move || {
                let mut marks = marks;
                for table in part {
                    let (own, rest) = marks.split_at_mut(table.len());
                    marks = rest;
                    let Some(slots) = table.slots else { continue };
                    for (row, mark) in own.iter_mut().enumerate() {
                        let plane = table.planes.map_or(self.default_plane, |planes| planes[row]);
                        if plane == self.plane {
                            slots[row].set(*mark.get_mut());
                        }
                    }
                }
            }
        });
        run_all(jobs.collect());
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
                        here[i][slot] = record[i];
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

/// Where a place outside a world that wraps is inside it.
#[inline(always)]
fn wrapped(bounds: &Bounds, position: Vec3) -> Vec3 {
    let is_inside =
        |axis: usize| (position[axis] >= bounds.min[axis]) & (position[axis] < bounds.max[axis]);
    if bounds.edge != Edge::Wrap || is_inside(0) & is_inside(1) & is_inside(2) {
        return position;
    }
    let (mut confined, mut velocity) = (position, Vec3::ZERO);
    bounds.confine(&mut confined, &mut velocity);
    confined
}
