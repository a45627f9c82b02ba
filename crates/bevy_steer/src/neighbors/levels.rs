//! [`Level`]: entries at about one height, of about one speed and size, in cells of their own.

use crate::{agent::HeightSpan, grid::cell_grid::CellGrid};

/// Entries of one height band and one [class](UsualSize::class) of speeds and radii.
///
/// Entries of different bands have nothing to do with each other, so the cells of a band, and with
/// them the order of sums, must not depend on other bands. Classes keep searches narrow whose reach
/// depends on how fast and large others are: one bullet among people does not make everybody look
/// as far as it flies.
#[derive(Debug, Default)]
pub(crate) struct Level {
    /// The band.
    pub(super) heights: HeightSpan,
    /// What is usual in the band, and the class of the entries on this level.
    pub(super) usual: UsualSize,
    pub(super) class: usize,
    /// The number of buckets of the levels before it.
    pub(super) first_bucket: u32,
    pub grid: CellGrid,
    /// The highest speed of its entries, in units a second.
    pub fastest: f32,
    /// The largest radius of its entries, in units.
    pub largest: f32,
}

/// How fast and large most entries of a band are.
#[derive(Clone, Copy, Debug)]
pub(super) struct UsualSize {
    pub speed_squared: f32,
    pub radius: f32,
}

impl Default for UsualSize {
    /// Everything is usual.
    fn default() -> Self {
        Self { speed_squared: f32::INFINITY, radius: f32::INFINITY }
    }
}

/// The number of classes.
pub(super) const CLASSES: usize = 4;
/// What is this many times as fast or large as the end of one class is in the next one.
const CLASS_RATIO: f32 = 4.0;

impl UsualSize {
    /// What is usual where some entries have these speeds (squared) and radii: up to a few times
    /// those of three in four.
    pub(super) fn of(mut speeds_squared: Vec<f32>, mut radii: Vec<f32>) -> Self {
        radii.retain(|&radius| radius > 0.0);
        let radius = power_above_most(&mut radii, 4.0);
        // Less than so many radii a second does not count.
        let speed_squared = power_above_most(&mut speeds_squared, 8.0).max(radius * radius);
        Self { speed_squared, radius: if radii.is_empty() { f32::INFINITY } else { radius } }
    }

    /// Whether these are usual.
    pub(super) fn includes(&self, speed_squared: f32, radius: f32) -> bool {
        speed_squared <= self.speed_squared && radius <= self.radius
    }

    /// The class of an entry: zero is usual, each further one is up to four times as fast or large
    /// as the one before.
    #[inline]
    pub(super) fn class(&self, speed_squared: f32, radius: f32) -> usize {
        if self.includes(speed_squared, radius) {
            return 0;
        }
        let larger = radius / self.radius;
        let mut times_squared = (speed_squared / self.speed_squared).max(larger * larger);
        let mut class = 1;
        while class + 1 < CLASSES && times_squared > CLASS_RATIO * CLASS_RATIO {
            times_squared /= CLASS_RATIO * CLASS_RATIO;
            class += 1;
        }
        class
    }
}

/// The largest power of two below three quarters of these numbers, multiplied by `times`; zero if
/// there is none.
fn power_above_most(numbers: &mut [f32], times: f32) -> f32 {
    if numbers.is_empty() {
        return 0.0;
    }
    let most = (numbers.len() * 3 / 4).min(numbers.len() - 1);
    let (_, &mut most, _) = numbers.select_nth_unstable_by(most, f32::total_cmp);
    f32::from_bits(most.to_bits() & f32::INFINITY.to_bits()) * times
}

/// The levels of the bands that meet a span, or of all bands.
pub(super) fn levels_at(levels: &[Level], span: Option<HeightSpan>) -> &[Level] {
    match span {
        Some(span) if levels.len() > 1 => {
            let first = levels.partition_point(|level| level.heights.high < span.low);
            let others = &levels[first..];
            &others[..others.partition_point(|level| level.heights.low <= span.high)]
        }
        _ => levels,
    }
}

/// Where there are more bands, all count as one: tables of cells for a few entries each would cost
/// more than they save.
const MAX_BANDS: usize = 32;
/// In more steps than this heights are sorted instead.
const MAX_STEPS: f32 = 65_536.0;

/// The height bands of these entries, from the lowest up: no entry reaches from one to another.
pub(super) fn height_bands(spans: &[HeightSpan]) -> Vec<HeightSpan> {
    if spans.contains(&HeightSpan::ALL) {
        return vec![HeightSpan::ALL];
    }
    // Those without a height connect nothing.
    let (mut flat, mut lowest, mut highest) = (false, f32::INFINITY, f32::NEG_INFINITY);
    let mut step = f32::INFINITY;
    for &HeightSpan { low, high } in spans {
        if low < high {
            (lowest, highest) = (lowest.min(low), highest.max(low));
            step = step.min(0.5 * (high - low));
        }
        flat |= low == high;
    }
    let steps = (highest - lowest) / step;
    let high_ones = spans.iter().copied().filter(|span| span.low < span.high);
    let mut bands = if steps <= MAX_STEPS {
        // Entries that begin in the same step meet each other, as all are longer than that.
        let nothing = HeightSpan { low: f32::INFINITY, high: f32::NEG_INFINITY };
        let mut by_step = vec![nothing; steps as usize + 1];
        for HeightSpan { low, high } in high_ones {
            let step = &mut by_step[((low - lowest) / step) as usize];
            *step = HeightSpan { low: step.low.min(low), high: step.high.max(high) };
        }
        connected(by_step)
    } else {
        sorted(high_ones)
    };
    if flat {
        let is_outside = |span: &HeightSpan| {
            let own = bands.partition_point(|band: &HeightSpan| band.high < span.low);
            span.low == span.high && bands.get(own).is_none_or(|band| span.low < band.low)
        };
        let outside = spans.iter().copied().filter(is_outside);
        bands = sorted(bands.iter().copied().chain(outside));
    }
    if (1..=MAX_BANDS).contains(&bands.len()) { bands } else { vec![HeightSpan::ALL] }
}

fn sorted(spans: impl Iterator<Item = HeightSpan>) -> Vec<HeightSpan> {
    let mut spans: Vec<_> = spans.collect();
    spans.sort_unstable_by(|a, b| a.low.total_cmp(&b.low));
    connected(spans)
}

/// Of spans in the order in which they begin, those that meet as one; empty ones do not count.
fn connected(spans: Vec<HeightSpan>) -> Vec<HeightSpan> {
    let mut bands: Vec<HeightSpan> = Vec::new();
    for span in spans.into_iter().filter(|span| span.low <= span.high) {
        match bands.last_mut() {
            Some(last) if span.low <= last.high => last.high = last.high.max(span.high),
            _ => bands.push(span),
        }
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;

    type Heights = [f32; 2];

    fn bands(spans: &[Heights]) -> Vec<Heights> {
        let spans: Vec<_> = spans.iter().map(|&[low, high]| HeightSpan { low, high }).collect();
        height_bands(&spans).into_iter().map(|HeightSpan { low, high }| [low, high]).collect()
    }

    const ALL: Heights = [f32::NEG_INFINITY, f32::INFINITY];

    #[test]
    fn bands_are_cut_where_nothing_reaches() {
        let sorted_too = |spans: &[Heights], expected: &[Heights]| {
            assert_eq!(bands(spans), expected, "{spans:?}");
            // With a very short one they are sorted.
            let short = [spans[0][0], spans[0][0] + 1e-5];
            assert_eq!(bands(&[spans, &[short]].concat()), expected, "{spans:?}");
        };
        sorted_too(&[[0.0, 2.0], [5.0, 7.0], [1.0, 3.0]], &[[0.0, 3.0], [5.0, 7.0]]);
        // A stair.
        sorted_too(&[[0.0, 2.0], [4.0, 6.0], [1.5, 4.5]], &[[0.0, 6.0]]);
        sorted_too(&[[-1.0, 1.0], [1.0, 3.0]], &[[-1.0, 3.0]]);
        sorted_too(
            &[[40.0, 41.0], [-9.0, 9.5], [9.6, 9.9]],
            &[[-9.0, 9.5], [9.6, 9.9], [40.0, 41.0]],
        );
    }

    #[test]
    fn what_has_no_height_connects_nothing() {
        let (walkers, pickup) = ([[0.0, 2.0], [5.0, 7.0]], |height: f32| [height; 2]);
        let with = |pickups: &[Heights]| bands(&[&walkers[..], pickups].concat());
        assert_eq!(with(&[pickup(0.0), pickup(1.0), pickup(7.0)]), walkers);
        let cellar = [pickup(-3.0), [0.0, 2.0], pickup(3.0), [5.0, 7.0]];
        assert_eq!(with(&[pickup(3.0), pickup(-3.0), pickup(3.0)]), cellar);
        assert_eq!(bands(&[pickup(3.0), pickup(3.0)]), [pickup(3.0)]);
    }

    #[test]
    fn what_has_no_position_is_in_no_band() {
        let nowhere = [[f32::NAN; 2]; 3];
        assert_eq!(bands(&nowhere), [ALL]);
        assert_eq!(bands(&[]), [ALL]);
        let with = [&nowhere[..], &[[0.0, 1.0], [3.0, 4.0]]].concat();
        assert_eq!(bands(&with), [[0.0, 1.0], [3.0, 4.0]]);
        assert_eq!(bands(&[&with[..], &[ALL]].concat()), [ALL]);
    }

    #[test]
    fn very_many_bands_are_one() {
        let floors = |count: usize| -> Vec<Heights> {
            (0..count).map(|i| [i as f32, i as f32 + 0.5]).collect()
        };
        assert_eq!(bands(&floors(MAX_BANDS)), floors(MAX_BANDS));
        assert_eq!(bands(&floors(MAX_BANDS + 1)).len(), 1);
    }

    #[test]
    fn what_is_much_faster_or_larger_than_most_is_in_a_class_of_its_own() {
        let mut speeds = vec![4.0; 30];
        speeds.extend([900.0, 1e6]);
        let usual = UsualSize::of(speeds, vec![0.5; 32]);
        assert!(usual.includes(4.0, 0.5) && usual.includes(16.0, 1.0));
        assert!(!usual.includes(900.0, 0.5) && !usual.includes(4.0, 8.0));
        let classes = [(900.0, 0.5), (4.0, 8.0), (4.0, 30.0), (1e4, 0.5), (1e9, 0.5)]
            .map(|(speed_squared, radius)| usual.class(speed_squared, radius));
        assert_eq!(classes, [2, 1, 2, 3, 3]);
    }

    #[test]
    fn where_most_stand_slow_ones_are_usual() {
        let usual = UsualSize::of(vec![0.0; 9], vec![0.5; 9]);
        assert!(usual.includes(1.0, 0.5) && !usual.includes(100.0, 0.5));
        let points = UsualSize::of(vec![1.0; 9], vec![0.0; 9]);
        assert_eq!(points.class(1.0, 3.0), 0, "no radius is usual: all are");
        assert_eq!(UsualSize::default().class(f32::INFINITY, 1e9), 0);
    }
}
