//! Work on all threads of Bevy's compute task pool.
//!
//! A tick is a dozen loops over agents, each shared out by itself. To wake a thread that sleeps takes as long as a loop over
//! several thousand agents, on a virtual machine longer; so a thread that has helped stays awake for a moment and looks out for
//! the next loop, and the thread that shares out work does not sleep before all is done.

#[cfg(feature = "parallel")]
use core::{
    num::NonZero,
    sync::atomic::{
        AtomicUsize,
        Ordering::{AcqRel, Acquire, Release},
    },
    time::Duration,
};
#[cfg(feature = "parallel")]
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{LazyLock, Mutex, PoisonError},
    thread,
};

#[cfg(feature = "parallel")]
use bevy::{platform::time::Instant, tasks::ComputeTaskPool};

#[cfg(feature = "parallel")]
use crate::ecs::columns::{Columns, chunks};

/// Below this many rows handing work to other threads costs more than it saves.
#[cfg(feature = "parallel")]
const WORTH_SHARING: usize = 5_000;

/// Pieces of work a thread, so that the threads are done at about the same time.
pub(crate) const PIECES_PER_THREAD: usize = 16;

/// A piece of fewer rows takes no longer than to hand it out.
#[cfg(feature = "parallel")]
const SMALLEST_PIECE: usize = 1_000;

/// So long a thread that has helped looks out for more to do: about as long as it takes to wake it.
#[cfg(feature = "parallel")]
const LOOK_OUT: Duration = Duration::from_micros(50);

/// So long the thread that shares out work waits awake for the last piece of it.
#[cfg(feature = "parallel")]
const WAIT: Duration = Duration::from_millis(1);

/// How many threads there are to share the work on `rows` rows.
#[cfg_attr(
    not(feature = "parallel"),
    allow(unused_variables, reason = "one thread whatever there is to do")
)]
pub(crate) fn threads_for(rows: usize) -> usize {
    #[cfg(feature = "parallel")]
    if rows >= WORTH_SHARING {
        return all_threads();
    }
    1
}

/// Into how many pieces quick work on `rows` rows is cut.
#[cfg_attr(
    not(feature = "parallel"),
    allow(unused_variables, reason = "one piece whatever there is to do")
)]
pub(crate) fn pieces_for(rows: usize) -> usize {
    #[cfg(feature = "parallel")]
    {
        let threads = threads_for(rows);
        if threads > 1 {
            return (rows / SMALLEST_PIECE).clamp(threads, threads * PIECES_PER_THREAD);
        }
    }
    1
}

/// The threads of the pool and the one that gives them work, which takes its share: on two cores the pool of an app has but one
/// thread.
#[cfg(feature = "parallel")]
fn all_threads() -> usize {
    static CORES: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get));
    let own = ComputeTaskPool::try_get().map_or(0, |pool| pool.thread_num());
    if own < *CORES { own + 1 } else { own }
}

/// Calls `f` for pieces of these tables, given with their numbers of rows. The calls must not depend on each other: their
/// order, their threads and where the tables are cut are not fixed.
pub(crate) fn for_each_piece<R: Columns>(tables: Vec<(usize, R)>, f: impl Fn(usize, R) + Sync) {
    #[cfg(feature = "parallel")]
    {
        let total: usize = tables.iter().map(|(rows, _)| rows).sum();
        if threads_for(total) > 1 {
            let size = total.div_ceil(pieces_for(total));
            let pieces = tables.into_iter().flat_map(|(rows, table)| chunks(rows, table, size));
            return share(pieces.collect(), |(rows, piece)| f(rows, piece));
        }
    }
    for (rows, table) in tables {
        f(rows, table);
    }
}

/// Runs these jobs, on all threads if there are several.
pub(crate) fn run_all<T: Send>(jobs: Vec<impl FnOnce() -> T + Send>) -> Vec<T> {
    #[cfg(feature = "parallel")]
    if jobs.len() > 1 {
        let mut results: Vec<Option<T>> = jobs.iter().map(|_| None).collect();
        share(jobs.into_iter().zip(&mut results).collect(), |(job, result)| *result = Some(job()));
        return results.into_iter().flatten().collect();
    }
    jobs.into_iter().map(|job| job()).collect()
}

/// Counts what has been shared out by anybody, for threads that wait for it.
#[cfg(feature = "parallel")]
static SHARED: AtomicUsize = AtomicUsize::new(0);

/// Calls `f` for each of these jobs, on all threads. Whoever has time takes the next one, so all is done even if nobody comes to
/// help; a panic in a job is passed on when the others are done.
#[cfg(feature = "parallel")]
fn share<J: Send>(jobs: Vec<J>, f: impl Fn(J) + Sync) {
    let pool = ComputeTaskPool::get();
    let owner = thread::current().id();
    let helpers = (all_threads() - 1).min(jobs.len().saturating_sub(1));
    let left = AtomicUsize::new(jobs.len());
    let jobs = Mutex::new(jobs.into_iter());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(job) = next() {
            let _done = Done(&left);
            f(job);
        }
    };
    let turn = AtomicUsize::new(0);
    let help = async || {
        work();
        if thread::current().id() != owner {
            let turn = turn.load(Acquire);
            pool.spawn(async move { look_out(turn, owner) }).detach();
        }
    };
    let mut own = Ok(());
    pool.scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(help());
        }
        // Whoever looks out finds them now.
        turn.store(SHARED.fetch_add(1, AcqRel) + 1, Release);
        // The scope must see the end of those who help.
        own = catch_unwind(AssertUnwindSafe(work));
        stay_awake(WAIT, || left.load(Acquire) > 0);
    });
    if let Err(panic) = own {
        resume_unwind(panic);
    }
}

/// Counts a job as done, also if it panics.
#[cfg(feature = "parallel")]
struct Done<'a>(&'a AtomicUsize);

#[cfg(feature = "parallel")]
impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Release);
    }
}

/// Waits until something is shared out after this turn. The thread then finds it in the queue of the pool, without having slept.
#[cfg(feature = "parallel")]
fn look_out(turn: usize, owner: thread::ThreadId) {
    if thread::current().id() != owner {
        stay_awake(LOOK_OUT, || SHARED.load(Acquire) == turn);
    }
}

/// Waits while this holds, but no longer than that.
#[cfg(feature = "parallel")]
fn stay_awake(most: Duration, waits: impl Fn() -> bool) {
    let start = Instant::now();
    while waits() {
        // Asking the clock takes longer than asking for what is waited for.
        for _ in 0..8 {
            core::hint::spin_loop();
        }
        if start.elapsed() >= most {
            break;
        }
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use bevy::tasks::TaskPoolBuilder;

    use super::*;

    fn set_up() {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs_whoever_does_them() {
        set_up();
        let ask = |first: usize| {
            for count in [0, 1, 2, 3, 17, 200] {
                let jobs = (first..first + count).map(|i| move || i * i).collect();
                let expected: Vec<usize> = (first..first + count).map(|i| i * i).collect();
                assert_eq!(run_all(jobs), expected);
            }
        };
        // Several threads that share out work at the same time.
        thread::scope(|scope| {
            for first in [0, 1000, 2000] {
                scope.spawn(move || (0..50).for_each(|_| ask(first)));
            }
        });
    }

    #[test]
    fn every_row_is_gone_over_once() {
        set_up();
        for sizes in [vec![0, 3], vec![20_000], vec![7, 9_000, 0, 1, 30_000]] {
            let tables: Vec<Vec<AtomicUsize>> = sizes
                .iter()
                .map(|&size| (0..size).map(|_| AtomicUsize::new(0)).collect())
                .collect();
            let rows = tables.iter().map(|table| (table.len(), &table[..])).collect();
            for_each_piece(rows, |count, piece: &[AtomicUsize]| {
                assert_eq!(count, piece.len());
                for seen in piece {
                    seen.fetch_add(1, AcqRel);
                }
            });
            assert!(tables.iter().flatten().all(|seen| seen.load(Acquire) == 1), "{sizes:?}");
        }
    }

    #[test]
    fn a_job_may_share_out_work_of_its_own() {
        set_up();
        let sum = |i: usize| {
            run_all((0..10).map(|j| move || i * j).collect::<Vec<_>>()).into_iter().sum::<usize>()
        };
        let sums = run_all((0..10).map(|i| move || sum(i)).collect());
        assert_eq!(sums, (0..10).map(|i| 45 * i).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_in_a_job_is_passed_on_when_the_others_are_done() {
        set_up();
        let message = |jobs: usize, bad: usize| {
            let done = AtomicUsize::new(0);
            let run = |i: usize| {
                assert_ne!(i, bad, "this one is bad");
                thread::sleep(Duration::from_micros(100));
                done.fetch_add(1, AcqRel);
            };
            let result = catch_unwind(AssertUnwindSafe(|| share((0..jobs).collect(), run)));
            let panic = result.expect_err("the panic");
            assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("is bad")));
            done.into_inner()
        };
        for bad in 0..20 {
            assert!(message(20, bad) <= 19);
        }
        // The threads of the pool are still there.
        assert_eq!(run_all((0..20).map(|i| move || i).collect()), (0..20).collect::<Vec<_>>());
    }
}
