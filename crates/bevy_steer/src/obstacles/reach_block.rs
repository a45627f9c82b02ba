//! [`ReachBlock`]: whether anything may be near any of eight agents. Usually nothing is.

use crate::{
    obstacles::{
        index::ObstacleIndex,
        level::{Level, Region},
    },
    simd::{
        lanes::{Lanes, unset_lanes},
        vector::{Vector, at, each, unpacked},
    },
};

/// How far eight agents look, and their paths.
#[derive(Clone, Copy)]
pub(crate) struct ReachBlock<L: Lanes> {
    pub position: Vector<L>,
    pub path: Vector<L>,
    pub around: L::F,
    pub look_ahead: L::F,
    pub clearance: L::F,
}

impl ObstacleIndex {
    /// Which of eight agents may have an obstacle or wall near them, whatever its layers and
    /// height. The others surely have none.
    #[inline(always)]
    pub(crate) fn may_find<L: Lanes>(&self, l: L, asked: u8, reach: &ReachBlock<L>) -> u8 {
        let ReachBlock { position, path, around, look_ahead, clearance } = *reach;
        let (positions, paths) = (unpacked(l, position), unpacked(l, path));
        let mut may_find = 0;
        for level in &self.levels {
            let around = l.add(around, l.splat(level.rounding));
            let clearance = l.add(clearance, l.mul(l.splat(level.fastest), look_ahead));
            let (arounds, clearances) = (l.unpack(around), l.unpack(clearance));
            let mut is_usual = l.bits_to_mask(u8::MAX);
            let spans = each!(d => {
                let axis = &level.grid.axes[d];
                let end = l.add(position[d], path[d]);
                let low = l.min(l.sub(position[d], around), l.sub(l.min(position[d], end), clearance));
                let high = l.max(l.add(position[d], around), l.add(l.max(position[d], end), clearance));
                let (low, high) =
                    (l.sub(low, l.splat(level.largest)), l.add(high, l.splat(level.largest)));
                // As in `Axis::cells`.
                let slack = l.add(l.max(l.abs(low), l.abs(high)), l.splat(axis.origin.abs()));
                let slack = l.mul(slack, l.splat(4.0 * f32::EPSILON));
                let cell = |x: L::F| l.mul(l.sub(x, l.splat(axis.origin)), l.splat(axis.per_unit));
                let (low, high) = (cell(l.sub(low, slack)), cell(l.add(high, slack)));
                let zero = l.splat(0.0);
                // Otherwise there may be something beyond the end of the table or the seam of a
                // world.
                let is_in = l.and(l.le(zero, low), l.lt(high, l.splat(axis.buckets as f32)));
                let everywhere = l.bits_to_mask(if level.is_in_table[d] { u8::MAX } else { 0 });
                let width = l.sub(high, low);
                let is_some = l.and(l.le(zero, width), l.le(width, l.splat(f32::MAX)));
                is_usual = l.and(is_usual, l.and(l.or(everywhere, is_in), is_some));
                let last = l.splat((axis.buckets - 1) as f32);
                let low = l.min(l.max(low, zero), last);
                let high = l.min(l.max(high, low), last);
                (l.whole(low), l.whole(high))
            });
            let is_usual = l.bits(is_usual);
            may_find |= asked & !is_usual;
            for i in unset_lanes(!(asked & is_usual & !may_find)) {
                let buckets = spans.each_ref().map(|(low, high)| (low[i], high[i]));
                let (center, path) = (at(&positions, i), at(&paths, i));
                let region = Region { center, around: arounds[i], path, clearance: clearances[i] };
                may_find |= u8::from(level.has_any_in(buckets, &region)) << i;
            }
        }
        may_find
    }
}

impl Level {
    /// Whether anything in these buckets, the first and the last on each axis, reaches into a
    /// region.
    #[inline(always)]
    fn has_any_in(&self, [x, y, z]: [(u32, u32); 3], region: &Region) -> bool {
        let [columns, rows, _] = self.grid.axes.map(|axis| axis.buckets);
        let starts = &self.grid.starts;
        for layer in z.0..=z.1 {
            for row in y.0..=y.1 {
                let first = (layer * rows + row) * columns;
                let [from, to] = [first + x.0, first + x.1 + 1].map(|i| starts[i as usize]);
                if self.is_any_near(from as usize..to as usize, region) {
                    return true;
                }
            }
        }
        false
    }
}
