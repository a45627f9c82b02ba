//! [`velocity_obstacle`]: one other agent as a limit on the velocity.

use bevy::prelude::*;

use crate::{
    simd::{Arithmetic, NEGLIGIBLE, One, Vector, dot, each, length, select, split},
    space::{SteeringPlane, vector},
};

/// A sideways speed below this share of the speed leaves open on which side two pass: both tend to
/// their left.
const UNDECIDED: f32 = 0.1;

/// How much the left counts where the side is quite open, compared with the side that two are on.
const TURN: f32 = 3.0;

/// An agent that brakes for an encounter that is still far off also goes this much to the side.
const ASIDE: f32 = 1.5;

/// When two that keep their velocities are nearest to each other: `−Δp·Δv / |Δv|²`, in seconds;
/// `None` if they part or keep their distance. Reynolds (1999), "Unaligned collision avoidance".
///
/// `offset` is the position of the one relative to the other, `relative` its velocity relative to
/// the other.
pub fn closest_approach(offset: Vec3, relative: Vec3) -> Option<f32> {
    let squared = relative.length_squared();
    let time = -offset.dot(relative) / squared;
    (squared > NEGLIGIBLE * NEGLIGIBLE && time > 0.0).then_some(time)
}

/// The motion of an agent relative to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeMotion {
    /// The position of the one relative to the other, in units.
    pub offset: Vec3,
    /// The velocity of the one relative to the other, in units a second.
    pub velocity: Vec3,
    /// The distance that their centres are to keep, in units.
    pub room: f32,
}

/// What keeps two agents apart: the unit vector in which the relative velocity has to change, and
/// by how much at least (in units a second; below zero if there is so much to spare).
///
/// They keep their distance for `look_ahead` seconds (above zero); where they are nearer already,
/// they part within `delay` seconds. Both of a pair get opposite directions; head-on too, then each
/// goes to its left.
///
/// The half-plane of van den Berg, Guy, Lin and Manocha (2011), "Reciprocal n-body Collision
/// Avoidance", with three differences: it is the same in two and three dimensions, as the cone of
/// forbidden velocities is round; there is a side to pass on where two meet head-on; and there is
/// no jump where they come too near.
pub fn velocity_obstacle(
    plane: SteeringPlane,
    motion: RelativeMotion,
    look_ahead: f32,
    delay: f32,
) -> (Vec3, f32) {
    let RelativeMotion { offset, velocity, room } = motion;
    let (away, distance) = vector::split(offset);
    let (away, relative) = (away.to_array(), velocity.to_array());
    let pair = Pair { away, distance, relative, room };
    let (normal, missing) = pair.velocity_obstacle(One, plane, look_ahead, delay);
    (normal.into(), missing)
}

/// A [`RelativeMotion`] with the unit vector away from the other one, and the distance; several in
/// lanes.
#[derive(Clone, Copy)]
pub(super) struct Pair<L: Arithmetic> {
    pub away: Vector<L>,
    pub distance: L::F,
    pub relative: Vector<L>,
    pub room: L::F,
}

impl<L: Arithmetic> Pair<L> {
    /// [`velocity_obstacle`].
    #[inline(always)]
    pub(super) fn velocity_obstacle(
        &self,
        l: L,
        plane: SteeringPlane,
        look_ahead: L::F,
        delay: f32,
    ) -> (Vector<L>, L::F) {
        let Self { away, distance, relative, room } = *self;
        let zero = l.splat(0.0);
        let closing = l.neg(dot(l, relative, away));
        let is_near = l.lt(distance, room);
        let parting = l.mul(l.sub(room, distance), l.splat(1.0 / delay.max(NEGLIGIBLE)));

        let side = self.side(l, plane, closing);
        // The forbidden velocities are a cone about the way to the other, with a round tip for what
        // is beyond the look-ahead.
        let (sine, per_second) = (l.div(room, distance), l.div(l.splat(1.0), look_ahead));
        let tip = l.mul(distance, per_second);
        let (from_tip, off) = split(l, each!(d => l.add(relative[d], l.mul(away[d], tip))));
        let is_tip = l.lt(sine, dot(l, from_tip, away));
        let aside = l.splat(ASIDE);
        let of_tip = split(l, each!(d => l.add(from_tip[d], l.mul(side[d], aside)))).0;
        let missing_of_tip = l.sub(l.mul(room, per_second), off);

        let (of_cone, missing_of_cone) = self.leg(l, side);
        let ahead = select(l, is_tip, of_tip, of_cone);
        let missing = l.select(is_tip, missing_of_tip, missing_of_cone);
        let looks = l.lt(zero, look_ahead);
        let ahead = select(l, looks, ahead, away);
        let missing = l.select(looks, missing, l.splat(-f32::MAX));
        let missing = l.select(is_near, l.add(parting, closing), missing);
        (select(l, is_near, away, ahead), missing)
    }

    /// The side of the cone of velocities that lead to a collision: the way out of it, and how far
    /// that is.
    #[inline(always)]
    pub(super) fn cone(&self, l: L, plane: SteeringPlane, closing: L::F) -> (Vector<L>, L::F) {
        self.leg(l, self.side(l, plane, closing))
    }

    /// [`cone`](Self::cone), on this side.
    #[inline(always)]
    fn leg(&self, l: L, side: Vector<L>) -> (Vector<L>, L::F) {
        let Self { away, distance, relative, room } = *self;
        let sine = l.div(room, distance);
        let cosine = l.sqrt(l.max(l.sub(l.splat(1.0), l.mul(sine, sine)), l.splat(0.0)));
        let normal = each!(d => l.add(l.mul(side[d], cosine), l.mul(away[d], sine)));
        (normal, l.neg(dot(l, relative, normal)))
    }

    /// The unit vector to the side on which one passes the other: where the velocity leads, the
    /// more to the left the less clear that is.
    #[inline(always)]
    fn side(&self, l: L, plane: SteeringPlane, closing: L::F) -> Vector<L> {
        let Self { away, relative, .. } = *self;
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let left = plane.left_of(l, each!(d => l.neg(away[d])));
        if plane.is_planar() {
            // There are two sides only.
            let aside = dot(l, relative, left);
            let clear = l.splat(UNDECIDED * UNDECIDED * (1.0 - 1.0 / TURN) * (1.0 - 1.0 / TURN));
            let clear = l.mul(clear, dot(l, relative, relative));
            let is_right = l.and(l.lt(aside, zero), l.lt(clear, l.mul(aside, aside)));
            let side = l.select(is_right, l.splat(-1.0), one);
            return each!(d => l.mul(left[d], side));
        }
        let left = split(l, left).0;
        let aside = each!(d => l.add(relative[d], l.mul(away[d], closing)));
        let (own, aside) = split(l, aside);
        let clear = l.mul(l.splat(UNDECIDED), length(l, relative));
        let share = l.div(aside, l.max(clear, l.splat(NEGLIGIBLE)));
        let undecided = l.mul(l.splat(TURN), l.sub(one, l.min(share, one)));
        let (side, found) = split(l, each!(d => l.add(own[d], l.mul(left[d], undecided))));
        let side = select(l, l.lt(zero, found), side, left);
        // Nearly head-on, rounding has left a part of it along the way to the other one.
        let along = dot(l, side, away);
        split(l, each!(d => l.sub(side[d], l.mul(away[d], along)))).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const XY: SteeringPlane = SteeringPlane::Xy;

    fn limit(
        plane: SteeringPlane,
        offset: Vec3,
        relative: Vec3,
        look_ahead: f32,
        delay: f32,
    ) -> (Vec3, f32) {
        velocity_obstacle(
            plane,
            RelativeMotion { offset, velocity: relative, room: 2.0 },
            look_ahead,
            delay,
        )
    }

    #[test]
    fn nearest_when_the_way_is_perpendicular() {
        assert_eq!(closest_approach(Vec3::new(-6.0, 2.0, 0.0), Vec3::X * 3.0), Some(2.0));
        assert_eq!(closest_approach(Vec3::X * -6.0, Vec3::X * 0.5), Some(12.0));
        assert_eq!(closest_approach(Vec3::X, Vec3::X), None);
        assert_eq!(closest_approach(Vec3::X, Vec3::ZERO), None);
    }

    #[test]
    fn the_change_is_just_enough_to_pass() {
        for miss in [-1.5_f32, -0.7, 0.7, 1.9] {
            let (offset, relative) = (Vec3::new(-6.0, miss, 0.0), Vec3::X * 4.0);
            let (normal, missing) = limit(XY, offset, relative, 5.0, 0.1);
            assert!(missing > 0.0, "{miss}");
            let relative = relative + normal * missing;
            let time = closest_approach(offset, relative).unwrap();
            let nearest = (offset + relative * time).length();
            assert!((nearest - 2.0).abs() < 1e-4, "{miss}: {nearest}");
            assert!(normal.y * miss > 0.0, "{miss}: on the side that it is on");
        }
    }

    #[test]
    fn agents_that_miss_part_or_are_far_off_have_to_spare() {
        let missing = |x, y, speed| limit(XY, Vec3::new(x, y, 0.0), Vec3::X * speed, 1.5, 0.1).1;
        assert!(missing(-6.0, 0.0, 4.0) > 0.0);
        assert!(missing(-6.0, 2.1, 4.0) < 0.0);
        assert!(missing(-6.0, 0.0, -4.0) < 0.0);
        assert!(missing(-9.0, 0.0, 4.0) < 0.0);
    }

    #[test]
    fn limits_begin_without_a_jump() {
        let missing =
            |distance: f32, speed| limit(XY, Vec3::NEG_X * distance, Vec3::X * speed, 1.5, 0.1).1;
        let (outside, inside) = (missing(2.0001, 3.0), missing(1.9999, 3.0));
        assert!((outside - inside).abs() < 0.01, "{outside} {inside}");
        // 4 units/s for 1.5 s, and 2 units of room.
        assert!(missing(7.99, 4.0) > 0.0 && missing(7.99, 4.0) < 0.01 && missing(8.01, 4.0) < 0.0);
    }

    #[test]
    fn both_of_a_pair_go_opposite_ways() {
        for plane in SteeringPlane::ALL {
            let (ahead, left) = (plane.forward(), plane.left(plane.forward()));
            for miss in [-0.7_f32, -0.01, 0.0, 0.01, 0.7] {
                for distance in [1.0, 4.0, 7.0] {
                    let (offset, relative) = (left * miss - ahead * distance, ahead * 3.0);
                    let one = limit(plane, offset, relative, 2.0, 0.1);
                    let other = limit(plane, -offset, -relative, 2.0, 0.1);
                    assert!((one.0 + other.0).length() < 1e-5, "{plane:?} {miss} {distance}");
                    assert_eq!(one.1, other.1);
                    assert!((one.0.length() - 1.0).abs() < 1e-5 && one.1 > 0.0);
                }
            }
        }
    }

    #[test]
    fn without_look_ahead_only_overlaps_count() {
        for look_ahead in [0.0, -1.0, f32::NAN] {
            let missing = |x| limit(XY, Vec3::NEG_X * x, Vec3::X * 4.0, look_ahead, 0.5).1;
            assert!(missing(2.1) < 0.0);
            // Four units a second too fast, and half a unit too near.
            assert_eq!(missing(1.5), 5.0);
        }
    }

    #[test]
    fn nearly_straight_at_each_other_both_pass_on_the_left() {
        // A tenth of the speed counts as straight, less and less.
        let y = |aside| limit(XY, Vec3::NEG_X * 6.0, Vec3::new(4.0, aside, 0.0), 5.0, 0.1).0.y;
        assert!(y(0.0) > 0.0 && y(0.2) > 0.0 && y(-0.2) > 0.0);
        assert!(y(0.3) > 0.0 && y(-0.3) < 0.0);
        let slow = |aside| limit(XY, Vec3::NEG_X * 2.1, Vec3::new(0.4, aside, 0.0), 5.0, 0.1).0.y;
        assert!(slow(-0.02) > 0.0 && slow(-0.03) < 0.0);
    }
}
