//! [`Lanes`] of x86-64 processors with AVX-512: Intel's servers since 2017, AMD's since 2022 (Zen
//! 4).
//!
//! Eight lanes as everywhere; it adds twice as many registers, and masks of one bit a lane that
//! cost no instruction of their own in an addition.

use core::arch::x86_64::{__m256, __mmask8, _CMP_LE_OQ, _CMP_LT_OQ};

use pulp::cast;
pub(crate) use pulp::x86::V4;

use crate::simd::{
    lanes::{Arithmetic, FRONT, Lanes, Outlined, WIDTH, inline_always},
    x86::{On, arithmetic_in_a_register, coordinates, lanes_in_a_register, transposed, triples},
};

impl Arithmetic for V4 {
    type M = __mmask8;

    arithmetic_in_a_register!();

    inline_always! {
        fn lt(self, a: __m256, b: __m256) -> __mmask8 {
            self.avx512f._mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b)
        }
        fn le(self, a: __m256, b: __m256) -> __mmask8 {
            self.avx512f._mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b)
        }
        fn and(self, a: __mmask8, b: __mmask8) -> __mmask8 { a & b }
        fn or(self, a: __mmask8, b: __mmask8) -> __mmask8 { a | b }
        fn mask(self, m: __mmask8, x: __m256) -> __m256 { self.avx512f._mm256_maskz_mov_ps(m, x) }
        fn select(self, m: __mmask8, a: __m256, b: __m256) -> __m256 {
            self.avx512f._mm256_mask_blend_ps(m, b, a)
        }
        fn any(self, m: __mmask8) -> bool { m != 0 }
    }
}

impl Lanes for V4 {
    lanes_in_a_register!(V4);

    inline_always! {
        fn add_where(self, m: __mmask8, sum: __m256, x: __m256) -> __m256 {
            self.avx512f._mm256_mask_add_ps(sum, m, sum, x)
        }
        fn bits(self, m: __mmask8) -> u8 { m }
        fn bits_to_mask(self, bits: u8) -> __mmask8 { bits }
    }
}
