//! [`FlowFieldError`]: what is wrong with the numbers of a field.

use core::{error::Error, fmt};

use bevy::prelude::*;

/// Why numbers do not make a [`FlowField`](crate::FlowField).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlowFieldError {
    /// The corner is NaN or beyond [`MAX_MAGNITUDE`](bevy_steer::MAX_MAGNITUDE).
    Corner(Vec2),
    /// The size of a cell is not above 0, or is beyond
    /// [`MAX_MAGNITUDE`](bevy_steer::MAX_MAGNITUDE).
    CellSize(f32),
    /// There are not as many vectors as cells.
    Count {
        /// The number of columns.
        columns: usize,
        /// The number of rows.
        rows: usize,
        /// The number of vectors.
        vectors: usize,
    },
    /// A vector is NaN or beyond [`MAX_MAGNITUDE`](bevy_steer::MAX_MAGNITUDE).
    Vector(Vec2),
}

impl fmt::Display for FlowFieldError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Corner(min) => write!(f, "the corner `min` is {min}, which is out of range"),
            Self::CellSize(size) => write!(f, "`cell_size` is {size}; it must be above 0"),
            Self::Count { columns, rows, vectors } => {
                let cells = columns.saturating_mul(*rows);
                write!(f, "{columns} columns and {rows} rows are {cells} cells, ")?;
                write!(f, "but there are {vectors} vectors")
            }
            Self::Vector(vector) => write!(f, "the vector {vector} is out of range"),
        }
    }
}

impl Error for FlowFieldError {}
