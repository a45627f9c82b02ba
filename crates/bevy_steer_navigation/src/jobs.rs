//! [`Jobs`]: what is being made on other threads.

use std::sync::{Arc, OnceLock};

use bevy::{ecs::entity::EntityHashMap, prelude::*, tasks::AsyncComputeTaskPool};

use crate::{
    events::NavigationFailure,
    navigate_to::Plan,
    planner::{PathPlanner, PathQuery},
};

/// The result of planning.
pub(crate) type Planned = Result<Vec<Vec3>, NavigationFailure>;

/// The plans that are being made, by agent.
pub(crate) type PlanJobs = Jobs<Plan, Planned>;

/// Something that is being made, for a key. Whoever comes first makes it: a thread of the task
/// pool, or the one that needs the result.
struct Job<K, R> {
    key: K,
    make: Arc<dyn Fn() -> R + Send + Sync>,
    result: Arc<OnceLock<R>>,
}

/// What is being made on other threads, by entity.
///
/// Not part of the state of a world: the entities have the keys in their components, and a job that
/// is missing, as after loading a game, begins again.
#[derive(Resource)]
pub(crate) struct Jobs<K: Send + Sync + 'static, R: Send + Sync + 'static>(
    EntityHashMap<Job<K, R>>,
);

impl<K: Send + Sync + 'static, R: Send + Sync + 'static> Default for Jobs<K, R> {
    fn default() -> Self {
        Self(EntityHashMap::default())
    }
}

impl<K: PartialEq + Send + Sync + 'static, R: Clone + Send + Sync + 'static> Jobs<K, R> {
    /// Begins to make something, unless it has begun already.
    pub(crate) fn begin(
        &mut self,
        entity: Entity,
        key: K,
        make: impl Fn() -> R + Send + Sync + 'static,
    ) {
        if self.0.get(&entity).is_some_and(|job| job.key == key) {
            return;
        }
        let job = Job { key, make: Arc::new(make), result: Arc::new(OnceLock::new()) };
        if let Some(pool) = AsyncComputeTaskPool::try_get() {
            let (result, make) = (Arc::clone(&job.result), Arc::clone(&job.make));
            pool.spawn(async move { _ = result.get_or_init(|| make()) }).detach();
        }
        self.0.insert(entity, job);
    }

    /// Whether that of an entity is ready, or nobody but the caller would make it.
    pub(crate) fn is_ready(&self, entity: Entity) -> bool {
        let job = self.0.get(&entity);
        job.is_none_or(|job| job.result.get().is_some())
            || AsyncComputeTaskPool::try_get().is_none()
    }

    /// That of an entity: waits for the thread that makes it, or makes it here if none has begun.
    pub(crate) fn finish(&mut self, entity: Entity) -> Option<R> {
        let Job { make, result, .. } = self.0.remove(&entity)?;
        let made = result.get_or_init(|| make()).clone();
        Some(made)
    }

    /// Forgets those of entities that do not wait for one.
    pub(crate) fn retain(&mut self, mut waits: impl FnMut(Entity) -> bool) {
        self.0.retain(|&entity, _| waits(entity));
    }
}

impl PlanJobs {
    /// Begins to plan for an agent, unless it has begun already.
    pub(crate) fn begin_plan(&mut self, agent: Entity, plan: Plan, planner: &Arc<dyn PathPlanner>) {
        let planner = Arc::clone(planner);
        self.begin(agent, plan, move || make_plan(&*planner, &plan.query));
    }
}

/// The plan, if it has points and all of them are finite.
fn make_plan(planner: &dyn PathPlanner, query: &PathQuery) -> Planned {
    let points = planner.plan(query)?;
    let is_path = !points.is_empty() && points.iter().all(|point| point.is_finite());
    if is_path { Ok(points) } else { Err(NavigationFailure::NoWay) }
}
