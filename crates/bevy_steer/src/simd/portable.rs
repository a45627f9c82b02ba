//! [`Lanes`] for every processor.

use crate::simd::lanes::{Arithmetic, FRONT, Lanes, Outlined, WIDTH, every, inline_always};

/// Arrays, which compilers vectorise for the target's baseline: SSE2, NEON, SIMD128.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

type Eight<T> = [[T; 4]; 2];

#[inline(always)]
fn map<T: Copy, U>(a: Eight<T>, f: impl Fn(T) -> U + Copy) -> Eight<U> {
    [a[0].map(f), a[1].map(f)]
}

#[inline(always)]
fn zip<T: Copy, U: Copy, V>(a: Eight<T>, b: Eight<U>, f: impl Fn(T, U) -> V + Copy) -> Eight<V> {
    let four = |a: [T; 4], b: [U; 4]| core::array::from_fn(|i| f(a[i], b[i]));
    [four(a[0], b[0]), four(a[1], b[1])]
}

#[inline]
fn truth(is_true: bool) -> u32 {
    if is_true { u32::MAX } else { 0 }
}

impl Arithmetic for Portable {
    type F = Eight<f32>;
    type M = Eight<u32>;

    inline_always! {
        fn splat(self, x: f32) -> Self::F { [[x; 4]; 2] }
        fn add(self, a: Self::F, b: Self::F) -> Self::F { zip(a, b, |a, b| a + b) }
        fn sub(self, a: Self::F, b: Self::F) -> Self::F { zip(a, b, |a, b| a - b) }
        fn mul(self, a: Self::F, b: Self::F) -> Self::F { zip(a, b, |a, b| a * b) }
        fn div(self, a: Self::F, b: Self::F) -> Self::F { zip(a, b, |a, b| a / b) }
        fn sqrt(self, a: Self::F) -> Self::F { map(a, f32::sqrt) }
        fn min(self, a: Self::F, b: Self::F) -> Self::F {
            zip(a, b, |a, b| if a < b { a } else { b })
        }
        fn max(self, a: Self::F, b: Self::F) -> Self::F {
            zip(a, b, |a, b| if a > b { a } else { b })
        }
        fn lt(self, a: Self::F, b: Self::F) -> Self::M { zip(a, b, |a, b| truth(a < b)) }
        fn le(self, a: Self::F, b: Self::F) -> Self::M { zip(a, b, |a, b| truth(a <= b)) }
        fn and(self, a: Self::M, b: Self::M) -> Self::M { zip(a, b, |a, b| a & b) }
        fn or(self, a: Self::M, b: Self::M) -> Self::M { zip(a, b, |a, b| a | b) }
        fn mask(self, m: Self::M, x: Self::F) -> Self::F {
            zip(m, x, |m, x| f32::from_bits(m & x.to_bits()))
        }
        fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
            let not = map(m, |m| !m);
            let (a, b) = (self.mask(m, a), self.mask(not, b));
            zip(a, b, |a, b| f32::from_bits(a.to_bits() | b.to_bits()))
        }
        fn copysign(self, a: Self::F, b: Self::F) -> Self::F { zip(a, b, f32::copysign) }
        fn any(self, m: Self::M) -> bool { m.as_flattened().iter().any(|m| *m != 0) }
    }
}

impl Lanes for Portable {
    inline_always! {
        fn outlined<P: Outlined<Self>>(self, part: P) -> P::Output { part.run(self) }
        fn pack(self, [a, b, c, d, e, f, g, h]: [f32; WIDTH]) -> Self::F {
            [[a, b, c, d], [e, f, g, h]]
        }
        fn unpack(self, [[a, b, c, d], [e, f, g, h]]: Self::F) -> [f32; WIDTH] {
            [a, b, c, d, e, f, g, h]
        }
        fn columns(self, [a, b, c, d, e, f, g, h]: [[f32; 4]; WIDTH]) -> [Self::F; 4] {
            core::array::from_fn(|i| [[a[i], b[i], c[i], d[i]], [e[i], f[i], g[i], h[i]]])
        }
        fn rows(self, [a, b, c, d]: [Self::F; 4]) -> [[f32; 4]; WIDTH] {
            core::array::from_fn(|i| {
                let (half, lane) = (i / 4, i % 4);
                [a[half][lane], b[half][lane], c[half][lane], d[half][lane]]
            })
        }
        fn coordinates(self, triples: [[f32; WIDTH]; 3]) -> [Self::F; 3] {
            let number = |i: usize| triples[i / WIDTH][i % WIDTH];
            [0, 1, 2].map(|d| self.pack(every!(i => number(3 * i + d))))
        }
        fn triples(self, coordinates: [Self::F; 3]) -> [[f32; WIDTH]; 3] {
            let number = |i: usize| coordinates[i % 3][i / 3 / 4][i / 3 % 4];
            [0, 1, 2].map(|d| every!(i => number(d * WIDTH + i)))
        }
        fn add_where(self, m: Self::M, sum: Self::F, x: Self::F) -> Self::F {
            self.add(sum, self.mask(m, x))
        }
        fn to_front(self, x: Self::F, bits: u8) -> Self::F {
            let (x, lanes) = (self.unpack(x), &FRONT[usize::from(bits)]);
            self.pack(every!(i => x[usize::from(lanes[i]) % WIDTH]))
        }
        fn whole(self, x: Self::F) -> [u32; WIDTH] {
            // By way of `i32`, for which there is an instruction.
            let [[a, b, c, d], [e, f, g, h]] = map(x, |x| x as i32 as u32);
            [a, b, c, d, e, f, g, h]
        }
        fn bits(self, m: Self::M) -> u8 {
            m.as_flattened().iter().enumerate().fold(0, |bits, (i, m)| bits | ((m & 1) << i)) as u8
        }
        fn bits_to_mask(self, bits: u8) -> Self::M {
            let lane = |i: usize| truth(bits >> i & 1 == 1);
            [core::array::from_fn(lane), core::array::from_fn(|i| lane(i + 4))]
        }
    }
}
