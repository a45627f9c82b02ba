//! [`Detour`]: what a behaviour remembers of a way round obstacles.

use bevy::prelude::*;

use crate::{
    agent::{GoalBlocked, RuntimeState},
    behavior::agent::Agent,
};

/// What a behaviour remembers of a way round obstacles, from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
#[reflect(@RuntimeState)]
pub struct Detour {
    /// The axis about which the agent turned off its straight way, a unit vector; zero if that has
    /// been free for a while.
    pub axis: Vec3,
    /// For how long the straight way has been free, in seconds.
    pub free_for: f32,
    /// Whether it leaves no more room than the body needs, as a way with more was too long.
    pub is_narrow: bool,
    /// Whether it has been reported that the goal is blocked.
    pub is_blocked: bool,
}

/// How long it is remembered on which side the agent went round, in seconds: what it went round
/// may be out of sight for a moment.
const MEMORY: f32 = 0.5;

impl Detour {
    /// The straight way is free for these seconds.
    pub(crate) fn note_free(&mut self, seconds: f32) {
        self.free_for += seconds;
        if self.axis == Vec3::ZERO || self.free_for >= MEMORY {
            *self = Self { is_blocked: self.is_blocked, ..Self::default() };
        }
    }

    /// Whether there is nothing to remember.
    pub(crate) fn is_empty(&self) -> bool {
        self.axis == Vec3::ZERO && !self.is_blocked
    }

    /// Reports it if the goal of an agent is blocked, once.
    #[inline]
    pub(crate) fn report(&mut self, is_blocked: bool, agent: &Agent, offset: Vec3) {
        if is_blocked && !self.is_blocked {
            agent.emit(GoalBlocked { entity: agent.entity });
        }
        // From farther away what the goal is in may be out of sight.
        let is_free = !is_blocked && offset.length() <= 2.0 * agent.vehicle.radius;
        self.is_blocked = (is_blocked || self.is_blocked) && !is_free;
    }
}
