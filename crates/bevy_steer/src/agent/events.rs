//! The entity events of agents.
//!
//! They are triggered in [`SteeringSystems::Notify`](crate::SteeringSystems::Notify), at the end of
//! the tick, ordered by [`AgentId`].
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_steer::prelude::*;
//! # fn spawn(mut commands: Commands) {
//! commands
//!     .spawn((Vehicle::default(), Arrive::new(Vec2::new(3.0, 4.0))))
//!     .observe(|arrived: On<Arrived>, mut commands: Commands| {
//!         commands.entity(arrived.entity).remove::<Arrive>();
//!     });
//! # }
//! ```

use bevy::{prelude::*, utils::Parallel};

use crate::agent::id::AgentId;

/// An agent has come to rest at the target of its [`Arrive`](crate::Arrive), or has taken its slot
/// in an [`OffsetPursue`](crate::OffsetPursue).
///
/// Triggered once for each arrival, and again only after the target has moved or the agent has
/// left. Being pushed around at the target, up to ten radii away, does not count as a new arrival.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
}

/// The body of an agent does not fit where its goal is, because of an obstacle or a wall: it goes
/// to the nearest place where it does. [`Arrived`] is triggered there too.
///
/// Triggered once as soon as the agent is near enough to know, and again only after the goal has
/// been free.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct GoalBlocked {
    /// The agent.
    pub entity: Entity,
}

/// An agent has passed a point of its path.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct WaypointReached {
    /// The agent.
    pub entity: Entity,
    /// The index of the point in the path.
    pub index: usize,
}

/// An agent has come to rest at the last point of a path that ends there
/// ([`PathEnd::Stop`](crate::PathEnd::Stop)). [`WaypointReached`] has been triggered for that point
/// earlier, when the agent came within its radius.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct PathFinished {
    /// The agent.
    pub entity: Entity,
}

/// A behaviour with [`Target::Nearest`](crate::Target) or [`Target::All`](crate::Target) has found
/// a target, where it had none or another one before. Or a lost target exists again.
///
/// Not triggered for a [`Target::Entity`](crate::Target) that you set yourself.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct TargetFound {
    /// The agent.
    pub entity: Entity,
    /// Its target.
    pub target: Entity,
}

/// A behaviour has lost its target and there is no other one: it was despawned, has no `Transform`,
/// or, for a nearest one, is out of range. Triggered once for each loss.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
    /// The lost target, which may no longer exist.
    pub target: Entity,
}

struct QueuedEvent {
    id: AgentId,
    entity: Entity,
    /// The index of the behaviour, and its position among [`Several`](crate::Several).
    behavior: (usize, Option<usize>),
    trigger: Box<dyn FnOnce(&mut Commands) + Send>,
}

/// The events of this tick, collected on any thread.
#[derive(Resource, Default)]
pub(crate) struct EventQueue(Parallel<Vec<QueuedEvent>>);

impl EventQueue {
    #[cold]
    pub(crate) fn push<E>(&self, id: AgentId, behavior: (usize, Option<usize>), event: E)
    where
        E: EntityEvent + for<'a> Event<Trigger<'a>: Default>,
    {
        let entity = event.event_target();
        let trigger = Box::new(move |commands: &mut Commands| commands.trigger(event));
        self.0.borrow_local_mut().push(QueuedEvent { id, entity, behavior, trigger });
    }
}

/// Triggers the events of this tick, in an order that does not depend on threads or archetypes.
pub(crate) fn notify_observers(mut events: ResMut<EventQueue>, mut commands: Commands) {
    let mut all: Vec<QueuedEvent> = events.bypass_change_detection().0.drain().collect();
    // Stable: events of one behaviour of one agent come from one thread and stay in their order.
    all.sort_by_key(|queued| (queued.id, queued.entity, queued.behavior));
    for queued in all {
        (queued.trigger)(&mut commands);
    }
}
