//! Invalid input is named once, in the log, and then left out.

use std::{
    collections::HashSet,
    sync::{Mutex, OnceLock},
};

use bevy::prelude::*;

/// After this many different warnings the log stays quiet.
const MAX_LOGGED: usize = 1000;

/// A warning of more entities than this names so many of them.
const MAX_NAMED: usize = 50;

/// What has been warned of already.
#[derive(Resource, Default)]
pub(crate) struct InvalidInputLog {
    logged: Mutex<HashSet<(Entity, String)>>,
    is_too_far_out: OnceLock<()>,
}

impl InvalidInputLog {
    /// Logs a warning of the first agent that cannot move. Whole crowds may be as far out in each
    /// tick, so that it has been said must be known without a lock.
    pub(crate) fn warn_too_far_out(&self, entity: Entity, dt: f32) {
        /// Steps of shorter ticks are swallowed near the origin too, and add up nowhere.
        const SHORT: f32 = 1e-3;
        if dt < SHORT {
            return;
        }
        self.is_too_far_out.get_or_init(|| {
            log::warn!(
                "bevy_steer: Transform.translation of {entity} is so far from the origin that \
                 rounding swallows its steps: it cannot move. Work with smaller coordinates or a \
                 larger scale (other agents are not named)"
            );
        });
    }

    /// Logs a warning, the first time for this entity and field: "`field` of `entity` `problem`".
    ///
    /// The problem says what is wrong, what happens and for how long.
    #[cold]
    pub(crate) fn warn(&self, entity: Entity, field: &str, problem: &str) {
        self.warn_together([entity], field, problem);
    }

    /// [`warn`](Self::warn) of several entities in one warning.
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
        log::warn!("bevy_steer: {field} of {}{more} {problem}", names.join(", "));
        if logged.len() == MAX_LOGGED {
            log::warn!("bevy_steer: {MAX_LOGGED} fields are invalid; the rest are not logged");
        }
    }
}
