//! [`Lanes`] of x86-64 processors: with AVX2 those since 2013, with AVX-512 Intel's servers since
//! 2017 and AMD's since 2022 (Zen 4). Both have eight numbers in one register; AVX-512 adds twice
//! as many registers, and masks of one bit a lane that cost no instruction of their own in an
//! addition.

use core::arch::x86_64::{__m256, __mmask8, _CMP_LE_OQ, _CMP_LT_OQ};

pub(crate) use pulp::x86::{V3, V4};
use pulp::{NullaryFnOnce, cast, core_arch::x86::Avx};

use crate::simd::lanes::{Arithmetic, FRONT, Lanes, Outlined, WIDTH, inline_always};

/// A kernel, or a part of one, and the lanes to run it on.
struct On<L, P>(L, P);

impl<L, P: Outlined<L>> NullaryFnOnce for On<L, P> {
    type Output = P::Output;

    #[inline(always)]
    fn call(self) -> P::Output {
        self.1.run(self.0)
    }
}

/// Transposes four by four numbers, in each half of the registers separately.
#[inline(always)]
fn transposed(avx: Avx, [a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    const LOW: i32 = 0b01_00_01_00;
    const HIGH: i32 = 0b11_10_11_10;
    let (ab, cd) = (avx._mm256_unpacklo_ps(a, b), avx._mm256_unpacklo_ps(c, d));
    let (more_ab, more_cd) = (avx._mm256_unpackhi_ps(a, b), avx._mm256_unpackhi_ps(c, d));
    [
        avx._mm256_shuffle_ps::<LOW>(ab, cd),
        avx._mm256_shuffle_ps::<HIGH>(ab, cd),
        avx._mm256_shuffle_ps::<LOW>(more_ab, more_cd),
        avx._mm256_shuffle_ps::<HIGH>(more_ab, more_cd),
    ]
}

/// From adjacent vectors to their coordinates.
#[inline(always)]
fn coordinates(avx: Avx, [a, b, c]: [__m256; 3]) -> [__m256; 3] {
    // In halves: x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3 and the same of the last four.
    let first = avx._mm256_blend_ps::<0xF0>(a, b);
    let second = avx._mm256_permute2f128_ps::<0x21>(a, c);
    let third = avx._mm256_blend_ps::<0xF0>(b, c);
    let xy = avx._mm256_shuffle_ps::<0b10_01_11_10>(second, third);
    let yz = avx._mm256_shuffle_ps::<0b01_00_10_01>(first, second);
    [
        avx._mm256_shuffle_ps::<0b10_00_11_00>(first, xy),
        avx._mm256_shuffle_ps::<0b11_01_10_00>(yz, xy),
        avx._mm256_shuffle_ps::<0b11_00_11_01>(yz, third),
    ]
}

/// The reverse of [`coordinates`].
#[inline(always)]
fn triples(avx: Avx, [x, y, z]: [__m256; 3]) -> [__m256; 3] {
    // The even lanes of two, and the odd ones.
    let xy = avx._mm256_shuffle_ps::<0b10_00_10_00>(x, y);
    let yz = avx._mm256_shuffle_ps::<0b11_01_11_01>(y, z);
    let zx = avx._mm256_shuffle_ps::<0b11_01_10_00>(z, x);
    let first = avx._mm256_shuffle_ps::<0b10_00_10_00>(xy, zx);
    let second = avx._mm256_shuffle_ps::<0b11_01_10_00>(yz, xy);
    let third = avx._mm256_shuffle_ps::<0b11_01_11_01>(zx, yz);
    [
        avx._mm256_permute2f128_ps::<0x20>(first, second),
        avx._mm256_blend_ps::<0xF0>(third, first),
        avx._mm256_permute2f128_ps::<0x31>(second, third),
    ]
}

/// The operations of [`Arithmetic`] that take no mask, for a token of `pulp`.
macro_rules! arithmetic_in_a_register {
    () => {
        type F = __m256;

        inline_always! {
            fn splat(self, x: f32) -> __m256 { self.avx._mm256_set1_ps(x) }
            fn add(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_add_ps(a, b) }
            fn sub(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_sub_ps(a, b) }
            fn mul(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_mul_ps(a, b) }
            fn div(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_div_ps(a, b) }
            fn sqrt(self, a: __m256) -> __m256 { self.avx._mm256_sqrt_ps(a) }
            fn min(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_min_ps(a, b) }
            fn max(self, a: __m256, b: __m256) -> __m256 { self.avx._mm256_max_ps(a, b) }
            fn copysign(self, a: __m256, b: __m256) -> __m256 {
                let sign = self.splat(-0.0);
                let magnitude = self.avx._mm256_andnot_ps(sign, a);
                self.avx._mm256_or_ps(magnitude, self.avx._mm256_and_ps(sign, b))
            }
        }
    };
}

/// The operations of [`Lanes`] that take no mask, for a token of `pulp`.
macro_rules! lanes_in_a_register {
    ($token:ty) => {
        inline_always! {
            fn outlined<P: Outlined<Self>>(self, part: P) -> P::Output {
                #[inline(never)]
                fn run<P: Outlined<$token>>(lanes: $token, part: P) -> P::Output {
                    lanes.vectorize(On(lanes, part))
                }
                run(self, part)
            }
            fn pack(self, x: [f32; WIDTH]) -> __m256 { cast(x) }
            fn unpack(self, x: __m256) -> [f32; WIDTH] { cast(x) }
            fn columns(self, [a, b, c, d, e, f, g, h]: [[f32; 4]; WIDTH]) -> [__m256; 4] {
                transposed(self.avx, [cast([a, e]), cast([b, f]), cast([c, g]), cast([d, h])])
            }
            fn rows(self, columns: [__m256; 4]) -> [[f32; 4]; WIDTH] {
                let [[a, e], [b, f], [c, g], [d, h]]: [[[f32; 4]; 2]; 4] =
                    cast(transposed(self.avx, columns));
                [a, b, c, d, e, f, g, h]
            }
            fn coordinates(self, triples: [[f32; WIDTH]; 3]) -> [__m256; 3] {
                coordinates(self.avx, cast(triples))
            }
            fn triples(self, coordinates: [__m256; 3]) -> [[f32; WIDTH]; 3] {
                cast(triples(self.avx, coordinates))
            }
            fn to_front(self, x: __m256, bits: u8) -> __m256 {
                let lanes = cast([u64::from_le_bytes(FRONT[usize::from(bits)]), 0]);
                self.avx2._mm256_permutevar8x32_ps(x, self.avx2._mm256_cvtepu8_epi32(lanes))
            }
            fn whole(self, x: __m256) -> [u32; WIDTH] { cast(self.avx._mm256_cvttps_epi32(x)) }
        }
    };
}

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

/// AVX-512: a mask is a bit for each lane.
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
