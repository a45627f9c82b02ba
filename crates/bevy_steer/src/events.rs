//! What happens to agents, as entity events for observers.
//!
//! They are triggered in [`SteeringSystems::Notify`](crate::SteeringSystems::Notify), when the tick is done, ordered by
//! [`AgentNumber`](crate::AgentNumber).
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

use crate::number::AgentNumber;

/// An agent has come to rest at the target of its [`Arrive`](crate::Arrive). Again only after it, or the target, has left.
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

/// An agent has reached the last point of a path that ends there ([`PathEnd::Stop`](crate::PathEnd::Stop)).
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct PathFinished {
    /// The agent.
    pub entity: Entity,
}

/// The target of a behaviour is gone: despawned, without a `Transform`, or, for a nearest one, out of reach. Once for
/// each loss.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Event, Debug, PartialEq, Clone)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
    /// Who it was after; it may not exist any more.
    pub target: Entity,
}

/// What a behaviour can tell the observers of its agent, by [`Agent::emit`](crate::Agent::emit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteeringEvent {
    /// Triggers [`Arrived`].
    Arrived,
    /// Triggers [`WaypointReached`], for the point of this index.
    WaypointReached(usize),
    /// Triggers [`PathFinished`].
    PathFinished,
    /// Triggers [`TargetLost`], for this target.
    TargetLost(Entity),
}

struct Notice {
    number: AgentNumber,
    entity: Entity,
    behavior: usize,
    event: SteeringEvent,
}

/// Events of this tick, collected on whatever thread they come up.
#[derive(Resource, Default)]
pub(crate) struct Notices(Parallel<Vec<Notice>>);

impl Notices {
    #[cold]
    pub(crate) fn push(
        &self,
        number: AgentNumber,
        entity: Entity,
        behavior: usize,
        event: SteeringEvent,
    ) {
        self.0.borrow_local_mut().push(Notice { number, entity, behavior, event });
    }
}

/// Triggers the events of this tick, in an order that does not depend on threads or archetypes.
pub(crate) fn notify_observers(mut notices: ResMut<Notices>, mut commands: Commands) {
    let mut all: Vec<Notice> = notices.bypass_change_detection().0.drain().collect();
    // Stable: events of one behaviour of one agent come from one thread and stay in their order.
    all.sort_by_key(|notice| (notice.number, notice.entity, notice.behavior));
    for Notice { entity, event, .. } in all {
        match event {
            SteeringEvent::Arrived => commands.trigger(Arrived { entity }),
            SteeringEvent::WaypointReached(index) => {
                commands.trigger(WaypointReached { entity, index });
            }
            SteeringEvent::PathFinished => commands.trigger(PathFinished { entity }),
            SteeringEvent::TargetLost(target) => commands.trigger(TargetLost { entity, target }),
        }
    }
}
