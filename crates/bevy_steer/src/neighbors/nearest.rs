//! The nearest points to one place: the work behind
//! [`NeighborIndex::nearest`](super::NeighborIndex::nearest) and
//! [`nearest_k`](super::NeighborIndex::nearest_k). A [`BoundingTree`] has boxes over some of the
//! points.

use smallvec::SmallVec;

use crate::{
    neighbors::search::{Hit, Search, in_reach},
    simd::{Kernel, Lanes, WIDTH, dispatch, every, pack},
};

/// The `count` nearest in reach, or as many as there are, nearest first; equally near ones by id.
pub(super) fn nearest_few(search: &Search, count: usize, hits: &mut Vec<Hit>) {
    hits.clear();
    in_reach(*search).all(|some| hits.extend_from_slice(some));
    put_in_order(search, count, hits);
}

/// The same of some slots, which may come several times.
pub(super) fn nearest_few_of(
    search: &Search,
    count: usize,
    slots: impl Iterator<Item = usize>,
) -> Vec<Hit> {
    let hits = slots.map(|slot| Hit::new(search.distance_squared(slot), slot));
    let is_near = |hit: &Hit| hit.distance_squared() <= search.limit;
    let mut hits: Vec<Hit> = hits.filter(is_near).filter(|hit| search.counts(hit.slot())).collect();
    hits.sort_unstable();
    hits.dedup();
    put_in_order(search, count, &mut hits);
    hits
}

fn put_in_order(search: &Search, count: usize, hits: &mut Vec<Hit>) {
    if hits.len() > 2 * count.max(WIDTH) {
        let (_, &mut last, _) = hits.select_nth_unstable(count - 1);
        hits.retain(|one| one.distance_squared() <= last.distance_squared());
    }
    search.index.sort_hits(search.plane, hits);
}

/// The nearest in reach; of several equally near the one with the lowest id.
pub(super) fn nearest(search: &Search) -> Option<Hit> {
    dispatch(Nearest(search))
}

/// See [`nearest`].
struct Nearest<'s, 'a>(&'s Search<'a>);

impl Kernel for Nearest<'_, '_> {
    type Output = Option<Hit>;

    /// Each lane finds its own nearest, then the nearest of them is picked.
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Option<Hit> {
        let Self(search) = self;
        let (mut nearest, mut slots) = (l.splat(f32::INFINITY), l.splat(0.0));
        let (mut is_found, mut is_tied) = (l.bits_to_mask(0), l.bits_to_mask(0));
        for mut run in search.runs() {
            while run.start < run.end {
                let (first, squared, near) = search.take(l, &mut run);
                let no_farther = near & l.bits(l.le(squared, nearest));
                let no_farther = l.bits_to_mask(search.counting(first, no_farther));
                let is_as_near = l.and(no_farther, l.le(nearest, squared));
                is_tied = l.or(is_tied, is_as_near);
                is_found = l.or(is_found, no_farther);
                nearest = l.select(no_farther, squared, nearest);
                // As bits of numbers, as there is no choice of integers in lanes.
                let here = pack!(l, i => f32::from_bits((first + i) as u32));
                slots = l.select(no_farther, here, slots);
            }
        }
        let is_found = l.bits(is_found);
        if is_found == 0 {
            return None;
        }
        let (squares, slots) = (l.unpack(nearest), l.unpack(slots));
        let each = every!(i => if is_found >> i & 1 == 1 {
            Hit::new(squares[i], slots[i].to_bits() as usize)
        } else {
            Hit::FARTHEST
        });
        let one = each.into_iter().fold(Hit::FARTHEST, Hit::min);
        let as_near = l.bits(l.le(nearest, l.splat(one.distance_squared()))) & is_found;
        let is_tied = l.bits(is_tied) != 0 || !as_near.is_power_of_two();
        Some(if is_tied { first_of_nearest(search, one) } else { one })
    }
}

/// The one with the lowest id of all that are as near as `nearest`.
#[cold]
fn first_of_nearest(search: &Search, nearest: Hit) -> Hit {
    let mut first = nearest;
    in_reach(*search).all(|some| {
        let as_near =
            some.iter().filter(|one| one.distance_squared() == nearest.distance_squared());
        first = as_near.fold(first, |first, &one| search.nearer(Some(first), one));
    });
    first
}

/// How many points or boxes share a box.
const FAN: usize = 8;

/// A tree over some points. A search leaves out whole boxes that are too far off, so that it takes
/// time in proportion to what it finds, wherever that is.
///
/// A packed tree after Kamel and Faloutsos (1993), "On packing R-trees": points come in the order
/// of the cells of the grid, where near ones usually follow each other.
#[derive(Debug)]
pub(super) struct BoundingTree {
    slots: Vec<u32>,
    /// The boxes of [`FAN`] points each, then those of as many boxes each, up to one level of at
    /// most that number: one level or more.
    levels: Vec<Vec<Node>>,
}

/// A box about some points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

impl Node {
    fn at(place: [f32; 3]) -> Self {
        Self { low: place, high: place }
    }

    fn with(self, other: Self) -> Self {
        Self {
            low: core::array::from_fn(|d| self.low[d].min(other.low[d])),
            high: core::array::from_fn(|d| self.high[d].max(other.high[d])),
        }
    }
}

impl BoundingTree {
    pub(super) fn of(slots: Vec<u32>, point: impl Fn(usize) -> [f32; 3]) -> Self {
        let node = |&slot: &u32| Node::at(point(slot as usize));
        let points: Vec<Node> = slots.iter().map(node).collect();
        let over = |nodes: &[Node]| -> Vec<Node> {
            let each = nodes.chunks(FAN).map(|some| some.iter().copied().reduce(Node::with));
            each.flatten().collect()
        };
        let mut levels = vec![over(&points)];
        while let Some(last) = levels.last().filter(|last| last.len() > FAN) {
            levels.push(over(last));
        }
        Self { slots, levels }
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        self.slots.iter().map(|&slot| slot as usize)
    }

    pub(super) fn bytes(&self) -> usize {
        let nodes: usize = self.levels.iter().map(Vec::capacity).sum();
        4 * self.slots.capacity() + size_of::<Node>() * nodes
    }

    /// The nearest of its points in reach of a search, or `best` if that is nearer; of several
    /// equally near ones the one with the lowest id.
    pub(super) fn nearest(&self, search: &Search, mut best: Option<Hit>) -> Option<Hit> {
        self.visit(search, self.levels.len() - 1, 0, &mut best);
        best
    }

    /// Searches the boxes of a level from `first` on that share one, the nearest first.
    fn visit(&self, search: &Search, level: usize, first: usize, best: &mut Option<Hit>) {
        let boxes = (first..self.levels[level].len()).take(FAN);
        let gap = |i: usize| (search.gap_squared(&self.levels[level][i]), i);
        let mut open: SmallVec<[_; FAN]> = boxes.map(gap).collect();
        open.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let limit = |best: Option<Hit>| best.map_or(search.limit, Hit::distance_squared);
        for (gap, i) in open {
            // What was found meanwhile may be nearer.
            if gap <= limit(*best) && level > 0 {
                self.visit(search, level - 1, i * FAN, best);
            } else if gap <= limit(*best) {
                for &slot in self.slots[i * FAN..].iter().take(FAN) {
                    let hit = Hit::new(search.distance_squared(slot as usize), slot as usize);
                    if hit.distance_squared() <= limit(*best) && search.counts(hit.slot()) {
                        *best = Some(search.nearer(*best, hit));
                    }
                }
            }
        }
    }
}
