//! [`SteeringSettings`]: the settings of all agents.

use bevy::prelude::*;

use crate::space::plane::SteeringPlane;

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
