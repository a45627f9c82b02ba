//! [`ObstacleAhead`]: what an agent would run into.

use bevy::prelude::*;

use crate::{behaviors::avoid_obstacles::formulas::ObstacleApproach, obstacles::PlacedObstacle};

/// An obstacle on the agent's path.
#[derive(Clone, Copy)]
pub(super) struct ObstacleAhead {
    pub obstacle: PlacedObstacle,
    /// The agent's position relative to the obstacle.
    pub from: Vec3,
    pub approach: ObstacleApproach,
}

impl ObstacleAhead {
    /// Whether it is met before another one. In time: of two the farther one may be met first.
    fn is_sooner(&self, other: &Self) -> bool {
        let (own, other) = (&self.approach, &other.approach);
        own.distance * other.speed < other.distance * own.speed
    }

    /// Adds this one to the two that are met first.
    pub(super) fn note(self, first: &mut [Option<Self>; 2]) {
        let place = first.iter().position(|known| known.is_none_or(|one| self.is_sooner(&one)));
        if let Some(place) = place {
            first[place..].rotate_right(1);
            first[place] = Some(self);
        }
    }

    /// Those that count, and how much: the first; and the second the more, the more nearly
    /// both are met at once, as the posts of a gate are. Else an agent would tremble between them.
    pub(super) fn counting(
        [first, second]: [Option<Self>; 2],
        body: f32,
    ) -> [Option<(Self, f32)>; 2] {
        let share = |second: &Self| {
            let later =
                first.map_or(0.0, |first| second.approach.distance - first.approach.distance);
            (1.0 - later.abs() / (2.0 * body)).max(0.0)
        };
        [first.map(|first| (first, 1.0)), second.map(|second| (second, share(&second)))]
    }
}
