//! [`Tick`]: the data that every step of a tick needs, among it the [`SteeringSettings`] and the
//! reports of invalid input.

use std::{
    collections::HashSet,
    sync::{Mutex, OnceLock},
};

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    agent::{events::EventQueue, locomotion::SteeringTick},
    ecs::Columns,
    space::{Bounds, SteeringPlane, WorldBounds},
};

/// The resources that every step of a tick needs.
#[derive(SystemParam)]
pub(crate) struct Tick<'w> {
    pub time: Res<'w, Time>,
    pub settings: Res<'w, SteeringSettings>,
    count: Res<'w, SteeringTick>,
    bounds: Option<Res<'w, WorldBounds>>,
    pub events: Res<'w, EventQueue>,
    pub invalid_input: Res<'w, InvalidInputLog>,
}

/// The same as plain references, for closures that run on many threads.
#[derive(Clone, Copy)]
pub(crate) struct TickRef<'a> {
    pub settings: &'a SteeringSettings,
    pub bounds: &'a Bounds,
    /// Of these bounds.
    pub periods: Vec3,
    pub events: &'a EventQueue,
    pub invalid_input: &'a InvalidInputLog,
    pub dt: f32,
    /// The number of ticks before this one.
    pub count: u64,
}

/// All rows have the same tick.
impl Columns for TickRef<'_> {
    fn split_at(self, _: usize) -> (Self, Self) {
        (self, self)
    }
}

impl Tick<'_> {
    pub(crate) fn borrow(&self) -> TickRef<'_> {
        TickRef {
            settings: &self.settings,
            bounds: self.world_bounds(),
            periods: self.world_bounds().periods(),
            events: &self.events,
            invalid_input: &self.invalid_input,
            dt: self.time.delta_secs(),
            count: self.count.0,
        }
    }

    pub(crate) fn world_bounds(&self) -> &Bounds {
        self.bounds.as_deref().map_or(&Bounds::UNBOUNDED, |bounds| &bounds.0)
    }
}

/// The settings of [`SteeringPlugin`](crate::SteeringPlugin) as a resource; may be changed while
/// the app runs.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringSettings {
    /// The plane of agents without a [`SteeringPlane`]. Default `Xy`.
    pub plane: SteeringPlane,
    /// The world's seed for random behaviours. Read when a behaviour first needs it. Default 0.
    pub seed: u64,
    /// Whether steering moves the agents. Otherwise a physics engine does: it reads
    /// [`SteeringForce`](crate::SteeringForce) and writes [`Velocity`](crate::Velocity) and
    /// `Transform`. Default true.
    pub integrate: bool,
}

impl Default for SteeringSettings {
    fn default() -> Self {
        Self { plane: SteeringPlane::default(), seed: 0, integrate: true }
    }
}

/// The maximum number of warnings. Further ones are suppressed.
const MAX_LOGGED: usize = 1000;

/// The maximum number of entities that a warning names.
const MAX_NAMED: usize = 50;

/// The warnings that have been logged.
#[derive(Resource, Default)]
pub(crate) struct InvalidInputLog {
    logged: Mutex<HashSet<(Entity, String)>>,
    is_too_far_out: OnceLock<()>,
}

impl InvalidInputLog {
    /// Logs a warning for the first agent that is too far from the origin to move. Whole crowds may
    /// be, in each tick, so whether it has been logged is known without a lock.
    pub(crate) fn warn_too_far_out(&self, entity: Entity, dt: f32) {
        /// In shorter ticks, rounding swallows the steps of agents near the origin too.
        const SHORT: f32 = 1e-3;
        if dt < SHORT {
            return;
        }
        self.is_too_far_out.get_or_init(|| {
            log::warn!(
                "bevy_steer: {entity}: Transform.translation is too far from the origin; rounding \
                 swallows the agent's steps, so it cannot move; use smaller coordinates or a \
                 larger scale (reported once)"
            );
        });
    }

    /// Logs a warning, the first time for this entity and field: "`entity`: `field` `problem`".
    ///
    /// The problem is "is (value); (what happens); (how to mend it)".
    #[cold]
    pub(crate) fn warn(&self, entity: Entity, field: &str, problem: &str) {
        self.warn_together([entity], field, problem);
    }

    /// Like [`warn`](Self::warn), for several entities in one warning.
    pub(crate) fn warn_together(
        &self,
        entities: impl IntoIterator<Item = Entity>,
        field: &str,
        problem: &str,
    ) {
        let Ok(mut logged) = self.logged.lock() else { return };
        let mut names: Vec<String> = Vec::new();
        let mut others = 0;
        for entity in entities {
            if logged.len() < MAX_LOGGED && logged.insert((entity, field.to_owned())) {
                if names.len() < MAX_NAMED { names.push(entity.to_string()) } else { others += 1 }
            }
        }
        if names.is_empty() {
            return;
        }
        let more = if others > 0 { format!(" and {others} more") } else { String::new() };
        log::warn!("bevy_steer: {}{more}: {field} {problem}", names.join(", "));
        if logged.len() == MAX_LOGGED {
            log::warn!(
                "bevy_steer: {MAX_LOGGED} fields are invalid; further warnings are suppressed"
            );
        }
    }
}
