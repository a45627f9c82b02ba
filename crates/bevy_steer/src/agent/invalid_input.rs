//! Reports of invalid input: once for each entity and field, in the log.

use std::{
    collections::HashSet,
    sync::{Mutex, OnceLock},
};

use bevy::prelude::*;

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
