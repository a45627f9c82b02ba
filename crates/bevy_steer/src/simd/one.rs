//! [`One`]: the arithmetic of a single number.

use crate::simd::lanes::{Arithmetic, inline_always};

/// Scalar arithmetic, for scalar code and the public formulas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct One;

impl Arithmetic for One {
    type F = f32;
    type M = bool;

    inline_always! {
        fn splat(self, x: f32) -> f32 { x }
        fn add(self, a: f32, b: f32) -> f32 { a + b }
        fn sub(self, a: f32, b: f32) -> f32 { a - b }
        fn mul(self, a: f32, b: f32) -> f32 { a * b }
        fn div(self, a: f32, b: f32) -> f32 { a / b }
        fn sqrt(self, a: f32) -> f32 { a.sqrt() }
        fn min(self, a: f32, b: f32) -> f32 { if a < b { a } else { b } }
        fn max(self, a: f32, b: f32) -> f32 { if a > b { a } else { b } }
        fn lt(self, a: f32, b: f32) -> bool { a < b }
        fn le(self, a: f32, b: f32) -> bool { a <= b }
        fn and(self, a: bool, b: bool) -> bool { a & b }
        fn or(self, a: bool, b: bool) -> bool { a | b }
        fn any(self, m: bool) -> bool { m }
        fn mask(self, m: bool, x: f32) -> f32 { if m { x } else { 0.0 } }
        fn select(self, m: bool, a: f32, b: f32) -> f32 { if m { a } else { b } }
        fn copysign(self, a: f32, b: f32) -> f32 { a.copysign(b) }
    }
}
