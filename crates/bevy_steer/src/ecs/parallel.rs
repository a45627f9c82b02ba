//! Work on all threads of Bevy's compute task pool.

use core::num::NonZero;
use std::{sync::LazyLock, thread};

use bevy::{platform::time::Instant, tasks::ComputeTaskPool};

use crate::ecs::columns::{Columns, chunks};

/// In nanoseconds. For work that takes less, handing it to other threads costs more than it saves.
const MIN_PARALLEL: f32 = 150_000.0;

/// In nanoseconds. A piece that takes less is quicker than handing it out.
const MIN_PIECE: f32 = 30_000.0;

/// Pieces of work per thread, so that all threads finish at about the same time.
const PIECES_PER_THREAD: usize = 16;

/// How long a loop takes for a row: what decides on how many threads it runs. Results do not depend
/// on it.
///
/// That of quick work is fixed. Where rows may take long, a system has one as a `Local` and
/// measures it, so that a few hundred agents in a crowd are shared out too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowCost {
    nanoseconds: f32,
}

impl Default for RowCost {
    /// That of quick work.
    fn default() -> Self {
        Self { nanoseconds: 30.0 }
    }
}

impl RowCost {
    /// How many threads share the work on `rows` rows: one without the feature `parallel`.
    pub(crate) fn threads(self, rows: usize) -> usize {
        let is_long = self.nanoseconds * rows as f32 >= MIN_PARALLEL;
        if cfg!(feature = "parallel") && is_long { all_threads() } else { 1 }
    }

    /// The number of pieces into which the work on `rows` rows is cut.
    pub(crate) fn pieces(self, rows: usize) -> usize {
        let pieces = (self.nanoseconds * rows as f32 / MIN_PIECE) as usize;
        match self.threads(rows) {
            1 => 1,
            threads => pieces.clamp(threads, threads * PIECES_PER_THREAD),
        }
    }

    /// Does the work on `rows` rows and measures it. A pause of a thread counts for little.
    pub(crate) fn measure(&mut self, rows: usize, work: impl FnOnce(Self)) {
        if !cfg!(feature = "parallel") || rows == 0 || all_threads() == 1 {
            return work(*self);
        }
        let threads = self.threads(rows);
        let start = Instant::now();
        work(*self);
        let took = start.elapsed().as_secs_f32() * 1e9 * threads as f32 / rows as f32;
        let change = took.min(4.0 * self.nanoseconds) - self.nanoseconds;
        // Above zero on a coarse clock too, so that it can rise again.
        self.nanoseconds = (self.nanoseconds + 0.25 * change).max(1.0);
    }

    /// [`for_each_piece`] that measures what a row costs.
    pub(crate) fn for_each_piece<R: Columns>(
        &mut self,
        tables: Vec<(usize, R)>,
        f: impl Fn(usize, R) + Sync,
    ) {
        self.for_each_piece_into(tables, &mut Vec::<()>::new(), |rows, piece, _| f(rows, piece));
    }

    /// The same, with an output for each piece, or for several.
    pub(crate) fn for_each_piece_into<R: Columns, O: Default + Send>(
        &mut self,
        tables: Vec<(usize, R)>,
        outputs: &mut Vec<O>,
        f: impl Fn(usize, R, (u32, &mut O)) + Sync,
    ) {
        let rows = tables.iter().map(|(rows, _)| rows).sum();
        self.measure(rows, |cost| run_pieces(cost.pieces(rows), tables, outputs, f));
    }
}

/// How many threads share quick work on `rows` rows.
pub(crate) fn threads_for(rows: usize) -> usize {
    RowCost::default().threads(rows)
}

/// The number of pieces into which quick work on `rows` rows is cut.
pub(crate) fn pieces_for(rows: usize) -> usize {
    RowCost::default().pieces(rows)
}

/// The threads of the pool, and the calling one where it has a core to itself: on two cores the
/// pool of an app has only one thread.
fn all_threads() -> usize {
    static CORES: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get));
    let pool = ComputeTaskPool::try_get().map_or(0, |pool| pool.thread_num());
    if pool < *CORES { pool + 1 } else { pool }
}

/// Calls `f` for pieces of these tables, given with their numbers of rows, for work that is quick.
/// The calls must not depend on each other: their order, their threads and where the tables are cut
/// are not fixed.
pub(crate) fn for_each_piece<R: Columns>(tables: Vec<(usize, R)>, f: impl Fn(usize, R) + Sync) {
    let count = pieces_for(tables.iter().map(|(rows, _)| rows).sum());
    run_pieces(count, tables, &mut Vec::<()>::new(), |rows, piece, _| f(rows, piece));
}

/// Calls `f` for about `count` pieces of these tables.
fn run_pieces<R: Columns, O: Default + Send>(
    count: usize,
    tables: Vec<(usize, R)>,
    outputs: &mut Vec<O>,
    f: impl Fn(usize, R, (u32, &mut O)) + Sync,
) {
    if count == 1 {
        outputs.resize_with(1, O::default);
        let output = &mut outputs[0];
        return tables.into_iter().for_each(|(rows, table)| f(rows, table, (0, output)));
    }
    let total: usize = tables.iter().map(|(rows, _)| rows).sum();
    let size = total.div_ceil(count);
    let pieces: Vec<_> =
        tables.into_iter().flat_map(|(rows, table)| chunks(rows, table, size)).collect();
    outputs.resize_with(pieces.len(), O::default);
    let (outputs, f) = ((0..).zip(outputs), &f);
    let jobs = pieces.into_iter().zip(outputs);
    run_all(jobs.map(|((rows, piece), output)| move || f(rows, piece, output)).collect());
}

/// Runs these jobs, on all threads if there are several. Their results are in the order of the
/// jobs.
pub(crate) fn run_all<T: Send + 'static>(jobs: Vec<impl FnOnce() -> T + Send>) -> Vec<T> {
    if cfg!(feature = "parallel") && jobs.len() > 1 {
        return ComputeTaskPool::get().scope(|scope| {
            for job in jobs {
                scope.spawn(async move { job() });
            }
        });
    }
    jobs.into_iter().map(|job| job()).collect()
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        time::Duration,
    };

    use bevy::tasks::TaskPoolBuilder;

    use super::*;

    fn set_up() {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
    }

    #[test]
    fn few_rows_that_take_long_are_shared_out() {
        set_up();
        let (mut long, mut quick) = (RowCost::default(), RowCost::default());
        assert_eq!(long.pieces(400), 1);
        for _ in 0..30 {
            // At least ten microseconds a row.
            long.measure(400, |_| thread::sleep(Duration::from_millis(4)));
            quick.measure(400, |_| {});
        }
        assert!(long.threads(400) > 1 && long.pieces(400) > 1);
        assert_eq!(quick.pieces(400), 1);
    }

    #[test]
    fn results_are_in_job_order() {
        set_up();
        let check = |first: usize| {
            for count in [0, 1, 2, 3, 17, 200] {
                let jobs = (first..first + count).map(|i| move || i * i).collect();
                let expected: Vec<usize> = (first..first + count).map(|i| i * i).collect();
                assert_eq!(run_all(jobs), expected);
            }
        };
        // Several threads that share work at the same time.
        thread::scope(|scope| {
            for first in [0, 1000, 2000] {
                scope.spawn(move || (0..50).for_each(|_| check(first)));
            }
        });
    }

    #[test]
    fn every_row_is_visited_once() {
        set_up();
        for sizes in [vec![0, 3], vec![20_000], vec![7, 9_000, 0, 1, 30_000]] {
            let tables: Vec<Vec<AtomicUsize>> = sizes
                .iter()
                .map(|&size| (0..size).map(|_| AtomicUsize::new(0)).collect())
                .collect();
            let rows = tables.iter().map(|table| (table.len(), &table[..])).collect();
            for_each_piece(rows, |count, piece: &[AtomicUsize]| {
                assert_eq!(count, piece.len());
                for visits in piece {
                    visits.fetch_add(1, Relaxed);
                }
            });
            assert!(tables.iter().flatten().all(|visits| visits.load(Relaxed) == 1), "{sizes:?}");
        }
    }

    #[test]
    fn jobs_may_share_work_of_their_own() {
        set_up();
        let sum = |i: usize| {
            run_all((0..10).map(|j| move || i * j).collect::<Vec<_>>()).into_iter().sum::<usize>()
        };
        let sums = run_all((0..10).map(|i| move || sum(i)).collect());
        assert_eq!(sums, (0..10).map(|i| 45 * i).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_in_a_job_is_passed_on() {
        set_up();
        for bad in 0..20 {
            let job = move |i: usize| move || assert_ne!(i, bad, "this one is bad");
            let jobs = (0..20).map(job).collect();
            let panic = catch_unwind(AssertUnwindSafe(|| run_all(jobs))).expect_err("the panic");
            assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("is bad")));
        }
        // The threads of the pool are still there.
        assert_eq!(run_all((0..20).map(|i| move || i).collect()), (0..20).collect::<Vec<_>>());
    }
}
