//! [`Lanes`] of x86-64 processors since 2013.

use core::arch::x86_64::{__m256, _CMP_LE_OQ, _CMP_LT_OQ};

use pulp::cast;
pub(crate) use pulp::x86::V3;

use crate::simd::{
    lanes::{Arithmetic, FRONT, Lanes, Outlined, WIDTH, inline_always},
    x86::{On, arithmetic_in_a_register, coordinates, lanes_in_a_register, transposed, triples},
};

/// AVX2: a mask is a register, all ones where it is true.
impl Arithmetic for V3 {
    type M = __m256;

    arithmetic_in_a_register!();

    inline_always! {
        fn lt(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_cmp_ps::<_CMP_LT_OQ>(a, b) }
        fn le(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_cmp_ps::<_CMP_LE_OQ>(a, b) }
        fn and(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_and_ps(a, b) }
        fn or(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_or_ps(a, b) }
        fn mask(self, m: __m256, x: __m256) -> __m256 { self.avx._mm256_and_ps(m, x) }
        fn select(self, m: __m256, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_blendv_ps(b, a, m)
        }
        fn any(self, m: __m256) -> bool { self.avx._mm256_movemask_ps(m) != 0 }
    }
}

impl Lanes for V3 {
    lanes_in_a_register!(V3);

    inline_always! {
        fn add_where(self, m: __m256, sum: __m256, x: __m256) -> __m256 {
            self.add(sum, self.mask(m, x))
        }
        fn bits(self, m: __m256) -> u8 { self.avx._mm256_movemask_ps(m) as u8 }
        fn bits_to_mask(self, bits: u8) -> __m256 {
            let each = cast([1_u32, 2, 4, 8, 16, 32, 64, 128]);
            let own = self.avx2._mm256_and_si256(self.avx._mm256_set1_epi32(bits.into()), each);
            cast(self.avx2._mm256_cmpeq_epi32(own, each))
        }
    }
}
