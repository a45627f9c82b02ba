//! [`SteeringSystems::Combine`](crate::SteeringSystems::Combine): wishes become one force.

use bevy::prelude::*;

use crate::{
    agent::{AgentData, AgentParts, AgentRows},
    arbitration::{AngularContributions, Arbitration, Contributions, OtherTiers, Stage},
    lanes::{Kernel, Lanes, WIDTH, dispatch, pack},
    rows::{Changing, Column, for_each_piece, silent},
    tick::{Tick, TickRef},
    vector::{are_finite, truncate},
    vehicle::SteeringForce,
};

pub(crate) fn combine_contributions(
    mut agents: Query<(
        AgentData,
        &mut Contributions,
        &OtherTiers,
        Option<&mut AngularContributions>,
        Option<&mut Arbitration>,
        &mut SteeringForce,
    )>,
    tick: Tick,
) {
    let tick = tick.borrow();
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let mut tables: Vec<_> = tables
        .map(|(agents, contributions, others, angular, modes, forces)| {
            let wishes = (silent(contributions), others, angular.map(silent), modes.map(silent));
            (AgentRows::from(agents), wishes, Column::from(forces))
        })
        .collect();
    let tables = tables.iter_mut().map(|(agents, (own, others, angular, modes), forces)| {
        let wishes = (&mut **own, *others, angular.as_deref_mut(), modes.as_deref_mut());
        (agents.len(), (agents.first(agents.len()), wishes, forces.lend()))
    });
    for_each_piece(tables.collect(), |count, (agents, wishes, forces)| {
        let (contributions, others, angular, modes) = wishes;
        let is_plain = agents.are_plain() && angular.is_none() && modes.is_none();
        let rows = Rows { count, agents, contributions, others, angular, modes, forces, tick };
        if is_plain { dispatch(PlainRows(rows)) } else { rows.combine() }
    });
}

/// Columns of agents whose wishes are to be combined.
struct Rows<'a> {
    count: usize,
    agents: AgentRows<'a>,
    contributions: &'a mut [Contributions],
    others: &'a [OtherTiers],
    angular: Option<&'a mut [AngularContributions]>,
    modes: Option<&'a mut [Arbitration]>,
    forces: Changing<'a, SteeringForce>,
    tick: TickRef<'a>,
}

/// Agents that do not turn by themselves, arbitrate by priority and have none of the rarer components.
struct PlainRows<'a>(Rows<'a>);

impl Rows<'_> {
    fn combine(mut self) {
        for row in 0..self.count {
            self.combine_one::<false>(row);
        }
    }

    #[inline(always)]
    fn combine_one<const PLAIN: bool>(&mut self, row: usize) {
        let parts = self.agents.row::<PLAIN>(row);
        let contributions = &mut self.contributions[row];
        let stage = contributions.enter(&parts, self.tick);
        let angular = self.angular.as_mut().map(|rows| &mut rows[row]);
        if stage != Stage::Resting {
            let mode = self.modes.as_mut().map(|rows| &mut rows[row]);
            let force = if stage == Stage::Open {
                let angular = angular.as_deref();
                combined(&parts, contributions, &self.others[row], angular, mode, self.tick)
            } else {
                SteeringForce::default()
            };
            self.forces.set_if_neq(row, force);
        }
        contributions.close();
        if let Some(angular) = angular {
            angular.clear();
        }
    }
}

fn combined(
    parts: &AgentParts,
    contributions: &Contributions,
    others: &OtherTiers,
    angular: Option<&AngularContributions>,
    mode: Option<&mut Arbitration>,
    tick: TickRef,
) -> SteeringForce {
    let vehicle = parts.vehicle;
    let response = vehicle.response.max(parts.decision_time(tick));
    let mass_per_response = vehicle.mass / response;
    let mut force = SteeringForce::default();
    if let Some(angular) = angular {
        let spin = parts.plane(tick).flatten_turn(parts.spin.unwrap_or(Vec3::ZERO));
        force.angular = angular.arbitrate(mode.as_deref(), spin) / response;
    }
    let change = match (contributions.only_tier(), &mode) {
        (Some(change), None) => change,
        _ => {
            let budget = vehicle.max_force / mass_per_response;
            contributions.arbitrate(others, mode, budget, tick.settings.seed, parts.number)
        }
    };
    force.linear = truncate(change * mass_per_response, vehicle.max_force);
    if !are_finite(force.linear, force.angular) {
        tick.offences.warn(parts.entity, "SteeringForce", "is not finite");
        force = SteeringForce::default();
    }
    force
}

impl Kernel for PlainRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let mut rows = self.0;
        let blocks = rows.count / WIDTH;
        for block in 0..blocks {
            let first = block * WIDTH;
            let done = combine_block(l, &mut rows, first);
            for row in first..first + WIDTH {
                if done >> (row - first) & 1 == 0 {
                    rows.combine_one::<true>(row);
                }
            }
        }
        for row in blocks * WIDTH..rows.count {
            rows.combine_one::<true>(row);
        }
    }
}

/// [`combined`] for eight agents that have spoken in one tier each. Returns for whom it could be done, one bit each.
#[inline(always)]
fn combine_block<L: Lanes>(l: L, rows: &mut Rows, first: usize) -> u8 {
    let vehicles = &rows.agents.vehicles()[first..first + WIDTH];
    let contributions = &mut rows.contributions[first..first + WIDTH];
    let mut simple = 0;
    for (i, contributions) in contributions.iter().enumerate() {
        simple |= u8::from(contributions.is_simple()) << i;
    }
    let response = l.max(pack!(l, i => vehicles[i].response), l.splat(rows.tick.dt));
    let mass_per_response = l.div(pack!(l, i => vehicles[i].mass), response);
    let force = [
        l.mul(pack!(l, i => contributions[i].first().x), mass_per_response),
        l.mul(pack!(l, i => contributions[i].first().y), mass_per_response),
        l.mul(pack!(l, i => contributions[i].first().z), mass_per_response),
    ];
    let max_force = pack!(l, i => vehicles[i].max_force);

    let squared = l.add(
        l.add(l.mul(force[0], force[0]), l.mul(force[1], force[1])),
        l.mul(force[2], force[2]),
    );
    let limit = l.mul(max_force, max_force);
    let largest = l.splat(f32::MAX);
    let is_normal = l.both(l.le(l.splat(f32::MIN_POSITIVE), limit), l.le(limit, largest));
    let done = simple & l.bits(l.both(is_normal, l.le(squared, largest)));
    let truncation = l.min(l.div(max_force, l.sqrt(squared)), l.splat(1.0));
    let [x, y, z] = force;
    let (x, y, z) = (l.mul(x, truncation), l.mul(y, truncation), l.mul(z, truncation));
    let (x, y, z) = (l.unpack(x), l.unpack(y), l.unpack(z));
    for i in 0..WIDTH {
        if done >> i & 1 == 1 {
            let linear = Vec3::new(x[i], y[i], z[i]);
            rows.forces.set_if_neq(first + i, SteeringForce { linear, angular: Vec3::ZERO });
            contributions[i].close();
        }
    }
    done
}
