//! [`EncounterRequest`]: which other agents a behaviour has to know of.

use crate::agent::{layers::SteeringLayers, right_of_way::Claim};

/// What a behaviour asks of the search for other agents that its agent may collide with, see
/// [`Encounters`](crate::Encounters). Where several behaviours of an agent ask, the search is as
/// wide as the widest of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EncounterRequest {
    /// Layers of the agents to find. Default: all.
    pub layers: SteeringLayers,
    /// The radius of the room that the agent wants around itself, in units. Default 0.
    pub room: f32,
    /// How far ahead to look, in seconds. Default 0: only agents in that room.
    #[doc(alias = "horizon")]
    pub look_ahead: f32,
    /// By how much the agents may come to approach each other faster than they do now, in units a
    /// second. Default 0.
    pub spare: f32,
    /// What other agents learn of this one's intentions. Default none: it does not avoid them, so
    /// they give way.
    pub claim: Option<Claim>,
}

impl EncounterRequest {
    /// A request for agents that come within `room` units of the agent's centre in the next
    /// `look_ahead` seconds.
    pub fn new(room: f32, look_ahead: f32) -> Self {
        Self { layers: SteeringLayers::ALL, room, look_ahead, spare: 0.0, claim: None }
    }
}
