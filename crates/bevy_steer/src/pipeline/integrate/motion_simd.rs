//! The step of eight agents at a time.

use bevy::prelude::*;

use crate::{
    agent::{
        contributions::{self, VALID},
        vehicle::{Vehicle, VehicleBlock},
    },
    ecs::columns::aligned,
    pipeline::integrate::{
        columns::{MotionColumns, warn_invalid_force, warn_thrown_out},
        slide::Body,
        step::{Motion, is_driving, look_ahead, step},
    },
    simd::{
        lanes::{Lanes, WIDTH, unset_lanes},
        vector::{
            MAX_MAGNITUDE, at, differ, each, flattened, is_valid, positions, select, side_by_side,
            spread, unpacked, vector,
        },
    },
    space::{
        bounds::{Bounds, BoundsEdge},
        plane::{SteeringPlane, is_unit, unit_heading},
    },
};

/// Moves eight agents of one plane that look where they go.
#[inline(always)]
pub(super) fn move_block<L: Lanes>(
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
    let near = moving & rows.surfaces.near(first);
    if near != 0 {
        let old = unpacked(l, old_position);
        let (mut positions, mut velocities) = (unpacked(l, position), unpacked(l, velocity));
        for lane in unset_lanes(!near) {
            let (position, velocity) = (at(&old, lane), at(&velocities, lane));
            let Vehicle { radius, max_speed, .. } = vehicles[lane];
            let body = Body { position, velocity, radius, max_speed };
            let (row, bounds) = (first + lane, rows.tick.bounds);
            if let Some(slid) = rows.surfaces.slide(row, body, plane, bounds, rows.tick.dt) {
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

/// For each coordinate the least and the largest that is inside of the bounds and valid.
pub(super) fn inside(bounds: &Bounds) -> [[f32; 2]; 3] {
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
