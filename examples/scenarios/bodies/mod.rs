//! Scenarios in which a physics engine moves the agents, compared with the same without bodies.

mod avian;
mod rapier;

use bevy_steer::prelude::*;
use clap::ValueEnum;

use super::{
    headless::{play_perturbed, steering},
    outcome::Outcome,
    scenario::Scenario,
};

/// A physics engine.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// `avian2d`.
    Avian,
    /// `bevy_rapier2d`.
    Rapier,
}

/// A scenario played without bodies and with them.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// The scenario.
    pub scenario: &'static Scenario,
    /// Without bodies.
    pub plain: Outcome,
    /// With dynamic bodies.
    pub bodies: Outcome,
}

impl Compared {
    /// Plays a scenario both ways. `None` if it is not in the plane of the engine.
    pub fn play(scenario: &'static Scenario, engine: Engine, perturbed: u64) -> Option<Self> {
        let bodies = match engine {
            Engine::Avian => avian::bodies,
            Engine::Rapier => rapier::bodies,
        };
        (scenario.plane == SteeringPlane::Xy).then(|| Self {
            scenario,
            plain: play_perturbed(scenario, steering, perturbed),
            bodies: play_perturbed(scenario, bodies, perturbed),
        })
    }
}
