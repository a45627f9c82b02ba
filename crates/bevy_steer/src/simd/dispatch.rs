//! The choice of the widest instruction set when the program runs.

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

use crate::simd::{lanes::Kernel, portable::Portable};
#[cfg(target_arch = "x86_64")]
use crate::simd::{lanes::Lanes, x86};

/// Whether kernels are compiled for the baseline instruction set only, which shortens builds: if
/// the environment variable was set when this crate was compiled. The results have the same bits.
#[cfg(target_arch = "x86_64")]
const BASELINE_ONLY: bool = option_env!("BEVY_STEER_BASELINE").is_some();

/// Runs a kernel on the widest lanes that this machine has.
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if !BASELINE_ONLY {
        // Only once, as there are many features to detect.
        static V3: LazyLock<Option<x86::V3>> = LazyLock::new(x86::V3::try_new);
        static V4: LazyLock<Option<x86::V4>> = LazyLock::new(x86::V4::try_new);
        if let Some(lanes) = *V4 {
            return lanes.outlined(kernel);
        }
        if let Some(lanes) = *V3 {
            return lanes.outlined(kernel);
        }
    }
    kernel.run(Portable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::lanes::{Arithmetic, Lanes, WIDTH, every, unset_lanes};

    /// Every operation, on special values.
    struct Everything;

    impl Kernel for Everything {
        type Output = Vec<u32>;

        fn run<L: Lanes>(self, l: L) -> Vec<u32> {
            let a = l.pack([1.0, -2.5, 0.0, -0.0, f32::NAN, f32::INFINITY, 1e-40, 3e38]);
            let b = l.pack([3.0, -2.5, 7.0, 1.0, 1.0, f32::INFINITY, -1e-41, 1e30]);
            let (less, no_more) = (l.lt(a, b), l.le(a, b));
            let numbers = [
                l.add(a, b),
                l.sub(a, b),
                l.mul(a, b),
                l.div(a, b),
                l.sqrt(a),
                l.min(a, b),
                l.max(a, b),
                l.mask(less, a),
                l.add_where(less, b, a),
                l.mask(l.or(less, l.bits_to_mask(0b1000_0001)), b),
                l.select(no_more, a, b),
                l.copysign(a, b),
                l.mask(l.bits_to_mask(0b1010_0110), b),
                l.splat(0.1),
                l.round(l.pack([0.5, 1.5, -2.4, -2.6, 0.0, -0.0, 1e6, 8_388_606.5])),
            ];
            let rows = every!(i => [i as f32, -0.0, f32::NAN, 0.5 * i as f32]);
            let columns = l.columns(rows);
            let numbers = numbers.into_iter().chain(columns).flat_map(|x| l.unpack(x));
            let numbers = numbers.chain(l.rows(columns).into_iter().flatten());
            let triples = l.triples([a, b, columns[0]]);
            let numbers = numbers.chain(triples.into_iter().flatten());
            let numbers =
                numbers.chain(l.coordinates(triples).into_iter().flat_map(|x| l.unpack(x)));
            // Which results are NaN is guaranteed, but not their bits.
            let bits = numbers.map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() });
            let whole =
                l.whole(l.pack([0.0, 0.99, 1.0, 2.5, 7e5, 8_388_607.5, 1e9, 2_147_483_500.0]));
            let front = l.unpack(l.to_front(b, 0b1011_0110));
            let front = front.into_iter().take(5).map(f32::to_bits);
            let masks = [less, no_more, l.bits_to_mask(0)];
            let masks = masks.map(|m| u32::from(l.bits(m)) | u32::from(l.any(m)) << 8);
            bits.chain(masks).chain(whole).chain(front).collect()
        }
    }

    #[test]
    fn all_instruction_sets_give_the_same_bits() {
        let portable = Everything.run(Portable);
        assert_eq!(dispatch(Everything), portable);
        // Test AVX2 even if this machine would choose AVX-512.
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = x86::V3::try_new() {
            assert_eq!(lanes.outlined(Everything), portable);
        }
    }

    #[test]
    fn masks_and_counts() {
        let l = Portable;
        let m = l.lt(l.pack([0.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0]), l.splat(1.0));
        assert_eq!(l.bits(m), 0b0111_0101);
        let masks = [m, m, l.bits_to_mask(0b1000_0001)];
        let count =
            masks.into_iter().fold(l.splat(0.0), |sum, m| l.add_where(m, sum, l.splat(1.0)));
        assert_eq!(l.unpack(count), [3.0, 0.0, 2.0, 0.0, 2.0, 2.0, 2.0, 1.0]);
        assert_eq!(l.whole(l.splat(7.9)), [7; WIDTH]);
        assert_eq!(l.unpack(l.select(m, l.splat(1.0), l.splat(2.0)))[..2], [1.0, 2.0]);
    }

    #[test]
    fn to_front_keeps_the_order_of_lanes() {
        let l = Portable;
        let numbers = l.pack(every!(i => i as f32));
        for bits in 0..=u8::MAX {
            let front = l.unpack(l.to_front(numbers, bits));
            let set: Vec<f32> = unset_lanes(!bits).map(|lane| lane as f32).collect();
            assert_eq!(front[..set.len()], set);
        }
    }

    #[test]
    fn unset_lanes_are_in_order() {
        assert_eq!(unset_lanes(0b0111_0101).collect::<Vec<_>>(), [1, 3, 7]);
        assert_eq!(unset_lanes(0).collect::<Vec<_>>(), (0..WIDTH).collect::<Vec<_>>());
        assert_eq!(unset_lanes(u8::MAX).count(), 0);
    }

    #[test]
    fn columns_transpose_rows() {
        let l = Portable;
        let rows = every!(i => [0.0, 10.0, 20.0, 30.0].map(|column| column + i as f32));
        let columns = l.columns(rows);
        for (column, numbers) in columns.into_iter().enumerate() {
            assert_eq!(l.unpack(numbers), rows.map(|row| row[column]));
        }
        assert_eq!(l.rows(columns), rows);
    }

    #[test]
    fn triples_are_adjacent_vectors() {
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
