//! Semi-implicit Euler steps, the edges of the world, and the `Transform`.

use bevy::prelude::*;

use crate::{
    agent::{
        contributions::Contributions,
        tick_context::{Tick, TickRef},
        vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity},
    },
    ecs::{
        columns::{Column, Shared, TrackedColumn},
        parallel::for_each_piece,
    },
    pipeline::integrate::{
        motion_simd::{extent, move_block},
        turning::{Turner, turned},
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH, unset_lanes},
    },
    space::{
        bounds::Bounds,
        plane::{SteeringPlane, unit_heading},
        vector::{is_finite, truncate},
    },
};

pub(crate) fn move_agents(
    mut agents: Query<(
        Entity,
        &Vehicle,
        &SteeringForce,
        &Contributions,
        Option<&SteeringPlane>,
        Option<&Bounds>,
        Has<KeepRotation>,
        (&mut Velocity, &mut Heading, &mut Transform, Option<&mut AngularVelocity>),
    )>,
    tick: Tick,
) {
    let tick = tick.borrow();
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let mut tables: Vec<_> = tables
        .map(
            |(entities, vehicles, forces, contributions, planes, bounds, keep_rotation, moving)| {
                let (velocities, headings, transforms, spins) = moving;
                let given = (entities, vehicles, forces, contributions, planes, bounds);
                let velocities = Column::from(velocities);
                let headings = Column::from(headings);
                let transforms = Column::from(transforms);
                (given, keep_rotation, (velocities, headings, transforms, spins.map(Column::from)))
            },
        )
        .collect();
    let tables = tables.iter_mut().map(|(given, keep_rotation, moving)| {
        let (velocities, headings, transforms, spins) = moving;
        let spins = spins.as_mut().map(Column::reborrow);
        let moving = (velocities.reborrow(), headings.reborrow(), transforms.reborrow(), spins);
        (given.0.len(), (*given, Shared(*keep_rotation), moving))
    });
    for_each_piece(tables.collect(), |count, (given, Shared(keep_rotation), moving)| {
        let (entities, vehicles, forces, contributions, planes, bounds) = given;
        let (velocities, headings, transforms, spins) = moving;
        let rows = MotionColumns {
            count,
            entities,
            vehicles,
            forces,
            contributions,
            planes,
            bounds,
            keep_rotation,
            velocities,
            headings,
            transforms,
            spins,
            tick,
        };
        if planes.is_some() || bounds.is_some() || rows.spins.is_some() {
            rows.move_all();
        } else {
            // Compiled for each plane: what a planar agent does not need is then not computed.
            match tick.settings.plane {
                SteeringPlane::Xy => dispatch(PlainColumns::<{ SteeringPlane::Xy as u8 }>(rows)),
                SteeringPlane::Xz => dispatch(PlainColumns::<{ SteeringPlane::Xz as u8 }>(rows)),
                SteeringPlane::Free => {
                    dispatch(PlainColumns::<{ SteeringPlane::Free as u8 }>(rows))
                }
            }
        }
    });
}

/// Columns of agents that move.
pub(crate) struct MotionColumns<'a> {
    count: usize,
    entities: &'a [Entity],
    pub(crate) vehicles: &'a [Vehicle],
    pub(crate) forces: &'a [SteeringForce],
    pub(crate) contributions: &'a [Contributions],
    planes: Option<&'a [SteeringPlane]>,
    bounds: Option<&'a [Bounds]>,
    pub(crate) keep_rotation: bool,
    pub(crate) velocities: TrackedColumn<'a, Velocity>,
    pub(crate) headings: TrackedColumn<'a, Heading>,
    pub(crate) transforms: TrackedColumn<'a, Transform>,
    spins: Option<TrackedColumn<'a, AngularVelocity>>,
    pub(crate) tick: TickRef<'a>,
}

/// Agents of one plane, with no edges of their own, that look where they go.
struct PlainColumns<'a, const PLANE: u8>(MotionColumns<'a>);

impl<const PLANE: u8> Kernel for PlainColumns<'_, PLANE> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let mut rows = self.0;
        let plane = SteeringPlane::ALL[PLANE as usize];
        let extent = extent(rows.tick.bounds);
        let count = rows.count;
        rows.vehicles = &rows.vehicles[..count];
        rows.forces = &rows.forces[..count];
        rows.contributions = &rows.contributions[..count];
        rows.velocities = rows.velocities.first(count);
        rows.headings = rows.headings.first(count);
        rows.transforms = rows.transforms.first(count);
        let blocks = count / WIDTH;
        for block in 0..blocks {
            let first = block * WIDTH;
            let done = move_block(l, &mut rows, first, plane, &extent);
            for lane in unset_lanes(done) {
                rows.reborrow().move_one(first + lane);
            }
        }
        for row in blocks * WIDTH..count {
            rows.reborrow().move_one(row);
        }
    }
}

impl MotionColumns<'_> {
    /// The same for a while. Who is given this instead of the rows themselves does not make the compiler keep them in memory.
    #[inline(always)]
    fn reborrow(&mut self) -> MotionColumns<'_> {
        MotionColumns {
            velocities: self.velocities.reborrow(),
            headings: self.headings.reborrow(),
            transforms: self.transforms.reborrow(),
            spins: self.spins.as_mut().map(TrackedColumn::reborrow),
            ..*self
        }
    }

    fn move_all(mut self) {
        for row in 0..self.count {
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
        if !(is_finite(force.linear) & is_finite(force.angular)) {
            // Combining makes none like that: a system of the game has.
            tick.invalid_input.warn(self.entities[row], "SteeringForce", "is not finite");
            force = SteeringForce::default();
        }
        let (velocity, heading) = (self.velocities.get(row).0, self.headings.get(row).0);
        let transform = self.transforms.get(row);
        let plane = self.planes.map_or(tick.settings.plane, |planes| planes[row]);
        let bounds = self.bounds.map_or(tick.bounds, |bounds| &bounds[row]);

        let moved = moved(plane, bounds, vehicle, force.linear, velocity, &transform, tick.dt);
        let Some(moved) = moved else {
            let what = "would throw the agent out of the world";
            tick.invalid_input.warn(self.entities[row], "SteeringForce", what);
            return;
        };
        let turner = match &self.spins {
            Some(spins) => Turner::Spin {
                now: spins.get(row).0,
                change: plane.flatten_turn(force.angular) * tick.dt,
            },
            None => Turner::Motion { velocity: moved.velocity, max_speed: vehicle.max_speed },
        };
        let before = unit_heading(plane, heading, transform.rotation);
        let (new_heading, new_spin) = turned(plane, before, turner, tick.dt);
        if let (Some(spins), Some(new_spin)) = (&mut self.spins, new_spin) {
            spins.set_if_neq(row, AngularVelocity(new_spin));
        }
        self.headings.set_if_neq(row, Heading(new_heading));

        // A planar agent's third coordinate and whatever else the game keeps there is not steering's.
        self.velocities.set_if_neq(row, Velocity(plane.keep_height(moved.velocity, velocity)));
        let mut placed = transform;
        placed.translation = plane.keep_height(moved.position, transform.translation);
        if !self.keep_rotation {
            placed.rotation = plane.rotation(new_heading);
        }
        // An agent at rest is not a change: nothing downstream has to be worked out again.
        self.transforms.set_if_neq(row, placed);
    }
}

struct Moved {
    position: Vec3,
    velocity: Vec3,
}

/// The step, or `None` if it leads nowhere.
#[inline(always)]
fn moved(
    plane: SteeringPlane,
    bounds: &Bounds,
    vehicle: &Vehicle,
    force: Vec3,
    velocity: Vec3,
    transform: &Transform,
    dt: f32,
) -> Option<Moved> {
    let acceleration = plane.flatten(force) * (1.0 / vehicle.mass);
    let velocity = truncate(plane.flatten(velocity) + acceleration * dt, vehicle.max_speed);
    let position = transform.translation + velocity * dt;
    let mut moved = Moved { position, velocity };
    bounds.confine(&mut moved.position, &mut moved.velocity);
    (is_finite(moved.position) & is_finite(moved.velocity)).then_some(moved)
}
