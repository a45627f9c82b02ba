//! [`Arithmetic`] on one number ([`One`]) or on eight, and [`Lanes`]: eight numbers in a register.

/// The operations of formulas, on one number ([`One`]) or on several.
pub(crate) trait Arithmetic: Copy {
    /// A number in each lane.
    type F: Copy;
    /// A truth value in each lane, a mask.
    type M: Copy;

    fn splat(self, x: f32) -> Self::F;
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    fn sqrt(self, a: Self::F) -> Self::F;
    /// `a` where it is less, else `b`, also where one is NaN.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a` where it is greater, else `b`, also where one is NaN.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    fn lt(self, a: Self::F, b: Self::F) -> Self::M;
    fn le(self, a: Self::F, b: Self::F) -> Self::M;
    fn and(self, a: Self::M, b: Self::M) -> Self::M;
    fn or(self, a: Self::M, b: Self::M) -> Self::M;
    /// Whether any lane is true.
    fn any(self, m: Self::M) -> bool;
    /// `x` where `m`, else zero.
    fn mask(self, m: Self::M, x: Self::F) -> Self::F;
    /// `a` where `m`, else `b`.
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// `a` with the sign of `b`.
    fn copysign(self, a: Self::F, b: Self::F) -> Self::F;

    inline_always! {
        fn abs(self, x: Self::F) -> Self::F {
            self.copysign(x, self.splat(0.0))
        }

        fn neg(self, x: Self::F) -> Self::F {
            self.mul(x, self.splat(-1.0))
        }

        /// Rounds to the nearest whole number, ties to even. For numbers up to 2²³.
        fn round(self, x: Self::F) -> Self::F {
            // Numbers from 2²³ upwards have no fraction, so adding 2²³ rounds.
            let shift = self.splat((1 << 23) as f32);
            self.copysign(self.sub(self.add(self.abs(x), shift), shift), x)
        }
    }
}

/// Functions that are always inlined: a table of operations instead of an attribute for each.
macro_rules! inline_always {
    ($($function:item)+) => {
        $(#[inline(always)]
        $function)+
    };
}
pub(crate) use inline_always;

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

/// Eight numbers.
pub(crate) const WIDTH: usize = 8;

/// [`Arithmetic`] on [`WIDTH`] numbers at a time, with loads and stores.
pub(crate) trait Lanes: Arithmetic {
    /// Runs a loop that is compiled as a separate function.
    fn outlined<P: Outlined<Self>>(self, part: P) -> P::Output;

    fn pack(self, x: [f32; WIDTH]) -> Self::F;
    fn unpack(self, x: Self::F) -> [f32; WIDTH];
    /// The columns of rows of four numbers. Cheaper than to [`pack`](Self::pack) each column if the
    /// four numbers are adjacent in memory.
    fn columns(self, rows: [[f32; 4]; WIDTH]) -> [Self::F; 4];
    /// The reverse of [`columns`](Self::columns).
    fn rows(self, columns: [Self::F; 4]) -> [[f32; 4]; WIDTH];
    /// The coordinates of vectors that are adjacent in memory.
    fn coordinates(self, triples: [[f32; WIDTH]; 3]) -> [Self::F; 3];
    /// The reverse of [`coordinates`](Self::coordinates).
    fn triples(self, coordinates: [Self::F; 3]) -> [[f32; WIDTH]; 3];
    /// A sum with `x` added where `m`. The sum must not be negative zero, which a sum that began
    /// with zero never is.
    fn add_where(self, m: Self::M, sum: Self::F, x: Self::F) -> Self::F;
    /// The lanes with a bit set, moved to the [`FRONT`]; the lanes after them are unspecified.
    fn to_front(self, x: Self::F, bits: u8) -> Self::F;
    /// The whole parts, for numbers from 0 to 2³¹.
    fn whole(self, x: Self::F) -> [u32; WIDTH];
    /// One bit for each lane, the first lane in the lowest bit.
    fn bits(self, m: Self::M) -> u8;
    /// The reverse of [`bits`](Self::bits).
    fn bits_to_mask(self, bits: u8) -> Self::M;
}

/// The indices of the lanes in each set of lanes (one bit each), in ascending order.
pub(crate) const FRONT: [[u8; WIDTH]; 256] = {
    let mut front = [[0; WIDTH]; 256];
    let mut bits = 0;
    while bits < front.len() {
        let (mut left, mut place) = (bits, 0);
        while left != 0 {
            front[bits][place] = left.trailing_zeros() as u8;
            left &= left - 1;
            place += 1;
        }
        bits += 1;
    }
    front
};

/// An array of an expression's value for each of these indices. A macro, because a closure might
/// not be inlined.
macro_rules! at_indices {
    ($i:ident => $what:expr, $($index:literal)+) => {
        [$({
            let $i = $index;
            $what
        }),+]
    };
}
pub(crate) use at_indices;

/// An array of an expression's value for each lane.
macro_rules! every {
    ($i:ident => $what:expr) => {
        $crate::simd::at_indices!($i => $what, 0 1 2 3 4 5 6 7)
    };
}
pub(crate) use every;

/// An expression's value for each lane, in a register.
macro_rules! pack {
    ($l:expr, $i:ident => $number:expr) => {
        $l.pack($crate::simd::every!($i => $number))
    };
}
pub(crate) use pack;

/// The lanes without a bit set.
#[inline]
pub(crate) fn unset_lanes(bits: u8) -> impl Iterator<Item = usize> {
    let mut left = !bits;
    core::iter::from_fn(move || {
        let lane = left.trailing_zeros() as usize;
        (left != 0).then(|| {
            left &= left - 1;
            lane
        })
    })
}

/// A part of a kernel that needs all registers: inlined into its caller it would keep its sums in
/// memory.
pub(crate) trait Outlined<L> {
    type Output;
    fn run(self, lanes: L) -> Self::Output;
}

/// A computation on lanes, see [`dispatch`](crate::simd::dispatch).
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// A kernel is a part that fits lanes of any kind.
impl<L: Lanes, K: Kernel> Outlined<L> for K {
    type Output = K::Output;

    #[inline(always)]
    fn run(self, lanes: L) -> K::Output {
        Kernel::run(self, lanes)
    }
}
