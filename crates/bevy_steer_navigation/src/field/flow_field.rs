//! [`FlowField`]: a grid of vectors, which say where to go.

use core::fmt;
use std::sync::Arc;

use bevy::prelude::*;
use bevy_steer::MAX_MAGNITUDE;

use crate::field::FlowFieldError;
#[cfg(feature = "serialize")]
use crate::field::written::WrittenField;

/// A grid of vectors in a plane, which say where to go: the field that agents with
/// [`FlowFollow`](crate::FlowFollow) follow.
///
/// Each cell has a vector: the direction in which to go, and by its length the speed, as a fraction
/// of an agent's top speed. Longer vectors than 1 count as 1. Between the middles of cells they are
/// interpolated.
///
/// An entity with this component is a field. If there is only one, all agents use it; if there are
/// several, each agent names its own by [`FlowFollow::with_field`](crate::FlowFollow::with_field).
/// Write one by hand, let [`GridFlow`](crate::GridFlow) build it from a map, or load it from a file
/// (`UseFlowField`, feature `assets`). Its coordinates are those of an agent's plane, so on the
/// ground they are x and z. Cloning shares the vectors.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer_navigation::FlowField;
/// # fn spawn(mut commands: Commands) {
/// // A whirl around the origin, 20 units wide, with cells of one unit.
/// let whirl = FlowField::from_fn(Vec2::splat(-10.0), 1.0, 20, 20, |place| {
///     place.perp().normalize_or_zero()
/// });
/// commands.spawn(whirl.expect("all numbers are finite"));
/// # }
/// ```
#[derive(Component, Reflect, Clone, PartialEq)]
#[reflect(opaque)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "assets", derive(bevy::asset::Asset))]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(try_from = "WrittenField", into = "WrittenField"))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct FlowField {
    min: Vec2,
    cell_size: f32,
    columns: usize,
    rows: usize,
    /// Row by row, each from its first column.
    vectors: Arc<[Vec2]>,
}

/// Vectors that are shorter than this share of those around them cancel each other out.
const CANCELLED: f32 = 0.25;
/// Those of a field without cells.
pub(super) const NO_VECTORS: [Vec2; 0] = [];

fn is_valid(vector: Vec2) -> bool {
    // Also false for NaN.
    vector.is_finite() && vector.abs().max_element() <= MAX_MAGNITUDE
}

impl Default for FlowField {
    /// A field without a cell: nobody is in it.
    fn default() -> Self {
        Self { min: Vec2::ZERO, cell_size: 1.0, columns: 0, rows: 0, vectors: Arc::default() }
    }
}

impl fmt::Debug for FlowField {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { min, cell_size, columns, rows, .. } = self;
        write!(f, "FlowField of {columns} × {rows} cells of {cell_size} from {min}")
    }
}

impl FlowField {
    /// A field from its lowest corner, with cells of this size, both in world units, and a vector
    /// for each cell: row by row, the lowest first, and each row from its lowest column.
    pub fn new(
        min: Vec2,
        cell_size: f32,
        columns: usize,
        rows: usize,
        vectors: impl Into<Arc<[Vec2]>>,
    ) -> Result<Self, FlowFieldError> {
        let vectors = vectors.into();
        if !is_valid(min) {
            return Err(FlowFieldError::Corner(min));
        }
        // Also for NaN.
        if !(cell_size > 0.0 && cell_size <= MAX_MAGNITUDE) {
            return Err(FlowFieldError::CellSize(cell_size));
        }
        if columns.checked_mul(rows) != Some(vectors.len()) {
            return Err(FlowFieldError::Count { columns, rows, vectors: vectors.len() });
        }
        match vectors.iter().find(|&&vector| !is_valid(vector)) {
            Some(&vector) => Err(FlowFieldError::Vector(vector)),
            None => Ok(Self { min, cell_size, columns, rows, vectors }),
        }
    }

    /// A field whose vectors are the results of a function, which is called with the middle of each
    /// cell.
    pub fn from_fn(
        min: Vec2,
        cell_size: f32,
        columns: usize,
        rows: usize,
        mut vector: impl FnMut(Vec2) -> Vec2,
    ) -> Result<Self, FlowFieldError> {
        // Before it calls the function for cells that are nowhere.
        Self::new(min, cell_size, 0, 0, NO_VECTORS)?;
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let vectors = cells.map(|cell| vector(middle(min, cell_size, cell)));
        Self::new(min, cell_size, columns, rows, vectors.collect::<Vec<_>>())
    }

    /// Its lowest corner.
    pub fn min(&self) -> Vec2 {
        self.min
    }

    /// The size of a cell, in units.
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The vectors, row by row.
    pub fn vectors(&self) -> &[Vec2] {
        &self.vectors
    }

    /// The middle and the vector of each cell, row by row. To draw it, for example.
    pub fn cells(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        let cells = self.vectors.iter().enumerate();
        cells.map(|(cell, &vector)| {
            let place = [cell % self.columns, cell / self.columns];
            (middle(self.min, self.cell_size, place), vector)
        })
    }

    /// Whether a position is in the field.
    pub fn contains(&self, position: Vec2) -> bool {
        let place = (position - self.min) / self.cell_size;
        let size = Vec2::new(self.columns as f32, self.rows as f32);
        // Also false for NaN.
        place.cmpge(Vec2::ZERO).all() && place.cmplt(size).all()
    }

    /// The point of the field that is nearest to a position, among those between the middles of its
    /// outermost cells; `None` if it has no cells.
    pub fn nearest(&self, position: Vec2) -> Option<Vec2> {
        let last = Vec2::new(self.columns as f32, self.rows as f32) - 1.0;
        let low = self.min + 0.5 * self.cell_size;
        (last.min_element() >= 0.0).then(|| position.clamp(low, low + last * self.cell_size))
    }

    /// The vector at a position, interpolated bilinearly between the middles of the four cells
    /// around it; `None` outside of the field.
    ///
    /// Where vectors point away from each other and cancel each other out, as on the line between
    /// two ways of the same length round an obstacle, it is that of the cell itself: nobody stops
    /// there.
    pub fn sample(&self, position: Vec2) -> Option<Vec2> {
        if !self.contains(position) {
            return None;
        }
        // Beyond the middles of the outermost cells these count alone.
        let last = Vec2::new(self.columns as f32, self.rows as f32) - 1.0;
        let place = ((position - self.min) / self.cell_size - 0.5).clamp(Vec2::ZERO, last);
        let low = place.floor();
        let Vec2 { x, y } = place - low;
        let [left, below] = low.to_array().map(|index| index as usize);
        let [right, above] = [(left + 1).min(self.columns - 1), (below + 1).min(self.rows - 1)];
        let at = |column: usize, row: usize| self.vectors[row * self.columns + column];
        let corners = [at(left, below), at(right, below), at(left, above), at(right, above)];
        let [a, b, c, d] = corners;
        let vector = a.lerp(b, x).lerp(c.lerp(d, x), y);

        let [aside, upwards] = [(b - a).lerp(d - c, y), (c - a).lerp(d - b, x)];
        if aside.x + upwards.y > 0.0 {
            let [a, b, c, d] = corners.map(Vec2::length);
            let [lower, upper] = [a + (b - a) * x, c + (d - c) * x];
            if vector.length() < CANCELLED * (lower + (upper - lower) * y) {
                let column = if x < 0.5 { left } else { right };
                let row = if y < 0.5 { below } else { above };
                return Some(at(column, row));
            }
        }
        Some(vector)
    }
}

fn middle(min: Vec2, cell_size: f32, [column, row]: [usize; 2]) -> Vec2 {
    min + (Vec2::new(column as f32, row as f32) + 0.5) * cell_size
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Two columns of two units, and two rows.
    fn square(vectors: [[f32; 2]; 4]) -> FlowField {
        FlowField::new(Vec2::new(10.0, 20.0), 2.0, 2, 2, vectors.map(Vec2::from)).unwrap()
    }

    #[test]
    fn vectors_are_interpolated_between_the_middles_of_cells() {
        let field = square([[1.0, 0.0], [0.5, 0.0], [0.0, 1.0], [0.0, 0.5]]);
        let at = |x: f32, y: f32| field.sample(Vec2::new(x, y));
        // In the middles, between two of them, and between all.
        assert_eq!(at(11.0, 21.0), Some(Vec2::new(1.0, 0.0)));
        assert_eq!(at(13.0, 23.0), Some(Vec2::new(0.0, 0.5)));
        assert_eq!(at(12.0, 21.0), Some(Vec2::new(0.75, 0.0)));
        assert_eq!(at(12.0, 22.0), Some(Vec2::new(0.375, 0.375)));
        // Beyond the middles of the outermost cells.
        assert_eq!(at(10.0, 20.0), Some(Vec2::new(1.0, 0.0)));
        assert_eq!(at(13.9, 23.9), Some(Vec2::new(0.0, 0.5)));
        for (x, y) in [(9.9, 21.0), (14.0, 21.0), (11.0, 24.0), (11.0, f32::NAN), (1e30, 21.0)] {
            assert_eq!(at(x, y), None, "{x} {y}");
        }
        assert_eq!(FlowField::default().sample(Vec2::ZERO), None);
    }

    #[test]
    fn nobody_stops_between_vectors_that_point_apart() {
        let apart = square([[-1.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]);
        let at = |field: &FlowField, x: f32| field.sample(Vec2::new(x, 22.0)).unwrap().x;
        assert_eq!([11.9, 12.0, 12.1].map(|x| at(&apart, x)), [-1.0, 1.0, 1.0]);
        // Those that point at each other have a place of rest between them.
        let together = square([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [-1.0, 0.0]]);
        assert_eq!(at(&together, 12.0), 0.0);
        assert!((at(&together, 11.9) - 0.1).abs() < 1e-5);
    }

    #[test]
    fn the_nearest_point_is_between_the_middles_of_cells() {
        let field = square([[1.0, 0.0]; 4]);
        assert_eq!(field.nearest(Vec2::new(0.0, 21.5)), Some(Vec2::new(11.0, 21.5)));
        assert_eq!(field.nearest(Vec2::new(99.0, 99.0)), Some(Vec2::new(13.0, 23.0)));
        assert_eq!(FlowField::default().nearest(Vec2::ZERO), None);
    }

    #[test]
    fn cells_have_their_middles() {
        let field = FlowField::from_fn(Vec2::new(1.0, 2.0), 0.5, 3, 2, |place| place).unwrap();
        assert!(field.cells().all(|(place, vector)| place == vector));
        assert_eq!(field.cells().nth(4).unwrap().0, Vec2::new(1.75, 2.75));
        assert_eq!((field.vectors().len(), field.columns(), field.rows()), (6, 3, 2));
    }

    #[test]
    fn bad_numbers_are_errors() {
        let error = |min: Vec2, size: f32, columns: usize, vectors: Vec<Vec2>| {
            FlowField::new(min, size, columns, 2, vectors).unwrap_err().to_string()
        };
        let four = vec![Vec2::X; 4];
        for bad in [f32::NAN, f32::INFINITY, -1e30] {
            assert!(error(Vec2::new(0.0, bad), 1.0, 2, four.clone()).contains("`min`"), "{bad}");
            assert!(error(Vec2::ZERO, bad, 2, four.clone()).contains("`cell_size`"), "{bad}");
            let vectors = vec![Vec2::X, Vec2::Y, Vec2::new(bad, 0.0), Vec2::X];
            assert!(error(Vec2::ZERO, 1.0, 2, vectors).contains("vector"), "{bad}");
        }
        assert!(error(Vec2::ZERO, 0.0, 2, four.clone()).contains("above 0"));
        let count = error(Vec2::ZERO, 1.0, 3, four.clone());
        assert_eq!(count, "3 columns and 2 rows are 6 cells, but there are 4 vectors");
        assert!(error(Vec2::ZERO, 1.0, usize::MAX, four).contains("4 vectors"));
        assert!(FlowField::from_fn(Vec2::ZERO, f32::NAN, 9, 9, |place| place).is_err());
    }

    proptest! {
        /// Of a linear field, interpolation is exact.
        #[test]
        fn linear_fields_are_interpolated_exactly(
            x in 0.5..7.5_f32, y in 0.5..4.5_f32, a in -1.0..1.0_f32, b in -1.0..0.0_f32,
        ) {
            let linear = |place: Vec2| Vec2::new(a * place.y - 1.0, b * (place.x + place.y));
            let field = FlowField::from_fn(Vec2::ZERO, 1.0, 8, 5, linear).unwrap();
            let place = Vec2::new(x, y);
            prop_assert!((field.sample(place).unwrap() - linear(place)).length() < 1e-5);
        }

        /// No position makes it panic, and no sample is longer than the longest vector.
        #[test]
        fn samples_are_no_longer_than_vectors(
            place in proptest::array::uniform2(proptest::num::f32::ANY), seed in 0..1000_u32,
        ) {
            let vector = |place: Vec2| Vec2::from_angle(place.x * 7.0 + place.y + seed as f32);
            let field = FlowField::from_fn(Vec2::splat(-9.0), 0.3, 60, 50, vector).unwrap();
            let near = Vec2::from(place) % 12.0;
            for place in [place.into(), near] {
                prop_assert!(field.sample(place).is_none_or(|vector| vector.length() < 1.0001));
            }
        }
    }
}
