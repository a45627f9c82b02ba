//! Numbers that may be infinite, for formats that have no infinity, such as JSON.

use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number, or several, each of which may be infinite.
pub trait Unbounded: Copy {
    /// With the largest finite numbers instead of infinite ones.
    #[must_use]
    fn bounded(self) -> Self;

    /// The same back.
    #[must_use]
    fn unbounded(self) -> Self;
}

impl Unbounded for f32 {
    fn bounded(self) -> Self {
        self.clamp(Self::MIN, Self::MAX)
    }

    fn unbounded(self) -> Self {
        match self {
            Self::MIN => Self::NEG_INFINITY,
            Self::MAX => Self::INFINITY,
            finite => finite,
        }
    }
}

impl Unbounded for Vec3 {
    fn bounded(self) -> Self {
        Self::from_array(self.to_array().map(Unbounded::bounded))
    }

    fn unbounded(self) -> Self {
        Self::from_array(self.to_array().map(Unbounded::unbounded))
    }
}

/// Writes a number: for `#[serde(with = "bevy_steer::unbounded")]`.
pub fn serialize<N: Unbounded + Serialize, S: Serializer>(
    number: &N,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    number.bounded().serialize(serializer)
}

/// Reads a number that [`serialize`] has written.
pub fn deserialize<'de, N: Unbounded + Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<N, D::Error> {
    N::deserialize(deserializer).map(N::unbounded)
}
