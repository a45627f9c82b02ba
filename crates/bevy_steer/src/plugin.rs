//! [`SteeringPlugin`].

use bevy::{
    ecs::{
        component::Mutable,
        intern::Interned,
        schedule::{ScheduleConfigs, ScheduleLabel},
        system::ScheduleSystem,
    },
    prelude::*,
};

use crate::{
    agent::{
        AngularLimits, Arrived, EventQueue, GoalBlocked, InvalidInputLog, PathFinished,
        SteeringHeight, SteeringSettings, SteeringTick, TargetFound, TargetLost, WaypointReached,
        WhenIdle, assign_early_ids, check_parents, notify_observers,
    },
    behavior::SurfaceLists,
    behaviors::{demand_index, register_built_in_behaviors, steer_flocks},
    ecs::StateData,
    neighbors,
    obstacles::{self, ObstacleIndex},
    pipeline::{
        arbitration::Arbitration,
        combine::combine_contributions,
        integrate::move_agents,
        limit::apply_limits,
        schedule::{
            self, BehaviorStep, RunSteering, SteeringSchedule, SteeringSystems, Step, run_steering,
        },
        sense::find_surfaces,
        validate::{check_bounds, check_parameters, warn_unregistered},
    },
    sensing::{
        EncounterLists, EncounterRequests, Goals, clear_requests, find_encounters, sort_goals,
    },
    space::{Bounds, SteeringPlane},
    state::{StateVisitor, visit_state},
};

/// Adds steering to an app.
///
/// | builder | default |
/// | --- | --- |
/// | [`new`](Self::new): the schedule it runs in | `FixedUpdate` |
/// | [`with_plane`](Self::with_plane): the plane of agents without a [`SteeringPlane`] | `Xy` |
/// | [`with_seed`](Self::with_seed): the world's seed, for random behaviours | 0 |
/// | [`without_integration`](Self::without_integration): only compute forces | moves agents |
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// App::new().add_plugins((
///     MinimalPlugins,
///     SteeringPlugin::new(Update).with_plane(SteeringPlane::Xz).with_seed(7),
/// ));
/// ```
///
/// Needs Bevy's `TimePlugin`, which is part of `MinimalPlugins` and `DefaultPlugins`.
#[derive(Clone, Debug)]
pub struct SteeringPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    settings: SteeringSettings,
}

impl Default for SteeringPlugin {
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl SteeringPlugin {
    /// Runs steering in this schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), settings: SteeringSettings::default() }
    }

    /// Sets the plane of agents without a [`SteeringPlane`].
    #[must_use]
    pub fn with_plane(mut self, plane: SteeringPlane) -> Self {
        self.settings.plane = plane;
        self
    }

    /// Sets the world's seed, for random behaviours.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Computes forces but does not move agents.
    #[must_use]
    pub fn without_integration(mut self) -> Self {
        self.settings.integrate = false;
        self
    }
}

impl Plugin for SteeringPlugin {
    fn build(&self, app: &mut App) {
        assign_early_ids(app.world_mut());
        app.insert_resource(self.settings)
            .init_resource::<SteeringTick>()
            .init_resource::<EncounterRequests>()
            .init_resource::<EncounterLists>()
            .init_resource::<Goals>()
            .init_resource::<ObstacleIndex>()
            .init_resource::<SurfaceLists>()
            .init_resource::<EventQueue>()
            .init_resource::<InvalidInputLog>();
        register_types(app);
        schedule::set_up(app);
        app.add_systems(self.schedule, run_steering.in_set(RunSteering)).add_systems(
            SteeringSchedule,
            (
                (
                    check_parameters::<Arbitration>("Arbitration"),
                    check_parameters::<Bounds>("Bounds"),
                    check_parameters::<WhenIdle>("WhenIdle"),
                    check_parameters::<AngularLimits>("AngularLimits"),
                    check_parameters::<SteeringHeight>("SteeringHeight"),
                )
                    .chain()
                    .in_set(Step::Check)
                    .before(BehaviorStep(Step::Check, 0)),
                // Each in one set only: the outer ones hold these.
                demand_neighbors().in_set(Step::Demand),
                demand_neighbors().in_set(Step::DemandAgain),
                (
                    check_bounds,
                    check_parents,
                    warn_unregistered,
                    neighbors::build_index.after(Step::Demand),
                    obstacles::build_index,
                )
                    .in_set(SteeringSystems::Sense),
                (
                    neighbors::build_index
                        .run_if(neighbors::is_missing)
                        .after(Step::DemandAgain)
                        .before(Step::Request),
                    clear_requests.before(Step::Request),
                    (sort_goals, find_encounters, steer_flocks).chain().after(Step::NoteGoals),
                    find_surfaces,
                )
                    .in_set(Step::Make),
                combine_contributions.in_set(SteeringSystems::Combine),
                apply_limits.in_set(Step::Apply),
                move_agents
                    .run_if(|settings: Res<SteeringSettings>| settings.integrate)
                    .in_set(SteeringSystems::Integrate),
                notify_observers.in_set(SteeringSystems::Notify),
            ),
        );
        neighbors::set_up(app);
        register_built_in_behaviors(app);
    }
}

/// Behaviours tell what they demand of the neighbour index.
fn demand_neighbors() -> ScheduleConfigs<ScheduleSystem> {
    (demand_index, neighbors::demand_for_behaviors).chain()
}

fn register_types(app: &mut App) {
    visit_state(&mut RegisterTypes(app));
    app.register_type::<Arrived>()
        .register_type::<GoalBlocked>()
        .register_type::<WaypointReached>()
        .register_type::<PathFinished>()
        .register_type::<TargetFound>()
        .register_type::<TargetLost>();
}

/// Registers the types of all state for reflection.
struct RegisterTypes<'a>(&'a mut App);

impl StateVisitor for RegisterTypes<'_> {
    fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
        self.0.register_type::<C>();
    }

    fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {
        self.0.register_type::<R>();
    }
}
