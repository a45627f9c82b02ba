//! [`visit_state`]: every component and resource that steering keeps from tick to tick.

use bevy::{ecs::component::Mutable, prelude::*};

use crate::{
    agent::{
        height::SteeringHeight,
        id::{AgentId, NextAgentId},
        layers::SteeringLayers,
        locomotion::{AngularLimits, SkipIntegration, WhenIdle},
        settings::SteeringSettings,
        think::{SteeringTick, ThinkEvery},
        vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity},
    },
    behavior::{several::Several, steering_behavior::SteeringBehavior},
    behaviors::{BehaviorVisitor, SteeringWish, Wish, visit_built_in_behaviors},
    ecs::state_data::StateData,
    neighbors::AgentDemand,
    obstacles::{Obstacle, Wall},
    pipeline::{arbitration::Arbitration, trace::SteeringTrace},
    space::{
        bounds::{Bounds, WorldBounds},
        plane::SteeringPlane,
    },
};

/// Is shown each component and resource that steering keeps from tick to tick, as a type.
///
/// See [`visit_state`], which has an example.
pub trait StateVisitor {
    /// Called once for each component.
    ///
    /// References to other entities inside the component are mapped by
    /// [`Component::map_entities`], as in Bevy's scenes.
    fn component<C: Component<Mutability = Mutable> + StateData>(&mut self);

    /// Called once for each resource, after all components.
    fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self);
}

/// Shows the visitor every component and resource that steering keeps from tick to tick.
///
/// Feed a rollback or replication library with it, or a save file: a world in which these are as
/// they were continues as it did, bit by bit. A visitor is about ten lines:
///
/// ```
/// use bevy::{ecs::component::Mutable, prelude::*};
/// use bevy_steer::{StateData, StateVisitor, prelude::*, visit_state};
///
/// /// Registers the state of steering with the library that rolls the game back.
/// struct RollBack<'a>(&'a mut App);
///
/// impl StateVisitor for RollBack<'_> {
///     fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
///         self.0.roll_back_component::<C>();
///     }
///     fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {
///         self.0.roll_back_resource::<R>();
///     }
/// }
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
/// visit_state(&mut RollBack(&mut app));
/// # assert!(app.world().resource::<Registered>().0.len() > 30);
/// # // Stands for a library, which has two such functions under names of its own.
/// # #[derive(Resource, Default)]
/// # struct Registered(Vec<&'static str>);
/// # trait RollbackLibrary {
/// #     fn roll_back_component<C: Component<Mutability = Mutable> + Clone>(&mut self);
/// #     fn roll_back_resource<R: Resource<Mutability = Mutable> + Clone>(&mut self);
/// # }
/// # impl RollbackLibrary for App {
/// #     fn roll_back_component<C: Component<Mutability = Mutable> + Clone>(&mut self) {
/// #         let name = core::any::type_name::<C>();
/// #         self.world_mut().get_resource_or_init::<Registered>().0.push(name);
/// #     }
/// #     fn roll_back_resource<R: Resource<Mutability = Mutable> + Clone>(&mut self) {
/// #         self.roll_back_component::<R>();
/// #     }
/// # }
/// ```
///
/// # What is state and what is not
///
/// | state | what |
/// | --- | --- |
/// | motion | `Transform`, [`Velocity`], [`AngularVelocity`], [`Heading`] |
/// | | [`SteeringForce`]: read again where an agent has [`ThinkEvery`] |
/// | identity and time | [`AgentId`], its counter [`NextAgentId`], [`SteeringTick`] |
/// | built-in behaviours | their parameters: [`visit_built_in_behaviors`] |
/// | | what they remember of their targets, and whether an agent has arrived |
/// | | the point and the random stream of [`Wander`](crate::Wander) |
/// | | progress along a path, the side on which to pass an obstacle |
/// | | those of which an agent has [`Several`] |
/// | wishes of the game | [`Wish`], [`SteeringWish`] between being added and the end of the tick |
/// | [`Arbitration`] | the mode and its random stream |
/// | settings of an agent | [`Vehicle`], [`SteeringPlane`], [`SteeringLayers`], [`Bounds`] |
/// | | [`KeepRotation`], [`ThinkEvery`], [`WhenIdle`], [`SkipIntegration`], [`AngularLimits`] |
/// | | [`SteeringHeight`] |
/// | the world | [`Obstacle`], [`Wall`], [`WorldBounds`], [`SteeringSettings`] |
/// | for tools | [`SteeringTrace`], `ShowSteeringGizmos`, `HideSteeringTrace` (feature `gizmos`) |
/// | not public | whether any agent needs the [`NeighborIndex`](crate::NeighborIndex) |
///
/// | not state | what |
/// | --- | --- |
/// | computed in each tick | the sums of contributions to each agent, its slot in the index |
/// | | [`VelocityLimits`](crate::VelocityLimits) |
/// | | [`NeighborIndex`](crate::NeighborIndex), [`ObstacleIndex`](crate::ObstacleIndex) |
/// | | the events of the tick |
/// | outside of the simulation | the warnings already logged, measurements, debug drawings |
/// | | [`BehaviorRegistry`](crate::BehaviorRegistry), which systems read the index |
///
/// # What is left to the game
///
/// - **Which entities.** Those with a [`Vehicle`], an [`Obstacle`], a [`Wall`] or
///   [`SteeringLayers`], and what else a result depends on: an entity at the mouse that is a
///   [`Target`](crate::Target), a moving parent of a target.
/// - **Its own state**, including its own behaviours: call the visitor's methods, or the library,
///   for each of them. Mark references to entities with `#[entities]`.
/// - **Mapping entities.** An entity that is despawned and comes back has another id. Let the
///   library call [`Component::map_entities`] on what it restores.
/// - **Resources after components.** An entity that comes back counts as a new agent until its
///   [`AgentId`] is restored, so [`NextAgentId`] must be restored after everything else.
///
/// The repository's `docs/networking.md` is the guide: which rules a rollback breaks, and how to
/// test a game.
pub fn visit_state(visitor: &mut impl StateVisitor) {
    visit_bodies(visitor);
    visit_built_in_behaviors(&mut VisitBehaviors(visitor));
    visit_resources(visitor);
}

fn visit_bodies(visitor: &mut impl StateVisitor) {
    visitor.component::<Transform>();
    visitor.component::<Velocity>();
    visitor.component::<AngularVelocity>();
    visitor.component::<Heading>();
    visitor.component::<SteeringForce>();
    visitor.component::<AgentId>();
    visitor.component::<Vehicle>();
    visitor.component::<SteeringPlane>();
    visitor.component::<SteeringHeight>();
    visitor.component::<SteeringLayers>();
    visitor.component::<Bounds>();
    visitor.component::<KeepRotation>();
    visitor.component::<ThinkEvery>();
    visitor.component::<WhenIdle>();
    visitor.component::<SkipIntegration>();
    visitor.component::<AngularLimits>();
    visitor.component::<Arbitration>();
    visitor.component::<Wish>();
    visitor.component::<SteeringWish>();
    visitor.component::<Obstacle>();
    visitor.component::<Wall>();
    visitor.component::<SteeringTrace>();
    #[cfg(feature = "gizmos")]
    visitor.component::<crate::debug::gizmos::ShowSteeringGizmos>();
    #[cfg(feature = "gizmos")]
    visitor.component::<crate::debug::gizmos::HideSteeringTrace>();
}

fn visit_resources(visitor: &mut impl StateVisitor) {
    visitor.resource::<SteeringSettings>();
    visitor.resource::<SteeringTick>();
    visitor.resource::<WorldBounds>();
    visitor.resource::<AgentDemand>();
    visitor.resource::<NextAgentId>();
}

/// Shows a visitor of state the behaviours.
struct VisitBehaviors<'a, V>(&'a mut V);

impl<V: StateVisitor> BehaviorVisitor for VisitBehaviors<'_, V> {
    fn visit<B: SteeringBehavior + StateData + Default>(&mut self) {
        self.0.component::<B>();
        self.0.component::<Several<B>>();
    }
}
