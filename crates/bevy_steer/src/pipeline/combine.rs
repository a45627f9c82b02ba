//! [`SteeringSystems::Combine`](crate::SteeringSystems::Combine): wishes become one force.

use bevy::prelude::*;

use crate::{
    agent::{
        blend::Priority,
        columns::{AgentColumns, AgentData, AgentParts},
        contributions::{self, AngularContributions, Contributions, Stage, TierSums},
        tick_context::{Tick, TickRef},
        vehicle::{SteeringForce, VehicleBlock},
    },
    ecs::{
        columns::{Column, TrackedColumn, aligned, aligned_mut, untracked},
        parallel::for_each_piece,
    },
    pipeline::{
        arbitration::Arbitration,
        trace::SteeringTrace,
        validate::{Validation, validate_block, validate_one},
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH, every, unset_lanes},
        vector::{Vector, abs, at, differ, dot, each, select, truncated, unpacked, vector},
    },
    space::vector::{is_finite, truncate},
};

pub(crate) fn combine_contributions(
    mut agents: Query<(
        AgentData,
        &mut Contributions,
        &TierSums,
        Option<&mut AngularContributions>,
        Option<&mut Arbitration>,
        Option<&mut SteeringTrace>,
        &mut SteeringForce,
    )>,
    tick: Tick,
) {
    let tick = tick.borrow();
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let mut tables: Vec<_> = tables
        .map(|(agents, contributions, tiers, angular, modes, traces, forces)| {
            let rare = (angular.map(untracked), modes.map(untracked), traces.map(untracked));
            (
                AgentColumns::from(agents),
                (untracked(contributions), tiers),
                rare,
                Column::from(forces),
            )
        })
        .collect();
    let tables = tables.iter_mut().map(|(agents, (own, tiers), rare, forces)| {
        let (angular, modes, traces) = rare;
        let rare = (angular.as_deref_mut(), modes.as_deref_mut(), traces.as_deref_mut());
        (agents.len(), (agents.first(agents.len()), (&mut **own, *tiers), rare, forces.reborrow()))
    });
    for_each_piece(tables.collect(), |count, (agents, (contributions, tiers), rare, forces)| {
        let (angular, modes, traces) = rare;
        let is_plain =
            agents.are_plain() && angular.is_none() && modes.is_none() && traces.is_none();
        let rows =
            Columns { count, agents, contributions, tiers, angular, modes, traces, forces, tick };
        if is_plain { dispatch(PlainColumns(rows)) } else { rows.combine_all() }
    });
}

/// Columns of agents whose wishes are to be combined.
struct Columns<'a> {
    count: usize,
    agents: AgentColumns<'a>,
    contributions: &'a mut [Contributions],
    tiers: &'a [TierSums],
    angular: Option<&'a mut [AngularContributions]>,
    modes: Option<&'a mut [Arbitration]>,
    traces: Option<&'a mut [SteeringTrace]>,
    forces: TrackedColumn<'a, SteeringForce>,
    tick: TickRef<'a>,
}

/// Agents that do not turn by themselves, arbitrate by priority and have none of the rarer components but perhaps `ThinkEvery`.
struct PlainColumns<'a>(Columns<'a>);

impl Columns<'_> {
    /// The same for a while. Who is given this instead of the rows themselves does not make the compiler keep them in memory.
    #[inline(always)]
    fn reborrow(&mut self) -> Columns<'_> {
        Columns {
            contributions: self.contributions,
            angular: self.angular.as_deref_mut(),
            modes: self.modes.as_deref_mut(),
            traces: self.traces.as_deref_mut(),
            forces: self.forces.reborrow(),
            ..*self
        }
    }

    fn combine_all(mut self) {
        for row in 0..self.count {
            self.combine_one(row);
        }
    }

    #[inline(never)]
    fn combine_one(&mut self, row: usize) {
        let parts = self.agents.row::<false>(row);
        let contributions = &mut self.contributions[row];
        // Who has no behaviour has not been looked at before.
        validate_one(&parts, contributions, self.tick);
        let stage = contributions.stage();
        let angular = self.angular.as_mut().map(|rows| &mut rows[row]);
        if stage != Stage::Sleeping {
            let mode = self.modes.as_mut().map(|rows| &mut rows[row]);
            let trace = self.traces.as_mut().map(|rows| &mut rows[row]);
            let force = if stage == Stage::Active {
                let (tiers, angular) = (&self.tiers[row], angular.as_deref());
                combined(&parts, contributions, tiers, angular, mode, trace, self.tick)
            } else {
                trace.into_iter().for_each(SteeringTrace::clear);
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
    tiers: &TierSums,
    angular: Option<&AngularContributions>,
    mut mode: Option<&mut Arbitration>,
    trace: Option<&mut SteeringTrace>,
    tick: TickRef,
) -> SteeringForce {
    let vehicle = parts.vehicle;
    let response = vehicle.response.max(parts.decision_time(tick));
    let mass_per_response = vehicle.mass / response;
    let mut force = SteeringForce::default();
    // Whose `AngularVelocity` was removed may have kept what comes with it.
    let angular = angular.zip(parts.spin);
    if let Some((angular, spin)) = angular {
        let spin = parts.plane(tick).flatten_turn(spin);
        force.angular = angular.arbitrate(mode.as_deref(), spin) / response;
    }
    let (change, shares) = match (contributions.only_tier(), &mode) {
        (Some(change), None) => (change, [1.0; Priority::COUNT]),
        _ => {
            let budget = vehicle.max_force / mass_per_response;
            let mode = mode.as_deref_mut();
            contributions.arbitrate(tiers, mode, budget, tick.settings.seed, parts.id)
        }
    };
    force.linear = truncate(change * mass_per_response, vehicle.max_force);
    if !(is_finite(force.linear) & is_finite(force.angular)) {
        tick.invalid_input.warn(parts.entity, "SteeringForce", "is not finite");
        force = SteeringForce::default();
    }
    if let Some(trace) = trace {
        let turns = angular.map(|(angular, _)| angular.heard(mode.as_deref())).unwrap_or_default();
        trace.settle(mass_per_response, shares, turns, force.linear);
    }
    force
}

impl Kernel for PlainColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let mut rows = self.0;
        let count = rows.count;
        rows.agents = rows.agents.first(count);
        rows.contributions = &mut rows.contributions[..count];
        rows.tiers = &rows.tiers[..count];
        rows.forces = rows.forces.first(count);
        let blocks = count / WIDTH;
        for block in 0..blocks {
            let first = block * WIDTH;
            let done = combine_block(l, &mut rows, first);
            for lane in unset_lanes(done) {
                rows.reborrow().combine_one(first + lane);
            }
        }
        for row in blocks * WIDTH..count {
            rows.reborrow().combine_one(row);
        }
    }
}

/// [`combined`] for eight agents. Returns for whom it could be done, one bit each.
#[inline(always)]
fn combine_block<L: Lanes>(l: L, rows: &mut Columns, first: usize) -> u8 {
    let contributions = aligned_mut(rows.contributions, first);
    let Validation { mut active, .. } =
        validate_block(l, &rows.agents, first, contributions, &rows.tick);
    let sleeping = if active == u8::MAX { 0 } else { contributions::sleeping(contributions) };
    if active == 0 {
        close(contributions, sleeping);
        return sleeping;
    }
    let spilled = contributions::spilled(contributions);
    let VehicleBlock { mass, max_force, response, .. } = rows.agents.vehicle(l, first);
    let response = l.max(response, l.pack(rows.agents.decision_times(first, rows.tick.dt)));
    let mass_per_response = l.div(mass, response);
    let mut change = vector!(l, i => contributions[i].first().0, contributions[i].first().1);
    if spilled != 0 {
        let budget = l.div(max_force, mass_per_response);
        let (wish, is_normal) = prioritized(l, aligned(rows.tiers, first), spilled, budget);
        // Where there is but one tier, these are not told.
        active &= l.bits(is_normal) | !spilled;
        let has_others = l.from_bits(spilled);
        change = each!(d => l.select(has_others, wish[d], change[d]));
    }
    let force = each!(d => l.mul(change[d], mass_per_response));
    let (force, is_normal) = truncated(l, force, max_force);
    let done = active & l.bits(is_normal);

    let (forces, mut marks) = rows.forces.block(first);
    let old = vector!(l, i => forces[i].linear, forces[i].angular.x);
    let [_, old_angular @ ..] = l.columns(every!(i => {
        let SteeringForce { linear, angular } = forces[i];
        [linear.z, angular.x, angular.y, angular.z]
    }));
    let turns = differ(l, old_angular, [l.splat(0.0); 3]);
    let changed = done & (differ(l, force, old) | turns);
    if changed != 0 {
        let changes = l.from_bits(changed);
        // All eight are written: a branch a lane would be guessed wrong as often as not.
        let force = unpacked(l, select(l, changes, force, old));
        for (i, one) in forces.iter_mut().enumerate() {
            one.linear = at(&force, i);
        }
        // Plain agents are given none: this is left of before they were plain, or the game's.
        for lane in unset_lanes(!(changed & turns)) {
            forces[lane].angular = Vec3::ZERO;
        }
        marks.set(l, changes);
    }
    close(contributions, done | sleeping);
    done | sleeping
}

/// Closes those whose bits are set, who make sense: they go on with the forces that they have.
#[inline(always)]
fn close(contributions: &mut [Contributions; WIDTH], which: u8) {
    if which == u8::MAX {
        *contributions = [Contributions::CLOSED; WIDTH];
        return;
    }
    for lane in unset_lanes(!which) {
        contributions[lane].close();
    }
}

/// [`Arbitration::Prioritized`] for those of eight agents whose bits are set, and for whom that is all there is to it.
#[inline(always)]
fn prioritized<L: Lanes>(
    l: L,
    tiers: &[TierSums; WIDTH],
    which: u8,
    budget: L::F,
) -> (Vector<L>, L::M) {
    let zero = l.splat(0.0);
    let mut sum = [zero; 3];
    let mut usual = l.from_bits(u8::MAX);
    for tier in Priority::ALL.map(|tier| tier as usize) {
        let wish = vector!(l, agent => tiers[agent].0[tier]);
        // Each tier waits for what the one before it leaves; most are used by nobody.
        if differ(l, wish, [zero; 3]) & which == 0 {
            continue;
        }
        let left = l.sub(budget, l.sqrt(dot(l, sum, sum)));
        let length_squared = dot(l, wish, wish);
        let counts = l.and(l.lt(zero, length_squared), l.lt(zero, left));
        let (cut, is_normal) = truncated(l, wish, left);
        // Nothing, or all spent already; and a wish that only seems to be nothing, being too short to be squared, is not usual.
        let is_idle = l.or(l.le(length_squared, zero), l.le(left, zero));
        let is_nothing =
            l.le(l.add(l.add(abs(l, wish[0]), abs(l, wish[1])), abs(l, wish[2])), zero);
        let is_told = l.or(l.lt(zero, length_squared), is_nothing);
        usual = l.and(usual, l.and(is_told, l.or(is_normal, is_idle)));
        sum = each!(d => l.add(sum[d], l.mask(counts, cut[d])));
    }
    let (sum, is_normal) = truncated(l, sum, budget);
    (sum, l.and(usual, is_normal))
}
