//! The system that builds the fields of [`GridFlow`]s.

use std::sync::Arc;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_steer::{MAX_MAGNITUDE, Point, SteeringPlane, SteeringTick};

use crate::{
    field::FlowField,
    flow::grid_flow::{FlowGoal, FlowPlan, GridFlow, GridFlowState},
    grid::{Flow, GridPlanner},
    jobs::Jobs,
    map::Maps,
    navigate_to::NavigationTarget,
    planar::flat,
    planner::PathPlanner,
    settings::{NavigationSettings, PlanTiming},
};

/// The fields that are being built.
pub(crate) type FlowJobs = Jobs<FlowPlan, Flow>;

/// Why a field leads nowhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    NoGrid,
    BadNumber,
    NoGoal,
}

/// What builds a field.
struct Builder<'a, 'w, 's> {
    maps: &'a Maps<'w, 's>,
    transforms: &'a TransformHelper<'w, 's>,
    settings: NavigationSettings,
    tick: u64,
}

/// Builds each field anew after its goals or its map have changed.
pub(crate) fn build_grid_flows(
    mut flows: Query<(Entity, &mut GridFlow, &mut FlowField)>,
    maps: Maps,
    transforms: TransformHelper,
    mut jobs: ResMut<FlowJobs>,
    settings: Res<NavigationSettings>,
    tick: Res<SteeringTick>,
    // Only for the log.
    mut told: Local<EntityHashMap<Trouble>>,
) {
    let (maps, transforms) = (&maps, &transforms);
    let builder = Builder { maps, transforms, settings: *settings, tick: tick.0 };
    for (entity, mut flow, mut field) in &mut flows {
        let trouble = builder.update(entity, &mut flow, &mut field, &mut jobs).err();
        if trouble == told.get(&entity).copied() {
            continue;
        }
        match trouble {
            Some(trouble) => {
                told.insert(entity, trouble);
                warn_of(trouble, entity, &flow);
            }
            None => _ = told.remove(&entity),
        }
    }
    told.retain(|&entity, _| flows.contains(entity));
    jobs.retain(|entity| flows.get(entity).is_ok_and(|(_, flow, _)| flow.state.pending.is_some()));
}

impl Builder<'_, '_, '_> {
    /// Follows the goals, and has the field built if it is out of date.
    fn update(
        &self,
        entity: Entity,
        flow: &mut Mut<GridFlow>,
        field: &mut Mut<FlowField>,
        jobs: &mut FlowJobs,
    ) -> Result<(), Trouble> {
        // Only its memory is written here, which is no change of the component.
        let flow = flow.bypass_change_detection();
        let [radius, rest_radius] = [flow.radius, flow.rests_within()];
        if ![radius, rest_radius].iter().all(|length| (0.0..=MAX_MAGNITUDE).contains(length)) {
            return Err(Trouble::BadNumber);
        }
        let own = Some(entity).filter(|&own| self.maps.has(own));
        let map = self.maps.of(flow.map.or(own));
        let Some((map, grid)) = map.and_then(|map| Some((map, GridPlanner::of(map.planner)?)))
        else {
            *flow.state = GridFlowState::default();
            field.set_if_neq(FlowField::default());
            return Err(Trouble::NoGrid);
        };
        let targets = flow.goals.clone();
        let goals = targets.iter();
        let goals = goals.filter_map(|goal| coordinates(goal, grid.plane(), self.transforms));
        let (goals, version) = (goals.collect(), map.version);
        let plan = FlowPlan { map: map.entity, version, targets, goals, radius, rest_radius };
        let is_checked = self.tick.is_multiple_of(u64::from(flow.check_every.max(1)));
        let state = &mut *flow.state;

        // A job that is missing, as after loading a game, begins again.
        if let Some(pending) = &state.pending {
            jobs.begin_flow(entity, pending, map.planner);
            let is_ready = match self.settings.timing {
                PlanTiming::AfterTicks(_) => self.settings.is_due(state.due, self.tick),
                PlanTiming::WhenReady => jobs.is_ready(entity),
            };
            if is_ready && let Some(built) = jobs.finish(entity) {
                take(built, state, field);
            }
        }
        let cells = |plan: &FlowPlan| -> Vec<_> {
            plan.goals.iter().map(|&goal| grid.cell_of(goal)).collect()
        };
        let is_alike = |other: &FlowPlan| {
            let is_map = (other.map, other.version) == (plan.map, plan.version);
            let is_size = (other.radius, other.rest_radius) == (radius, rest_radius);
            is_map && is_size && cells(other) == cells(&plan)
        };
        // Compared with what the field is of, not asked of change detection: a component that
        // rollback has restored is no other one.
        let is_same = state.plan.as_ref().is_some_and(|last| {
            let mut goals = last.targets.iter().zip(&plan.targets);
            let has_goals = last.targets.len() == plan.targets.len()
                && goals.all(|(one, other)| one.is_same(*other));
            let is_size = (last.radius, last.rest_radius) == (radius, rest_radius);
            last.map == plan.map && has_goals && is_size
        });
        let is_alike = state.plan.as_ref().is_some_and(is_alike);
        if let Some(last) = state.plan.as_mut().filter(|_| is_alike && !is_same) {
            last.targets.clone_from(&plan.targets);
        }
        if state.pending.is_none() && !is_alike && (is_checked || !is_same) {
            let is_first = state.plan.is_none();
            state.pending = Some(plan.clone());
            state.due = self.tick.saturating_add(self.settings.ticks());
            jobs.begin_flow(entity, &plan, map.planner);
            if is_first && let Some(built) = jobs.finish(entity) {
                take(built, state, field);
            }
        }
        // Agents come to rest at the goals where they are now.
        if state.goals.len() == plan.goals.len() {
            let goals = state.goals.iter_mut().zip(plan.goals);
            goals.for_each(|(goal, position)| goal.position = position);
        }
        let is_way = flow.goals.is_empty() || flow.state.goals.iter().any(|it| it.reach.is_some());
        if is_way { Ok(()) } else { Err(Trouble::NoGoal) }
    }
}

/// Uses the field that has been built.
fn take(built: Flow, state: &mut GridFlowState, field: &mut Mut<FlowField>) {
    state.plan = state.pending.take();
    let goals = state.plan.iter().flat_map(|plan| &plan.goals).zip(built.reaches);
    let goals = goals.map(|(&position, reach)| FlowGoal {
        position,
        reach: reach.map(|reach| reach.distance),
        is_inside: reach.is_some_and(|reach| reach.is_inside),
    });
    state.goals = goals.collect();
    **field = built.field;
}

impl FlowJobs {
    /// Begins to build a field, unless it has begun already.
    fn begin_flow(&mut self, entity: Entity, plan: &FlowPlan, planner: &Arc<dyn PathPlanner>) {
        let (planner, wanted) = (Arc::clone(planner), plan.clone());
        self.begin(entity, plan.clone(), move || {
            let FlowPlan { goals, radius, rest_radius, .. } = &wanted;
            let grid = GridPlanner::of(&planner);
            grid.map_or_else(Flow::default, |grid| grid.flow(goals, *radius, *rest_radius))
        });
    }
}

/// Where a goal is in the plane of a map. `None` if it does not exist.
fn coordinates(
    goal: &NavigationTarget,
    plane: SteeringPlane,
    transforms: &TransformHelper,
) -> Option<Vec2> {
    let position = match *goal {
        NavigationTarget::None => return None,
        NavigationTarget::Point(Point::Plane(coordinates)) => coordinates,
        NavigationTarget::Point(Point::World(position)) => flat(plane, position),
        NavigationTarget::Entity(entity) => {
            flat(plane, transforms.compute_global_transform(entity).ok()?.translation())
        }
    };
    // Also false for NaN.
    let is_valid = position.is_finite() && position.abs().max_element() <= MAX_MAGNITUDE;
    is_valid.then_some(position)
}

fn warn_of(trouble: Trouble, entity: Entity, flow: &GridFlow) {
    match trouble {
        Trouble::NoGrid => log::warn!(
            "{entity}: GridFlow.map is {:?}; no grid is there, and the field has no cells; spawn \
             an ObstacleGrid or a NavigationMap with a GridPlanner, and name it if there are \
             several maps",
            flow.map
        ),
        Trouble::BadNumber => log::warn!(
            "{entity}: GridFlow.radius is {} and GridFlow.rest_radius {:?}; the field is not built \
             again; set both to 0 or more",
            flow.radius,
            flow.rest_radius
        ),
        Trouble::NoGoal => log::warn!(
            "{entity}: GridFlow.goals are {:?}; a body with a radius of {} fits at none of them, \
             and its agents stop; move a goal onto the map",
            flow.goals,
            flow.radius
        ),
    }
}
