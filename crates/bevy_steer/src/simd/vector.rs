//! Vectors of eight agents at a time: the same operations in the same order as for one.

use bevy::prelude::*;
use bytemuck::Pod;

use crate::{
    simd::lanes::{Lanes, WIDTH},
    space::{bounds::ONCE_ROUND, vector::NEGLIGIBLE},
};

/// A coordinate a register.
pub(crate) type Vector<L> = [<L as Lanes>::F; 3];

/// What an expression gives for each coordinate. A macro, because a closure might be called for each of them.
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
pub(crate) use each;

/// The vectors that an expression gives for each lane; with what lies behind each of them in memory, if something does, so that
/// each is read at once.
macro_rules! vector {
    ($l:expr, $i:ident => $vector:expr) => {
        $crate::simd::vector::vector!($l, $i => $vector, 0.0)
    };
    ($l:expr, $i:ident => $vector:expr, $behind:expr) => {{
        let [x, y, z, _] = $l.columns($crate::simd::lanes::every!($i => {
            let vector = $vector;
            [vector.x, vector.y, vector.z, $behind]
        }));
        [x, y, z]
    }};
}
pub(crate) use vector;

/// Vectors with nothing between them.
#[inline(always)]
pub(crate) fn side_by_side<L: Lanes>(l: L, vectors: &[impl Pod; WIDTH]) -> Vector<L> {
    l.coordinates(*bytemuck::cast_ref(vectors))
}

/// The reverse of [`side_by_side`].
#[inline(always)]
pub(crate) fn spread<L: Lanes>(l: L, v: Vector<L>, vectors: &mut [impl Pod; WIDTH]) {
    *bytemuck::cast_mut(vectors) = l.triples(v);
}

/// `a` where `m`, else `b`.
#[inline(always)]
pub(crate) fn select<L: Lanes>(l: L, m: L::M, a: Vector<L>, b: Vector<L>) -> Vector<L> {
    each!(d => l.select(m, a[d], b[d]))
}

/// The places of eight.
#[inline(always)]
pub(crate) fn positions<L: Lanes>(l: L, transforms: &[Transform; WIDTH]) -> Vector<L> {
    vector!(l, i => transforms[i].translation, transforms[i].scale.x)
}

/// Without what the plane does not have: one in `has` stands for a coordinate that it has.
#[inline(always)]
pub(crate) fn flattened<L: Lanes>(l: L, v: Vector<L>, has: Vec3) -> Vector<L> {
    each!(d => if has[d] == 0.0 { l.splat(0.0) } else { v[d] })
}

#[inline(always)]
pub(crate) fn dot<L: Lanes>(l: L, a: Vector<L>, b: Vector<L>) -> L::F {
    l.add(l.add(l.mul(a[0], b[0]), l.mul(a[1], b[1])), l.mul(a[2], b[2]))
}

#[inline(always)]
pub(crate) fn abs<L: Lanes>(l: L, x: L::F) -> L::F {
    l.copysign(x, l.splat(0.0))
}

/// Whether all its numbers are finite.
#[inline(always)]
pub(crate) fn is_finite<L: Lanes>(l: L, v: Vector<L>) -> L::M {
    // Zero times a number is zero, times anything else it is not a number.
    let zero = l.splat(0.0);
    let [x, y, z] = each!(d => l.mul(v[d], zero));
    l.le(l.add(l.add(x, y), z), zero)
}

/// [`direction`](crate::space::vector::direction), and for whom that is so.
#[inline(always)]
pub(crate) fn direction<L: Lanes>(l: L, v: Vector<L>) -> (Vector<L>, L::M) {
    let length = l.sqrt(dot(l, v, v));
    let is_long = l.lt(l.splat(NEGLIGIBLE), length);
    let per_length = l.div(l.splat(1.0), length);
    let direction = each!(d => l.mask(is_long, l.mul(v[d], per_length)));
    (direction, l.le(length, l.splat(f32::MAX)))
}

/// [`truncate`](crate::space::vector::truncate), and for whom that is all there is to it.
#[inline(always)]
pub(crate) fn truncated<L: Lanes>(l: L, v: Vector<L>, max: L::F) -> (Vector<L>, L::M) {
    let squared = dot(l, v, v);
    let limit = l.mul(max, max);
    let largest = l.splat(f32::MAX);
    let is_normal = l.and(l.le(l.splat(f32::MIN_POSITIVE), limit), l.le(limit, largest));
    let is_normal = l.and(is_normal, l.le(squared, largest));
    let factor = l.min(l.div(max, l.sqrt(squared)), l.splat(1.0));
    (each!(d => l.mul(v[d], factor)), is_normal)
}

/// [`around`](crate::space::bounds::around), and for whom that is so: not for who is more than once round. No period is infinite.
#[inline(always)]
pub(crate) fn around<L: Lanes>(l: L, offset: L::F, period: f32) -> (L::F, L::M) {
    if period == f32::INFINITY {
        return (offset, l.from_bits(u8::MAX));
    }
    let length = abs(l, offset);
    let is_round = l.lt(l.splat(0.5 * period), length);
    let shorter = l.sub(offset, l.copysign(l.splat(period), offset));
    (l.select(is_round, shorter, offset), l.le(length, l.splat(ONCE_ROUND * period)))
}

/// Whose vectors are not the same, one bit each. As for `!=`, what is no number differs from everything.
#[inline(always)]
pub(crate) fn differ<L: Lanes>(l: L, a: Vector<L>, b: Vector<L>) -> u8 {
    let [x, y, z] = each!(d => l.and(l.le(a[d], b[d]), l.le(b[d], a[d])));
    !l.bits(l.and(l.and(x, y), z))
}

/// The coordinates in memory, for [`at`].
#[inline(always)]
pub(crate) fn unpacked<L: Lanes>(l: L, [x, y, z]: Vector<L>) -> [[f32; WIDTH]; 3] {
    [l.unpack(x), l.unpack(y), l.unpack(z)]
}

/// The vector of one lane.
#[inline(always)]
pub(crate) fn at([x, y, z]: &[[f32; WIDTH]; 3], i: usize) -> Vec3 {
    Vec3::new(x[i], y[i], z[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{simd::portable::Portable, space::bounds};

    #[test]
    fn the_short_way_round_is_as_for_one_or_left_to_it() {
        let l = Portable;
        for period in [0.5, 20.0, 1e6, f32::INFINITY] {
            for turns in 0..4 {
                let share = |i: usize| (turns * WIDTH + i) as f32 * 0.125;
                let width = if period.is_finite() { period } else { 1.0 };
                let offsets = core::array::from_fn(|i| width * (0.01 - share(i)));
                let (short, usual) = around(l, l.pack(offsets), period);
                let (short, usual) = (l.unpack(short), l.bits(usual));
                for (i, &offset) in offsets.iter().enumerate() {
                    let is_usual = usual >> i & 1 == 1;
                    assert_eq!(is_usual, period == f32::INFINITY || share(i) <= 1.25, "{offset}");
                    assert!(!is_usual || short[i] == bounds::around(offset, period), "{offset}");
                }
            }
        }
    }
}
