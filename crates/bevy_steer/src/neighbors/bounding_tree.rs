//! [`BoundingTree`]: some of the points of a plane, with a tree of boxes over them.

/// How many points or boxes share a box.
const FAN: usize = 8;

/// A tree over some points. A search leaves out whole boxes that are too far off, so that it takes
/// time in proportion to what it finds, wherever that is.
///
/// A packed tree after Kamel and Faloutsos (1993), "On packing R-trees": points come in the order
/// of the cells of the grid, where near ones usually follow each other.
#[derive(Debug, Default)]
pub(super) struct BoundingTree {
    slots: Vec<u32>,
    /// The boxes of [`FAN`] points each, then those of as many boxes each, up to one level of at
    /// most that number.
    levels: Vec<Vec<Node>>,
}

/// A box about some points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
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

    /// Calls `take` with the points of all boxes that `gap` gives a number for; of several boxes
    /// that share one, those with the lower number come first.
    pub(super) fn visit<S>(
        &self,
        state: &mut S,
        gap: impl Fn(&S, &Node) -> Option<f32> + Copy,
        take: impl Fn(&mut S, usize) + Copy,
    ) {
        if let Some(top) = self.levels.len().checked_sub(1) {
            self.visit_some(state, top, 0, gap, take);
        }
    }

    /// The boxes of a level from `first` on that share one.
    fn visit_some<S>(
        &self,
        state: &mut S,
        level: usize,
        first: usize,
        gap: impl Fn(&S, &Node) -> Option<f32> + Copy,
        take: impl Fn(&mut S, usize) + Copy,
    ) {
        let nodes = &self.levels[level];
        let (mut open, mut count) = ([(0.0, 0); FAN], 0);
        for (i, node) in nodes.iter().enumerate().skip(first).take(FAN) {
            if let Some(gap) = gap(state, node) {
                open[count] = (gap, i);
                count += 1;
            }
        }
        open[..count].sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(_, i) in &open[..count] {
            // What was found meanwhile may be nearer.
            if gap(state, &nodes[i]).is_none() {
                continue;
            }
            if level > 0 {
                self.visit_some(state, level - 1, i * FAN, gap, take);
            } else {
                let slots = &self.slots[i * FAN..self.slots.len().min((i + 1) * FAN)];
                slots.iter().for_each(|&slot| take(state, slot as usize));
            }
        }
    }
}
