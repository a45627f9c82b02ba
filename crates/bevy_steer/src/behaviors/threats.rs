//! The threat or threats that [`Flee`](crate::Flee) and [`Evade`](crate::Evade) flee from.

use bevy::prelude::*;

use crate::{
    behavior::{Agent, Target, TargetMemory, TargetView, Targets},
    space::vector::{NEGLIGIBLE, direction, perpendicular},
};

/// Whether a threat at this offset is beyond the panic distance.
pub(super) fn is_calm(offset: Vec3, panic_distance: Option<f32>) -> bool {
    panic_distance.is_some_and(|panic| offset.length_squared() > panic * panic.max(0.0))
}

/// The offset of a threat, or a direction to flee from if the threat is at the same position.
pub(super) fn threat_or_parting(agent: &Agent, offset: Vec3) -> Vec3 {
    if offset.length_squared() > NEGLIGIBLE * NEGLIGIBLE { offset } else { agent.own_way_out() }
}

/// The offset of the threat to flee from, if there is one within the panic distance, at its
/// `expected` position. For several threats, the offset of one that represents all of them.
pub(super) fn find_threat(
    agent: &Agent,
    targets: &Targets,
    target: &Target,
    memory: &mut TargetMemory,
    panic_distance: Option<f32>,
    expected: impl Fn(Vec3, &TargetView) -> Vec3,
) -> Option<Vec3> {
    let within = if let Target::All { within, .. } = *target { within } else { f32::INFINITY };
    let reach = panic_distance.map_or(within, |panic| panic.min(within));
    let mut threats = Threats::default();
    targets.find_all(agent, target, memory, |view| {
        if !is_calm(view.offset, panic_distance) {
            let offset = threat_or_parting(agent, view.offset);
            threats.add(offset, expected(offset, view), reach);
        }
    });
    match threats.count {
        0 => None,
        1 => Some(threats.last),
        _ => Some(-threats.way_out(agent)),
    }
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
