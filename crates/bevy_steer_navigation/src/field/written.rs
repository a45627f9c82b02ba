//! [`WrittenField`]: how a field is written to a file.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::field::{
    FlowFieldError,
    flow_field::{FlowField, NO_VECTORS},
};

/// A field as it is written. Each number is checked where it is read, so that an error in a file
/// has the line of that number.
#[derive(Serialize, Deserialize)]
#[serde(rename = "FlowField", deny_unknown_fields)]
pub(super) struct WrittenField {
    min: Corner,
    cell_size: CellSize,
    columns: usize,
    rows: usize,
    vectors: Vec<Vector>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "Vec2", into = "Vec2")]
struct Corner(Vec2);

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "f32", into = "f32")]
struct CellSize(f32);

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "Vec2", into = "Vec2")]
struct Vector(Vec2);

/// A part of a field is right if a field without cells, or of one, is made of it.
macro_rules! checked {
    ($part:ident($type:ty), $value:ident => $field:expr) => {
        impl TryFrom<$type> for $part {
            type Error = FlowFieldError;

            fn try_from($value: $type) -> Result<Self, FlowFieldError> {
                $field.map(|_| Self($value))
            }
        }

        impl From<$part> for $type {
            fn from(part: $part) -> Self {
                part.0
            }
        }
    };
}
checked!(Corner(Vec2), min => FlowField::new(min, 1.0, 0, 0, NO_VECTORS));
checked!(CellSize(f32), size => FlowField::new(Vec2::ZERO, size, 0, 0, NO_VECTORS));
checked!(Vector(Vec2), vector => FlowField::new(Vec2::ZERO, 1.0, 1, 1, [vector]));

impl TryFrom<WrittenField> for FlowField {
    type Error = FlowFieldError;

    fn try_from(field: WrittenField) -> Result<Self, FlowFieldError> {
        let WrittenField { min, cell_size, columns, rows, vectors } = field;
        let vectors: Vec<Vec2> = vectors.into_iter().map(Vec2::from).collect();
        Self::new(min.0, cell_size.0, columns, rows, vectors)
    }
}

impl From<FlowField> for WrittenField {
    fn from(field: FlowField) -> Self {
        Self {
            min: Corner(field.min()),
            cell_size: CellSize(field.cell_size()),
            columns: field.columns(),
            rows: field.rows(),
            vectors: field.vectors().iter().map(|&vector| Vector(vector)).collect(),
        }
    }
}
