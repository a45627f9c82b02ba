//! [`Aim`]: the parameter that was picked last.

use bevy::prelude::*;

use super::inspector::PickRequest;

/// The agent and the parameter that a click in the world has set last.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Aim(pub(crate) Option<(Entity, PickRequest)>);
