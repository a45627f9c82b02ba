//! Opens the limits of an agent with its requested velocity.

use bevy::prelude::*;

use crate::{
    agent::{
        columns::{AgentColumns, AgentParts},
        contributions::{Contributions, TierSums},
        locomotion::WhenIdle,
        tick_context::TickRef,
        vehicle::SteeringForce,
        velocity_limits::{Haste, VelocityLimits},
    },
    simd::lanes::WIDTH,
};

/// Opens the limits of the plain agents with a bit set in `active`.
#[inline(never)]
pub(crate) fn open_block(
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
pub(crate) fn open(
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
