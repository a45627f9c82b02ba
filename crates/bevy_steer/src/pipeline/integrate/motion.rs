//! The system that moves agents, eight at a time or one by one: a step, surfaces, the edges of the
//! world, and the `Transform`.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    agent::{
        AngularVelocity, Contributions, Heading, KeepRotation, SkipIntegration, SteeringForce,
        SurfaceSlot, Tick, TickRef, Vehicle, VehicleBlock, Velocity,
        contributions::{self, VALID},
        other_planes,
    },
    behavior::NearSurfaces,
    ecs::{Column, Columns, Shared, TrackedColumn, aligned, columns_struct, for_each_piece},
    obstacles::PlacedObstacle,
    pipeline::integrate::{
        slide::Body,
        step::{Motion, is_driving, look_ahead, step, turned},
    },
    simd::{
        Kernel, Lanes, MAX_MAGNITUDE, One, WIDTH, at, differ, dispatch, each, flattened, is_valid,
        positions, select, side_by_side, spread, unpacked, unset_lanes, vector,
    },
    space::{Bounds, BoundsEdge, SteeringPlane, is_unit, unit_heading, vector},
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
            slots,
            surfaces: Shared(surfaces),
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

columns_struct! {
    /// Columns of agents that move.
    struct MotionColumns<'a> {
        entities: &'a [Entity],
        vehicles: &'a [Vehicle],
        forces: &'a [SteeringForce],
        contributions: &'a [Contributions],
        planes: Option<&'a [SteeringPlane]>,
        bounds: Option<&'a [Bounds]>,
        keep_rotation: Shared<bool>,
        velocities: TrackedColumn<'a, Velocity>,
        headings: TrackedColumn<'a, Heading>,
        transforms: TrackedColumn<'a, Transform>,
        spins: Option<TrackedColumn<'a, AngularVelocity>>,
        tick: TickRef<'a>,
        slots: Option<&'a [SurfaceSlot]>,
        surfaces: Shared<&'a NearSurfaces<'a>>,
    }
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

/// For each coordinate the least and the largest that is inside of the bounds and valid.
fn inside(bounds: &Bounds) -> [[f32; 2]; 3] {
    [0, 1, 2].map(|axis| {
        let (min, max) = (bounds.min[axis], bounds.max[axis]);
        let wraps = bounds.edge == BoundsEdge::Wrap;
        let [min, max] = if bounds.has_edge(axis) {
            [min, if wraps { max.next_down() } else { max }]
        } else {
            [f32::MIN, f32::MAX]
        };
        [min.max(-MAX_MAGNITUDE), max.min(MAX_MAGNITUDE)]
    })
}

/// Moves eight agents of one plane that look where they go.
#[inline(always)]
fn move_block<L: Lanes>(
    l: L,
    rows: &mut MotionColumns,
    first: usize,
    plane: SteeringPlane,
    inside: &[[f32; 2]; 3],
) {
    let (vehicles, forces) = (aligned(rows.vehicles, first), aligned(rows.forces, first));
    let mut moving = contributions::with_flag(aligned(rows.contributions, first), VALID);
    let (velocities, mut new_velocities) = rows.velocities.block(first);
    let (headings, mut new_headings) = rows.headings.block(first);
    let (transforms, mut new_transforms) = rows.transforms.block(first);
    let has = plane.flatten(Vec3::ONE);
    let vehicle = VehicleBlock::new(l, vehicles);
    let VehicleBlock { mass, max_speed, max_force, .. } = vehicle;
    let mut force = vector!(l, i => forces[i].linear, forces[i].angular.x);
    let has_force = is_valid(l, force);
    let without_force = moving & !l.bits(has_force);
    if without_force != 0 {
        force = each!(d => l.mask(has_force, force[d]));
        unset_lanes(!without_force)
            .for_each(|lane| warn_invalid_force(rows.tick, rows.entities[first + lane]));
    }
    let old_velocity = side_by_side(l, velocities);
    let old_position = positions(l, transforms);
    let (position, velocity) = (old_position, old_velocity);
    let motion = Motion { position, velocity, force, mass, max_speed, max_force };
    let (mut position, mut velocity) = step(l, &motion, has, rows.tick.dt);
    let near = moving & rows.surfaces.0.near(rows.slots, first);
    if near != 0 {
        let old = unpacked(l, old_position);
        let (mut positions, mut velocities) = (unpacked(l, position), unpacked(l, velocity));
        for lane in unset_lanes(!near) {
            let (position, velocity) = (at(&old, lane), at(&velocities, lane));
            let Vehicle { radius, max_speed, .. } = vehicles[lane];
            let body = Body { position, velocity, radius, max_speed };
            let (row, bounds) = (first + lane, rows.tick.bounds);
            let (slots, surfaces) = (rows.slots, rows.surfaces.0);
            if let Some(slid) = slide(slots, surfaces, row, body, plane, bounds, rows.tick.dt) {
                set(&mut positions, lane, slid.position);
                set(&mut velocities, lane, slid.velocity);
            }
        }
        position = positions.map(|numbers| l.pack(numbers));
        velocity = velocities.map(|numbers| l.pack(numbers));
    }
    let mut is_inside = l.bits_to_mask(u8::MAX);
    for d in 0..3 {
        let [least, largest] = inside[d];
        let is_in = l.and(l.le(l.splat(least), position[d]), l.le(position[d], l.splat(largest)));
        is_inside = l.and(is_inside, is_in);
    }
    let outside = moving & !l.bits(is_inside);
    if outside != 0 {
        let flat = position;
        let (mut positions, mut velocities) = (unpacked(l, position), unpacked(l, velocity));
        confine(rows.tick.bounds, outside, &mut positions, &mut velocities);
        position = positions.map(|numbers| l.pack(numbers));
        velocity = velocities.map(|numbers| l.pack(numbers));
        position = each!(d => if has[d] == 0.0 { flat[d] } else { position[d] });
        velocity = flattened(l, velocity, has);
        let thrown_out = outside & !l.bits(is_valid(l, position));
        unset_lanes(!thrown_out)
            .for_each(|lane| warn_thrown_out(rows.tick, rows.entities[first + lane]));
        moving &= !thrown_out;
    }

    let old_heading = side_by_side(l, headings);
    let mut unit = flattened(l, old_heading, has);
    let broken = moving & !l.bits(is_unit(l, old_heading, has));
    if broken != 0 {
        let repaired = headings.each_ref().map(|heading| heading.0);
        let repaired: [Vec3; WIDTH] =
            core::array::from_fn(|i| unit_heading(plane, repaired[i], transforms[i].rotation));
        unit = select(l, l.bits_to_mask(broken), vector!(l, i => repaired[i]), unit);
    }
    let heading = look_ahead(l, plane, velocity, vehicle, unit, rows.tick.dt);

    let sped_up = moving & differ(l, velocity, old_velocity);
    let turned = moving & differ(l, heading, old_heading);
    let mut moved = differ(l, position, old_position);
    // Not `then`: a closure would be compiled by itself, without the instructions of the lanes.
    let rotation = if rows.keep_rotation.0 { None } else { Some(plane.rotation_on(l, heading)) };
    if moved != u8::MAX {
        let stuck = moving & !moved & l.bits(is_driving(l, velocity, old_velocity, max_speed));
        for lane in unset_lanes(!stuck) {
            let entity = rows.entities[first + lane];
            rows.tick.invalid_input.warn_too_far_out(entity, rows.tick.dt);
        }
    }
    if moved != u8::MAX
        && let Some(rotation) = rotation
    {
        let rotations = l.rows(rotation);
        for (i, transform) in transforms.iter().enumerate() {
            moved |= u8::from(Quat::from_array(rotations[i]) != transform.rotation) << i;
        }
    }
    moved &= moving;

    // All eight are written where one has changed: a branch a lane would be mispredicted half of
    // the time.
    if sped_up != 0 {
        let which = l.bits_to_mask(sped_up);
        spread(l, select(l, which, velocity, old_velocity), velocities);
        new_velocities.set(l, which);
    }
    if turned != 0 {
        let which = l.bits_to_mask(turned);
        spread(l, select(l, which, heading, old_heading), headings);
        new_headings.set(l, which);
    }
    if moved != 0 {
        let which = l.bits_to_mask(moved);
        let position = unpacked(l, select(l, which, position, old_position));
        for (i, transform) in transforms.iter_mut().enumerate() {
            transform.translation = at(&position, i);
        }
        if let Some(rotation) = rotation {
            let rotations = l.rows(rotation);
            for (i, transform) in transforms.iter_mut().enumerate() {
                if moved == u8::MAX || moved >> i & 1 == 1 {
                    transform.rotation = Quat::from_array(rotations[i]);
                }
            }
        }
        new_transforms.set(l, which);
    }
}

/// [`Body::slide`] of an agent, along what is solid for it.
#[inline(never)]
fn slide(
    slots: Option<&[SurfaceSlot]>,
    surfaces: &NearSurfaces,
    row: usize,
    body: Body,
    plane: SteeringPlane,
    bounds: &Bounds,
    dt: f32,
) -> Option<Body> {
    let solid: SmallVec<[&PlacedObstacle; 16]> =
        surfaces.solid(&slots?[row]).map(|surface| surface.obstacle).collect();
    body.slide(&solid, plane, bounds.periods(), dt)
}

fn set(vectors: &mut [[f32; WIDTH]; 3], lane: usize, vector: Vec3) {
    for d in 0..3 {
        vectors[d][lane] = vector[d];
    }
}

/// [`Bounds::confine`] for those of eight agents with a bit set. Outlined: few agents are at an
/// edge at a time.
#[inline(never)]
fn confine(
    bounds: &Bounds,
    which: u8,
    positions: &mut [[f32; WIDTH]; 3],
    velocities: &mut [[f32; WIDTH]; 3],
) {
    for lane in unset_lanes(!which) {
        let (mut position, mut velocity) = (at(positions, lane), at(velocities, lane));
        bounds.confine(&mut position, &mut velocity);
        set(positions, lane, position);
        set(velocities, lane, velocity);
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
        if !(vector::is_valid(force.linear) & vector::is_valid(force.angular)) {
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
        let (slots, surfaces) = (self.slots, self.surfaces.0);
        if let Some(slid) = slide(slots, surfaces, row, body, plane, bounds, tick.dt) {
            (position, velocity) = (slid.position, slid.velocity);
        }
        bounds.confine(&mut position, &mut velocity);
        velocity = plane.flatten(velocity);
        if !vector::is_valid(position) {
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
fn warn_invalid_force(tick: TickRef, entity: Entity) {
    let problem = "is NaN or beyond ±1e9: the agent moves without a force until it is valid";
    tick.invalid_input.warn(entity, "SteeringForce", problem);
}

#[cold]
fn warn_thrown_out(tick: TickRef, entity: Entity) {
    let problem = "would move the agent beyond ±1e9: it stays where it is in such ticks";
    tick.invalid_input.warn(entity, "SteeringForce", problem);
}
