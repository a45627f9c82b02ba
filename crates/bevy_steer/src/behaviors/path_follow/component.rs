//! [`PathFollow`]: the component, its [`PathProgress`], and the implementation.

use bevy::prelude::*;

use crate::{
    agent::{Blend, Length, Memory, ParameterRange, Priority, Unit, builders},
    behavior::{Agent, DebugDraw, DebugLayer, Detour, ParamOf, Steering, SteeringBehavior},
    behaviors::path_follow::walk::Walk,
    path::Path,
    sensing::Surroundings,
    space::direction,
};

/// Follows a [`Path`].
///
/// Triggers [`WaypointReached`](crate::WaypointReached) for each point and
/// [`PathFinished`](crate::PathFinished) when the agent rests at the end of a path that ends. An
/// empty path is not followed; on a path of one point the agent arrives there.
///
/// A new component begins at the first point; if the agent is already on its way from there to the
/// second one, that counts as passed. If the path is replaced on the move, by
/// [`reroute`](Self::reroute) or by `follow.path = …`, the agent keeps its progress.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::{Path, prelude::*};
/// # fn spawn(mut commands: Commands) {
/// let patrol = Path::new([Vec2::ZERO, Vec2::new(9.0, 0.0), Vec2::new(9.0, 6.0)]);
/// commands.spawn((Vehicle::default(), PathFollow::new(patrol).with_end(PathEnd::Loop)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct PathFollow {
    /// The path. Clones share the points.
    pub path: Path,
    /// How closely it follows. Default: from point to point, each within two radii of the vehicle.
    pub style: PathStyle,
    /// What happens after the last point. Default: it stops.
    pub end: PathEnd,
    /// The progress along the path.
    pub progress: Memory<PathProgress>,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl PathFollow {
    /// Follows this path.
    pub fn new(path: impl Into<Path>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// Follows the path from point to point, each within this radius (in world units or as a
    /// [`Length`]).
    #[must_use]
    pub fn by_waypoints(mut self, radius: impl Into<Length>) -> Self {
        self.style = PathStyle::Waypoints { radius: radius.into() };
        self
    }

    /// Follows the path along a corridor of this half width (in world units or as a [`Length`]),
    /// with a prediction of this time (in seconds).
    #[must_use]
    pub fn along_corridor(mut self, radius: impl Into<Length>, look_ahead: f32) -> Self {
        self.style = PathStyle::Corridor { radius: radius.into(), look_ahead };
        self
    }

    /// Starts at the position on the path that is closest to the agent, instead of at the first
    /// point.
    #[must_use]
    pub fn from_nearest(mut self) -> Self {
        self.progress.path = u64::MAX;
        self
    }

    /// Replaces the path on the move. Continues at the agent's position on the old path if the new
    /// one passes there, otherwise at the closest position of the new one.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steer::{Path, prelude::*};
    /// fn build_a_tower(detour: Path, mut creeps: Query<&mut PathFollow>) {
    ///     for mut follow in &mut creeps {
    ///         follow.reroute(detour.clone());
    ///     }
    /// }
    /// ```
    pub fn reroute(&mut self, path: impl Into<Path>) {
        self.path = path.into();
    }

    builders! {
        /// Sets how closely it follows, see [`by_waypoints`](Self::by_waypoints) and
        /// [`along_corridor`](Self::along_corridor).
        with_style(style: PathStyle);
        /// Sets what happens after the last point.
        with_end(end: PathEnd);
    }
}

/// How closely an agent keeps to its path.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum PathStyle {
    /// From point to point: moves to each point until it has passed within `radius` of it. Buckland
    /// (2005), chapter 3, "Path Following".
    ///
    /// The motion since the last tick counts, so no point is skipped. A point that the agent is too
    /// fast to turn to counts as passed when it is beside it, so none is circled for ever.
    Waypoints {
        /// The distance at which a point is reached. Default two radii of the vehicle.
        radius: Length,
    },
    /// Along the line, anywhere within `radius` of it: predicts its position in `look_ahead`
    /// seconds and corrects only if it would leave the corridor, or is too slow. Reynolds (1999),
    /// "Path Following".
    Corridor {
        /// Half the corridor's width.
        radius: Length,
        /// The time of the prediction, in seconds.
        #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
        #[doc(alias = "predict")]
        look_ahead: f32,
    },
}

impl Default for PathStyle {
    fn default() -> Self {
        Self::Waypoints { radius: Length::Radii(2.0) }
    }
}

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
    /// [`PathStyle::Waypoints`], as if it were on the line to the next point.
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
    fn is_rerouted(&mut self, path: &Path) -> bool {
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

impl SteeringBehavior for PathFollow {
    type Param = Surroundings<'static>;
    const PRIORITY: Priority = Priority::Normal;
    const HAS_GOAL: bool = true;
    crate::blend_field!();

    fn near_goal(&self) -> Option<Vec3> {
        self.progress.near_goal
    }

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, surroundings: &ParamOf<Self>) -> Steering {
        self.progress.near_goal = None;
        if self.path.is_empty() || !self.path.is_finite() {
            return Steering::NONE;
        }
        let is_new = self.progress.path == 0;
        let is_rerouted = self.progress.is_rerouted(&self.path);
        let (PathStyle::Waypoints { radius } | PathStyle::Corridor { radius, .. }) = self.style;
        let mut walk = Walk {
            agent,
            surroundings,
            line: self.path.seen_in(agent.plane),
            end: self.end,
            progress: &mut self.progress,
            radius: agent.reachable(radius.in_units(agent.vehicle).max(0.0)),
        };
        Steering::linear(match self.style {
            PathStyle::Waypoints { .. } => walk.by_waypoints(is_new, is_rerouted),
            PathStyle::Corridor { look_ahead, .. } => walk.along_corridor(look_ahead.max(0.0)),
        })
    }

    fn debug_draw(&self, agent: &Agent, _: &ParamOf<Self>, draw: &mut DebugDraw) {
        if !self.path.is_finite() {
            return;
        }
        let path = self.path.in_plane(agent.plane);
        let points = path.points();
        let Some(&first) = points.first() else { return };
        let closing = (self.end == PathEnd::Loop).then_some(first);
        let ends = points[1..].iter().copied().chain(closing);
        for (from, to) in points.iter().copied().zip(ends) {
            draw.line(DebugLayer::Path, from, to);
            if let PathStyle::Corridor { radius, .. } = self.style {
                let radius = radius.in_units(agent.vehicle);
                let beside = direction(agent.plane.left(to - from)) * radius;
                for side in [beside, -beside] {
                    draw.line(DebugLayer::Range, from + side, to + side);
                }
            }
        }
        let goal = match self.style {
            PathStyle::Waypoints { radius } => {
                let radius = radius.in_units(agent.vehicle);
                for &point in points {
                    draw.circle(DebugLayer::Range, point, radius);
                }
                points[self.progress.next.min(points.len() - 1)]
            }
            PathStyle::Corridor { .. } => path.point_at(self.progress.distance, closing.is_some()),
        };
        draw.way(agent, agent.towards(goal));
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
