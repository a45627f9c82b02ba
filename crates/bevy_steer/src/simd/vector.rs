//! Vectors on any [`Arithmetic`], one register for each coordinate.

use bevy::prelude::*;
use bytemuck::Pod;

use crate::simd::lanes::{Arithmetic, Lanes, WIDTH, inline_always};

/// A vector, one register for each coordinate.
pub(crate) type Vector<L> = [<L as Arithmetic>::F; 3];

/// A vector shorter than this has no direction.
pub(crate) const NEGLIGIBLE: f32 = 1e-6;

/// The maximum magnitude of a position, speed, force or length, in units: 10⁹.
///
/// Larger values are invalid input, like NaN: they are reported in the log and ignored. Within this
/// range squares and their products do not overflow.
pub const MAX_MAGNITUDE: f32 = 1e9;

/// An expression's value for each coordinate.
macro_rules! each {
    ($d:ident => $number:expr) => {
        $crate::simd::at_indices!($d => $number, 0 1 2)
    };
}
pub(crate) use each;

/// An expression's vector for each lane. If a number is next to each vector in memory, both are
/// read together.
macro_rules! vector {
    ($l:expr, $i:ident => $vector:expr) => {
        $crate::simd::vector!($l, $i => $vector, 0.0)
    };
    ($l:expr, $i:ident => $vector:expr, $next:expr) => {{
        let [x, y, z, _] = $l.columns($crate::simd::every!($i => {
            let vector = $vector;
            [vector.x, vector.y, vector.z, $next]
        }));
        [x, y, z]
    }};
}
pub(crate) use vector;

inline_always! {
    pub(crate) fn dot<L: Arithmetic>(l: L, a: Vector<L>, b: Vector<L>) -> L::F {
        l.add(l.add(l.mul(a[0], b[0]), l.mul(a[1], b[1])), l.mul(a[2], b[2]))
    }

    pub(crate) fn length<L: Arithmetic>(l: L, v: Vector<L>) -> L::F {
        l.sqrt(dot(l, v, v))
    }

    /// `a` where `m`, else `b`.
    pub(crate) fn select<L: Arithmetic>(l: L, m: L::M, a: Vector<L>, b: Vector<L>) -> Vector<L> {
        each!(d => l.select(m, a[d], b[d]))
    }

    /// Whether two vectors are equal. As for `==`, NaN equals nothing.
    pub(crate) fn equal<L: Arithmetic>(l: L, a: Vector<L>, b: Vector<L>) -> L::M {
        let [x, y, z] = each!(d => l.and(l.le(a[d], b[d]), l.le(b[d], a[d])));
        l.and(l.and(x, y), z)
    }

    /// Sets the coordinates that the plane does not have, where `has` is zero, to zero.
    pub(crate) fn flattened<L: Arithmetic>(l: L, v: Vector<L>, has: Vec3) -> Vector<L> {
        each!(d => if has[d] == 0.0 { l.splat(0.0) } else { v[d] })
    }

    /// Whether all its coordinates are numbers within [`MAX_MAGNITUDE`].
    pub(crate) fn is_valid<L: Arithmetic>(l: L, v: Vector<L>) -> L::M {
        let [x, y, z] = each!(d => l.le(l.abs(v[d]), l.splat(MAX_MAGNITUDE)));
        l.and(l.and(x, y), z)
    }

    /// The direction and length of `v`; both zero if it is too short to have a direction.
    pub(crate) fn split<L: Arithmetic>(l: L, v: Vector<L>) -> (Vector<L>, L::F) {
        let length = length(l, v);
        let has_direction = l.lt(l.splat(NEGLIGIBLE), length);
        let per_length = l.div(l.splat(1.0), length);
        let direction = each!(d => l.mask(has_direction, l.mul(v[d], per_length)));
        (direction, l.mask(has_direction, length))
    }

    /// The factor that shortens `v` to a length of at most `max`; zero if `max` is not above zero.
    pub(crate) fn truncation<L: Arithmetic>(l: L, v: Vector<L>, max: L::F) -> L::F {
        // Without a branch, which at top speed would depend on rounding and be mispredicted. Within
        // the limit the factor is exactly one.
        let factor = l.min(l.div(max, length(l, v)), l.splat(1.0));
        l.mask(l.lt(l.splat(0.0), max), factor)
    }

    /// `v`, shortened to a length of at most `max`. It keeps its direction.
    pub(crate) fn truncate<L: Arithmetic>(l: L, v: Vector<L>, max: L::F) -> Vector<L> {
        let factor = truncation(l, v, max);
        each!(d => l.mul(v[d], factor))
    }

    /// The vectors of eight rows that are adjacent in memory.
    pub(crate) fn side_by_side<L: Lanes>(l: L, vectors: &[impl Pod; WIDTH]) -> Vector<L> {
        l.coordinates(*bytemuck::cast_ref(vectors))
    }

    /// The reverse of [`side_by_side`].
    pub(crate) fn spread<L: Lanes>(l: L, v: Vector<L>, vectors: &mut [impl Pod; WIDTH]) {
        *bytemuck::cast_mut(vectors) = l.triples(v);
    }

    /// The translations of eight agents.
    pub(crate) fn positions<L: Lanes>(l: L, transforms: &[Transform; WIDTH]) -> Vector<L> {
        vector!(l, i => transforms[i].translation, transforms[i].scale.x)
    }

    /// Which of eight vectors differ, one bit each. As for `!=`, NaN differs from everything.
    pub(crate) fn differ<L: Lanes>(l: L, a: Vector<L>, b: Vector<L>) -> u8 {
        !l.bits(equal(l, a, b))
    }

    /// The coordinates in memory, for [`at`].
    pub(crate) fn unpacked<L: Lanes>(l: L, [x, y, z]: Vector<L>) -> [[f32; WIDTH]; 3] {
        [l.unpack(x), l.unpack(y), l.unpack(z)]
    }
}

/// The vector of one lane.
#[inline]
pub(crate) fn at([x, y, z]: &[[f32; WIDTH]; 3], i: usize) -> Vec3 {
    Vec3::new(x[i], y[i], z[i])
}
