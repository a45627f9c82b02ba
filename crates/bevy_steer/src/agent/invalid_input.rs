//! Bad input is named once, in the log, and then left alone.

use std::{collections::HashSet, sync::Mutex};

use bevy::prelude::*;

/// After this many different invalid_input the log stays quiet.
const MOST_LOGGED: usize = 1000;

/// What has been warned of already.
#[derive(Resource, Default)]
pub(crate) struct InvalidInputLog(Mutex<HashSet<(Entity, String)>>);

impl InvalidInputLog {
    /// Logs a warning, the first time for this entity and field.
    #[cold]
    pub(crate) fn warn(&self, entity: Entity, field: &str, what: &str) {
        let Ok(mut known) = self.0.lock() else { return };
        if known.len() >= MOST_LOGGED || !known.insert((entity, field.to_owned())) {
            return;
        }
        log::warn!(
            "bevy_steer: entity {entity}: `{field}` {what}; it is left out until this is mended"
        );
        if known.len() == MOST_LOGGED {
            log::warn!(
                "bevy_steer: {MOST_LOGGED} entities or fields make no sense; the rest are not logged"
            );
        }
    }
}
