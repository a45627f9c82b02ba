//! The columns of agents that move, and the step of one of them.

use bevy::prelude::*;

use crate::{
    agent::{
        contributions::Contributions,
        tick_context::TickRef,
        vehicle::{AngularVelocity, Heading, SteeringForce, Vehicle, Velocity},
    },
    ecs::columns::{Shared, TrackedColumn, columns_struct},
    pipeline::integrate::{
        slide::{Body, SurfaceColumn},
        step::{Motion, is_driving, look_ahead, step, turned},
    },
    simd::one::One,
    space::{
        bounds::Bounds,
        plane::{SteeringPlane, unit_heading},
        vector::is_valid,
    },
};

columns_struct! {
    /// Columns of agents that move.
    pub(super) struct MotionColumns<'a> {
        pub entities: &'a [Entity],
        pub vehicles: &'a [Vehicle],
        pub forces: &'a [SteeringForce],
        pub contributions: &'a [Contributions],
        pub planes: Option<&'a [SteeringPlane]>,
        pub bounds: Option<&'a [Bounds]>,
        pub keep_rotation: Shared<bool>,
        pub velocities: TrackedColumn<'a, Velocity>,
        pub headings: TrackedColumn<'a, Heading>,
        pub transforms: TrackedColumn<'a, Transform>,
        pub spins: Option<TrackedColumn<'a, AngularVelocity>>,
        pub tick: TickRef<'a>,
        pub surfaces: SurfaceColumn<'a>,
    }
}

impl MotionColumns<'_> {
    pub(super) fn move_all(mut self) {
        for row in 0..self.entities.len() {
            self.move_one(row);
        }
    }

    #[inline(never)]
    fn move_one(&mut self, row: usize) {
        if !self.contributions[row].is_valid() {
            return;
        }
        let tick = self.tick;
        let vehicle = &self.vehicles[row];
        let mut force = self.forces[row];
        if !(is_valid(force.linear) & is_valid(force.angular)) {
            warn_invalid_force(tick, self.entities[row]);
            force = SteeringForce::default();
        }
        let (old_velocity, old_heading) = (self.velocities.get(row).0, self.headings.get(row).0);
        let old = self.transforms.get(row);
        let plane = self.planes.map_or(tick.settings.plane, |planes| planes[row]);
        let bounds = self.bounds.map_or(tick.bounds, |bounds| &bounds[row]);
        let motion = Motion {
            position: old.translation.to_array(),
            velocity: old_velocity.to_array(),
            force: force.linear.to_array(),
            mass: vehicle.mass,
            max_speed: vehicle.max_speed,
            max_force: vehicle.max_force,
        };
        let (position, velocity) = step(One, &motion, plane.flatten(Vec3::ONE), tick.dt);
        let (mut position, mut velocity) = (Vec3::from(position), Vec3::from(velocity));
        let Vehicle { radius, max_speed, .. } = *vehicle;
        let body = Body { position: old.translation, velocity, radius, max_speed };
        if let Some(slid) = self.surfaces.slide(row, body, plane, bounds, tick.dt) {
            (position, velocity) = (slid.position, slid.velocity);
        }
        bounds.confine(&mut position, &mut velocity);
        velocity = plane.flatten(velocity);
        if !is_valid(position) {
            warn_thrown_out(tick, self.entities[row]);
            return;
        }
        let heading = unit_heading(plane, old_heading, old.rotation);
        let heading = if let Some(spins) = &mut self.spins {
            let change = force.angular * tick.dt;
            let (heading, spin) = turned(plane, heading, spins.get(row).0, change, tick.dt);
            spins.set_if_neq(row, AngularVelocity(spin));
            heading
        } else {
            let (velocity, heading) = (velocity.to_array(), heading.to_array());
            look_ahead(One, plane, velocity, vehicle.into(), heading, tick.dt).into()
        };
        self.headings.set_if_neq(row, Heading(heading));
        self.velocities.set_if_neq(row, Velocity(velocity));
        // A planar agent's height is the game's.
        let translation = plane.keep_height(position, old.translation);
        let [now, before] = [velocity, old_velocity].map(|velocity| velocity.to_array());
        if translation == old.translation && is_driving(One, now, before, vehicle.max_speed) {
            tick.invalid_input.warn_too_far_out(self.entities[row], tick.dt);
        }
        let rotation = if self.keep_rotation.0 { old.rotation } else { plane.rotation(heading) };
        // An agent at rest is not marked as changed: nothing downstream has to be worked out again.
        self.transforms.set_if_neq(row, Transform { translation, rotation, ..old });
    }
}

#[cold]
pub(super) fn warn_invalid_force(tick: TickRef, entity: Entity) {
    let problem = "is NaN or beyond ±1e9: the agent moves without a force until it is valid";
    tick.invalid_input.warn(entity, "SteeringForce", problem);
}

#[cold]
pub(super) fn warn_thrown_out(tick: TickRef, entity: Entity) {
    let problem = "would move the agent beyond ±1e9: it stays where it is in such ticks";
    tick.invalid_input.warn(entity, "SteeringForce", problem);
}
