//! [`visit_state`]: every component and resource that steering keeps from tick to tick.

use bevy::{ecs::component::Mutable, prelude::*};

use crate::{
    agent::{
        AgentId, AngularLimits, AngularVelocity, Heading, KeepRotation, NextAgentId,
        SkipIntegration, SteeringForce, SteeringHeight, SteeringLayers, SteeringSettings,
        SteeringTick, ThinkEvery, Vehicle, Velocity, WhenIdle,
    },
    behavior::{Several, SteeringBehavior},
    behaviors::{BehaviorVisitor, SteeringWish, Wish, visit_built_in_behaviors},
    ecs::StateData,
    neighbors::AgentDemand,
    obstacles::{Obstacle, Wall},
    pipeline::{arbitration::Arbitration, trace::SteeringTrace},
    space::{Bounds, SteeringPlane, WorldBounds},
};

/// Visits each component and resource that steering keeps from tick to tick, as a type.
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

/// Calls the visitor with every component and resource that steering keeps from tick to tick.
///
/// Use it to register them with a rollback or replication library, or to save them: a world in
/// which they are restored continues as before, bit for bit. A visitor is about ten lines:
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
/// # // Stands for a library, which has two such functions under other names.
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
/// | | [`SteeringForce`]: kept between decisions if an agent has [`ThinkEvery`] |
/// | identity and time | [`AgentId`], its counter [`NextAgentId`], [`SteeringTick`] |
/// | built-in behaviours | their parameters: [`visit_built_in_behaviors`] |
/// | | the memory of their targets, and whether an agent has arrived |
/// | | the point and the random stream of [`Wander`](crate::Wander) |
/// | | progress along a path, the side on which to pass an obstacle |
/// | | the behaviours in [`Several`] |
/// | requests of the game | [`Wish`], [`SteeringWish`] until it is read |
/// | [`Arbitration`] | the mode and its random stream |
/// | settings of an agent | [`Vehicle`], [`SteeringPlane`], [`SteeringLayers`], [`Bounds`] |
/// | | [`KeepRotation`], [`ThinkEvery`], [`WhenIdle`], [`SkipIntegration`], [`AngularLimits`] |
/// | | [`SteeringHeight`] |
/// | the world | [`Obstacle`], [`Wall`], [`WorldBounds`], [`SteeringSettings`] |
/// | for tools | [`SteeringTrace`], `ShowSteeringGizmos`, `HideSteeringTrace` (feature `gizmos`) |
/// | private | whether any agent needs the [`NeighborIndex`](crate::NeighborIndex) |
///
/// | not state | what |
/// | --- | --- |
/// | computed in each tick | the sums of requests to each agent, its entry in the index |
/// | | [`VelocityLimits`](crate::VelocityLimits) |
/// | | [`NeighborIndex`](crate::NeighborIndex), [`ObstacleIndex`](crate::ObstacleIndex) |
/// | | the events of the tick |
/// | outside of the simulation | the warnings already logged, measurements, debug drawings |
/// | | [`BehaviorRegistry`](crate::BehaviorRegistry), the systems that read the index |
///
/// # What your game has to do
///
/// - **Select the entities to restore**: those with a [`Vehicle`], an [`Obstacle`], a [`Wall`] or
///   [`SteeringLayers`], and every other entity that a result depends on, such as an entity at the
///   mouse that is a [`Target`](crate::Target), or a moving parent of a target.
/// - **Register the game's own state**, including its behaviours: call the visitor's methods, or
///   the library, for each of them. Mark references to entities with `#[entities]`.
/// - **Map entities.** An entity that is despawned and restored has another id. Let the library
///   call [`Component::map_entities`] on the components that it restores.
/// - **Restore resources last.** A respawned entity counts as a new agent until its [`AgentId`] is
///   restored, so [`NextAgentId`] must be restored after all components.
///
/// The guide to [networking](crate::guides::networking) says what game logic must not depend on,
/// and how to test a game.
pub fn visit_state(visitor: &mut impl StateVisitor) {
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
    visit_built_in_behaviors(&mut VisitBehaviors(visitor));
    visitor.resource::<SteeringSettings>();
    visitor.resource::<SteeringTick>();
    visitor.resource::<WorldBounds>();
    visitor.resource::<AgentDemand>();
    visitor.resource::<NextAgentId>();
}

/// Calls a visitor of state with the behaviours.
struct VisitBehaviors<'a, V>(&'a mut V);

impl<V: StateVisitor> BehaviorVisitor for VisitBehaviors<'_, V> {
    fn visit<B: SteeringBehavior + StateData + Default>(&mut self) {
        self.0.component::<B>();
        self.0.component::<Several<B>>();
    }
}
