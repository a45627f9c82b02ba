//! [`Turn`]: how a way turns off to pass something.

use bevy::prelude::*;

use crate::obstacles::outline::Tangent;

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

    /// That of an angle to this side.
    pub(super) fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// The angle from one vector to another, to this side, between -2 and 2 (half a turn). Grows
    /// with the angle, though not in proportion; in plain arithmetic, which is the same on every
    /// platform.
    pub(super) fn angle(self, from: Vec2, to: Vec2) -> f32 {
        let turned = Vec2::new(from.dot(to), from.perp_dot(to) * self.sign());
        let sum = turned.x.abs() + turned.y.abs();
        if sum == 0.0 {
            return 0.0;
        }
        let share = turned.y / sum;
        match (turned.x >= 0.0, turned.y >= 0.0) {
            (true, _) => share,
            (false, true) => 2.0 - share,
            (false, false) => -2.0 - share,
        }
    }
}

/// How a way turns off.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub tangent: Tangent,
    pub side: Side,
    /// How far it turns, as [`Outline::turn`](super::outline::Outline::turn).
    pub angle: f32,
    /// The outline that is first in its way.
    pub first: usize,
    /// All that it passes, one bit each.
    pub barrier: u64,
    /// Where it leads first, if something beside the barrier is in the way there.
    pub end: Option<Vec2>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_grow_with_the_turn() {
        let from = Vec2::new(3.0, 4.0);
        let to: Vec<Vec2> =
            (-31..=31).map(|i| Vec2::from_angle(0.1 * i as f32 + 0.927_295)).collect();
        let angles: Vec<f32> = to.iter().map(|to| Side::Left.angle(from, *to)).collect();
        assert!(angles.windows(2).all(|pair| pair[0] < pair[1]), "{angles:?}");
        assert!(angles[31].abs() < 1e-5 && angles[62] > 1.9 && angles[0] < -1.9);
        for (to, left) in to.iter().zip(angles) {
            assert_eq!(Side::Right.angle(from, *to), -left);
        }
    }
}
