//! [`SteeringSystems::Combine`](crate::SteeringSystems::Combine): wishes become one force.

use bevy::prelude::*;

use crate::{
    agent::{AgentData, AgentParts, AgentRows},
    arbitration::{AngularContributions, Arbitration, Contributions, OtherTiers, Stage},
    blend::Priority,
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

/// [`combined`] for eight agents. Returns for whom it could be done, one bit each.
#[inline(always)]
fn combine_block<L: Lanes>(l: L, rows: &mut Rows, first: usize) -> u8 {
    let vehicles = &rows.agents.vehicles()[first..first + WIDTH];
    let contributions = &mut rows.contributions[first..first + WIDTH];
    let (mut open, mut have_others) = (0, false);
    for (i, contributions) in contributions.iter().enumerate() {
        open |= u8::from(contributions.stage == Stage::Open) << i;
        have_others |= contributions.has_others();
    }
    let response = l.max(pack!(l, i => vehicles[i].response), l.splat(rows.tick.dt));
    let mass_per_response = l.div(pack!(l, i => vehicles[i].mass), response);
    let max_force = pack!(l, i => vehicles[i].max_force);
    let mut usual = l.mask(open);
    let change = if have_others {
        let budget = l.div(max_force, mass_per_response);
        let others = &rows.others[first..first + WIDTH];
        let tiers = core::array::from_fn(|i| contributions[i].tiers(&others[i]));
        let single = l.mask(single_tiers(contributions));
        let (wish, is_normal) = prioritized(l, &tiers, budget);
        usual = l.both(usual, is_normal);
        let first = vector(l, |i| contributions[i].first());
        [0, 1, 2].map(|d| l.select(single, first[d], wish[d]))
    } else {
        vector(l, |i| contributions[i].first())
    };
    let force = change.map(|change| l.mul(change, mass_per_response));
    let (force, is_normal) = truncated(l, force, max_force);
    let done = l.bits(l.both(usual, is_normal));
    let [x, y, z] = force;
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

fn single_tiers(contributions: &[Contributions]) -> u8 {
    let bit = |(i, one): (usize, &Contributions)| u8::from(!one.has_others()) << i;
    contributions.iter().enumerate().map(bit).sum()
}

#[inline(always)]
fn vector<L: Lanes>(l: L, f: impl Fn(usize) -> Vec3) -> [L::F; 3] {
    [pack!(l, i => f(i).x), pack!(l, i => f(i).y), pack!(l, i => f(i).z)]
}

#[inline(always)]
fn squared<L: Lanes>(l: L, [x, y, z]: [L::F; 3]) -> L::F {
    l.add(l.add(l.mul(x, x), l.mul(y, y)), l.mul(z, z))
}

#[inline(always)]
fn abs<L: Lanes>(l: L, x: L::F) -> L::F {
    l.copysign(x, l.splat(0.0))
}

/// [`truncate`], and for whom that is all there is to it.
#[inline(always)]
fn truncated<L: Lanes>(l: L, v: [L::F; 3], max: L::F) -> ([L::F; 3], L::M) {
    let squared = squared(l, v);
    let limit = l.mul(max, max);
    let largest = l.splat(f32::MAX);
    let is_normal = l.both(l.le(l.splat(f32::MIN_POSITIVE), limit), l.le(limit, largest));
    let is_normal = l.both(is_normal, l.le(squared, largest));
    let factor = l.min(l.div(max, l.sqrt(squared)), l.splat(1.0));
    (v.map(|x| l.mul(x, factor)), is_normal)
}

/// [`Arbitration::Prioritized`] for eight agents, and for whom that is all there is to it.
#[inline(always)]
fn prioritized<L: Lanes>(
    l: L,
    tiers: &[[Vec3; Priority::COUNT]; WIDTH],
    budget: L::F,
) -> ([L::F; 3], L::M) {
    let zero = l.splat(0.0);
    let mut sum = [zero; 3];
    let mut usual = l.mask(u8::MAX);
    for tier in Priority::ALL.map(|tier| tier as usize) {
        let wish = vector(l, |agent| tiers[agent][tier]);
        let left = l.sub(budget, l.sqrt(squared(l, sum)));
        let length_squared = squared(l, wish);
        let counts = l.both(l.lt(zero, length_squared), l.lt(zero, left));
        let (cut, is_normal) = truncated(l, wish, left);
        // Nothing, or all spent already; and a wish that only seems to be nothing, being too short to be squared, is not usual.
        let is_idle = l.either(l.le(length_squared, zero), l.le(left, zero));
        let is_nothing =
            l.le(l.add(l.add(abs(l, wish[0]), abs(l, wish[1])), abs(l, wish[2])), zero);
        let is_told = l.either(l.lt(zero, length_squared), is_nothing);
        usual = l.both(usual, l.both(is_told, l.either(is_normal, is_idle)));
        sum = [0, 1, 2].map(|d| l.add(sum[d], l.keep(counts, cut[d])));
    }
    let (sum, is_normal) = truncated(l, sum, budget);
    (sum, l.both(usual, is_normal))
}
