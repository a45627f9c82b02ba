//! The step of eight agents at a time: the same operations in the same order as for one.

use bevy::prelude::*;

use crate::{
    agent::{contributions, vehicle::VehicleBlock},
    ecs::columns::aligned,
    pipeline::integrate::{motion::MotionColumns, turning::TOO_SLOW_TO_TURN},
    simd::{
        lanes::Lanes,
        vector::{
            Vector, abs, at, differ, dot, each, flattened, positions, select, side_by_side, spread,
            truncated, unpacked, vector,
        },
    },
    space::{
        bounds::{Bounds, BoundsEdge},
        plane::{PARALLEL, SteeringPlane},
        vector::NEGLIGIBLE,
    },
};

/// Moves eight agents of one plane that look where they go. Returns for whom it could be done, one bit each: the others leave
/// the world, or something about them is out of the ordinary.
#[inline(always)]
pub(crate) fn move_block<L: Lanes>(
    l: L,
    rows: &mut MotionColumns,
    first: usize,
    plane: SteeringPlane,
    extent: &[[f32; 2]; 3],
) -> u8 {
    let (vehicles, forces) = (aligned(rows.vehicles, first), aligned(rows.forces, first));
    let sane = contributions::valid(aligned(rows.contributions, first));
    let (velocities, mut new_velocities) = rows.velocities.block(first);
    let (headings, mut new_headings) = rows.headings.block(first);
    let (transforms, mut new_transforms) = rows.transforms.block(first);
    let has = plane.flatten(Vec3::ONE);
    let dt = l.splat(rows.tick.dt);
    let VehicleBlock { mass, max_speed, .. } = VehicleBlock::new(l, vehicles);
    let per_mass = l.div(l.splat(1.0), mass);
    let force = flattened(l, vector!(l, i => forces[i].linear, forces[i].angular.x), has);
    let velocities_before = side_by_side(l, velocities);
    let old_velocity = flattened(l, velocities_before, has);
    let faster = each!(d => l.add(old_velocity[d], l.mul(l.mul(force[d], per_mass), dt)));
    let (velocity, mut usual) = truncated(l, faster, max_speed);

    let (old_position, headings_before) = (positions(l, transforms), side_by_side(l, headings));
    let mut position = old_position;
    for d in 0..3 {
        if has[d] != 0.0 {
            position[d] = l.add(old_position[d], l.mul(velocity[d], dt));
        } else {
            // Whose heading has left the plane is not dealt with here.
            usual = l.and(usual, l.le(abs(l, headings_before[d]), l.splat(0.0)));
        }
        let [least, largest] = [l.splat(extent[d][0]), l.splat(extent[d][1])];
        let is_inside = l.and(l.le(least, position[d]), l.le(position[d], largest));
        usual = l.and(usual, is_inside);
    }
    let old_heading = flattened(l, headings_before, has);
    let length_error = l.sub(dot(l, old_heading, old_heading), l.splat(1.0));
    usual =
        l.and(usual, l.lt(abs(l, length_error), l.splat(crate::space::plane::HEADING_TOLERANCE)));
    let speed = l.sqrt(dot(l, velocity, velocity));
    let threshold = l.mul(max_speed, l.splat(TOO_SLOW_TO_TURN));
    let turns = l.and(l.lt(threshold, speed), l.lt(l.splat(NEGLIGIBLE), speed));
    let per_speed = l.div(l.splat(1.0), speed);
    let heading = each!(d => l.select(turns, l.mul(velocity[d], per_speed), old_heading[d]));

    let done = sane & l.bits(usual);
    let sped_up = done & differ(l, velocity, old_velocity);
    let turned = done & differ(l, heading, old_heading);
    let mut moved = differ(l, position, old_position);
    let rotation = if rows.keep_rotation { None } else { Some(rotation(l, plane, heading)) };
    if moved != u8::MAX
        && let Some(rotation) = rotation
    {
        let rotations = l.rows(rotation);
        for (i, transform) in transforms.iter().enumerate() {
            moved |= u8::from(Quat::from_array(rotations[i]) != transform.rotation) << i;
        }
    }
    moved &= done;

    // All eight are written where one has changed: a branch a lane would be guessed wrong as often as not.
    if sped_up != 0 {
        let which = l.from_bits(sped_up);
        let kept = each!(d => if has[d] == 0.0 { velocities_before[d] } else { velocity[d] });
        spread(l, select(l, which, kept, velocities_before), velocities);
        new_velocities.set(l, which);
    }
    if turned != 0 {
        let which = l.from_bits(turned);
        spread(l, select(l, which, heading, headings_before), headings);
        new_headings.set(l, which);
    }
    if moved != 0 {
        let which = l.from_bits(moved);
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
    done
}

/// For each coordinate the least and the largest that is inside of the bounds.
pub(crate) fn extent(bounds: &Bounds) -> [[f32; 2]; 3] {
    [0, 1, 2].map(|axis| {
        let (min, max) = (bounds.min[axis], bounds.max[axis]);
        if !bounds.has_edge(axis) {
            [f32::MIN, f32::MAX]
        } else if bounds.edge == BoundsEdge::Wrap {
            [min, max.next_down()]
        } else {
            [min, max]
        }
    })
}

/// [`SteeringPlane::rotation`].
#[inline(always)]
fn rotation<L: Lanes>(l: L, plane: SteeringPlane, heading: Vector<L>) -> [L::F; 4] {
    let (zero, one, minus) = (l.splat(0.0), l.splat(1.0), l.splat(-1.0));
    let [x, y, z] = heading;
    match plane {
        SteeringPlane::Xy => {
            let (z, w) = half_angle(l, x, y);
            [zero, zero, z, w]
        }
        SteeringPlane::Xz => {
            let (y, w) = half_angle(l, l.mul(z, minus), l.mul(x, minus));
            [zero, y, zero, w]
        }
        SteeringPlane::Free => {
            let level = l.sqrt(l.add(l.mul(x, x), l.mul(z, z)));
            let is_level = l.lt(l.splat(PARALLEL), level);
            let yaw_cos = l.select(is_level, l.div(l.mul(z, minus), level), one);
            let yaw_sin = l.select(is_level, l.div(l.mul(x, minus), level), zero);
            let (yaw_y, yaw_w) = half_angle(l, yaw_cos, yaw_sin);
            let (pitch_x, pitch_w) = half_angle(l, level, y);
            [
                l.mul(yaw_w, pitch_x),
                l.mul(yaw_y, pitch_w),
                l.mul(l.mul(yaw_y, minus), pitch_x),
                l.mul(yaw_w, pitch_w),
            ]
        }
    }
}

/// Sine and cosine of half the angle whose cosine and sine are given.
#[inline(always)]
fn half_angle<L: Lanes>(l: L, cos: L::F, sin: L::F) -> (L::F, L::F) {
    let (half, one, zero) = (l.splat(0.5), l.splat(1.0), l.splat(0.0));
    let larger = l.sqrt(l.mul(half, l.add(one, abs(l, cos))));
    let smaller = l.div(l.mul(half, abs(l, sin)), larger);
    let is_ahead = l.le(zero, cos);
    let half_sin = l.select(is_ahead, smaller, larger);
    (l.copysign(half_sin, sin), l.select(is_ahead, larger, smaller))
}
