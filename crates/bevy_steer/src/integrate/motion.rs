//! Semi-implicit Euler steps, the edges of the world, and the `Transform`.

use bevy::prelude::*;

use super::turning::{Turner, turned};
use crate::{
    arbitration::Contributions,
    bounds::Bounds,
    parallel::for_each_agent,
    plane::SteeringPlane,
    tick::Tick,
    vector::truncate,
    vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity},
};

pub(crate) fn move_agents(
    mut agents: Query<(
        Entity,
        &Vehicle,
        &SteeringForce,
        &Contributions,
        &mut Velocity,
        &mut Heading,
        &mut Transform,
        Option<&mut AngularVelocity>,
        Option<&SteeringPlane>,
        Option<&Bounds>,
        Has<KeepRotation>,
    )>,
    tick: Tick,
) {
    let tick = tick.borrow();
    for_each_agent(
        agents.reborrow(),
        |(
            entity,
            vehicle,
            force,
            contributions,
            mut velocity,
            mut heading,
            mut transform,
            mut spin,
            plane,
            bounds,
            keep_rotation,
        )| {
            if !contributions.fit {
                return;
            }
            let plane = plane.copied().unwrap_or(tick.settings.plane);
            let acceleration = plane.flatten(force.linear) / vehicle.mass;
            let mut moved = Moved {
                velocity: truncate(
                    plane.flatten(velocity.0) + acceleration * tick.dt,
                    vehicle.max_speed,
                ),
                position: transform.translation,
            };
            moved.position += moved.velocity * tick.dt;
            let bounds = bounds.unwrap_or(tick.bounds);
            bounds.confine(&mut moved.position, &mut moved.velocity);
            if !(moved.position.is_finite() && moved.velocity.is_finite()) {
                tick.offences.warn(
                    entity,
                    "SteeringForce",
                    "would throw the agent out of the world",
                );
                return;
            }

            let turner = match spin.as_deref() {
                Some(&AngularVelocity(now)) => {
                    Turner::Spin { now, change: plane.flatten_turn(force.angular) * tick.dt }
                }
                None => Turner::Motion { velocity: moved.velocity, max_speed: vehicle.max_speed },
            };
            let (new_heading, new_spin) = turned(plane, heading.0, turner, tick.dt);
            if let (Some(spin), Some(new_spin)) = (spin.as_mut(), new_spin) {
                spin.set_if_neq(AngularVelocity(new_spin));
            }
            heading.set_if_neq(Heading(new_heading));

            // A planar agent's third coordinate and whatever else the game keeps there is not steering's.
            velocity.set_if_neq(Velocity(plane.keep_height(moved.velocity, velocity.0)));
            let mut placed = *transform;
            placed.translation = plane.keep_height(moved.position, transform.translation);
            if !keep_rotation {
                placed.rotation = plane.rotation(new_heading);
            }
            // An agent at rest is not a change: nothing downstream has to be worked out again.
            transform.set_if_neq(placed);
        },
    );
}

struct Moved {
    position: Vec3,
    velocity: Vec3,
}
