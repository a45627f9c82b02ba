//! [`SteeringPlugin`], the one thing to add.

use bevy::{
    ecs::{intern::Interned, schedule::ScheduleLabel},
    prelude::*,
};

use crate::{
    arbitration::Arbitration,
    behaviors::*,
    bounds::{Bounds, WorldBounds},
    combine::combine_contributions,
    events::{Arrived, Notices, PathFinished, TargetLost, WaypointReached, notify_observers},
    integrate::move_agents,
    layers::SteeringLayers,
    neighbors, number,
    number::{AgentNumber, NextAgentNumber},
    obstacles,
    offences::Offences,
    plane::SteeringPlane,
    register::{BehaviorLink, Readiness, SteeringAppExt, add_block_behavior, check_parameters},
    schedule::{self, RunSteering, SteeringSchedule, SteeringSystems, run_steering},
    think::{SteeringTick, ThinkEvery},
    trace::SteeringTrace,
    vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity},
};

/// Adds steering to an app.
///
/// | builder | default |
/// | --- | --- |
/// | [`new`](Self::new): the schedule it runs in | `FixedUpdate` |
/// | [`with_plane`](Self::with_plane): the plane of agents that have no [`SteeringPlane`] | `Xy` |
/// | [`with_seed`](Self::with_seed): the world's seed, for everything random | 0 |
/// | [`without_integration`](Self::without_integration): leave moving to a physics engine | moves agents itself |
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

/// What [`SteeringPlugin`] was told, as a resource; may be changed while the app runs.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringSettings {
    /// The plane of agents without a [`SteeringPlane`]. Default `Xy`.
    pub plane: SteeringPlane,
    /// The world's seed: worlds of different seeds wander differently. Read when an agent first needs it. Default 0.
    pub seed: u64,
    /// Whether steering moves the agents. If not, a physics engine does: it reads [`SteeringForce`] and writes
    /// [`Velocity`] and `Transform`. Default true.
    pub integrate: bool,
}

impl Default for SteeringSettings {
    fn default() -> Self {
        Self { plane: SteeringPlane::default(), seed: 0, integrate: true }
    }
}

impl Default for SteeringPlugin {
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl SteeringPlugin {
    /// Steering that runs in this schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), settings: SteeringSettings::default() }
    }

    /// With this plane for agents that have none of their own.
    #[must_use]
    pub fn with_plane(mut self, plane: SteeringPlane) -> Self {
        self.settings.plane = plane;
        self
    }

    /// With this seed for everything random.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Steering that computes forces but moves nothing.
    #[must_use]
    pub fn without_integration(mut self) -> Self {
        self.settings.integrate = false;
        self
    }
}

impl Plugin for SteeringPlugin {
    fn build(&self, app: &mut App) {
        number::number_early_agents(app.world_mut());
        app.insert_resource(self.settings)
            .init_resource::<SteeringTick>()
            .init_resource::<Notices>()
            .init_resource::<Offences>();
        register_types(app);
        schedule::set_up(app);
        app.add_systems(self.schedule, run_steering.in_set(RunSteering)).add_systems(
            SteeringSchedule,
            (
                (check_parameters::<Arbitration>, check_parameters::<Bounds>)
                    .chain()
                    .in_set(Readiness::Check)
                    .before(BehaviorLink::Check(0)),
                (neighbors::build_index.run_if(neighbors::is_missed), flock_together)
                    .chain()
                    .in_set(Readiness::Make),
                combine_contributions.in_set(SteeringSystems::Combine),
                move_agents
                    .run_if(|settings: Res<SteeringSettings>| settings.integrate)
                    .in_set(SteeringSystems::Integrate),
                notify_observers.in_set(SteeringSystems::Notify),
            ),
        );
        neighbors::set_up(app);
        obstacles::set_up(app);
        add_built_in_behaviors(app);
    }
}

/// The chain of built-in behaviours: what keeps an agent whole first, aimless wandering last.
fn add_built_in_behaviors(app: &mut App) {
    add_block_behavior::<AvoidObstacles>(app)
        .add_steering_behavior::<AvoidWalls>()
        .add_steering_behavior::<AvoidAgents>()
        .add_steering_behavior::<Flee>()
        .add_steering_behavior::<Evade>();
    add_block_behavior::<Seek>(app)
        .add_steering_behavior::<Arrive>()
        .add_steering_behavior::<Pursue>()
        .add_steering_behavior::<OffsetPursue>()
        .add_steering_behavior::<PathFollow>()
        .add_steering_behavior::<MatchVelocity>();
    add_block_behavior::<Flock>(app);
    add_block_behavior::<Wander>(app)
        .add_steering_behavior::<Align>()
        .add_steering_behavior::<Face>()
        .add_steering_behavior::<LookWhereYouGo>();
}

fn register_types(app: &mut App) {
    app.register_type::<SteeringSettings>()
        .register_type::<NextAgentNumber>()
        .register_type::<SteeringTick>()
        .register_type::<ThinkEvery>()
        .register_type::<WorldBounds>()
        .register_type::<Vehicle>()
        .register_type::<Velocity>()
        .register_type::<AngularVelocity>()
        .register_type::<Heading>()
        .register_type::<KeepRotation>()
        .register_type::<SteeringForce>()
        .register_type::<SteeringTrace>()
        .register_type::<SteeringPlane>()
        .register_type::<SteeringLayers>()
        .register_type::<AgentNumber>()
        .register_type::<Arbitration>()
        .register_type::<Bounds>()
        .register_type::<Arrived>()
        .register_type::<WaypointReached>()
        .register_type::<PathFinished>()
        .register_type::<TargetLost>();
}
