//! Registration of behaviours.

use bevy::{ecs::component::RequiredComponentsError, prelude::*};

use crate::{
    agent::{surface_slot::SurfaceSlot, vehicle::Vehicle, velocity_limits::VelocityLimits},
    behavior::{several::Several, steering_behavior::SteeringBehavior},
    pipeline::{
        batch::BatchStrategy,
        behave::{Scalar, steer_agents},
        drawings::{CollectDrawings, DebugDrawings, collect_drawings},
        limit::gather::gather_limits,
        parameters::check_behaviors,
        registry::{BehaviorRegistry, RegisteredBehavior},
        schedule::{BehaviorStep, SteeringSchedule, Step},
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
    let steer = if B::DRIVES { Step::Move } else { Step::Correct };
    let own = |step| BehaviorStep(step, link);
    for step in [Step::Check, Step::Ask, Step::Gather, Step::Request, steer] {
        let last = if step == steer { last_alike } else { link.checked_sub(1) };
        app.configure_sets(SteeringSchedule, own(step).in_set(step));
        if let Some(last) = last {
            app.configure_sets(SteeringSchedule, own(step).after(BehaviorStep(step, last)));
        }
    }
    if !require::<B, Vehicle>(app) {
        warn_of_early_spawns::<B>(app);
    }
    if B::SURFACES {
        require::<B, SurfaceSlot>(app);
        app.add_systems(SteeringSchedule, ask_for_surfaces::<B>.in_set(own(Step::Ask)));
    }
    if B::LIMITS {
        require::<B, VelocityLimits>(app);
        app.add_systems(SteeringSchedule, gather_limits::<B>.in_set(own(Step::Gather)));
    }
    if B::ENCOUNTERS {
        app.add_systems(
            SteeringSchedule,
            (
                demand_encounters::<B>.in_set(Step::Demand).ambiguous_with(Step::Demand),
                demand_encounters::<B>.in_set(Step::DemandAgain).ambiguous_with(Step::DemandAgain),
                request_encounters::<B>.in_set(own(Step::Request)),
            ),
        );
    }
    if B::HAS_GOAL {
        app.add_systems(
            SteeringSchedule,
            note_goals::<B>.in_set(Step::NoteGoals).ambiguous_with(Step::NoteGoals),
        );
    }
    app.register_type::<B>().register_type::<Several<B>>().add_systems(
        SteeringSchedule,
        (check_behaviors::<B>.in_set(own(Step::Check)), steer_agents::<B, M>.in_set(own(steer))),
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
