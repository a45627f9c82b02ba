//! [`Lanes`] of x86-64 processors since 2013.

use core::arch::x86_64::{__m256, __m256i, _CMP_LE_OQ, _CMP_LT_OQ};

pub(super) use pulp::x86::V3;
use pulp::{NullaryFnOnce, cast};

use super::{Apart, Kernel, Lanes, WIDTH};

struct OnV3<K>(V3, K);
struct PartOnV3<P>(V3, P);

impl<K: Kernel> NullaryFnOnce for OnV3<K> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.1.run(self.0)
    }
}

pub(super) fn run<K: Kernel>(lanes: V3, kernel: K) -> K::Output {
    lanes.vectorize(OnV3(lanes, kernel))
}

impl<P: Apart<V3>> NullaryFnOnce for PartOnV3<P> {
    type Output = P::Output;

    #[inline(always)]
    fn call(self) -> P::Output {
        self.1.run(self.0)
    }
}

#[inline(never)]
fn run_apart<P: Apart<V3>>(lanes: V3, part: P) -> P::Output {
    lanes.vectorize(PartOnV3(lanes, part))
}

/// Rows to columns, in each half of the registers by itself.
#[inline(always)]
fn transposed(lanes: V3, [a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    const LOW: i32 = 0b01_00_01_00;
    const HIGH: i32 = 0b11_10_11_10;
    let avx = lanes.avx;
    let (ab, cd) = (avx._mm256_unpacklo_ps(a, b), avx._mm256_unpacklo_ps(c, d));
    let (more_ab, more_cd) = (avx._mm256_unpackhi_ps(a, b), avx._mm256_unpackhi_ps(c, d));
    [
        avx._mm256_shuffle_ps::<LOW>(ab, cd),
        avx._mm256_shuffle_ps::<HIGH>(ab, cd),
        avx._mm256_shuffle_ps::<LOW>(more_ab, more_cd),
        avx._mm256_shuffle_ps::<HIGH>(more_ab, more_cd),
    ]
}

/// AVX2.
impl Lanes for V3 {
    type F = __m256;
    type M = __m256;
    type C = __m256i;

    #[inline(always)]
    fn apart<P: Apart<V3>>(self, part: P) -> P::Output {
        run_apart(self, part)
    }
    #[inline(always)]
    fn splat(self, x: f32) -> __m256 {
        self.avx._mm256_set1_ps(x)
    }
    #[inline(always)]
    fn pack(self, x: [f32; WIDTH]) -> __m256 {
        cast(x)
    }
    #[inline(always)]
    fn unpack(self, x: __m256) -> [f32; WIDTH] {
        cast(x)
    }
    #[inline(always)]
    fn columns(self, [a, b, c, d, e, f, g, h]: [[f32; 4]; WIDTH]) -> [__m256; 4] {
        transposed(self, [cast([a, e]), cast([b, f]), cast([c, g]), cast([d, h])])
    }
    #[inline(always)]
    fn rows(self, columns: [__m256; 4]) -> [[f32; 4]; WIDTH] {
        let [[a, e], [b, f], [c, g], [d, h]]: [[[f32; 4]; 2]; 4] = cast(transposed(self, columns));
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_add_ps(a, b)
    }
    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_sub_ps(a, b)
    }
    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_mul_ps(a, b)
    }
    #[inline(always)]
    fn div(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_div_ps(a, b)
    }
    #[inline(always)]
    fn sqrt(self, a: __m256) -> __m256 {
        self.avx._mm256_sqrt_ps(a)
    }
    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_min_ps(a, b)
    }
    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_max_ps(a, b)
    }
    #[inline(always)]
    fn lt(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_cmp_ps::<_CMP_LT_OQ>(a, b)
    }
    #[inline(always)]
    fn le(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_cmp_ps::<_CMP_LE_OQ>(a, b)
    }
    #[inline(always)]
    fn both(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_and_ps(a, b)
    }
    #[inline(always)]
    fn either(self, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_or_ps(a, b)
    }
    #[inline(always)]
    fn keep(self, m: __m256, x: __m256) -> __m256 {
        self.avx._mm256_and_ps(m, x)
    }
    #[inline(always)]
    fn select(self, m: __m256, a: __m256, b: __m256) -> __m256 {
        self.avx._mm256_blendv_ps(b, a, m)
    }
    #[inline(always)]
    fn copysign(self, a: __m256, b: __m256) -> __m256 {
        let sign = self.splat(-0.0);
        let magnitude = self.avx._mm256_andnot_ps(sign, a);
        self.avx._mm256_or_ps(magnitude, self.avx._mm256_and_ps(sign, b))
    }
    #[inline(always)]
    fn whole(self, x: __m256) -> [u32; WIDTH] {
        cast(self.avx._mm256_cvttps_epi32(x))
    }
    #[inline(always)]
    fn bits(self, m: __m256) -> u8 {
        self.avx._mm256_movemask_ps(m) as u8
    }
    #[inline(always)]
    fn mask(self, bits: u8) -> __m256 {
        let each = cast([1_u32, 2, 4, 8, 16, 32, 64, 128]);
        let own = self.avx2._mm256_and_si256(self.avx._mm256_set1_epi32(bits.into()), each);
        cast(self.avx2._mm256_cmpeq_epi32(own, each))
    }
    #[inline(always)]
    fn no_count(self) -> __m256i {
        self.avx._mm256_setzero_si256()
    }
    #[inline(always)]
    fn count(self, count: __m256i, m: __m256) -> __m256i {
        // A mask is minus one.
        self.avx2._mm256_sub_epi32(count, cast(m))
    }
    #[inline(always)]
    fn counted(self, count: __m256i) -> __m256 {
        self.avx._mm256_cvtepi32_ps(count)
    }
}
