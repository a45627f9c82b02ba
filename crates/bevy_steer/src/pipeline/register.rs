//! Registration of behaviours.

use bevy::{ecs::component::RequiredComponentsError, prelude::*};

use crate::{
    agent::{surface_slot::SurfaceSlot, vehicle::Vehicle, velocity_limits::VelocityLimits},
    behavior::{several::Several, steering_behavior::SteeringBehavior},
    pipeline::{
        batch::BatchStrategy,
        behave::steer_agents,
        behave_scalar::Scalar,
        drawings::{CollectDrawings, DebugDrawings, collect_drawings},
        limit::gather::gather_limits,
        parameters::check_behaviors,
        registry::{BehaviorRegistry, RegisteredBehavior},
        schedule::{
            BehaviorLink, LimitSteps, Readiness, SensingSteps, SteerSteps, SteeringSchedule,
        },
        sense::ask_for_surfaces,
    },
    sensing::{demand_encounters, note_goals, request_encounters},
};

/// Registers behaviours.
pub trait SteeringAppExt {
    /// Registers `B`, and [`Several<B>`](crate::Several), as steering behaviours of this app. They
    /// run after the ones registered before; those that only correct others
    /// ([`DRIVES`](SteeringBehavior::DRIVES)) after all that move an agent. A second call does
    /// nothing.
    ///
    /// From then on `B` requires a [`Vehicle`](crate::Vehicle): an entity that is spawned with the
    /// behaviour alone is an agent with the default vehicle. Entities that got `B` before, without
    /// a `Vehicle`, are not steered; a warning says so.
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self;
}

impl SteeringAppExt for App {
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self {
        register::<B, Scalar>(self)
    }
}

/// Registers a behaviour that processes agents with the strategy `M`.
pub(crate) fn register<B: SteeringBehavior, M: BatchStrategy<B>>(app: &mut App) -> &mut App {
    let mut registry =
        app.init_resource::<BehaviorRegistry>().world_mut().resource_mut::<BehaviorRegistry>();
    let link = registry.index_of::<B>();
    if link < registry.entries.len() {
        return app;
    }
    let registered = RegisteredBehavior::of::<B>(|app| {
        app.add_systems(
            PostUpdate,
            collect_drawings::<B>.in_set(CollectDrawings).ambiguous_with(CollectDrawings),
        );
    });
    let last_alike = registry.entries.iter().rposition(|entry| entry.drives == B::DRIVES);
    registry.entries.push(registered);
    if app.world().contains_resource::<DebugDrawings>() {
        registered.collect_drawings(app);
    }
    let (check, steer) = (BehaviorLink::Check(link), BehaviorLink::Steer(link));
    let (limit, request) = (BehaviorLink::Limit(link), BehaviorLink::Request(link));
    let ask = BehaviorLink::Ask(link);
    if let Some(last) = link.checked_sub(1) {
        app.configure_sets(
            SteeringSchedule,
            (
                check.after(BehaviorLink::Check(last)),
                ask.after(BehaviorLink::Ask(last)),
                limit.after(BehaviorLink::Limit(last)),
                request.after(BehaviorLink::Request(last)),
            ),
        );
    }
    if let Some(last) = last_alike {
        app.configure_sets(SteeringSchedule, steer.after(BehaviorLink::Steer(last)));
    }
    app.configure_sets(
        SteeringSchedule,
        (limit.in_set(LimitSteps::Gather), request.in_set(SensingSteps::Request)),
    );
    if !require::<B, Vehicle>(app) {
        warn_of_early_spawns::<B>(app);
    }
    if B::SURFACES {
        require::<B, SurfaceSlot>(app);
        app.add_systems(SteeringSchedule, ask_for_surfaces::<B>.in_set(ask));
    }
    if B::LIMITS {
        require::<B, VelocityLimits>(app);
        app.add_systems(SteeringSchedule, gather_limits::<B>.in_set(limit));
    }
    if B::ENCOUNTERS {
        app.add_systems(
            SteeringSchedule,
            (
                demand_encounters::<B>
                    .in_set(SensingSteps::Demand)
                    .ambiguous_with(SensingSteps::Demand),
                demand_encounters::<B>
                    .in_set(SensingSteps::DemandAgain)
                    .ambiguous_with(SensingSteps::DemandAgain),
                request_encounters::<B>.in_set(request),
            ),
        );
    }
    if B::HAS_GOAL {
        app.add_systems(
            SteeringSchedule,
            note_goals::<B>.in_set(SensingSteps::NoteGoals).ambiguous_with(SensingSteps::NoteGoals),
        );
    }
    app.register_type::<B>()
        .register_type::<Several<B>>()
        .configure_sets(
            SteeringSchedule,
            (
                check.in_set(Readiness::Check),
                ask.in_set(Readiness::Ask),
                steer.in_set(if B::DRIVES { SteerSteps::Move } else { SteerSteps::Correct }),
            ),
        )
        .add_systems(
            SteeringSchedule,
            (check_behaviors::<B>.in_set(check), steer_agents::<B, M>.in_set(steer)),
        )
}

/// Names an entity that got the behaviour before it was registered.
fn warn_of_early_spawns<B: SteeringBehavior>(app: &mut App) {
    let world = app.world_mut();
    let mut early = world.query_filtered::<Entity, Or<(With<B>, With<Several<B>>)>>();
    let entity = early.iter(world).next().map(|entity| format!("{entity}: ")).unwrap_or_default();
    log::warn!(
        "bevy_steer: {entity}{} was spawned before it was registered; it does not add a Vehicle to \
         its entities; add SteeringPlugin and register behaviours before you spawn agents",
        B::name()
    );
}

/// Agents with the behaviour, once or several times, have `C` as well. Returns false if there are
/// such agents already, which is too late.
fn require<B: SteeringBehavior, C: Component + Default>(app: &mut App) -> bool {
    let results = [
        app.try_register_required_components::<B, C>(),
        app.try_register_required_components::<Several<B>, C>(),
    ];
    // Any other error says that the behaviour requires the component itself.
    !results.iter().any(|one| matches!(one, Err(RequiredComponentsError::ArchetypeExists(_))))
}
