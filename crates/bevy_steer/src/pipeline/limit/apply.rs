//! The force that makes the permitted velocity.

use bevy::prelude::*;

use crate::{
    agent::{
        columns::{AgentColumns, AgentData, AgentParts},
        tick_context::{Tick, TickRef},
        vehicle::SteeringForce,
        velocity_limits::VelocityLimits,
    },
    ecs::{
        columns::{Column, untracked},
        parallel::for_each_piece,
    },
    pipeline::{
        limit::solver::{Motion, permitted_velocity},
        trace::SteeringTrace,
    },
    space::vector::truncate,
};

/// Finds the permitted velocities of all agents that have limits, and changes their forces.
pub(crate) fn apply_limits(
    mut agents: Query<(
        AgentData,
        &mut VelocityLimits,
        Option<&mut SteeringTrace>,
        &mut SteeringForce,
    )>,
    tick: Tick,
) {
    let tick = tick.borrow();
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let tables = tables.map(|(agents, limits, traces, forces)| {
        let agents = AgentColumns::from(agents);
        let columns = (agents, untracked(limits), traces.map(untracked), Column::from(forces));
        (agents.len(), columns)
    });
    let mut tables: Vec<_> = tables.collect();
    let tables = tables.iter_mut().map(|(count, (agents, limits, traces, forces))| {
        (*count, (*agents, &mut **limits, traces.as_deref_mut(), forces.reborrow()))
    });
    for_each_piece(tables.collect(), |count, (agents, limits, mut traces, mut forces)| {
        for row in 0..count {
            let (limits, mut limited) = (&mut limits[row], Vec3::ZERO);
            if limits.is_open && !limits.are_kept() {
                let old = forces.get(row);
                let force = limited_force(&agents.row::<false>(row), limits, tick);
                forces.set_if_neq(row, SteeringForce { linear: force, ..old });
                limited = force - old.linear;
            }
            if let Some(traces) = traces.as_mut().filter(|_| limits.is_open) {
                let max_speed = agents.row::<false>(row).vehicle.max_speed;
                traces[row].add_limits(limits, max_speed, limited);
            }
            limits.is_open = false;
        }
    });
}

/// The force of an agent that wishes what a limit forbids.
#[inline(never)]
fn limited_force(parts: &AgentParts, limits: &mut VelocityLimits, tick: TickRef) -> Vec3 {
    let (plane, vehicle, dt) = (parts.plane(tick), parts.vehicle, parts.decision_time(tick));
    let velocity = limits.velocity();
    let motion = Motion {
        plane,
        velocity,
        wished: limits.wished(),
        max_speed: vehicle.max_speed.max(velocity.length()),
        reach: vehicle.max_acceleration() * dt,
    };
    let permitted = permitted_velocity(&motion, limits.hard(), limits.soft());
    limits.permit(permitted);
    truncate((permitted - velocity) * (vehicle.mass / dt), vehicle.max_force)
}
