//! The system that moves agents: a step, the edges of the world, and the `Transform`.

use bevy::prelude::*;

use crate::{
    agent::{
        AngularVelocity, Contributions, Heading, KeepRotation, SkipIntegration, SteeringForce,
        SurfaceSlot, Tick, TickRef, Vehicle, Velocity, other_planes,
    },
    behavior::NearSurfaces,
    ecs::{Column, Columns, Shared, TrackedColumn, columns_struct, for_each_piece},
    pipeline::integrate::{
        slide::{Body, SurfaceColumn},
        step::{Motion, inside, is_driving, look_ahead, move_block, step, turned},
    },
    simd::{Kernel, Lanes, One, WIDTH, dispatch},
    space::{Bounds, SteeringPlane, is_valid, unit_heading},
};

pub(crate) fn move_agents(
    mut agents: Query<
        (
            (
                Entity,
                &Vehicle,
                &SteeringForce,
                &Contributions,
                Option<&SteeringPlane>,
                Option<&Bounds>,
                Option<&SurfaceSlot>,
                Has<KeepRotation>,
            ),
            (&mut Velocity, &mut Heading, &mut Transform, Option<&mut AngularVelocity>),
        ),
        Without<SkipIntegration>,
    >,
    surfaces: NearSurfaces,
    tick: Tick,
) {
    let (tick, surfaces) = (tick.borrow(), &surfaces);
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let tables = tables.map(|(table, (velocities, headings, transforms, spins))| {
        let (velocities, headings) = (Column::from(velocities), Column::from(headings));
        (table, (velocities, headings, Column::from(transforms), spins.map(Column::from)))
    });
    let (tables, mut moving): (Vec<_>, Vec<_>) = tables.unzip();
    let tables = tables.into_iter().zip(&mut moving).map(|(table, moving)| {
        let (entities, vehicles, forces, contributions, planes, bounds, slots, keeps) = table;
        let (velocities, headings, transforms, spins) = moving;
        let rows = MotionColumns {
            entities,
            vehicles,
            forces,
            contributions,
            planes,
            bounds,
            keep_rotation: Shared(keeps),
            velocities: velocities.reborrow(),
            headings: headings.reborrow(),
            transforms: transforms.reborrow(),
            spins: spins.as_mut().map(Column::reborrow),
            tick,
            surfaces: SurfaceColumn { slots, surfaces: Shared(surfaces) },
        };
        (entities.len(), rows)
    });
    for_each_piece(tables.collect(), |_, mut rows: MotionColumns| {
        rows.planes = other_planes(rows.planes, tick.settings.plane);
        if rows.planes.is_some() || rows.bounds.is_some() || rows.spins.is_some() {
            rows.move_all();
        } else {
            dispatch(PlainColumns(rows));
        }
    });
}

/// Agents of one plane, with the bounds of the world, that look where they go.
struct PlainColumns<'a>(MotionColumns<'a>);

impl Kernel for PlainColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let plane = self.0.tick.settings.plane;
        let inside = inside(self.0.tick.bounds);
        let count = self.0.entities.len() / WIDTH * WIDTH;
        let (mut rows, others) = self.0.split_at(count);
        rows.vehicles = &rows.vehicles[..count];
        rows.forces = &rows.forces[..count];
        rows.contributions = &rows.contributions[..count];
        rows.velocities = rows.velocities.first(count);
        rows.headings = rows.headings.first(count);
        rows.transforms = rows.transforms.first(count);
        for block in 0..count / WIDTH {
            move_block(l, &mut rows, block * WIDTH, plane, &inside);
        }
        others.move_all();
    }
}

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
    fn move_all(mut self) {
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
