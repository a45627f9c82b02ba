//! Eight numbers at a time: [`Lanes`], and the choice of the widest instruction set when the program runs.
//!
//! A kernel is written once, for any `Lanes`. Every operation is one IEEE operation a lane, nothing is fused, and none
//! sums across lanes, so that all instruction sets give the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(target_arch = "x86_64")]
mod register;
pub(crate) mod vector;

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

pub(crate) use portable::Portable;

/// Numbers in one register, or what stands for one.
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
    /// Numbers.
    type F: Copy;
    /// A yes or no a lane.
    type M: Copy;
    /// A count a lane.
    type C: Copy;

    /// Runs a loop that is compiled by itself.
    fn apart<P: Apart<Self>>(self, part: P) -> P::Output;

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
    fn both(self, a: Self::M, b: Self::M) -> Self::M;
    fn either(self, a: Self::M, b: Self::M) -> Self::M;
    /// `x` where `m`, else zero.
    fn keep(self, m: Self::M, x: Self::F) -> Self::F;
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
    fn mask(self, bits: u8) -> Self::M;
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
        $l.pack($crate::lanes::every!($i => $number))
    };
}
pub(crate) use pack;

/// The lanes whose bits are not set.
#[inline(always)]
pub(crate) fn missing(bits: u8) -> impl Iterator<Item = usize> {
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
pub(crate) trait Apart<L> {
    type Output;
    fn run(self, lanes: L) -> Self::Output;
}

/// What runs on lanes.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs a kernel on the widest lanes that this machine has.
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        // Asked for once: there are many features to look for.
        static V3: LazyLock<Option<avx2::V3>> = LazyLock::new(avx2::V3::try_new);
        static V4: LazyLock<Option<avx512::V4>> = LazyLock::new(avx512::V4::try_new);
        if let Some(lanes) = *V4 {
            return avx512::run(lanes, kernel);
        }
        if let Some(lanes) = *V3 {
            return avx2::run(lanes, kernel);
        }
    }
    kernel.run(Portable)
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
            let count = l.count(l.count(l.no_count(), less), no_more);
            let numbers = [
                l.add(a, b),
                l.sub(a, b),
                l.mul(a, b),
                l.div(a, b),
                l.sqrt(a),
                l.min(a, b),
                l.max(a, b),
                l.keep(less, a),
                l.add_where(less, b, a),
                l.keep(l.either(less, l.mask(0b1000_0001)), b),
                l.select(no_more, a, b),
                l.copysign(a, b),
                l.keep(l.mask(0b1010_0110), b),
                l.counted(count),
                l.splat(0.1),
            ];
            let rows = every!(i => [i as f32, -0.0, f32::NAN, 0.5 * i as f32]);
            let columns = l.columns(rows);
            let numbers = numbers.into_iter().chain(columns).flat_map(|x| l.unpack(x));
            let numbers = numbers.chain(l.rows(columns).into_iter().flatten());
            let triples = l.triples([a, b, columns[0]]);
            let numbers = numbers.chain(triples.into_iter().flatten());
            let numbers =
                numbers.chain(l.coordinates(triples).into_iter().flat_map(|x| l.unpack(x)));
            // Whether a number is one is promised, the bits of those that are none are not.
            let bits = numbers.map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() });
            let whole =
                l.whole(l.pack([0.0, 0.99, 1.0, 2.5, 7e5, 8_388_607.5, 1e9, 2_147_483_500.0]));
            let front = l.unpack(l.to_front(b, 0b1011_0110));
            let front = front.into_iter().take(5).map(f32::to_bits);
            let masks = [u32::from(l.bits(less)), u32::from(l.bits(no_more))];
            bits.chain(masks).chain(whole).chain(front).collect()
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let portable = Everything.run(Portable);
        assert_eq!(dispatch(Everything), portable);
        // Also those that this machine has and does not choose.
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = avx2::V3::try_new() {
            assert_eq!(avx2::run(lanes, Everything), portable);
        }
    }

    #[test]
    fn masks_and_counts_are_what_they_say() {
        let l = Portable;
        let m = l.lt(l.pack([0.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0]), l.splat(1.0));
        assert_eq!(l.bits(m), 0b0111_0101);
        let count = l.count(l.count(l.count(l.no_count(), m), m), l.mask(0b1000_0001));
        assert_eq!(l.unpack(l.counted(count)), [3.0, 0.0, 2.0, 0.0, 2.0, 2.0, 2.0, 1.0]);
        assert_eq!(l.whole(l.splat(7.9)), [7; WIDTH]);
        assert_eq!(l.unpack(l.select(m, l.splat(1.0), l.splat(2.0)))[..2], [1.0, 2.0]);
    }

    #[test]
    fn lanes_come_to_the_front_in_their_order() {
        let l = Portable;
        let numbers = l.pack(every!(i => i as f32));
        for bits in 0..=u8::MAX {
            let front = l.unpack(l.to_front(numbers, bits));
            let set: Vec<f32> = missing(!bits).map(|lane| lane as f32).collect();
            assert_eq!(front[..set.len()], set);
        }
    }

    #[test]
    fn missing_are_those_whose_bits_are_not_set_in_their_order() {
        assert_eq!(missing(0b0111_0101).collect::<Vec<_>>(), [1, 3, 7]);
        assert_eq!(missing(0).collect::<Vec<_>>(), (0..WIDTH).collect::<Vec<_>>());
        assert_eq!(missing(u8::MAX).count(), 0);
    }

    #[test]
    fn columns_are_what_rows_have_in_one_place() {
        let l = Portable;
        let rows = every!(i => [0.0, 10.0, 20.0, 30.0].map(|column| column + i as f32));
        let columns = l.columns(rows);
        for (column, numbers) in columns.into_iter().enumerate() {
            assert_eq!(l.unpack(numbers), rows.map(|row| row[column]));
        }
        assert_eq!(l.rows(columns), rows);
    }

    #[test]
    fn triples_are_the_vectors_of_the_lanes() {
        let l = Portable;
        let coordinates = [0, 1, 2].map(|d| every!(i => (10 * i + d) as f32));
        let triples = l.triples(coordinates.map(|numbers| l.pack(numbers)));
        let vectors = triples.as_flattened().as_chunks::<3>().0;
        for (i, vector) in vectors.iter().enumerate() {
            assert_eq!(*vector, [0, 1, 2].map(|d| (10 * i + d) as f32));
        }
        assert_eq!(l.coordinates(triples).map(|numbers| l.unpack(numbers)), coordinates);
    }
}
