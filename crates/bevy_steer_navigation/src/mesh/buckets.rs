//! [`Buckets`]: which rectangles reach into an area.

use std::collections::HashMap;

use bevy::prelude::*;

/// Rectangles by place: a grid of square buckets.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Buckets {
    bounds: Vec<Rect>,
    size: f32,
    buckets: HashMap<[i32; 2], Vec<usize>>,
    /// Those that would be in too many buckets.
    large: Vec<usize>,
}

impl Buckets {
    /// A rectangle in more buckets than this is kept apart.
    const MOST: i64 = 64;

    /// An index of these rectangles.
    pub(super) fn new(bounds: impl Iterator<Item = Rect>) -> Self {
        let bounds: Vec<Rect> = bounds.collect();
        let sizes = bounds.iter().map(|one| one.size().max_element());
        let mean = sizes.sum::<f32>() / bounds.len().max(1) as f32;
        let size = if mean > 0.0 && mean.is_finite() { mean } else { 1.0 };
        let mut index = Self { size, bounds, ..Self::default() };
        for i in 0..index.bounds.len() {
            match index.keys(index.bounds[i]) {
                Some(keys) => {
                    keys.for_each(|key| index.buckets.entry(key).or_default().push(i));
                }
                None => index.large.push(i),
            }
        }
        index
    }

    /// The buckets that a rectangle is in, if these are few.
    fn keys(&self, area: Rect) -> Option<impl Iterator<Item = [i32; 2]> + use<>> {
        let [low, high] = [area.min, area.max].map(|end| (end / self.size).floor().to_array());
        let [columns, rows] =
            [0, 1].map(|axis| low[axis] as i32..(high[axis] as i32).saturating_add(1));
        let count = |range: &core::ops::Range<i32>| i64::from(range.end) - i64::from(range.start);
        let is_few = count(&columns).max(0).saturating_mul(count(&rows).max(0)) <= Self::MOST;
        is_few.then(|| columns.flat_map(move |x| rows.clone().map(move |y| [x, y])))
    }

    /// Those that reach into an area, each once, in order.
    pub(super) fn find(&self, area: Rect) -> Vec<usize> {
        let reaches = |&i: &usize| {
            let one = self.bounds[i];
            one.min.cmple(area.max).all() && one.max.cmpge(area.min).all()
        };
        let Some(keys) = self.keys(area) else {
            return (0..self.bounds.len()).filter(reaches).collect();
        };
        let inside = keys.filter_map(|key| self.buckets.get(&key)).flatten();
        let mut found: Vec<usize> =
            inside.chain(&self.large).copied().filter(|i| reaches(i)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The rectangle around some places.
pub(super) fn bounds_of(places: impl Iterator<Item = Vec2>) -> Rect {
    let empty = Rect { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };
    places.fold(empty, |bounds, place| Rect {
        min: bounds.min.min(place),
        max: bounds.max.max(place),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_into_an_area_is_found_once_and_in_order() {
        let small = (0..400).map(|i| {
            let corner = Vec2::new((i % 20) as f32, (i / 20) as f32) * 3.0;
            Rect::from_corners(corner, corner + 2.0)
        });
        let large = Rect::new(-500.0, -500.0, 500.0, 500.0);
        let all: Vec<Rect> = small.chain([large]).collect();
        let index = Buckets::new(all.iter().copied());
        for area in [
            Rect::new(4.0, 4.0, 4.5, 4.5),
            Rect::new(-9.0, -9.0, 90.0, 90.0),
            Rect::new(30.0, 0.0, 31.0, 60.0),
            Rect::new(1e9, 1e9, 2e9, 2e9),
        ] {
            let reaches =
                |one: &Rect| one.min.cmple(area.max).all() && one.max.cmpge(area.min).all();
            let expected: Vec<usize> = (0..all.len()).filter(|&i| reaches(&all[i])).collect();
            assert_eq!(index.find(area), expected, "{area:?}");
        }
        assert_eq!(Buckets::new([].into_iter()).find(large), []);
    }
}
