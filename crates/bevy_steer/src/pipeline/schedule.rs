//! The order of a tick: [`SteeringSchedule`] and its [`SteeringSystems`].

use bevy::{
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
};

use crate::agent::SteeringTick;

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

/// A step within one of the [`SteeringSystems`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Behaviours demand the neighbour index, before it is built in [`SteeringSystems::Sense`].
    Demand,
    /// After the game has decided: validates the parameters of behaviours, and determines whether
    /// one needs the neighbour index.
    Check,
    /// Behaviours tell how far they look for obstacles and walls.
    Ask,
    /// Builds what behaviours need before they steer.
    Make,
    /// In [`Make`](Self::Make): demands again, for an index that nothing needed before.
    DemandAgain,
    /// In [`Make`](Self::Make): behaviours ask for encounters.
    Request,
    /// In [`Make`](Self::Make): behaviours tell the entities that they go for.
    NoteGoals,
    /// Behaviours that move the agent steer.
    Move,
    /// Behaviours that correct them steer.
    Correct,
    /// Behaviours add limits.
    Gather,
    /// The permitted velocity is found.
    Apply,
}

/// The part of one behaviour in a step, by its place in the order of registration. In each step
/// behaviours run in that order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BehaviorStep(pub Step, pub usize);

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
            (Step::Check, Step::Ask, Step::Make, Step::Move, Step::Correct).chain().in_set(Behave),
        )
        .configure_sets(
            SteeringSchedule,
            (
                Step::Demand.in_set(Sense),
                (Step::DemandAgain, Step::Request, Step::NoteGoals).chain().in_set(Step::Make),
            ),
        )
        .configure_sets(SteeringSchedule, (Step::Gather, Step::Apply).chain().in_set(Limit));
}

/// One tick. While no time passes nothing happens.
pub(crate) fn run_steering(world: &mut World) {
    if world.resource::<Time>().delta_secs() > 0.0 {
        world.run_schedule(SteeringSchedule);
        let mut tick = world.resource_mut::<SteeringTick>();
        tick.0 = tick.0.wrapping_add(1);
    }
}
