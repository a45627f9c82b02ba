//! Who is nearest to one place: the work behind [`NeighborIndex::nearest`](super::NeighborIndex::nearest) and
//! [`nearest_k`](super::NeighborIndex::nearest_k).

use super::search::{Search, Spotted};
use crate::lanes::{Kernel, Lanes, WIDTH, dispatch};

/// The nearest in reach; of several equally near the one with the lowest number.
pub(super) fn nearest(search: &Search) -> Option<Spotted> {
    dispatch(Scan { search, seen: Nearest(None) }).0
}

/// The `count` nearest in reach, or as many as there are, nearest first; equally near ones by their number.
pub(super) fn nearest_few(search: &Search, count: usize, spotted: &mut Vec<Spotted>) {
    spotted.clear();
    dispatch(Scan { search, seen: Everybody(spotted) });
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

/// What becomes of those who are in reach.
trait Seen {
    /// Takes one; the square of the distance beyond which nobody matters any more.
    fn add(&mut self, search: &Search, one: Spotted) -> f32;
}

struct Nearest(Option<Spotted>);

impl Seen for Nearest {
    #[inline(always)]
    fn add(&mut self, search: &Search, one: Spotted) -> f32 {
        let nearest = match self.0 {
            Some(nearest) if nearest.distance_squared() < one.distance_squared() => nearest,
            Some(nearest) if nearest.distance_squared() == one.distance_squared() => {
                search.first_of(nearest, one)
            }
            _ => one,
        };
        self.0 = Some(nearest);
        nearest.distance_squared()
    }
}

struct Everybody<'v>(&'v mut Vec<Spotted>);

impl Seen for Everybody<'_> {
    #[inline(always)]
    fn add(&mut self, search: &Search, one: Spotted) -> f32 {
        self.0.push(one);
        search.limit
    }
}

/// Goes over all cells in reach. One kernel for all of them: a run of cells alone would not be worth the way to the lanes.
struct Scan<'s, 'a, S> {
    search: &'s Search<'a>,
    seen: S,
}

impl<S: Seen> Kernel for Scan<'_, '_, S> {
    type Output = S;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> S {
        let Self { search, mut seen } = self;
        let (grid, (min, max)) = (&search.plane.grid, search.corners);
        let Some(spans) = grid.spans(min, max) else { return seen };
        let (rows, layers) = spans.rows();
        let mut limit = search.limit;
        for layer in 0..layers {
            for row in 0..rows {
                for run in grid.row_runs(&spans, row, layer) {
                    let mut first = run.start;
                    while first < run.end {
                        let (squared, usual) = search.distances(l, first);
                        let here = u8::MAX >> (WIDTH - (run.end - first).min(WIDTH));
                        let mut near = here & (l.bits(l.le(squared, l.splat(limit))) | !usual);
                        let squares = l.unpack(squared);
                        while near != 0 {
                            let lane = near.trailing_zeros() as usize;
                            near &= near - 1;
                            let slot = first + lane;
                            let spotted = if usual >> lane & 1 == 0 {
                                search.examine(slot)
                            } else if search.counts(slot) {
                                Some(Spotted::new(squares[lane], slot))
                            } else {
                                None
                            };
                            if let Some(spotted) = spotted {
                                limit = seen.add(search, spotted);
                            }
                        }
                        first += WIDTH;
                    }
                }
            }
        }
        seen
    }
}
