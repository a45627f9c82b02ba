//! One loop over agents for all systems: plain for few, on all threads for many.

use bevy::{
    ecs::query::{ArchetypeFilter, IterQueryData},
    prelude::*,
};

/// Below this many agents handing work to other threads costs more than it saves.
#[cfg(feature = "parallel")]
const WORTH_SHARING: usize = 10_000;

/// Calls `f` for every match. The calls must not depend on each other: their order and threads are not fixed.
pub(crate) fn for_each_agent<'w, 's, D, F>(
    query: Query<'w, 's, D, F>,
    f: impl Fn(D::Item<'w, 's>) + Send + Sync + Clone,
) where
    D: IterQueryData,
    F: ArchetypeFilter,
{
    #[cfg(feature = "parallel")]
    {
        let threads = bevy::tasks::ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
        let most = query.iter().size_hint().1.unwrap_or(usize::MAX);
        if threads > 1 && most >= WORTH_SHARING {
            query.par_iter_inner().for_each(f);
            return;
        }
    }
    query.iter_inner().for_each(f);
}
