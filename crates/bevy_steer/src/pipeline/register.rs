//! Registration of behaviours.

use bevy::prelude::*;

use crate::{
    agent::{surface_slot::SurfaceSlot, velocity_limits::VelocityLimits},
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
            BehaviorLink, LimitSteps, Readiness, SensingSteps, SteeringSchedule, SteeringSystems,
        },
        sense::ask_for_surfaces,
    },
    sensing::{demand_encounters, note_goals, request_encounters},
};

/// Registers behaviours.
pub trait SteeringAppExt {
    /// Registers `B`, and [`Several<B>`](crate::Several), as steering behaviours of this app. They
    /// run after the ones registered before. A second call does nothing.
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
                steer.after(BehaviorLink::Steer(last)),
                limit.after(BehaviorLink::Limit(last)),
                request.after(BehaviorLink::Request(last)),
            ),
        );
    }
    app.configure_sets(
        SteeringSchedule,
        (limit.in_set(LimitSteps::Gather), request.in_set(SensingSteps::Request)),
    );
    // An error says that the behaviour requires a component itself.
    if B::SURFACES {
        _ = app.try_register_required_components::<B, SurfaceSlot>();
        _ = app.try_register_required_components::<Several<B>, SurfaceSlot>();
        app.add_systems(SteeringSchedule, ask_for_surfaces::<B>.in_set(ask));
    }
    if B::LIMITS {
        _ = app.try_register_required_components::<B, VelocityLimits>();
        _ = app.try_register_required_components::<Several<B>, VelocityLimits>();
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
                steer.in_set(SteeringSystems::Behave),
            ),
        )
        .add_systems(
            SteeringSchedule,
            (check_behaviors::<B>.in_set(check), steer_agents::<B, M>.in_set(steer)),
        )
}
