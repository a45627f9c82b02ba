//! [`SteeringSystems::Combine`](crate::SteeringSystems::Combine): requests become one force, with
//! which the limits of an agent begin.

use bevy::prelude::*;

use crate::{
    agent::{
        AgentColumns, AgentData, AgentParts, AngularContributions, Contributions, Haste, Priority,
        Stage, SteeringForce, Tick, TickRef, TierSums, VehicleBlock, VelocityLimits, WhenIdle,
        contributions::{self, DRIVEN, SPILLED},
    },
    behavior::{AgentBlock, braking::go_on},
    ecs::{
        Column, Columns, TrackedColumn, aligned, aligned_mut, columns_struct, for_each_piece,
        untracked,
    },
    pipeline::{
        arbitration::{Arbitration, Shares, prioritized},
        trace::SteeringTrace,
        validate::{validate_block, validate_one},
    },
    simd::{
        Arithmetic, Kernel, Lanes, NEGLIGIBLE, One, Vector, WIDTH, at, differ, dispatch, each,
        every, length, pack, select, truncate, unpacked, unset_lanes, vector,
    },
    space::SteeringPlane,
};

pub(crate) fn combine_contributions(
    mut agents: Query<(
        (
            AgentData,
            &mut Contributions,
            &TierSums,
            Option<&mut AngularContributions>,
            Option<&mut Arbitration>,
            Option<&WhenIdle>,
            Option<&mut SteeringTrace>,
            Option<&mut VelocityLimits>,
        ),
        &mut SteeringForce,
    )>,
    tick: Tick,
) {
    let tick = tick.borrow();
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let (tables, mut forces): (Vec<_>, Vec<_>) =
        tables.map(|(table, forces)| (table, Column::from(forces))).unzip();
    let tables = tables.into_iter().zip(&mut forces).map(|(table, forces)| {
        let (agents, contributions, tiers, angular, modes, idle, traces, limits) = table;
        let rows = RequestColumns {
            agents: AgentColumns::from(agents),
            contributions: untracked(contributions),
            tiers,
            angular: angular.map(untracked),
            modes: modes.map(untracked),
            idle,
            traces: traces.map(untracked),
            limits: limits.map(untracked),
            forces: forces.reborrow(),
            tick,
        };
        (rows.agents.len(), rows)
    });
    for_each_piece(tables.collect(), |_, mut rows: RequestColumns| {
        rows.agents = rows.agents.with_default(tick.settings.plane);
        rows.modes = rows.modes.filter(|modes| modes.iter().any(|mode| !is_default(mode)));
        if rows.are_plain() { dispatch(PlainColumns(rows)) } else { rows.combine_all() }
    });
}

columns_struct! {
    /// Columns of agents with requests to combine.
    struct RequestColumns<'a> {
        agents: AgentColumns<'a>,
        contributions: &'a mut [Contributions],
        tiers: &'a [TierSums],
        angular: Option<&'a mut [AngularContributions]>,
        modes: Option<&'a mut [Arbitration]>,
        idle: Option<&'a [WhenIdle]>,
        traces: Option<&'a mut [SteeringTrace]>,
        limits: Option<&'a mut [VelocityLimits]>,
        forces: TrackedColumn<'a, SteeringForce>,
        tick: TickRef<'a>,
    }
}

/// Agents that arbitrate by priority and have none of the rarer components but perhaps
/// `ThinkEvery`.
struct PlainColumns<'a>(RequestColumns<'a>);

impl Kernel for PlainColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let count = self.0.agents.len() / WIDTH * WIDTH;
        let (mut rows, others) = self.0.split_at(count);
        rows.agents = rows.agents.first(count);
        rows.contributions = &mut rows.contributions[..count];
        rows.tiers = &rows.tiers[..count];
        rows.forces = rows.forces.first(count);
        for block in 0..count / WIDTH {
            combine_block(l, &mut rows, block * WIDTH);
        }
        others.combine_all();
    }
}

/// The force that makes this change of velocity at `mass_per_response`, within `max_force`.
#[inline(always)]
fn force_for<L: Arithmetic>(
    l: L,
    change: Vector<L>,
    mass_per_response: L::F,
    max_force: L::F,
) -> Vector<L> {
    // Limited, as the square of the force would overflow for a large mass with a short response.
    let most = l.splat(1e18);
    let force = each!(d => {
        let force = l.mul(change[d], mass_per_response);
        l.max(l.min(force, most), l.neg(most))
    });
    truncate(l, force, max_force)
}

/// Combines the requests of eight agents.
#[inline(always)]
fn combine_block<L: Lanes>(l: L, rows: &mut RequestColumns, first: usize) {
    let contributions = aligned_mut(rows.contributions, first);
    let block = AgentBlock::new(&rows.tick, &rows.agents, first);
    let active = validate_block(l, &block, contributions);
    let sleeping = if active == u8::MAX { 0 } else { contributions::sleeping(contributions) };
    if sleeping != u8::MAX {
        let VehicleBlock { mass, max_speed, max_force, response, .. } = block.vehicle(l);
        let dt = block.dt(l);
        let response = l.max(response, dt);
        let mass_per_response = l.div(mass, response);
        let mut change = vector!(l, i => contributions[i].first().0, contributions[i].first().1);
        let spilled = contributions::with_flag(contributions, SPILLED);
        if spilled != 0 {
            let tiers = aligned(rows.tiers, first);
            let budget = l.div(max_force, mass_per_response);
            // The sums of agents with one tier are not valid: they may be from earlier ticks.
            let has_tiers = l.bits_to_mask(spilled);
            let tier = |tier: usize| {
                let request = vector!(l, i => tiers[i].0[tier]);
                each!(d => l.mask(has_tiers, request[d]))
            };
            let request = truncate(l, prioritized(l, tier, budget).0, budget);
            change = select(l, has_tiers, request, change);
        }
        let undriven = active & !contributions::with_flag(contributions, DRIVEN);
        if undriven != 0 {
            let zero = l.splat(0.0);
            let velocity = block.velocity(l);
            let speed = l.mul(pack!(l, i => contributions[i].cruise()), max_speed);
            let stands = l.le(length(l, velocity), l.splat(NEGLIGIBLE));
            let sets_out = undriven & l.bits(l.and(stands, l.lt(zero, speed)));
            let mut heading = [zero; 3];
            if sets_out != 0 {
                let headings = headings(rows.agents, first, block.plane);
                heading = vector!(l, i => headings[i]);
            }
            let at_once = l.div(response, dt);
            let idle = go_on(l, velocity, heading, speed, max_speed, at_once);
            let idle = each!(d => l.add(change[d], idle[d]));
            change = select(l, l.bits_to_mask(undriven), idle, change);
        }
        let is_active = l.bits_to_mask(active);
        let force = force_for(l, change, mass_per_response, max_force);
        let force = each!(d => l.mask(is_active, force[d]));
        set_forces(l, &mut rows.forces, first, force, !sleeping);
        if let Some(limits) = &mut rows.limits {
            let limits = aligned_mut(limits, first);
            let (forces, _) = rows.forces.block(first);
            let requests = (&*contributions, aligned(rows.tiers, first), active);
            open_block(limits, rows.agents, first, requests, forces, rows.tick);
        }
    }
    contributions.iter_mut().for_each(Contributions::close);
}

/// The headings of eight agents. Outlined, as only agents that start to move need them.
#[cold]
#[inline(never)]
fn headings(agents: AgentColumns, first: usize, plane: SteeringPlane) -> [Vec3; WIDTH] {
    core::array::from_fn(|i| agents.row::<true>(first + i).heading(plane))
}

/// Writes the forces of the agents with a bit set in `which`. Marks forces that differ as changed.
#[inline(always)]
fn set_forces<L: Lanes>(
    l: L,
    forces: &mut TrackedColumn<SteeringForce>,
    first: usize,
    force: Vector<L>,
    which: u8,
) {
    let (forces, mut marks) = forces.block(first);
    let old = vector!(l, i => forces[i].linear, forces[i].angular.x);
    let [_, old_angular @ ..] = l.columns(every!(i => {
        let SteeringForce { linear, angular } = forces[i];
        [linear.z, angular.x, angular.y, angular.z]
    }));
    let turns = differ(l, old_angular, [l.splat(0.0); 3]);
    let changed = which & (differ(l, force, old) | turns);
    if changed == 0 {
        return;
    }
    let changes = l.bits_to_mask(changed);
    // All eight are written: a branch for each lane would be mispredicted half of the time.
    let force = unpacked(l, select(l, changes, force, old));
    for (i, one) in forces.iter_mut().enumerate() {
        one.linear = at(&force, i);
    }
    // Plain agents do not turn by a force: an angular force is left from before they were plain, or
    // set by the game.
    for lane in unset_lanes(!(changed & turns)) {
        forces[lane].angular = Vec3::ZERO;
    }
    marks.set(l, changes);
}

impl RequestColumns<'_> {
    fn are_plain(&self) -> bool {
        self.agents.are_plain()
            && self.angular.is_none()
            && self.modes.is_none()
            && self.idle.is_none()
            && self.traces.is_none()
    }

    fn combine_all(mut self) {
        for row in 0..self.agents.len() {
            self.combine_one(row);
        }
    }

    #[inline(never)]
    fn combine_one(&mut self, row: usize) {
        let parts = self.agents.row::<false>(row);
        let contributions = &mut self.contributions[row];
        // Agents without behaviours have not been validated before.
        validate_one(&parts, contributions, self.tick);
        let stage = contributions.stage();
        let angular = self.angular.as_mut().map(|rows| &mut rows[row]);
        let idle = self.idle.map_or(WhenIdle::Brake, |rows| rows[row]);
        if stage != Stage::Sleeping {
            let mode = self.modes.as_mut().map(|rows| &mut rows[row]);
            let trace = self.traces.as_mut().map(|rows| &mut rows[row]);
            let force = if stage == Stage::Active {
                let requests = (&*contributions, &self.tiers[row], angular.as_deref());
                combined(&parts, requests, (mode, idle), trace, self.tick)
            } else {
                trace.into_iter().for_each(SteeringTrace::clear);
                SteeringForce::default()
            };
            self.forces.set_if_neq(row, force);
            if let Some(limits) = self.limits.as_mut().filter(|_| stage == Stage::Active) {
                let requests = (&*contributions, &self.tiers[row], idle);
                open(&mut limits[row], &parts, requests, self.forces.get(row), self.tick);
                if self.traces.is_some() {
                    limits[row].begin_notes();
                }
            }
        }
        contributions.close();
        if let Some(angular) = angular {
            *angular = AngularContributions::default();
        }
    }
}

fn is_default(mode: &Arbitration) -> bool {
    matches!(mode, Arbitration::Prioritized)
}

fn combined(
    parts: &AgentParts,
    (contributions, tiers, angular): (&Contributions, &TierSums, Option<&AngularContributions>),
    (mode, idle): (Option<&mut Arbitration>, WhenIdle),
    trace: Option<&mut SteeringTrace>,
    tick: TickRef,
) -> SteeringForce {
    // The default as a component gives the same bits as no component.
    let mode = mode.filter(|mode| !is_default(mode));
    let vehicle = parts.vehicle;
    let response = vehicle.response.max(parts.decision_time(tick));
    let mass_per_response = vehicle.mass / response;
    let (mut force, mut turns) = (SteeringForce::default(), Shares::default());
    // An agent whose `AngularVelocity` was removed may still have the components required by it.
    if let Some((angular, spin)) = angular.zip(parts.spin) {
        let spin = parts.plane(tick).flatten_turn(spin.0);
        let change;
        (change, turns) = angular.arbitrate(mode.as_deref(), spin);
        force.angular = match parts.limits {
            Some(limits) => limits.acceleration(spin, change, response),
            None => change / response,
        };
    }
    let (mut change, shares) = match (contributions.only_tier(), &mode) {
        (Some(change), None) => (change, [1.0; Priority::COUNT]),
        _ => {
            let budget = vehicle.max_force / mass_per_response;
            contributions.arbitrate(tiers, mode, budget, tick.settings.seed, *parts.id)
        }
    };
    let asked = change;
    if !contributions.is_driven() {
        change += idle_change(parts, idle, contributions.cruise(), tick);
    }
    force.linear = force_for(One, change.to_array(), mass_per_response, vehicle.max_force).into();
    if let Some(trace) = trace {
        if change == asked {
            trace.settle(mass_per_response, shares, turns, force.linear);
        } else {
            trace.settle(mass_per_response, shares, turns, asked * mass_per_response);
            trace.add_idle((change - asked) * mass_per_response, force.linear);
        }
    }
    force
}

/// The motion of an agent that no behaviour moves.
fn idle_change(parts: &AgentParts, idle: WhenIdle, cruise: f32, tick: TickRef) -> Vec3 {
    let (plane, vehicle) = (parts.plane(tick), parts.vehicle);
    let (velocity, dt) = (plane.flatten(parts.velocity.0), parts.decision_time(tick));
    let response = vehicle.response.max(dt);
    match idle {
        WhenIdle::Drag(time) if cruise <= 0.0 => -velocity * (response / time.max(dt)),
        WhenIdle::Coast if cruise <= 0.0 => Vec3::ZERO,
        _ => {
            let heading = parts.heading(plane).to_array();
            let (speed, at_once) = (cruise * vehicle.max_speed, response / dt);
            go_on(One, velocity.to_array(), heading, speed, vehicle.max_speed, at_once).into()
        }
    }
}

/// Opens the limits of the plain agents with a bit set in `active`.
#[inline(never)]
fn open_block(
    limits: &mut [VelocityLimits; WIDTH],
    agents: AgentColumns,
    first: usize,
    (contributions, tiers, active): (&[Contributions; WIDTH], &[TierSums; WIDTH], u8),
    forces: &[SteeringForce; WIDTH],
    tick: TickRef,
) {
    for i in (0..WIDTH).filter(|i| active >> i & 1 == 1) {
        let parts = agents.row::<true>(first + i);
        open(
            &mut limits[i],
            &parts,
            (&contributions[i], &tiers[i], WhenIdle::Brake),
            forces[i],
            tick,
        );
    }
}

/// Begins the limits of an agent: it requests the velocity that its force makes.
#[inline]
fn open(
    limits: &mut VelocityLimits,
    parts: &AgentParts,
    (contributions, tiers, idle): (&Contributions, &TierSums, WhenIdle),
    force: SteeringForce,
    tick: TickRef,
) {
    let (plane, vehicle) = (parts.plane(tick), parts.vehicle);
    let velocity = plane.flatten(parts.velocity.0);
    let dt = parts.decision_time(tick);
    let response = vehicle.response.max(dt);
    let requested = velocity + force.linear * (dt / vehicle.mass);
    limits.open(plane, velocity, requested, Haste::of(response, dt));
    if contributions.is_driven() {
        let desired = velocity + contributions.tiers(tiers).iter().sum::<Vec3>();
        let drive = desired.length() / vehicle.max_speed.max(f32::MIN_POSITIVE);
        limits.desire(desired, drive.min(1.0));
    } else {
        limits.idle(idle == WhenIdle::Brake && contributions.cruise() <= 0.0);
    }
    limits.goes_straight = contributions.goes_straight();
}
