//! [`BoundingTree`]: some of the points of a plane, with a tree of boxes over them.

use smallvec::SmallVec;

use crate::neighbors::search::{Hit, Search};

/// How many points or boxes share a box.
const FAN: usize = 8;

/// A tree over some points. A search leaves out whole boxes that are too far off, so that it takes
/// time in proportion to what it finds, wherever that is.
///
/// A packed tree after Kamel and Faloutsos (1993), "On packing R-trees": points come in the order
/// of the cells of the grid, where near ones usually follow each other.
#[derive(Debug)]
pub(super) struct BoundingTree {
    pub slots: Vec<u32>,
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
