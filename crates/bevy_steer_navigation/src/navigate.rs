//! The system that plans paths, and gives them to agents.

use bevy::{ecs::query::QueryData, prelude::*};
use bevy_steer::{
    AgentId, Bounds, MAX_MAGNITUDE, Path, PathEnd, PathFollow, PathProgress, Point, SteeringPlane,
    SteeringSettings, SteeringTick, Vehicle, WorldBounds,
};

use crate::{
    events::{NavigationFailed, NavigationFailure, NavigationFinished},
    jobs::PlanJobs,
    map::{Maps, UsedMap},
    navigate_to::{
        NavigateTo, NavigationProgress, NavigationStatus, NavigationTarget, PendingPlan, Plan,
    },
    planar::{height, lift},
    planner::PathQuery,
    settings::{NavigationSettings, PlanTiming},
};

/// An agent that navigates.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Navigator {
    entity: Entity,
    id: &'static AgentId,
    navigate: &'static mut NavigateTo,
    follow: &'static mut PathFollow,
    transform: &'static Transform,
    vehicle: &'static Vehicle,
    plane: Option<&'static SteeringPlane>,
    bounds: Option<&'static Bounds>,
}

/// An event that is to be triggered.
enum Notice {
    Failed(NavigationFailure),
    Finished,
}

/// An agent that waits for its turn to plan.
struct Applicant {
    /// For how many ticks it has waited.
    waiting: u32,
    id: AgentId,
    entity: Entity,
    plan: Plan,
}

/// Whether an agent needs a plan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// No.
    None,
    /// A new one for the same way.
    Fresh,
    /// One for another way: it has none, or its target or the map has changed.
    Other,
}

/// What a tick of navigation needs to know.
struct Tick {
    number: u64,
    seconds: f32,
    settings: NavigationSettings,
    world: Bounds,
}

/// One tick of all agents: uses the plans that are due, finds out who needs another one, and begins
/// as many as may run at the same time.
pub(crate) fn navigate(
    mut agents: Query<Navigator>,
    maps: Maps,
    transforms: TransformHelper,
    mut jobs: ResMut<PlanJobs>,
    mut commands: Commands,
    settings: Res<NavigationSettings>,
    steering: Res<SteeringSettings>,
    (number, time): (Res<SteeringTick>, Res<Time>),
    world: Option<Res<WorldBounds>>,
) {
    let world = world.map_or(Bounds::UNBOUNDED, |world| world.0);
    let seconds = time.delta_secs();
    let tick = Tick { number: number.0, seconds, settings: *settings, world };
    let mut notices: Vec<(AgentId, Entity, Notice)> = Vec::new();
    let mut applicants: Vec<Applicant> = Vec::new();
    let mut running = 0;
    for mut agent in &mut agents {
        let (entity, id) = (agent.entity, *agent.id);
        let plane = agent.plane.copied().unwrap_or(steering.plane);
        let here = agent.transform.translation;
        if !is_valid(here) {
            continue;
        }
        agent.notice_target();
        let goal = target_position(&agent.navigate.target, here, plane, &transforms);
        let map = maps.of(agent.navigate.map);
        let (goal, map) = match (goal, map) {
            (Ok(Some(goal)), Some(map)) => (goal, map),
            (Ok(None), _) => {
                agent.stop();
                continue;
            }
            (problem, _) => {
                let reason = problem.err().unwrap_or(NavigationFailure::NoMap);
                notices.extend(agent.fail(reason, None).map(|notice| (id, entity, notice)));
                continue;
            }
        };
        if let Some(notice) = agent.use_plan(&mut jobs, map, plane, &tick) {
            notices.push((id, entity, notice));
        }
        let radius = agent.vehicle.radius;
        let radius = if is_valid(Vec3::splat(radius)) { radius.max(0.0) } else { 0.0 };
        let query = PathQuery { start: here, goal, radius };
        let target = agent.navigate.target;
        let plan = Plan { target, query, map: map.entity, version: map.version };
        let need = agent.pass_time(&plan, plane, &tick);
        if need != Need::Other && agent.finish(here) {
            notices.push((id, entity, Notice::Finished));
        } else if need != Need::None && agent.navigate.progress.pending.is_none() {
            let waiting = agent.navigate.progress.waiting;
            applicants.push(Applicant { waiting, id, entity, plan });
        }
        running += usize::from(agent.navigate.progress.pending.is_some());
    }

    // Who has waited longest comes first. The order does not depend on tables.
    applicants.sort_unstable_by_key(|one| (u32::MAX - one.waiting, one.id, one.entity));
    let free = tick.settings.max_running.max(1).saturating_sub(running);
    for (turn, applicant) in applicants.into_iter().enumerate() {
        let Ok(mut agent) = agents.get_mut(applicant.entity) else { continue };
        let progress = &mut agent.navigate.bypass_change_detection().progress;
        progress.waiting = if turn < free { 0 } else { progress.waiting.saturating_add(1) };
        let Some(map) = maps.of(agent.navigate.map).filter(|_| turn < free) else { continue };
        let due = tick.number.saturating_add(tick.settings.ticks());
        let plan = applicant.plan;
        agent.navigate.bypass_change_detection().progress.pending = Some(PendingPlan { plan, due });
        jobs.begin_plan(applicant.entity, plan, map.planner);
    }
    jobs.retain(|agent| agents.get(agent).is_ok_and(|it| it.navigate.progress.pending.is_some()));

    notices.sort_by_key(|&(id, entity, _)| (id, entity));
    for (_, entity, notice) in notices {
        match notice {
            Notice::Failed(reason) => commands.trigger(NavigationFailed { entity, reason }),
            Notice::Finished => commands.trigger(NavigationFinished { entity }),
        }
    }
}

fn is_valid(position: Vec3) -> bool {
    // Also false for NaN.
    position.abs().max_element() <= MAX_MAGNITUDE && position.is_finite()
}

/// Where the target is, if the agent has one.
fn target_position(
    target: &NavigationTarget,
    here: Vec3,
    plane: SteeringPlane,
    transforms: &TransformHelper,
) -> Result<Option<Vec3>, NavigationFailure> {
    let position = match *target {
        NavigationTarget::None => return Ok(None),
        NavigationTarget::Point(Point::World(position)) => position,
        NavigationTarget::Point(Point::Plane(coordinates)) => {
            lift(plane, coordinates, height(plane, here))
        }
        NavigationTarget::Entity(entity) => match transforms.compute_global_transform(entity) {
            Ok(transform) => transform.translation(),
            Err(_) => return Err(NavigationFailure::NoTarget),
        },
    };
    if is_valid(position) { Ok(Some(position)) } else { Err(NavigationFailure::InvalidTarget) }
}

impl NavigatorItem<'_, '_> {
    /// What it keeps from tick to tick. Written past change detection: it is no setting.
    fn progress(&mut self) -> &mut NavigationProgress {
        &mut self.navigate.bypass_change_detection().progress
    }

    /// Another target is another errand: whatever became of the last one is past.
    fn notice_target(&mut self) {
        let target = self.navigate.target;
        if self.navigate.progress.target.is_same(target) {
            return;
        }
        let progress = self.progress();
        progress.target = target;
        // On its way to the old one it goes on until there is a path to the new one.
        if progress.status != NavigationStatus::Following {
            progress.status = NavigationStatus::Waiting;
        }
        (progress.plan, progress.place) = (None, None);
        (progress.failures, progress.pause, progress.stalled) = (0, 0.0, 0.0);
    }

    /// Uses the plan that has been made for it, if that is due.
    fn use_plan(
        &mut self,
        jobs: &mut PlanJobs,
        map: UsedMap,
        plane: SteeringPlane,
        tick: &Tick,
    ) -> Option<Notice> {
        let pending = self.navigate.progress.pending?;
        // A job that is missing, as after loading a game, begins again.
        jobs.begin_plan(self.entity, pending.plan, map.planner);
        let is_due = match tick.settings.timing {
            PlanTiming::AfterTicks(_) => tick.settings.is_due(pending.due, tick.number),
            PlanTiming::WhenReady => jobs.is_ready(self.entity),
        };
        if !is_due {
            return None;
        }
        self.progress().pending = None;
        match jobs.finish(self.entity)? {
            Ok(points) => {
                self.take_path(points, pending.plan, plane);
                None
            }
            // That there was no way to an earlier target matters no more.
            Err(_) if pending.plan.target != self.navigate.target => None,
            Err(reason) => {
                let notice = self.fail(reason, Some(pending.plan));
                let progress = self.progress();
                progress.failures = progress.failures.saturating_add(1);
                progress.pause = tick.settings.pause_after(progress.failures);
                notice
            }
        }
    }

    /// Follows a new path, from where it is on it.
    fn take_path(&mut self, points: Vec<Vec3>, plan: Plan, plane: SteeringPlane) {
        let path = Path::new(points);
        let (id, remaining) = (path.id(), path.length_in(plane, false));
        let follow = &mut *self.follow;
        let leads_elsewhere = follow.path.points().last() != path.points().last();
        // Whatever it did at the ends of another path: here it rests.
        follow.end = PathEnd::Stop;
        follow.progress.backward = false;
        if follow.path != path {
            follow.path = path;
            // The path begins where the agent was a moment ago.
            begin(&mut follow.progress);
        }
        let progress = self.progress();
        // One that is there has arrived already.
        let is_there = progress.status == NavigationStatus::Finished && !leads_elsewhere;
        let (status, place) = match is_there {
            true => (progress.status, progress.place),
            false => (NavigationStatus::Following, None),
        };
        *progress = NavigationProgress {
            target: progress.target,
            status,
            path: id,
            place,
            plan: Some(plan),
            remaining,
            ..NavigationProgress::default()
        };
    }

    /// There is no path: it stops. Returns what is to be said about it, if it is new.
    fn fail(&mut self, reason: NavigationFailure, plan: Option<Plan>) -> Option<Notice> {
        self.leave_path();
        let progress = self.progress();
        (progress.plan, progress.place) = (plan, None);
        (progress.age, progress.waiting) = (0.0, 0);
        if plan.is_none() {
            // Nothing to be planned: it goes on as soon as that changes.
            (progress.pending, progress.pause) = (None, 0.0);
        }
        let failed = NavigationStatus::Failed(reason);
        let is_new = progress.status != failed;
        progress.status = failed;
        is_new.then_some(Notice::Failed(reason))
    }

    /// It has no target. A path that the game has given it stays.
    fn stop(&mut self) {
        if *self.navigate.progress != NavigationProgress::default() {
            if self.follow.path.id() == self.navigate.progress.path {
                self.leave_path();
            }
            *self.progress() = NavigationProgress::default();
        }
    }

    fn leave_path(&mut self) {
        if !self.follow.path.is_empty() {
            self.follow.path = Path::default();
        }
    }

    /// Whether it has been moved away from the end of its path, where it came to rest, or its path
    /// was taken from it.
    fn is_off(&self, here: Vec3, tick: &Tick) -> bool {
        let bounds = self.bounds.unwrap_or(&tick.world);
        let off = |place| bounds.shortest(here - place).length();
        let place = self.navigate.progress.place;
        let is_moved = place.is_some_and(|place| off(place) > MOVED * self.vehicle.size());
        let has_path = matches!(
            self.navigate.progress.status,
            NavigationStatus::Following | NavigationStatus::Finished
        );
        is_moved || has_path && self.follow.path.is_empty()
    }

    /// Counts the time, and tells whether it needs a plan for what it wants now.
    fn pass_time(&mut self, wanted: &Plan, plane: SteeringPlane, tick: &Tick) -> Need {
        let PathQuery { start: here, radius, .. } = wanted.query;
        let left = self.follow.path.length_in(plane, false) - self.follow.progress.distance;
        let is_held = self.follow.progress.held > 0.0 || self.follow.progress.finished;
        let (target, share) = (self.navigate.target, self.navigate.replan_share);
        let replan_every = self.navigate.replan_every;
        let is_off = self.is_off(here, tick);
        if is_off {
            // The new path may be the one that it has: it begins again in any case.
            begin(&mut self.follow.progress);
        }
        let progress = self.progress();
        progress.age += tick.seconds;
        progress.pause = (progress.pause - tick.seconds).max(0.0);
        if is_held || left < progress.remaining - STEP * radius {
            progress.stalled = 0.0;
            progress.remaining = progress.remaining.min(left);
        } else {
            progress.stalled += tick.seconds;
        }
        if is_off {
            // Where its path ends says nothing more until it has another one.
            (progress.plan, progress.place) = (None, None);
            progress.status = NavigationStatus::Following;
        }
        let Some(plan) = progress.plan else { return Need::Other };
        let has_other_map = (plan.map, plan.version) != (wanted.map, wanted.version);
        if matches!(progress.status, NavigationStatus::Failed(_)) {
            let may_try = progress.pause <= 0.0 || has_other_map;
            return if may_try { Need::Other } else { Need::None };
        }
        let moved = wanted.query.goal - plan.query.goal;
        let goal_has_moved = match target {
            NavigationTarget::Entity(_) => {
                let distance = wanted.query.start.distance(wanted.query.goal);
                moved.length() > (share * distance).max(STEP * radius)
            }
            // It is as high as the agent, which may go up a ramp.
            NavigationTarget::Point(Point::Plane(_)) => plane.flatten(moved) != Vec3::ZERO,
            _ => moved != Vec3::ZERO,
        };
        let has_other_target = plan.target != wanted.target;
        if has_other_map || has_other_target || goal_has_moved || plan.query.radius != radius {
            return Need::Other;
        }
        let is_there = progress.status == NavigationStatus::Finished;
        let is_old = replan_every.is_some_and(|every| progress.age >= every) && !is_there;
        let is_stuck = progress.stalled >= tick.settings.stuck_after && !is_there;
        if is_stuck {
            progress.stalled = 0.0;
        }
        // One that waits for its turn keeps its claim.
        let waits = progress.waiting > 0 && !is_there;
        if is_old || is_stuck || waits { Need::Fresh } else { Need::None }
    }

    /// Whether it has just come to rest at the end of its path, here.
    fn finish(&mut self, here: Vec3) -> bool {
        let is_there = self.follow.progress.finished && !self.follow.path.is_empty();
        let progress = self.progress();
        let is_new = is_there && progress.status == NavigationStatus::Following;
        if is_new {
            (progress.status, progress.place) = (NavigationStatus::Finished, Some(here));
        }
        is_new
    }
}

/// Begins a path again.
fn begin(progress: &mut PathProgress) {
    (progress.next, progress.distance) = (0, 0.0);
    (progress.at_end, progress.finished) = (false, false);
}

/// A share of the agent's radius: less is no progress, and no motion of a target.
const STEP: f32 = 0.5;
/// An agent that rests and is farther off than this, in radii, has been moved; as others jostle it,
/// it may come to be a little off.
const MOVED: f32 = 10.0;
