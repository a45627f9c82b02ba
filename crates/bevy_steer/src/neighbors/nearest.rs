//! Who is nearest to one place: the work behind [`NeighborIndex::nearest`](super::NeighborIndex::nearest) and
//! [`nearest_k`](super::NeighborIndex::nearest_k).

use super::{
    found::Found,
    search::{Search, Spotted},
};
use crate::lanes::{Kernel, Lanes, WIDTH, dispatch};

/// The `count` nearest in reach, or as many as there are, nearest first; equally near ones by their number.
pub(super) fn nearest_few(search: &Search, count: usize, spotted: &mut Vec<Spotted>) {
    spotted.clear();
    let mut found = Found::new(*search);
    loop {
        let more = found.more();
        if more.is_empty() {
            break;
        }
        spotted.extend_from_slice(more);
    }
    if spotted.len() > 2 * count.max(WIDTH) {
        let (_, &mut last, _) = spotted.select_nth_unstable(count - 1);
        spotted.retain(|one| one.distance_squared() <= last.distance_squared());
    }
    spotted.sort_unstable();
    let as_near = |a: &Spotted, b: &Spotted| a.distance_squared() == b.distance_squared();
    for ring in spotted.chunk_by_mut(as_near) {
        if ring.len() > 1 {
            search.order(ring);
        }
    }
}

/// The nearest in reach; of several equally near the one with the lowest number.
pub(super) fn nearest(search: &Search) -> Option<Spotted> {
    dispatch(Nearest(search))
}

/// See [`nearest`]. Who is farther than the nearest so far is not looked at.
struct Nearest<'s, 'a>(&'s Search<'a>);

impl Kernel for Nearest<'_, '_> {
    type Output = Option<Spotted>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Option<Spotted> {
        let Self(search) = self;
        let (grid, (min, max)) = (&search.plane.grid, search.corners);
        let (mut nearest, mut limit) = (None, search.limit);
        for mut run in grid.runs(min, max) {
            while run.start < run.end {
                for one in search.take(l, &mut run, limit) {
                    let nearer = nearer(search, nearest, one);
                    (nearest, limit) = (Some(nearer), nearer.distance_squared());
                }
            }
        }
        nearest
    }
}

#[inline(always)]
fn nearer(search: &Search, nearest: Option<Spotted>, one: Spotted) -> Spotted {
    match nearest {
        Some(nearest) if nearest.distance_squared() < one.distance_squared() => nearest,
        Some(nearest) if nearest.distance_squared() == one.distance_squared() => {
            search.first_of(nearest, one)
        }
        _ => one,
    }
}
