//! The nearest points to one place: the work behind
//! [`NeighborIndex::nearest`](super::NeighborIndex::nearest) and
//! [`nearest_k`](super::NeighborIndex::nearest_k).

use crate::{
    neighbors::{
        search::{Hit, Search},
        within::in_reach,
    },
    simd::lanes::WIDTH,
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
    let mut nearest = None;
    in_reach(*search).all(|some| {
        nearest = some.iter().fold(nearest, |nearest, &hit| Some(search.nearer(nearest, hit)));
    });
    nearest
}
