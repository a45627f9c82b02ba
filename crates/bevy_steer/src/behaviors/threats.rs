//! The threat or threats that [`Flee`](crate::Flee) and [`Evade`](crate::Evade) flee from.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    behavior::{Agent, Steering, Target, TargetMemory, TargetView, Targets, kept_within},
    behaviors::flee::flee,
    space::{NEGLIGIBLE, direction, perpendicular},
};

/// Whether a threat at this offset is beyond the panic distance.
pub(super) fn is_calm(offset: Vec3, panic_distance: Option<f32>) -> bool {
    panic_distance.is_some_and(|panic| offset.length_squared() > panic * panic.max(0.0))
}

/// How far away threats frighten an agent.
#[derive(Clone, Copy)]
pub(super) struct Fear {
    /// A threat frightens it within this distance, in units; infinite without a panic distance.
    starts_within: f32,
    /// An agent that has been frightened is calm beyond this distance, in units.
    ends_beyond: f32,
}

/// The least fraction of its top speed at which an agent flees: it gets where fear ends also from a
/// threat that stands still.
const LEAST_HASTE: f32 = 0.05;

impl Fear {
    pub(super) fn new(target: &Target, panic_distance: Option<f32>) -> Self {
        let range = target.range().unwrap_or(f32::INFINITY);
        let starts_within = panic_distance.map_or(range, |panic| panic.max(0.0).min(range));
        Self { starts_within, ends_beyond: kept_within(starts_within) }
    }

    /// How far away threats count, in units.
    pub(super) fn reach(self, afraid: bool) -> f32 {
        if afraid { self.ends_beyond } else { self.starts_within }
    }

    /// The fraction of its top speed at which the agent flees from a threat at this distance: less
    /// and less from where fear starts to where it ends. So it retreats before a slow threat at the
    /// speed of that, and does not start and stop.
    fn haste(self, distance: f32) -> f32 {
        let Self { starts_within, ends_beyond } = self;
        if distance <= starts_within {
            return 1.0;
        }
        let share = (ends_beyond - distance) / (ends_beyond - starts_within);
        share.clamp(LEAST_HASTE, 1.0)
    }
}

/// The offset of a threat, or a direction to flee from if the threat is at the same position.
pub(super) fn threat_or_parting(agent: &Agent, offset: Vec3) -> Vec3 {
    if offset.length_squared() > NEGLIGIBLE * NEGLIGIBLE { offset } else { agent.own_way_out() }
}

/// What [`Flee`](crate::Flee) and [`Evade`](crate::Evade) keep from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct FearMemory {
    /// The memory of the target.
    #[entities]
    pub target: TargetMemory,
    /// Whether a threat frightens it.
    pub afraid: bool,
}

/// The request of an agent that flees from what frightens it, if anything does: from where each
/// threat is `expected`, given its offset.
pub(super) fn run_from_threats(
    agent: &Agent,
    targets: &Targets,
    target: &Target,
    panic_distance: Option<f32>,
    memory: &mut FearMemory,
    expected: impl Fn(Vec3, &TargetView) -> Vec3,
) -> Steering {
    let fear = Fear::new(target, panic_distance);
    let reach = fear.reach(memory.afraid);
    let (mut threats, mut nearest) = (Threats::default(), f32::INFINITY);
    targets.find_all(agent, target, &mut memory.target, |view| {
        let distance = view.offset.length();
        if distance <= reach {
            // Where it will be once the agent has responded: it slows down without overshooting.
            let soon = view.offset - agent.velocity * agent.response();
            nearest = nearest.min(soon.length());
            let offset = threat_or_parting(agent, view.offset);
            threats.add(offset, expected(offset, view), reach);
        }
    });
    memory.afraid = threats.count > 0;
    let offset = match threats.count {
        0 => return Steering::NONE,
        1 => threats.last,
        _ => -threats.way_out(agent),
    };
    let speed = agent.vehicle.max_speed * fear.haste(nearest);
    Steering::linear(flee(Vec3::ZERO, agent.velocity, offset, speed, None))
}

/// Threats, summed by nearness.
#[derive(Default)]
struct Threats {
    count: u32,
    /// The offset of the last one.
    last: Vec3,
    /// The sum of the weights times the directions away from each.
    away: Vec3,
    weight: f32,
    /// The direction to the nearest, and the reciprocal of its distance.
    nearest: Vec3,
    nearness: f32,
}

impl Threats {
    /// Adds a threat at `offset`, which will be at `expected` and is ignored beyond `reach` units.
    /// A threat at the edge has no weight, so that the result does not jump when it comes in range.
    ///
    /// Its present position counts as much as the expected one. Otherwise two threats that are
    /// about to cut the agent off ahead would turn it back towards them.
    fn add(&mut self, offset: Vec3, expected: Vec3, reach: f32) {
        let nearness = 1.0 / offset.length();
        let weight = (nearness - 1.0 / reach).max(0.0);
        self.count += 1;
        self.last = expected;
        self.away -= (direction(offset) + direction(expected)) * (0.5 * weight);
        self.weight += weight;
        if nearness > self.nearness {
            (self.nearest, self.nearness) = (direction(offset), nearness);
        }
    }

    /// The direction to flee in: away from all of them, and sideways past the nearest as far as
    /// they cancel each other out.
    fn way_out(&self, agent: &Agent) -> Vec3 {
        /// The weight of the present direction of motion in the choice of the side, so that the
        /// agent keeps to one side.
        const KEEP_SIDE: f32 = 0.5;
        let away = if self.weight > 0.0 { self.away / self.weight } else { -self.nearest };
        let hint = away * agent.vehicle.max_speed + agent.velocity * KEEP_SIDE;
        let side = direction(perpendicular(hint, self.nearest));
        let side = if side == Vec3::ZERO { agent.own_side(self.nearest) } else { side };
        away + side * (1.0 - away.length()).max(0.0)
    }
}
