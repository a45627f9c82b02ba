//! The force that makes the permitted velocity.

use bevy::prelude::*;

use crate::{
    agent::{
        columns::{AgentColumns, AgentData},
        half_spaces::{ROOM, SoftLimits},
        tick_context::{Tick, TickRef},
        vehicle::{SteeringForce, VehicleBlock},
        velocity_limits::VelocityLimits,
    },
    ecs::{
        columns::{Column, TrackedColumn, columns_struct, untracked},
        parallel::for_each_piece,
    },
    pipeline::{
        limit::solver::{Motion, permitted_velocity, softly_permitted},
        trace::SteeringTrace,
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH, every, pack},
        one::One,
        vector::{at, each, length, truncate, unpacked, vector},
    },
};

/// Finds the permitted velocities of all agents that have limits, and changes their forces.
pub(crate) fn apply_limits(
    mut agents: Query<(
        (AgentData, &mut VelocityLimits, Option<&mut SteeringTrace>),
        &mut SteeringForce,
    )>,
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
    for_each_piece(tables.collect(), |_, rows: Limited| dispatch(rows));
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
        let mut rows = [([l.splat(0.0); 3], l.splat(0.0), l.splat(0.0)); ROOM];
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
