//! What happens to agents, as entity events for observers.
//!
//! They are triggered in [`SteeringSystems::Notify`](crate::SteeringSystems::Notify), when the tick
//! is done, ordered by [`AgentId`](crate::AgentId).
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
/// Once for each arrival: again only after the target has moved on, or the agent has left. That
/// others push it about where it rests is no new arrival, up to ten radii of its body away.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
}

/// An agent has passed a point of its path.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct WaypointReached {
    /// The agent.
    pub entity: Entity,
    /// Which point, as an index into the path.
    pub index: usize,
}

/// An agent has come to rest at the last point of a path that ends there
/// ([`PathEnd::Stop`](crate::PathEnd::Stop)). [`WaypointReached`] has been triggered for the point
/// when the agent came within the radius of it.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct PathFinished {
    /// The agent.
    pub entity: Entity,
}

/// A behaviour that looks for its target has found one: a [`Target::Nearest`](crate::Target) or
/// [`Target::All`](crate::Target) had none or another one before. Or a target that was lost is
/// there again.
///
/// An entity that the game itself has made the target is not found.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct TargetFound {
    /// The agent.
    pub entity: Entity,
    /// Its target.
    pub target: Entity,
}

/// The target of a behaviour is gone, and there is no other: despawned, without a `Transform`, or,
/// for a nearest one, out of reach. Once for each loss.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
    /// Its target; it may not exist any more.
    pub target: Entity,
}

struct QueuedEvent {
    id: AgentId,
    entity: Entity,
    /// Its index, and which of [`Several`](crate::Several) it is.
    behavior: (usize, Option<usize>),
    trigger: Box<dyn FnOnce(&mut Commands) + Send>,
}

/// Events of this tick, collected on whatever thread they come up.
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
