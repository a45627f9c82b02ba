//! The velocity limits of an agent as half-spaces, hard and soft ones.

use core::cmp::Ordering;

use bevy::prelude::*;

use crate::{
    ecs::block_mut,
    simd::{Arithmetic, Lanes, One, Vector, WIDTH, every, pack},
};

/// `normal · velocity ≥ bound` for the velocity of the next tick. For a soft limit, `weight` is the
/// weight of its violation compared with the deviation from the requested velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HalfSpace {
    pub normal: Vec3,
    pub bound: f32,
    pub weight: f32,
}

impl HalfSpace {
    /// The weight of a soft limit, unless it says otherwise.
    pub(crate) const WEIGHT: f32 = 14.0;

    /// The form that a solver reads.
    pub(crate) fn row(&self) -> LimitRow<One> {
        (self.normal.to_array(), self.bound, self.weight)
    }

    /// By how much a velocity keeps it; below zero if it does not.
    #[inline(always)]
    pub(crate) fn slack(&self, velocity: Vec3) -> f32 {
        self.normal.dot(velocity) - self.bound
    }

    /// The order by the slack of a velocity, the smallest first. Equal ones are the same limit.
    fn order(&self, other: &Self, velocity: Vec3) -> Ordering {
        let numbers = |one: &Self| {
            let [x, y, z] = one.normal.to_array();
            [one.slack(velocity), x, y, z, one.bound, one.weight]
        };
        let pairs = numbers(self).into_iter().zip(numbers(other));
        let mut orders = pairs.map(|(own, other)| own.total_cmp(&other));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// Adds one to those with the least slack for a velocity, which are sorted by it, and keeps at most
/// `most` of them. The result does not depend on the order of the calls.
pub(crate) fn keep(all: &mut Vec<HalfSpace>, most: usize, one: HalfSpace, velocity: Vec3) {
    let place = all.partition_point(|other| one.order(other, velocity).is_ge());
    all.insert(place, one);
    all.truncate(most);
}

/// The normal, bound and weight of a soft limit; of several agents in lanes.
pub(crate) type LimitRow<L> = (Vector<L>, <L as Arithmetic>::F, <L as Arithmetic>::F);

/// The maximum number of soft limits.
pub(crate) const SOFT_ROOM: usize = 24;

/// The size of the buffer: eight may be added before some are dropped.
const ROWS: usize = SOFT_ROOM + WIDTH;

/// The normals and bounds of soft limits, and their weights.
#[derive(Clone, Debug, Default)]
struct Rows {
    rows: [[f32; 4]; ROWS],
    weights: [f32; ROWS],
}

impl Rows {
    const NONE: Self = Self { rows: [[0.0; 4]; ROWS], weights: [0.0; ROWS] };
}

/// Soft limits in the order of the behaviours that gave them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoftLimits {
    /// Boxed, as most agents that could have limits have none in a tick: without the rows several
    /// times as many agents fit into a processor's caches.
    kept: Option<Box<Rows>>,
    count: u32,
    /// The index of the first limit of the current behaviour.
    begin: u32,
}

impl SoftLimits {
    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    #[inline(always)]
    fn get(&self, i: usize) -> HalfSpace {
        let Rows { rows, weights } = self.kept();
        let [x, y, z, bound] = rows[i];
        HalfSpace { normal: Vec3::new(x, y, z), bound, weight: weights[i] }
    }

    fn kept(&self) -> &Rows {
        self.kept.as_deref().unwrap_or(&Rows::NONE)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = HalfSpace> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    /// The rows of one agent for a solver.
    pub(crate) fn rows(&self) -> Vec<LimitRow<One>> {
        self.iter().map(|one| one.row()).collect()
    }

    /// The limits of eight agents in lanes; returns the number of rows. An agent with fewer limits
    /// gets rows that every velocity satisfies.
    #[inline(always)]
    pub(crate) fn side_by_side<L: Lanes>(
        l: L,
        all: [&Self; WIDTH],
        rows: &mut [LimitRow<L>; SOFT_ROOM],
    ) -> usize {
        let counts = pack!(l, i => all[i].count as f32);
        let most = all.iter().fold(0, |most, one| most.max(one.len())).min(SOFT_ROOM);
        let all = all.map(Self::kept);
        for (j, row) in rows[..most].iter_mut().enumerate() {
            let has = l.lt(l.splat(j as f32), counts);
            let [x, y, z, bound] = l.columns(every!(i => all[i].rows[j]));
            let normal = [l.mask(has, x), l.mask(has, y), l.mask(has, z)];
            let bound = l.select(has, bound, l.splat(-f32::MAX));
            *row = (normal, bound, l.mask(has, pack!(l, i => all[i].weights[j])));
        }
        most
    }

    fn set(&mut self, i: usize, one: HalfSpace) {
        let [x, y, z] = one.normal.to_array();
        let Rows { rows, weights } = &mut **self.kept.get_or_insert_default();
        (rows[i], weights[i]) = ([x, y, z, one.bound], one.weight);
    }

    pub(crate) fn clear(&mut self) {
        (self.count, self.begin) = (0, 0);
    }

    /// The limits of another behaviour follow.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.begin = self.count;
    }

    /// Adds one. The limits of a behaviour are sorted, so the order in which it adds them does not
    /// matter.
    pub(crate) fn add(&mut self, one: HalfSpace, velocity: Vec3) {
        let mut place = self.len();
        while place > self.begin as usize {
            let before = self.get(place - 1);
            if one.order(&before, velocity).is_ge() {
                break;
            }
            self.set(place, before);
            place -= 1;
        }
        self.set(place, one);
        self.grow(1, velocity);
    }

    /// Adds the limits with a bit set, out of eight, at the end.
    #[inline(always)]
    pub(crate) fn add_block<L: Lanes>(
        &mut self,
        l: L,
        ([x, y, z], bound, weight): LimitRow<L>,
        bits: u8,
        velocity: Vec3,
    ) {
        let first = self.len();
        let mut columns = [x, y, z, bound];
        for column in &mut columns {
            *column = l.to_front(*column, bits);
        }
        let Rows { rows, weights } = &mut **self.kept.get_or_insert_default();
        *block_mut(rows, first) = l.rows(columns);
        *block_mut(weights, first) = l.unpack(l.to_front(weight, bits));
        self.grow(bits.count_ones(), velocity);
    }

    /// `added` were added at the end; some are left out if that is too many.
    #[inline(always)]
    fn grow(&mut self, added: u32, velocity: Vec3) {
        self.count += added;
        if self.len() > SOFT_ROOM {
            self.leave_out(velocity);
        }
    }

    /// Drops the limits with the most slack for a velocity.
    #[cold]
    #[inline(never)]
    fn leave_out(&mut self, velocity: Vec3) {
        let count = self.len();
        let mut sorted: [(f32, usize); ROWS] =
            core::array::from_fn(|i| (self.get(i).slack(velocity), i));
        // Rarely needed: it only decides between equal slacks.
        let by_numbers = |i: usize, j: usize| self.get(i).order(&self.get(j), velocity);
        sorted[..count].sort_by(|&(slack, i), &(other, j)| {
            slack.total_cmp(&other).then_with(|| by_numbers(i, j))
        });
        let mut is_kept = [false; ROWS];
        sorted[..SOFT_ROOM].iter().for_each(|&(_, i)| is_kept[i] = true);
        let (mut kept, mut begin) = (0, 0);
        for i in (0..count).filter(|&i| is_kept[i]) {
            begin += u32::from(i < self.begin as usize);
            self.set(kept, self.get(i));
            kept += 1;
        }
        (self.count, self.begin) = (kept as u32, begin);
    }
}
