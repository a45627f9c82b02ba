//! Work on all threads of Bevy's compute task pool.

use core::num::NonZero;
use std::{sync::LazyLock, thread};

use bevy::tasks::ComputeTaskPool;

use crate::ecs::columns::{Columns, chunks};

/// Below this many rows, handing work to other threads costs more than it saves.
const MIN_PARALLEL_ROWS: usize = 5_000;

/// Pieces of work per thread, so that all threads finish at about the same time.
pub(crate) const PIECES_PER_THREAD: usize = 16;

/// A piece of fewer rows takes no longer than handing it out.
const MIN_PIECE_ROWS: usize = 1_000;

/// How many threads share the work on `rows` rows: one without the feature `parallel`.
pub(crate) fn threads_for(rows: usize) -> usize {
    if cfg!(feature = "parallel") && rows >= MIN_PARALLEL_ROWS { all_threads() } else { 1 }
}

/// The number of pieces into which quick work on `rows` rows is cut.
pub(crate) fn pieces_for(rows: usize) -> usize {
    match threads_for(rows) {
        1 => 1,
        threads => (rows / MIN_PIECE_ROWS).clamp(threads, threads * PIECES_PER_THREAD),
    }
}

/// The threads of the pool, and the calling one where it has a core to itself: on two cores the
/// pool of an app has only one thread.
fn all_threads() -> usize {
    static CORES: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get));
    let pool = ComputeTaskPool::try_get().map_or(0, |pool| pool.thread_num());
    if pool < *CORES { pool + 1 } else { pool }
}

/// Calls `f` for pieces of these tables, given with their numbers of rows. The calls must not
/// depend on each other: their order, their threads and where the tables are cut are not fixed.
pub(crate) fn for_each_piece<R: Columns>(tables: Vec<(usize, R)>, f: impl Fn(usize, R) + Sync) {
    for_each_piece_into(tables, &mut Vec::<()>::new(), |rows, piece, _| f(rows, piece));
}

/// The same, with an output for each piece, or for several.
pub(crate) fn for_each_piece_into<R: Columns, O: Default + Send>(
    tables: Vec<(usize, R)>,
    outputs: &mut Vec<O>,
    f: impl Fn(usize, R, (u32, &mut O)) + Sync,
) {
    let total: usize = tables.iter().map(|(rows, _)| rows).sum();
    let count = pieces_for(total);
    if count == 1 {
        outputs.resize_with(1, O::default);
        let output = &mut outputs[0];
        return tables.into_iter().for_each(|(rows, table)| f(rows, table, (0, output)));
    }
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
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use bevy::tasks::TaskPoolBuilder;

    use super::*;

    fn set_up() {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
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
