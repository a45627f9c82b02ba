//! [`PlanJobs`]: the plans that are being made on other threads.

use std::sync::{Arc, OnceLock};

use bevy::{ecs::entity::EntityHashMap, prelude::*, tasks::AsyncComputeTaskPool};

use crate::{
    events::NavigationFailure,
    navigate_to::Plan,
    planner::{PathPlanner, PathQuery},
};

/// The result of planning.
pub(crate) type Planned = Result<Vec<Vec3>, NavigationFailure>;

/// A plan that is being made. Whoever comes first makes it: a thread of the task pool, or the one
/// that needs the result.
struct PlanJob {
    plan: Plan,
    planner: Arc<dyn PathPlanner>,
    result: Arc<OnceLock<Planned>>,
}

/// The plans that are being made, by agent.
///
/// Not part of the state of a world: the agents have the queries in their components, and a job
/// that is missing, as after loading a game, begins again.
#[derive(Resource, Default)]
pub(crate) struct PlanJobs(EntityHashMap<PlanJob>);

impl PlanJobs {
    /// Begins to plan for an agent, unless it has begun already.
    pub(crate) fn begin(&mut self, agent: Entity, plan: Plan, planner: &Arc<dyn PathPlanner>) {
        if self.0.get(&agent).is_some_and(|job| job.plan == plan) {
            return;
        }
        let result = Arc::new(OnceLock::new());
        if let Some(pool) = AsyncComputeTaskPool::try_get() {
            let (result, planner) = (Arc::clone(&result), Arc::clone(planner));
            let work = async move { _ = result.get_or_init(|| make(&*planner, &plan.query)) };
            pool.spawn(work).detach();
        }
        self.0.insert(agent, PlanJob { plan, planner: Arc::clone(planner), result });
    }

    /// Whether the plan of an agent is ready, or nobody but the caller would make it.
    pub(crate) fn is_ready(&self, agent: Entity) -> bool {
        let job = self.0.get(&agent);
        job.is_none_or(|job| job.result.get().is_some())
            || AsyncComputeTaskPool::try_get().is_none()
    }

    /// The plan of an agent: waits for the thread that makes it, or makes it here if none has
    /// begun.
    pub(crate) fn finish(&mut self, agent: Entity) -> Option<Planned> {
        let PlanJob { plan, planner, result } = self.0.remove(&agent)?;
        let planned = result.get_or_init(|| make(&*planner, &plan.query)).clone();
        Some(planned)
    }

    /// Forgets the plans of agents that do not wait for one.
    pub(crate) fn retain(&mut self, mut waits: impl FnMut(Entity) -> bool) {
        self.0.retain(|&agent, _| waits(agent));
    }
}

/// The plan, if all of it is finite.
fn make(planner: &dyn PathPlanner, query: &PathQuery) -> Planned {
    let points = planner.plan(query)?;
    if points.iter().all(|point| point.is_finite()) {
        Ok(points)
    } else {
        Err(NavigationFailure::NoWay)
    }
}
