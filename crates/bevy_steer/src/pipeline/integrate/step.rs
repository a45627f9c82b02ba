//! The formulas of a step: force becomes velocity becomes position, and the heading follows.

use bevy::prelude::*;

use crate::{
    agent::VehicleBlock,
    simd::{Arithmetic, Vector, dot, each, flattened, length, select, split, truncate},
    space::{SteeringPlane, vector},
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
