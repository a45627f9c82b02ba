//! The order of a tick: [`SteeringSchedule`] and its [`SteeringSystems`].

use bevy::{
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
};

/// The schedule in which the steps of a tick run, once for each run of the schedule that
/// [`SteeringPlugin`](crate::SteeringPlugin) runs in (`FixedUpdate` by default).
///
/// It has the single-threaded executor: the systems run one after the other anyway, and each uses
/// several threads if there are enough agents. Add your own systems to it, in one of the
/// [`SteeringSystems`].
#[derive(ScheduleLabel, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SteeringSchedule;

/// The set, in the outer schedule, of the system that runs [`SteeringSchedule`]: order your game
/// logic against it.
#[derive(SystemSet, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunSteering;

/// The steps of a tick, in this order. You can add systems to all of them.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// fn rest_when_tired(mut hunters: Query<&mut Pursue>) {
///     for mut pursue in &mut hunters {
///         pursue.set_enabled(false);
///     }
/// }
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_systems(SteeringSchedule, rest_when_tired.in_set(SteeringSystems::Decide));
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SteeringSystems {
    /// Empty, for your systems that run before anything is read.
    Prepare,
    /// The neighbour and obstacle indexes are built from this tick's positions.
    Sense,
    /// Empty, for your systems that choose targets and enable or disable behaviours. The indexes
    /// can be queried from here on.
    Decide,
    /// The behaviours, in the order of their registration.
    Behave,
    /// Arbitration combines all requests into one change of velocity, and writes
    /// [`SteeringForce`](crate::SteeringForce).
    Combine,
    /// Behaviours limit the velocity, and [`SteeringForce`](crate::SteeringForce) is changed so
    /// that the velocity satisfies the limits. Add wind or gravity after it.
    Limit,
    /// Force becomes velocity becomes position; agents turn, and wrap or stop at the edges of the
    /// world. Empty without integration.
    Integrate,
    /// Events for observers.
    Notify,
}

impl SteeringSystems {
    /// All of them, in their order.
    pub const ALL: [Self; 8] = [
        Self::Prepare,
        Self::Sense,
        Self::Decide,
        Self::Behave,
        Self::Combine,
        Self::Limit,
        Self::Integrate,
        Self::Notify,
    ];
}

/// The link of one behaviour, in the order of registration, in each of the chains.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BehaviorLink {
    /// Validates its parameters.
    Check(usize),
    /// Asks for encounters.
    Request(usize),
    /// Tells how far it looks for obstacles and walls.
    Ask(usize),
    /// Steers.
    Steer(usize),
    /// Adds limits.
    Limit(usize),
}

/// The steps after the game has decided and before any behaviour steers.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Readiness {
    /// Validates the parameters, and determines whether a behaviour needs the neighbour index.
    Check,
    /// Ask the behaviours how far they look for obstacles and walls.
    Ask,
    /// Build what they need.
    Make,
}

/// The steps in which behaviours steer.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SteerSteps {
    /// Those that move the agent.
    Move,
    /// Those that correct them.
    Correct,
}

/// The steps of sensing.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SensingSteps {
    /// Behaviours demand the neighbour index, before it is built in [`SteeringSystems::Sense`].
    Demand,
    /// The same after the game has decided, for an index that nothing needed before.
    DemandAgain,
    /// Behaviours ask for encounters.
    Request,
    /// Behaviours tell the entities that they go for.
    NoteGoals,
}

/// The steps of [`SteeringSystems::Limit`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LimitSteps {
    /// Behaviours add limits.
    Gather,
    /// The permitted velocity is found.
    Apply,
}

pub(crate) fn set_up(app: &mut App) {
    use SteeringSystems::{Behave, Combine, Decide, Integrate, Limit, Notify, Prepare, Sense};
    app.init_schedule(SteeringSchedule)
        .edit_schedule(SteeringSchedule, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        })
        .configure_sets(
            SteeringSchedule,
            (Prepare, Sense, Decide, Behave, Combine, Limit, Integrate, Notify).chain(),
        )
        .configure_sets(
            SteeringSchedule,
            (
                Readiness::Check,
                Readiness::Ask,
                Readiness::Make,
                SteerSteps::Move,
                SteerSteps::Correct,
            )
                .chain()
                .in_set(Behave),
        )
        .configure_sets(
            SteeringSchedule,
            (
                SensingSteps::Demand.in_set(Sense),
                (SensingSteps::DemandAgain, SensingSteps::Request, SensingSteps::NoteGoals)
                    .chain()
                    .in_set(Readiness::Make),
            ),
        )
        .configure_sets(
            SteeringSchedule,
            (LimitSteps::Gather, LimitSteps::Apply).chain().in_set(Limit),
        );
}
