//! Eight numbers at a time: [`Lanes`], and the choice of the widest instruction set when the program runs.
//!
//! A kernel is written once, for any `Lanes`. Every operation is one IEEE operation a lane, nothing is fused, and lanes are
//! never summed across, so that all instruction sets give the same bits.

/// Numbers in one register, or what stands for one.
pub(crate) const WIDTH: usize = 8;

/// The operations of kernels on [`WIDTH`] numbers at a time.
pub(crate) trait Lanes: Copy {
    /// Numbers.
    type F: Copy;
    /// A yes or no a lane.
    type M: Copy;
    /// Two counts a lane, both below 65,536, in one register.
    type C: Copy;

    fn splat(self, x: f32) -> Self::F;
    fn pack(self, x: [f32; WIDTH]) -> Self::F;
    fn unpack(self, x: Self::F) -> [f32; WIDTH];
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    fn sqrt(self, a: Self::F) -> Self::F;
    /// `a` where it is less, else `b`: also where either is no number.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a` where it is greater, else `b`: also where either is no number.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    fn lt(self, a: Self::F, b: Self::F) -> Self::M;
    fn le(self, a: Self::F, b: Self::F) -> Self::M;
    fn both(self, a: Self::M, b: Self::M) -> Self::M;
    fn either(self, a: Self::M, b: Self::M) -> Self::M;
    /// `x` where `m`, else zero.
    fn keep(self, m: Self::M, x: Self::F) -> Self::F;
    /// `a` where `m`, else `b`.
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// `a` with the sign of `b`.
    fn copysign(self, a: Self::F, b: Self::F) -> Self::F;
    /// One bit a lane, the first the lowest.
    fn bits(self, m: Self::M) -> u8;
    /// The reverse of [`bits`](Self::bits).
    fn mask(self, bits: u8) -> Self::M;
    fn no_count(self) -> Self::C;
    /// One more in the first count where `a`, and in the second where `b`.
    fn count(self, count: Self::C, a: Self::M, b: Self::M) -> Self::C;
    fn counted(self, count: Self::C) -> [Self::F; 2];
}

/// The numbers that an expression gives for each lane. A macro, because a closure would be called for each of them.
macro_rules! pack {
    ($l:expr, $i:ident => $number:expr) => {
        $l.pack([
            {
                let $i = 0;
                $number
            },
            {
                let $i = 1;
                $number
            },
            {
                let $i = 2;
                $number
            },
            {
                let $i = 3;
                $number
            },
            {
                let $i = 4;
                $number
            },
            {
                let $i = 5;
                $number
            },
            {
                let $i = 6;
                $number
            },
            {
                let $i = 7;
                $number
            },
        ])
    };
}
pub(crate) use pack;

/// Where the second count is.
const SECOND: u32 = 0xFFFF_0000;

/// What runs on lanes.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs a kernel on the widest lanes that this machine has.
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = wide::V3::try_new() {
        return wide::run(lanes, kernel);
    }
    kernel.run(Portable)
}

/// Arrays, which compilers turn into whatever the target has by default: SSE2, NEON, SIMD128.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

type Four<T> = [T; 4];
type Eight<T> = [Four<T>; 2];

#[inline(always)]
fn map<T: Copy, U>(a: Eight<T>, f: impl Fn(T) -> U + Copy) -> Eight<U> {
    [a[0].map(f), a[1].map(f)]
}

#[inline(always)]
fn zip<T: Copy, U: Copy, V>(a: Eight<T>, b: Eight<U>, f: impl Fn(T, U) -> V + Copy) -> Eight<V> {
    let four = |a: Four<T>, b: Four<U>| core::array::from_fn(|i| f(a[i], b[i]));
    [four(a[0], b[0]), four(a[1], b[1])]
}

#[inline(always)]
fn yes_or_no(yes: bool) -> u32 {
    if yes { u32::MAX } else { 0 }
}

impl Lanes for Portable {
    type F = Eight<f32>;
    type M = Eight<u32>;
    type C = Eight<u32>;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        [[x; 4]; 2]
    }
    #[inline(always)]
    fn pack(self, [a, b, c, d, e, f, g, h]: [f32; WIDTH]) -> Self::F {
        [[a, b, c, d], [e, f, g, h]]
    }
    #[inline(always)]
    fn unpack(self, [[a, b, c, d], [e, f, g, h]]: Self::F) -> [f32; WIDTH] {
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        map(a, f32::sqrt)
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        zip(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn lt(self, a: Self::F, b: Self::F) -> Self::M {
        zip(a, b, |a, b| yes_or_no(a < b))
    }
    #[inline(always)]
    fn le(self, a: Self::F, b: Self::F) -> Self::M {
        zip(a, b, |a, b| yes_or_no(a <= b))
    }
    #[inline(always)]
    fn both(self, a: Self::M, b: Self::M) -> Self::M {
        zip(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn either(self, a: Self::M, b: Self::M) -> Self::M {
        zip(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn keep(self, m: Self::M, x: Self::F) -> Self::F {
        zip(m, x, |m, x| f32::from_bits(m & x.to_bits()))
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        let not = map(m, |m| !m);
        let (a, b) = (self.keep(m, a), self.keep(not, b));
        zip(a, b, |a, b| f32::from_bits(a.to_bits() | b.to_bits()))
    }
    #[inline(always)]
    fn copysign(self, a: Self::F, b: Self::F) -> Self::F {
        zip(a, b, f32::copysign)
    }
    #[inline(always)]
    fn bits(self, m: Self::M) -> u8 {
        m.as_flattened().iter().enumerate().fold(0, |bits, (i, m)| bits | ((m & 1) << i)) as u8
    }
    #[inline(always)]
    fn mask(self, bits: u8) -> Self::M {
        let lane = |i: usize| yes_or_no(bits >> i & 1 == 1);
        [core::array::from_fn(lane), core::array::from_fn(|i| lane(i + 4))]
    }
    #[inline(always)]
    fn no_count(self) -> Self::C {
        [[0; 4]; 2]
    }
    #[inline(always)]
    fn count(self, count: Self::C, a: Self::M, b: Self::M) -> Self::C {
        // A mask is minus one.
        let first = zip(count, a, u32::wrapping_sub);
        zip(first, b, |count, b| count.wrapping_sub(b & SECOND))
    }
    #[inline(always)]
    fn counted(self, count: Self::C) -> [Self::F; 2] {
        // By way of `i32`, for which there is an instruction.
        let first = map(count, |count| (count & !SECOND) as i32 as f32);
        [first, map(count, |count| (count >> 16) as i32 as f32)]
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use core::arch::x86_64::{__m256, __m256i, _CMP_LE_OQ, _CMP_LT_OQ};

    pub(super) use pulp::x86::V3;
    use pulp::{NullaryFnOnce, cast};

    use super::{Kernel, Lanes, SECOND, WIDTH};

    struct OnV3<K>(V3, K);

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

    /// AVX2.
    impl Lanes for V3 {
        type F = __m256;
        type M = __m256;
        type C = __m256i;

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
        fn bits(self, m: __m256) -> u8 {
            self.avx._mm256_movemask_ps(m) as u8
        }
        #[inline(always)]
        fn mask(self, bits: u8) -> __m256 {
            let lane = |i: usize| if bits >> i & 1 == 1 { u32::MAX } else { 0 };
            cast::<[u32; WIDTH], _>(core::array::from_fn(lane))
        }
        #[inline(always)]
        fn no_count(self) -> __m256i {
            self.avx._mm256_setzero_si256()
        }
        #[inline(always)]
        fn count(self, count: __m256i, a: __m256, b: __m256) -> __m256i {
            let first = self.avx2._mm256_sub_epi32(count, cast(a));
            let second = self.avx._mm256_and_ps(b, self.splat(f32::from_bits(SECOND)));
            self.avx2._mm256_sub_epi32(first, cast(second))
        }
        #[inline(always)]
        fn counted(self, count: __m256i) -> [__m256; 2] {
            let first = self.avx2._mm256_and_si256(count, cast([!SECOND; WIDTH]));
            let second = self.avx2._mm256_srli_epi32::<16>(count);
            [self.avx._mm256_cvtepi32_ps(first), self.avx._mm256_cvtepi32_ps(second)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation, on awkward numbers.
    struct Everything;

    impl Kernel for Everything {
        type Output = Vec<u32>;

        fn run<L: Lanes>(self, l: L) -> Vec<u32> {
            let a = l.pack([1.0, -2.5, 0.0, -0.0, f32::NAN, f32::INFINITY, 1e-40, 3e38]);
            let b = l.pack([3.0, -2.5, 7.0, 1.0, 1.0, f32::INFINITY, -1e-41, 1e30]);
            let (less, no_more) = (l.lt(a, b), l.le(a, b));
            let mut count = l.count(l.no_count(), less, no_more);
            count = l.count(count, l.both(less, no_more), no_more);
            let [first, second] = l.counted(count);
            let numbers = [
                l.add(a, b),
                l.sub(a, b),
                l.mul(a, b),
                l.div(a, b),
                l.sqrt(a),
                l.min(a, b),
                l.max(a, b),
                l.keep(less, a),
                l.keep(l.either(less, l.mask(0b1000_0001)), b),
                l.select(no_more, a, b),
                l.copysign(a, b),
                l.keep(l.mask(0b1010_0110), b),
                first,
                second,
                l.splat(0.1),
            ];
            let numbers = numbers.into_iter().flat_map(|x| l.unpack(x));
            // Whether a number is one is promised, the bits of those that are none are not.
            let bits = numbers.map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() });
            bits.chain([u32::from(l.bits(less)), u32::from(l.bits(no_more))]).collect()
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        assert_eq!(dispatch(Everything), Everything.run(Portable));
    }

    #[test]
    fn masks_and_counts_are_what_they_say() {
        let l = Portable;
        let m = l.lt(l.pack([0.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0]), l.splat(1.0));
        assert_eq!(l.bits(m), 0b0111_0101);
        let none = l.mask(0);
        let count = l.count(l.count(l.no_count(), m, none), m, m);
        let [first, second] = l.counted(count).map(|count| l.unpack(count));
        assert_eq!(first, [2.0, 0.0, 2.0, 0.0, 2.0, 2.0, 2.0, 0.0]);
        assert_eq!(second, [1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(l.unpack(l.select(m, l.splat(1.0), l.splat(2.0)))[..2], [1.0, 2.0]);
    }
}
