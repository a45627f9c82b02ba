//! The step of eight agents at a time: the same operations in the same order as for one.

use bevy::prelude::*;

use super::{motion::MovingRows, turning::TOO_SLOW_TO_TURN};
use crate::{
    bounds::{Bounds, Edge},
    lanes::{Lanes, WIDTH, pack},
    plane::{PARALLEL, SteeringPlane},
    vector::NEGLIGIBLE,
    vehicle::Heading,
};

type Vector<L> = [<L as Lanes>::F; 3];

/// What an expression gives for each coordinate.
macro_rules! each {
    ($d:ident => $number:expr) => {
        [
            {
                let $d = 0;
                $number
            },
            {
                let $d = 1;
                $number
            },
            {
                let $d = 2;
                $number
            },
        ]
    };
}

/// The vectors that an expression gives for each lane. What the plane does not have is zero, and vanishes when this is compiled.
macro_rules! vector {
    ($l:expr, $has:expr, $i:ident => $vector:expr) => {
        each!(d => if $has[d] == 0.0 { $l.splat(0.0) } else { pack!($l, $i => $vector[d]) })
    };
}

/// Moves eight agents of one plane that look where they go. Returns for whom it could be done, one bit each: the others leave
/// the world, or something about them is out of the ordinary.
#[inline(always)]
pub(super) fn move_block<L: Lanes>(
    l: L,
    rows: &mut MovingRows,
    first: usize,
    plane: SteeringPlane,
) -> u8 {
    let block = first..first + WIDTH;
    let (vehicles, forces) = (&rows.vehicles[block.clone()], &rows.forces[block.clone()]);
    let contributions = &rows.contributions[block.clone()];
    let mut sane = 0;
    for (i, contributions) in contributions.iter().enumerate() {
        sane |= u8::from(contributions.sane) << i;
    }
    let velocities = &rows.velocities.all()[block.clone()];
    let headings = &rows.headings.all()[block.clone()];
    let transforms = &rows.transforms.all()[block];
    let has = plane.flatten(Vec3::ONE);
    let dt = l.splat(rows.tick.dt);
    let max_speed = pack!(l, i => vehicles[i].max_speed);
    let per_mass = l.div(l.splat(1.0), pack!(l, i => vehicles[i].mass));
    let force = vector!(l, has, i => forces[i].linear);
    let old_velocity = vector!(l, has, i => velocities[i].0);
    let faster = each!(d => l.add(old_velocity[d], l.mul(l.mul(force[d], per_mass), dt)));

    let squared = dot(l, faster, faster);
    let limit = l.mul(max_speed, max_speed);
    let largest = l.splat(f32::MAX);
    let is_normal = l.both(l.le(l.splat(f32::MIN_POSITIVE), limit), l.le(limit, largest));
    let mut usual = l.both(is_normal, l.le(squared, largest));
    let truncation = l.min(l.div(max_speed, l.sqrt(squared)), l.splat(1.0));
    let velocity = each!(d => l.mul(faster[d], truncation));
    let old_position = vector!(l, has, i => transforms[i].translation);
    let position = each!(d => l.add(old_position[d], l.mul(velocity[d], dt)));
    for d in 0..3 {
        if has[d] != 0.0 {
            usual = l.both(usual, is_inside(l, rows.tick.bounds, d, position[d]));
        }
    }

    let old_heading = vector!(l, has, i => headings[i].0);
    let length_error = l.sub(dot(l, old_heading, old_heading), l.splat(1.0));
    usual = l.both(usual, l.lt(abs(l, length_error), l.splat(crate::agent::HEADING_TOLERANCE)));
    let speed = l.sqrt(dot(l, velocity, velocity));
    let threshold = l.mul(max_speed, l.splat(TOO_SLOW_TO_TURN));
    let turns = l.both(l.lt(threshold, speed), l.lt(l.splat(NEGLIGIBLE), speed));
    let per_speed = l.div(l.splat(1.0), speed);
    let heading = each!(d => l.select(turns, l.mul(velocity[d], per_speed), old_heading[d]));

    let done = sane & l.bits(usual) & outside_is_kept(plane, rows, first);
    let rotation = if rows.keep_rotation { None } else { Some(rotation(l, plane, heading)) };
    let rotation =
        rotation.map(|[x, y, z, w]| [l.unpack(x), l.unpack(y), l.unpack(z), l.unpack(w)]);
    let speeds_up = differ(l, velocity, old_velocity);
    let turned = differ(l, heading, old_heading);
    let moved = differ(l, position, old_position);
    let velocity = unpacked(l, velocity);
    let position = unpacked(l, position);
    let heading = unpacked(l, heading);
    for i in 0..WIDTH {
        let row = first + i;
        let is = |bits: u8| bits >> i & 1 == 1;
        if !is(done) {
            continue;
        }
        if is(speeds_up) {
            let velocity_in_plane = at(&velocity, i);
            let old = rows.velocities.change(row);
            old.0 = plane.keep_height(velocity_in_plane, old.0);
        }
        if is(turned) {
            rows.headings.change(row).0 = at(&heading, i);
        } else {
            rows.headings.set_if_neq(row, Heading(at(&heading, i)));
        }
        let rotation = rotation.map(|[x, y, z, w]| Quat::from_xyzw(x[i], y[i], z[i], w[i]));
        if is(moved) {
            let transform = rows.transforms.change(row);
            transform.translation = plane.keep_height(at(&position, i), transform.translation);
            transform.rotation = rotation.unwrap_or(transform.rotation);
        } else {
            let mut placed = rows.transforms.get(row);
            placed.rotation = rotation.unwrap_or(placed.rotation);
            rows.transforms.set_if_neq(row, placed);
        }
    }
    done
}

/// Whether the coordinate outside the plane is a finite number, and inside the world if that has an edge there.
#[inline(always)]
fn outside_is_kept(plane: SteeringPlane, rows: &MovingRows, first: usize) -> u8 {
    let axis = match plane {
        SteeringPlane::Xy => 2,
        SteeringPlane::Xz => 1,
        SteeringPlane::Free => return u8::MAX,
    };
    let bounds = rows.tick.bounds;
    let transforms = &rows.transforms.all()[first..first + WIDTH];
    let mut kept = 0;
    for (i, transform) in transforms.iter().enumerate() {
        let x = transform.translation[axis];
        let is_inside = !bounds.has_edge(axis)
            || (x >= bounds.min[axis] && x <= bounds.max[axis] && x < bounds.max[axis]);
        kept |= u8::from(is_inside & (x.abs() <= f32::MAX)) << i;
    }
    kept
}

#[inline(always)]
fn unpacked<L: Lanes>(l: L, [x, y, z]: Vector<L>) -> [[f32; WIDTH]; 3] {
    [l.unpack(x), l.unpack(y), l.unpack(z)]
}

/// Whose vectors are not the same, one bit each.
#[inline(always)]
fn differ<L: Lanes>(l: L, a: Vector<L>, b: Vector<L>) -> u8 {
    let [x, y, z] = each!(d => l.either(l.lt(a[d], b[d]), l.lt(b[d], a[d])));
    l.bits(l.either(l.either(x, y), z))
}

/// The vector of one lane.
#[inline(always)]
fn at([x, y, z]: &[[f32; WIDTH]; 3], i: usize) -> Vec3 {
    Vec3::new(x[i], y[i], z[i])
}

#[inline(always)]
fn is_inside<L: Lanes>(l: L, bounds: &Bounds, axis: usize, x: L::F) -> L::M {
    if !bounds.has_edge(axis) {
        return l.le(abs(l, x), l.splat(f32::MAX));
    }
    let (min, max) = (l.splat(bounds.min[axis]), l.splat(bounds.max[axis]));
    let below_max = if bounds.edge == Edge::Wrap { l.lt(x, max) } else { l.le(x, max) };
    l.both(l.le(min, x), below_max)
}

#[inline(always)]
fn abs<L: Lanes>(l: L, x: L::F) -> L::F {
    l.copysign(x, l.splat(0.0))
}

#[inline(always)]
fn dot<L: Lanes>(l: L, a: Vector<L>, b: Vector<L>) -> L::F {
    l.add(l.add(l.mul(a[0], b[0]), l.mul(a[1], b[1])), l.mul(a[2], b[2]))
}

/// [`SteeringPlane::rotation`].
#[inline(always)]
fn rotation<L: Lanes>(l: L, plane: SteeringPlane, heading: Vector<L>) -> [L::F; 4] {
    let (zero, minus) = (l.splat(0.0), l.splat(-1.0));
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
            let yaw_cos = l.select(is_level, l.div(l.mul(z, minus), level), minus);
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
