//! [`PathFollow`]: the component and its implementation.

use bevy::prelude::*;

use crate::{
    agent::{
        blend::{Blend, Priority},
        builders::builders,
        length::Length,
        parameter::{ParameterRange, Unit},
    },
    behavior::{Agent, DebugDraw, ParamOf, Steering, SteeringBehavior},
    behaviors::path_follow::{PathEnd, PathProgress, walk::Walk},
    path::Path,
};

/// How closely an agent keeps to its path.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum PathStyle {
    /// From point to point: heads for the next until it has passed within `radius` of it.
    /// Buckland (2005), chapter 3, "Path Following".
    ///
    /// The way since the last tick counts, so no point is jumped over; and a point that the agent
    /// is too fast to turn to is passed when it is beside it, so none is circled for ever.
    Waypoints {
        /// This near a point it is reached. Default two radii of the vehicle.
        radius: Length,
    },
    /// Along the line, free within `radius` of it: looks `predict` seconds ahead and
    /// corrects only when it would leave the corridor, or is too slow. Reynolds (1999), "Path
    /// Following".
    Corridor {
        /// Half the corridor's width.
        radius: Length,
        /// How far it looks ahead, in seconds.
        #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
        predict: f32,
    },
}

impl Default for PathStyle {
    fn default() -> Self {
        Self::Waypoints { radius: Length::Radii(2.0) }
    }
}

/// Follows a [`Path`].
///
/// Observers of the agent get [`WaypointReached`](crate::WaypointReached) for each point and, at
/// rest at the end of a path that ends, [`PathFinished`](crate::PathFinished). An empty path is not
/// followed; on a path of one point the agent arrives.
///
/// A new component begins at the first point. One that gets another path while under way, by
/// [`reroute`](Self::reroute) or by `follow.path = …`, goes on from its place.
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
    /// How closely. Default: from point to point, each within two radii of the vehicle.
    pub style: PathStyle,
    /// What comes after the last point. Default: it stops.
    pub end: PathEnd,
    /// How far along it is.
    pub progress: PathProgress,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl PathFollow {
    /// Follows this path.
    pub fn new(path: impl Into<Path>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// From point to point, each within this radius (units or a [`Length`]).
    #[must_use]
    pub fn by_waypoints(mut self, radius: impl Into<Length>) -> Self {
        self.style = PathStyle::Waypoints { radius: radius.into() };
        self
    }

    /// Along a corridor of this half width (units or a [`Length`]), looking this far ahead
    /// (seconds).
    #[must_use]
    pub fn along_corridor(mut self, radius: impl Into<Length>, predict: f32) -> Self {
        self.style = PathStyle::Corridor { radius: radius.into(), predict };
        self
    }

    /// From the place on the path that is nearest to the agent, instead of from the first point:
    /// for a new component of an agent that is under way.
    #[must_use]
    pub fn from_nearest(mut self) -> Self {
        self.progress.path = u64::MAX;
        self
    }

    /// Follows another path from here on: from the place where the agent is on the old one, if the
    /// new one goes by there, else from its nearest place.
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
        /// With this after the last point.
        with_end(end: PathEnd);
    }
}

impl SteeringBehavior for PathFollow {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        if self.path.is_empty() || !self.path.is_finite() {
            return Steering::NONE;
        }
        let is_rerouted = self.progress.is_rerouted(&self.path);
        let (PathStyle::Waypoints { radius } | PathStyle::Corridor { radius, .. }) = self.style;
        let mut walk = Walk {
            agent,
            line: self.path.seen_in(agent.plane),
            end: self.end,
            progress: &mut self.progress,
            radius: agent.reachable(radius.in_units(agent.vehicle).max(0.0)),
        };
        Steering::linear(match self.style {
            PathStyle::Waypoints { .. } => walk.by_waypoints(is_rerouted),
            PathStyle::Corridor { .. } if walk.line.length(false) <= 0.0 => walk.rest(0),
            PathStyle::Corridor { predict, .. } => walk.along_corridor(predict.max(0.0)),
        })
    }

    fn debug_draw(&self, agent: &Agent, (): &ParamOf<Self>, draw: &mut DebugDraw) {
        if self.path.is_finite() {
            self.draw(agent, draw);
        }
    }
}
