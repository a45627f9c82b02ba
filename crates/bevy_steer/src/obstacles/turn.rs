//! [`Turn`]: how a way turns off to pass something.

use bevy::prelude::*;

use crate::obstacles::outline::{Tangent, mirrored};

/// On which side of something a way leads past it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    pub(super) fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

/// How a way turns off.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) tangent: Tangent,
    pub(super) side: Side,
    /// How far it turns, as [`Outline::turn`](super::outline::Outline::turn).
    pub(super) angle: f32,
    /// The outline that is first in its way.
    pub(super) first: usize,
    /// All that it passes, one bit each.
    pub(super) barrier: u64,
    /// Where it leads first, if something beside the barrier is in the way there.
    pub(super) end: Option<Vec2>,
}

impl Turn {
    /// The same turn to the right.
    pub(super) fn mirrored(self) -> Self {
        let Tangent { heading, length, corner } = self.tangent;
        let [heading, corner] = [heading, corner].map(mirrored);
        let tangent = Tangent { heading, length, corner };
        Self { tangent, side: Side::Right, end: self.end.map(mirrored), ..self }
    }
}
