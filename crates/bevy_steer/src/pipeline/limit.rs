//! [`SteeringSystems::Limit`](crate::SteeringSystems::Limit): the requested velocity becomes the
//! permitted one. The limits of an agent in a tick are opened with its requested velocity,
//! collected from its behaviours, and applied, which gives the force that makes the permitted
//! velocity.

pub(crate) mod solver;

use bevy::{
    ecs::component::{Mutable, StorageType},
    prelude::*,
};

use crate::{
    agent::{
        AgentColumns, AgentData, AgentParts, SOFT_ROOM, SoftLimits, SteeringForce, SurfaceTick,
        Tick, TickRef, VehicleBlock, VelocityLimits,
    },
    behavior::{Agent, Several, SteeringBehavior, SurfaceLists},
    ecs::{Column, RowCost, TrackedColumn, columns_struct, untracked},
    pipeline::{
        behave::{BehaviorContext, BehaviorParams},
        limit::solver::{Motion, permitted_velocity, softly_permitted},
        trace::SteeringTrace,
    },
    simd::{
        Kernel, Lanes, One, WIDTH, at, dispatch, each, every, length, pack, truncate, unpacked,
        vector,
    },
};

/// The agents with a behaviour that adds limits.
type WithLimits<'w, 's, C> =
    Query<'w, 's, (AgentData, &'static mut C, &'static mut VelocityLimits)>;

/// Asks one behaviour for its limits on all agents that have it, once or several times.
pub(crate) fn gather_limits<B: SteeringBehavior>(
    mut agents: ParamSet<(WithLimits<B>, WithLimits<Several<B>>)>,
    params: BehaviorParams<B>,
    surfaces: Res<SurfaceLists>,
    mut cost: Local<RowCost>,
) {
    if agents.p0().is_empty() && agents.p1().is_empty() {
        return;
    }
    let context = params.context();
    // Most agents are near nothing, and their limits need not be looked at.
    let near = B::LIMITS_BY_SURFACES.then_some(surfaces.tick);
    let gather = |parts: &AgentParts, behavior: &mut B, limits: &mut VelocityLimits| {
        limit_one(parts, behavior, limits, context);
    };
    if B::STORAGE_TYPE == StorageType::Table {
        gather_columns(&mut agents.p0(), near, context.tick, &mut cost, gather);
    } else {
        for (parts, mut behavior, mut limits) in &mut agents.p0() {
            let limits = limits.bypass_change_detection();
            gather(&parts.into(), behavior.bypass_change_detection(), limits);
        }
    }
    gather_columns(&mut agents.p1(), near, context.tick, &mut cost, |parts, several, limits| {
        for (place, behavior) in several.iter_mut().enumerate() {
            limit_one(parts, behavior, limits, BehaviorContext { place: Some(place), ..context });
        }
    });
}

/// Calls `gather` for the agents in tables, or only for those near a surface in this tick.
fn gather_columns<C: Component<Mutability = Mutable>>(
    agents: &mut WithLimits<C>,
    near: Option<SurfaceTick>,
    tick: TickRef,
    cost: &mut RowCost,
    gather: impl Fn(&AgentParts, &mut C, &mut VelocityLimits) + Sync,
) {
    let tables = agents.contiguous_iter_mut().into_iter().flatten();
    let tables = tables.map(|(agents, behaviors, limits)| {
        let agents = AgentColumns::from(agents);
        (agents.len(), (agents, untracked(behaviors), untracked(limits)))
    });
    cost.for_each_piece(tables.collect(), |count, (agents, behaviors, limits)| {
        let agents = agents.with_default(tick.settings.plane).first(count);
        let may_limit = |&row: &usize| {
            near.is_none_or(|now| agents.surfaces.is_some_and(|slots| slots[row].has_any(now)))
        };
        for row in (0..count).filter(may_limit) {
            gather(&agents.row::<false>(row), &mut behaviors[row], &mut limits[row]);
        }
    });
}

/// Asks for the limits on one agent.
#[inline]
fn limit_one<B: SteeringBehavior>(
    parts: &AgentParts,
    behavior: &mut B,
    limits: &mut VelocityLimits,
    BehaviorContext { params, index, place, tick }: BehaviorContext<B>,
) {
    if !limits.is_open || !behavior.is_enabled() {
        return;
    }
    let mut agent = Agent::new(parts, index, tick);
    agent.place = place;
    agent.goes_straight = limits.goes_straight;
    limits.begin(index, place);
    behavior.limits(&agent, params, limits);
    if core::mem::take(&mut limits.is_invalid) {
        let problem = "gave a limit that is not finite or has no direction in the agent's plane: \
                       it is left out in such ticks";
        tick.invalid_input.warn(parts.entity, B::name(), problem);
    }
}

/// Finds the permitted velocities of all agents that have limits, and changes their forces.
pub(crate) fn apply_limits(
    mut agents: Query<(
        (AgentData, &mut VelocityLimits, Option<&mut SteeringTrace>),
        &mut SteeringForce,
    )>,
    mut cost: Local<RowCost>,
    tick: Tick,
) {
    let tick = tick.borrow();
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let (tables, mut forces): (Vec<_>, Vec<_>) =
        tables.map(|(table, forces)| (table, Column::from(forces))).unzip();
    let tables = tables.into_iter().zip(&mut forces).map(|((agents, limits, traces), forces)| {
        let agents = AgentColumns::from(agents);
        let (limits, traces) = (untracked(limits), traces.map(untracked));
        (agents.len(), Limited { agents, limits, traces, forces: forces.reborrow(), tick })
    });
    cost.for_each_piece(tables.collect(), |_, rows: Limited| dispatch(rows));
}

columns_struct! {
    /// Columns of agents with limits.
    struct Limited<'a> {
        agents: AgentColumns<'a>,
        limits: &'a mut [VelocityLimits],
        traces: Option<&'a mut [SteeringTrace]>,
        forces: TrackedColumn<'a, SteeringForce>,
        tick: TickRef<'a>,
    }
}

impl Kernel for Limited<'_> {
    type Output = ();

    /// Agents whose requests violate a limit are collected and solved in eight lanes.
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let (mut some, mut count) = ([0; WIDTH], 0);
        for row in 0..self.agents.len() {
            let limits = &mut self.limits[row];
            if !limits.is_open {
                continue;
            }
            if limits.are_kept() {
                self.finish(row, Vec3::ZERO);
                continue;
            }
            some[count] = row;
            count += 1;
            if count == WIDTH {
                self.solve(l, some, count);
                count = 0;
            }
        }
        if count > 0 {
            let one = some[0];
            some[count..].fill(one);
            self.solve(l, some, count);
        }
    }
}

impl Limited<'_> {
    /// Finds the forces of the first `count` of these rows.
    #[inline(always)]
    fn solve<L: Lanes>(&mut self, l: L, some: [usize; WIDTH], count: usize) {
        let Self { agents, limits, tick, .. } = self;
        let vehicles = every!(i => agents.vehicle[some[i]]);
        let VehicleBlock { mass, max_speed, max_force, .. } = VehicleBlock::new(l, &vehicles);
        let dt = pack!(l, i => agents.row::<false>(some[i]).decision_time(*tick));
        let velocity = vector!(l, i => limits[some[i]].velocity());
        let motion = Motion {
            velocity,
            requested: vector!(l, i => limits[some[i]].requested()),
            max_speed: l.max(max_speed, length(l, velocity)),
            reach: l.mul(l.div(max_force, mass), dt),
        };
        let mut rows = [([l.splat(0.0); 3], l.splat(0.0), l.splat(0.0)); SOFT_ROOM];
        let soft = every!(i => limits[some[i]].soft());
        let most = SoftLimits::side_by_side(l, soft, &mut rows);
        let mut permitted = unpacked(l, softly_permitted(l, &motion, &rows[..most]));
        for (lane, &row) in some[..count].iter().enumerate() {
            let softly = at(&permitted, lane);
            if self.limits[row].hard().iter().any(|one| one.slack(softly) < 0.0) {
                let velocity = self.permitted_one(row, softly);
                for (d, column) in permitted.iter_mut().enumerate() {
                    column[lane] = velocity[d];
                }
            }
        }
        let per_change = l.div(mass, dt);
        let force = each!(d => {
            l.mul(l.sub(l.pack(permitted[d]), velocity[d]), per_change)
        });
        let force = unpacked(l, truncate(l, force, max_force));
        for (lane, &row) in some[..count].iter().enumerate() {
            let linear = at(&force, lane);
            self.limits[row].permit(at(&permitted, lane));
            let old = self.forces.get(row);
            self.forces.set_if_neq(row, SteeringForce { linear, ..old });
            self.finish(row, linear - old.linear);
        }
    }

    /// The permitted velocity of an agent with hard limits, from the velocity that its soft limits
    /// permit.
    #[inline(never)]
    fn permitted_one(&self, row: usize, softly: Vec3) -> Vec3 {
        let (parts, limits) = (self.agents.row::<false>(row), &self.limits[row]);
        let velocity = limits.velocity();
        let motion: Motion<One> = Motion {
            velocity: velocity.to_array(),
            requested: limits.requested().to_array(),
            max_speed: parts.vehicle.max_speed.max(velocity.length()),
            reach: parts.vehicle.max_acceleration() * parts.decision_time(self.tick),
        };
        let plane = parts.plane(self.tick);
        permitted_velocity(plane, &motion, softly, limits.hard(), &limits.soft().rows())
    }

    /// Closes the limits of an agent, which changed its force by so much.
    #[inline]
    fn finish(&mut self, row: usize, limited: Vec3) {
        let limits = &mut self.limits[row];
        limits.is_open = false;
        if let Some(traces) = &mut self.traces {
            let max_speed = self.agents.row::<false>(row).vehicle.max_speed;
            traces[row].add_limits(limits, max_speed, limited);
        }
    }
}

#[cfg(test)]
mod tests;
