//! The formulas of a step, for one agent and for eight at a time: force becomes velocity becomes
//! position, and the heading follows.

use bevy::prelude::*;

use crate::{
    agent::{
        Vehicle, VehicleBlock,
        contributions::{self, VALID},
    },
    ecs::aligned,
    pipeline::integrate::{
        motion::{MotionColumns, warn_invalid_force, warn_thrown_out},
        slide::Body,
    },
    simd::{
        Arithmetic, Lanes, MAX_MAGNITUDE, Vector, WIDTH, at, differ, dot, each, flattened,
        is_valid, length, positions, select, side_by_side, split, spread, truncate, unpacked,
        unset_lanes, vector,
    },
    space::{Bounds, BoundsEdge, SteeringPlane, is_unit, unit_heading, vector},
};

/// An agent slower than this fraction of its top speed keeps its heading, as the direction of a
/// tiny velocity is mainly noise.
const TOO_SLOW_TO_TURN: f32 = 0.01;

/// While an agent moves by this share of its radius it turns by a radian at most, so that one that
/// trembles does not flip.
const RADIUS_PER_RADIAN: f32 = 0.1;
/// The same for the distance that it covers in this time at top speed, in seconds: at a tenth of
/// that it turns by a radian in a tenth of a second.
const TIME_PER_RADIAN: f32 = 0.01;

/// The sine of an angle within which a direction is straight behind.
const STRAIGHT_BEHIND: f32 = 1e-3;

/// What moves an agent.
pub(super) struct Motion<L: Arithmetic> {
    pub position: Vector<L>,
    pub velocity: Vector<L>,
    pub force: Vector<L>,
    pub mass: L::F,
    pub max_speed: L::F,
    pub max_force: L::F,
}

/// An agent is too fast, and not only by rounding, if it exceeds top speed by this fraction.
const TOO_FAST: f32 = 5e-4;

/// Position and velocity after a step of semi-implicit Euler integration. An agent that is too fast
/// slows down by its force. Coordinates outside of the plane (zero in `has`) keep their position
/// and have no velocity.
#[inline(always)]
pub(super) fn step<L: Arithmetic>(
    l: L,
    motion: &Motion<L>,
    has: Vec3,
    dt: f32,
) -> (Vector<L>, Vector<L>) {
    let dt = l.splat(dt);
    let (velocity, force) = (flattened(l, motion.velocity, has), flattened(l, motion.force, has));
    let per_mass = l.div(l.splat(1.0), motion.mass);
    let faster = each!(d => l.add(velocity[d], l.mul(l.mul(force[d], per_mass), dt)));
    let mut limit = motion.max_speed;
    let most = l.mul(limit, l.splat(1.0 + TOO_FAST));
    let squared = dot(l, velocity, velocity);
    let is_too_fast = l.lt(l.mul(most, most), squared);
    if l.any(is_too_fast) {
        let braking = l.mul(l.mul(motion.max_force, per_mass), dt);
        let slower = l.max(l.sub(l.sqrt(squared), braking), limit);
        limit = l.select(is_too_fast, slower, limit);
    }
    let velocity = truncate(l, faster, limit);
    let position = each!(d => {
        let position = motion.position[d];
        if has[d] == 0.0 { position } else { l.add(position, l.mul(velocity[d], dt)) }
    });
    (position, velocity)
}

/// Whether an agent moves at about top speed, or at a constant speed, so that a tick should change
/// its position.
#[inline(always)]
pub(super) fn is_driving<L: Arithmetic>(
    l: L,
    velocity: Vector<L>,
    old_velocity: Vector<L>,
    max_speed: L::F,
) -> L::M {
    let speed = length(l, velocity);
    let change = length(l, each!(d => l.sub(velocity[d], old_velocity[d])));
    // While it accelerates or brakes, a step may be too short for a moment.
    let is_steady = l.lt(change, l.mul(speed, l.splat(0.02)));
    let share = l.select(is_steady, l.splat(0.05), l.splat(0.9));
    l.lt(l.mul(max_speed, share), speed)
}

/// The heading of an agent that faces along its velocity. It turns by no more than it moves.
#[inline(always)]
pub(super) fn look_ahead<L: Arithmetic>(
    l: L,
    plane: SteeringPlane,
    velocity: Vector<L>,
    vehicle: VehicleBlock<L>,
    heading: Vector<L>,
    dt: f32,
) -> Vector<L> {
    let (direction, speed) = split(l, velocity);
    let turns = l.lt(l.mul(vehicle.max_speed, l.splat(TOO_SLOW_TO_TURN)), speed);
    let way = each!(d => l.sub(direction[d], heading[d]));
    let length = l.max(
        l.mul(vehicle.size(l), l.splat(RADIUS_PER_RADIAN)),
        l.mul(vehicle.max_speed, l.splat(TIME_PER_RADIAN)),
    );
    let reach = l.div(l.mul(speed, l.splat(dt)), length);
    let is_far = l.lt(l.mul(reach, reach), dot(l, way, way));
    if !l.any(l.and(turns, is_far)) {
        return select(l, turns, direction, heading);
    }
    // Towards the direction, or to the left where that is straight behind.
    let along = dot(l, direction, heading);
    let side = each!(d => l.sub(direction[d], l.mul(heading[d], along)));
    let (side, distance) = split(l, side);
    let is_behind = l.le(distance, l.splat(STRAIGHT_BEHIND));
    let left = split(l, plane.left_of(l, heading)).0;
    let side = select(l, is_behind, left, side);
    let partly = split(l, each!(d => l.add(heading[d], l.mul(side[d], reach)))).0;
    let direction = select(l, is_far, partly, direction);
    select(l, turns, direction, heading)
}

/// The heading and the angular velocity of an agent after a step in which its angular velocity
/// changes by `change`.
#[inline]
pub(super) fn turned(
    plane: SteeringPlane,
    heading: Vec3,
    spin: Vec3,
    change: Vec3,
    dt: f32,
) -> (Vec3, Vec3) {
    let spin = plane.flatten_turn(spin);
    let faster = spin + plane.flatten_turn(change);
    let spin = if vector::is_valid(faster) { faster } else { spin };
    let (axis, rate) = vector::split(spin);
    if rate == 0.0 {
        return (heading, spin);
    }
    let heading = SteeringPlane::turn(heading, axis, rate * dt);
    (plane.flatten(heading).normalize_or(plane.forward()), spin)
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{agent::Vehicle, simd::One};

    #[test]
    fn a_mover_looks_ahead_and_keeps_its_heading_at_rest() {
        let vehicle = VehicleBlock::from(&Vehicle::new(10.0));
        let look = |velocity: Vec3| {
            let (velocity, heading) = (velocity.to_array(), Vec3::X.to_array());
            Vec3::from(look_ahead(One, SteeringPlane::Xy, velocity, vehicle, heading, 0.1))
        };
        assert_eq!(look(Vec3::Y * 5.0), Vec3::Y);
        assert_eq!(look(Vec3::NEG_X * 5.0), Vec3::NEG_X);
        // Half a radian while it moves by a twentieth of its radius of one unit.
        let partly = Vec3::new(1.0, 0.5, 0.0).normalize();
        assert!(look(Vec3::Y * 0.5).distance(partly) < 1e-6);
        assert!(look(Vec3::new(-0.5, 1e-5, 0.0)).distance(partly) < 1e-6);
        assert_eq!(look(Vec3::ZERO), Vec3::X);
        assert_eq!(look(Vec3::Y * 0.05), Vec3::X);
    }

    #[test]
    fn a_step_stays_in_the_plane_and_within_top_speed() {
        let motion = Motion {
            position: [1.0, 2.0, 3.0],
            velocity: [1.0, 0.0, 9.0],
            force: [2.0, 0.0, 7.0],
            mass: 2.0,
            max_speed: 1.5,
            max_force: 9.0,
        };
        let (position, velocity) = step(One, &motion, Vec3::new(1.0, 1.0, 0.0), 1.0);
        assert_eq!((position, velocity), ([2.5, 2.0, 3.0], [1.5, 0.0, 0.0]));
    }

    #[test]
    fn a_step_slows_an_agent_that_is_too_fast_by_its_force() {
        let speed_after = |velocity: f32, max_force: f32| {
            let (position, force) = ([0.0; 3], [0.0; 3]);
            let velocity = [velocity, 0.0, 0.0];
            let motion = Motion { position, velocity, force, mass: 2.0, max_speed: 4.0, max_force };
            step(One, &motion, Vec3::ONE, 0.5).1[0]
        };
        assert_eq!(speed_after(9.0, 8.0), 7.0);
        assert_eq!(speed_after(5.0, 8.0), 4.0);
        assert_eq!(speed_after(4.001, 0.0), 4.0);
        assert_eq!(speed_after(9.0, 0.0), 9.0);
    }

    #[test]
    fn a_spinner_turns_by_its_rate_in_its_plane() {
        let (plane, spin) = (SteeringPlane::Xy, Vec3::new(9.0, 9.0, 1.0));
        let (heading, spin) = turned(plane, Vec3::X, spin, Vec3::Z, 0.5);
        assert_eq!(spin, Vec3::Z * 2.0);
        assert!((heading - plane.direction(1.0)).length() < 1e-6);
        let fastest = Vec3::Z * 1e9;
        let (heading, spin) = turned(plane, Vec3::X, fastest, fastest, 0.5);
        assert!(heading.is_normalized() && spin == fastest);
    }
}
