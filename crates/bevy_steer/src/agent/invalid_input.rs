//! Invalid input is named once, in the log, and then left out.

use std::{collections::HashSet, sync::Mutex};

use bevy::prelude::*;

/// After this many different warnings the log stays quiet.
const MAX_LOGGED: usize = 1000;

/// What has been warned of already.
#[derive(Resource, Default)]
pub(crate) struct InvalidInputLog(Mutex<HashSet<(Entity, String)>>);

impl InvalidInputLog {
    /// Logs a warning of the first entity of all that have this problem.
    #[cold]
    pub(crate) fn warn_of_first(&self, entity: Entity, field: &str, problem: &str) {
        let Ok(mut logged) = self.0.lock() else { return };
        if logged.insert((Entity::PLACEHOLDER, format!("{field} {problem}"))) {
            log::warn!("bevy_steer: {field} of {entity} {problem}");
        }
    }

    /// Logs a warning, the first time for this entity and field: "`field` of `entity` `problem`".
    ///
    /// The problem says what is wrong, what happens and for how long.
    #[cold]
    pub(crate) fn warn(&self, entity: Entity, field: &str, problem: &str) {
        let Ok(mut logged) = self.0.lock() else { return };
        if logged.len() >= MAX_LOGGED || !logged.insert((entity, field.to_owned())) {
            return;
        }
        log::warn!("bevy_steer: {field} of {entity} {problem}");
        if logged.len() == MAX_LOGGED {
            log::warn!("bevy_steer: {MAX_LOGGED} fields are invalid; the rest are not logged");
        }
    }
}
