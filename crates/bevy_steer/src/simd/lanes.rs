//! [`Lanes`]: operations on eight numbers at a time.
//!
//! A kernel is written once, for any `Lanes`. Every operation is one IEEE operation a lane, nothing is fused, and none
//! sums across lanes, so that all instruction sets give the same bits.

/// PaddedColumn in one register, or what stands for one.
pub(crate) const WIDTH: usize = 8;

/// For each set of lanes, given by one bit a lane, which they are, the first one first.
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

/// The operations of kernels on [`WIDTH`] numbers at a time.
pub(crate) trait Lanes: Copy {
    /// PaddedColumn.
    type F: Copy;
    /// A yes or no a lane.
    type M: Copy;
    /// A count a lane.
    type C: Copy;

    /// Runs a loop that is compiled by itself.
    fn outlined<P: Outlined<Self>>(self, part: P) -> P::Output;

    fn splat(self, x: f32) -> Self::F;
    fn pack(self, x: [f32; WIDTH]) -> Self::F;
    fn unpack(self, x: Self::F) -> [f32; WIDTH];
    /// The columns of four numbers a lane: cheaper than to [`pack`](Self::pack) each of them where the four lie side by side.
    fn columns(self, rows: [[f32; 4]; WIDTH]) -> [Self::F; 4];
    /// The reverse of [`columns`](Self::columns).
    fn rows(self, columns: [Self::F; 4]) -> [[f32; 4]; WIDTH];
    /// The coordinates of vectors that lie side by side with nothing between them.
    fn coordinates(self, triples: [[f32; WIDTH]; 3]) -> [Self::F; 3];
    /// The reverse of [`coordinates`](Self::coordinates).
    fn triples(self, coordinates: [Self::F; 3]) -> [[f32; WIDTH]; 3];
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
    fn and(self, a: Self::M, b: Self::M) -> Self::M;
    fn or(self, a: Self::M, b: Self::M) -> Self::M;
    /// `x` where `m`, else zero.
    fn mask(self, m: Self::M, x: Self::F) -> Self::F;
    /// A sum with `x` where `m`, else as it is. The sum is not negative zero, which no sum that began with zero ever is.
    fn add_where(self, m: Self::M, sum: Self::F, x: Self::F) -> Self::F;
    /// `a` where `m`, else `b`.
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// `a` with the sign of `b`.
    fn copysign(self, a: Self::F, b: Self::F) -> Self::F;
    /// Those whose bits are set side by side at the [`FRONT`]; what follows them is not said.
    fn to_front(self, x: Self::F, bits: u8) -> Self::F;
    /// Without their fractions: for numbers from 0 to 2³¹.
    fn whole(self, x: Self::F) -> [u32; WIDTH];
    /// One bit a lane, the first the lowest.
    fn bits(self, m: Self::M) -> u8;
    /// The reverse of [`bits`](Self::bits).
    fn from_bits(self, bits: u8) -> Self::M;
    fn no_count(self) -> Self::C;
    /// One more where `m`.
    fn count(self, count: Self::C, m: Self::M) -> Self::C;
    fn counted(self, count: Self::C) -> Self::F;
}

/// What an expression gives for each lane. A macro, because a closure would be called for each of them.
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

/// The numbers that an expression gives for each lane.
macro_rules! pack {
    ($l:expr, $i:ident => $number:expr) => {
        $l.pack($crate::simd::lanes::every!($i => $number))
    };
}
pub(crate) use pack;

/// The lanes whose bits are not set.
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

/// A part of a kernel that needs all registers: were it compiled with what is around it, it would have to keep its sums in memory.
pub(crate) trait Outlined<L> {
    type Output;
    fn run(self, lanes: L) -> Self::Output;
}

/// What runs on lanes.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}
