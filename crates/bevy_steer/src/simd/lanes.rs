//! [`Arithmetic`] on one number or on eight, and [`Lanes`]: eight numbers in a register.
//!
//! A formula is written once, for any `Arithmetic`. Every operation is one IEEE operation a lane,
//! nothing is fused, and none sums across lanes, so that one number, eight, and all instruction
//! sets give the same bits.

/// Functions that are always inlined: a table of operations in place of an attribute each.
macro_rules! inline_always {
    ($($function:item)+) => {
        $(#[inline(always)]
        $function)+
    };
}
pub(crate) use inline_always;

/// The operations of formulas, on one number ([`One`](crate::simd::one::One)) or on several.
pub(crate) trait Arithmetic: Copy {
    /// A number a lane.
    type F: Copy;
    /// A truth value a lane.
    type M: Copy;

    fn splat(self, x: f32) -> Self::F;
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    fn sqrt(self, a: Self::F) -> Self::F;
    /// `a` where it is less, else `b`: also where either is NaN.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a` where it is greater, else `b`: also where either is NaN.
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

    #[inline(always)]
    fn abs(self, x: Self::F) -> Self::F {
        self.copysign(x, self.splat(0.0))
    }

    #[inline(always)]
    fn neg(self, x: Self::F) -> Self::F {
        self.mul(x, self.splat(-1.0))
    }

    /// The nearest whole number, the even one of two that are equally near. For numbers up to 2²³.
    #[inline(always)]
    fn round(self, x: Self::F) -> Self::F {
        // Numbers from 2²³ on have no fraction.
        let shift = self.splat((1 << 23) as f32);
        self.copysign(self.sub(self.add(self.abs(x), shift), shift), x)
    }
}

/// Eight numbers.
pub(crate) const WIDTH: usize = 8;

/// The lanes of each set of lanes (one bit a lane), the first one first.
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

/// [`Arithmetic`] on [`WIDTH`] numbers at a time, and what moves them between registers and memory.
pub(crate) trait Lanes: Arithmetic {
    /// A count a lane.
    type C: Copy;

    /// Runs a loop that is compiled by itself.
    fn outlined<P: Outlined<Self>>(self, part: P) -> P::Output;

    fn pack(self, x: [f32; WIDTH]) -> Self::F;
    fn unpack(self, x: Self::F) -> [f32; WIDTH];
    /// The columns of four numbers a lane: cheaper than to [`pack`](Self::pack) each of them where
    /// the four are adjacent.
    fn columns(self, rows: [[f32; 4]; WIDTH]) -> [Self::F; 4];
    /// The reverse of [`columns`](Self::columns).
    fn rows(self, columns: [Self::F; 4]) -> [[f32; 4]; WIDTH];
    /// The coordinates of vectors that are adjacent in memory.
    fn coordinates(self, triples: [[f32; WIDTH]; 3]) -> [Self::F; 3];
    /// The reverse of [`coordinates`](Self::coordinates).
    fn triples(self, coordinates: [Self::F; 3]) -> [[f32; WIDTH]; 3];
    /// A sum with `x` where `m`, else as it is. The sum is not negative zero, which no sum that
    /// began with zero ever is.
    fn add_where(self, m: Self::M, sum: Self::F, x: Self::F) -> Self::F;
    /// The lanes with a bit set, moved to the [`FRONT`]; what follows them is unspecified.
    fn to_front(self, x: Self::F, bits: u8) -> Self::F;
    /// Without their fractions: for numbers from 0 to 2³¹.
    fn whole(self, x: Self::F) -> [u32; WIDTH];
    /// One bit a lane, the first the lowest.
    fn bits(self, m: Self::M) -> u8;
    /// The reverse of [`bits`](Self::bits).
    fn bits_to_mask(self, bits: u8) -> Self::M;
    fn no_count(self) -> Self::C;
    /// One more where `m`.
    fn count(self, count: Self::C, m: Self::M) -> Self::C;
    fn counted(self, count: Self::C) -> Self::F;
}

/// An array of an expression's value for each lane. A macro, because a closure would not be
/// inlined.
macro_rules! every {
    ($i:ident => $what:expr) => {
        [
            {
                let $i = 0;
                $what
            },
            {
                let $i = 1;
                $what
            },
            {
                let $i = 2;
                $what
            },
            {
                let $i = 3;
                $what
            },
            {
                let $i = 4;
                $what
            },
            {
                let $i = 5;
                $what
            },
            {
                let $i = 6;
                $what
            },
            {
                let $i = 7;
                $what
            },
        ]
    };
}
pub(crate) use every;

/// An expression's value for each lane, in a register.
macro_rules! pack {
    ($l:expr, $i:ident => $number:expr) => {
        $l.pack($crate::simd::lanes::every!($i => $number))
    };
}
pub(crate) use pack;

/// The lanes without a bit set.
#[inline(always)]
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

/// A part of a kernel that needs all registers: compiled together with its caller it would keep its
/// sums in memory.
pub(crate) trait Outlined<L> {
    type Output;
    fn run(self, lanes: L) -> Self::Output;
}

/// A computation on lanes, see [`dispatch`](crate::simd::dispatch::dispatch).
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}
