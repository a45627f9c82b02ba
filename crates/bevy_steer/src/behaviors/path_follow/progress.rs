//! [`PathProgress`]: the progress of an agent along its path, and [`PathEnd`].

use bevy::prelude::*;

use crate::{behavior::Detour, path::Path};

/// What happens after the last point.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum PathEnd {
    /// The agent arrives at the last point and rests.
    #[default]
    Stop,
    /// The path is closed: the agent continues at the first point.
    Loop,
    /// The agent follows the path back and forth.
    PingPong,
}

/// The progress of an agent along its path. Set it to move the agent to another part of the path.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct PathProgress {
    /// The index of the next point.
    pub next: usize,
    /// The length of the path up to the agent, in units. With
    /// [`PathStyle::Waypoints`](crate::PathStyle::Waypoints), as if it were on the line to the next
    /// point.
    pub distance: f32,
    /// Whether it moves back towards the first point.
    pub backward: bool,
    /// Whether it has reached the end of a path that ends, within the radius.
    pub at_end: bool,
    /// Whether it has come to rest there.
    pub finished: bool,
    /// Whether a corridor has been entered: before, the nearest point of the whole path is
    /// searched.
    pub entered: bool,
    /// Which path this is about, to notice another one: a number for its points. 0 before the first
    /// tick.
    pub path: u64,
    /// The way round what is between the agent and the next point.
    pub detour: Detour,
    /// For how long agents at rest have kept it from the end, in seconds.
    pub held: f32,
    /// The end of the path, while it rests there.
    pub near_goal: Option<Vec3>,
}

impl PathProgress {
    /// Advances to the point after the next one, of this many, and turns around at the ends if
    /// necessary.
    pub(super) fn advance(&mut self, end: PathEnd, count: usize) {
        let last = count - 1;
        match end {
            PathEnd::Loop => self.next = if self.next >= last { 0 } else { self.next + 1 },
            PathEnd::Stop => self.next = (self.next + 1).min(last),
            PathEnd::PingPong => {
                if self.next >= last {
                    self.backward = true;
                } else if self.next == 0 {
                    self.backward = false;
                }
                self.next = if self.backward { self.next.saturating_sub(1) } else { self.next + 1 };
            }
        }
    }

    /// Notes which path this is about, and whether it has replaced another one.
    #[inline]
    pub(super) fn is_rerouted(&mut self, path: &Path) -> bool {
        let before = self.path;
        if before == path.id() {
            return false;
        }
        self.path = path.id();
        if before != 0 {
            (self.entered, self.at_end, self.finished) = (false, false, false);
            self.held = 0.0;
        }
        before != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(end: PathEnd, count: usize) -> Vec<usize> {
        let mut progress = PathProgress::default();
        let mut step = || {
            progress.advance(end, count);
            progress.next
        };
        (0..6).map(|_| step()).collect()
    }

    #[test]
    fn the_order_of_points_at_each_end() {
        assert_eq!(follow(PathEnd::Stop, 3), [1, 2, 2, 2, 2, 2]);
        assert_eq!(follow(PathEnd::Loop, 3), [1, 2, 0, 1, 2, 0]);
        assert_eq!(follow(PathEnd::PingPong, 3), [1, 2, 1, 0, 1, 2]);
        assert_eq!(follow(PathEnd::PingPong, 2), [1, 0, 1, 0, 1, 0]);
    }
}
