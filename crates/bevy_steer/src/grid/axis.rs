//! [`Axis`]: the cells of a grid along one coordinate.

/// One coordinate of the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub origin: f32,
    pub cell: f32,
    pub per_unit: f32,
    pub buckets: u32,
    /// The length after which the world repeats; zero if it does not.
    pub period: f32,
}

impl Default for Axis {
    /// Everything in one cell.
    fn default() -> Self {
        Self { origin: 0.0, cell: f32::INFINITY, per_unit: 0.0, buckets: 1, period: 0.0 }
    }
}

impl Axis {
    /// One period of a world that repeats, cut into cells.
    pub(super) fn repeating(origin: f32, period: f32, buckets: u32) -> Self {
        let count = buckets as f32;
        Self { origin, cell: period / count, per_unit: count / period, buckets, period }
    }

    /// The cell of a coordinate. Saturates, so that even extreme positions have a cell.
    #[inline]
    pub(crate) fn cell_of(&self, x: f32) -> i32 {
        let scaled = (x - self.origin) * self.per_unit;
        let towards_zero = scaled as i32;
        towards_zero.saturating_sub(i32::from(scaled < towards_zero as f32))
    }

    /// Whether a search that reaches one cell to either side looks at all of a world that repeats.
    pub(crate) fn is_seen_whole(&self) -> bool {
        self.period > 0.0 && self.buckets <= 3
    }

    #[inline]
    pub(crate) fn fold(&self, cell: i32) -> u32 {
        if (cell as u32) < self.buckets {
            cell as u32
        } else {
            i64::from(cell).rem_euclid(i64::from(self.buckets)) as u32
        }
    }

    /// The first and last cell of all points from `min` to `max`, and perhaps one more on either
    /// side.
    #[inline]
    pub(crate) fn cells(&self, min: f32, max: f32) -> (i32, i32) {
        let (min, max) = self.around(min, max);
        (self.cell_of(min), self.cell_of(max))
    }

    /// A little more than from `min` to `max`, so that a point that rounding puts on the other side
    /// of a cell's edge is not missed.
    pub(crate) fn around(&self, min: f32, max: f32) -> (f32, f32) {
        let slack = 4.0 * f32::EPSILON * (min.abs().max(max.abs()) + self.origin.abs());
        (min - slack, max + slack)
    }

    /// The buckets of all cells from `min` to `max`, each once: the first, and how many follow
    /// cyclically.
    #[inline]
    pub(crate) fn span(&self, min: f32, max: f32) -> (u32, u32) {
        if self.buckets == 1 {
            return (0, u32::from(min <= max));
        }
        let (first, last) = self.cells(min, max);
        let count = (i64::from(last) - i64::from(first) + 1).clamp(0, i64::from(self.buckets));
        (self.fold(first), count as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searched_range_is_slightly_wider_than_requested() {
        for (origin, min, max) in [(0.0, 1000.0, 1001.0), (1000.0, -0.5, 0.5), (-3.0, -9.0, 4.0)] {
            let axis = Axis { origin, ..Axis::default() };
            let (low, high) = axis.around(min, max);
            assert!(low < min && max < high && low > min - 1e-2 && high < max + 1e-2);
        }
    }
}
