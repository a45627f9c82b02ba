//! [`NavigateTo`]: an agent that finds its way to a target.

use bevy::{ecs::entity::MapEntities, prelude::*};
use bevy_steer::{AvoidWalls, Memory, ParameterRange, PathFollow, Point, Unit, builders};

use crate::{events::NavigationFailure, planner::PathQuery};

/// Where an agent goes.
///
/// A `Vec3`, a `Vec2` (in the coordinates of the agent's plane, at the agent's height) or an
/// `Entity` converts into it.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum NavigationTarget {
    /// Nowhere: the agent's path is removed. The default.
    #[default]
    None,
    /// A position.
    Point(Point),
    /// An entity with a `Transform`, anywhere in a hierarchy.
    Entity(#[entities] Entity),
}

impl NavigationTarget {
    /// Whether it is the same target. All points that are not numbers count as one.
    pub(crate) fn is_same(self, other: Self) -> bool {
        let is_nan = |target: Self| match target {
            Self::Point(Point::World(position)) => position.is_nan(),
            Self::Point(Point::Plane(coordinates)) => coordinates.is_nan(),
            Self::None | Self::Entity(_) => false,
        };
        self == other || is_nan(self) && is_nan(other)
    }
}

impl From<Point> for NavigationTarget {
    fn from(point: Point) -> Self {
        Self::Point(point)
    }
}

impl From<Vec3> for NavigationTarget {
    fn from(position: Vec3) -> Self {
        Self::Point(position.into())
    }
}

impl From<Vec2> for NavigationTarget {
    fn from(coordinates: Vec2) -> Self {
        Self::Point(coordinates.into())
    }
}

impl From<Entity> for NavigationTarget {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

/// Finds the way to a target on a [`NavigationMap`](crate::NavigationMap), and follows it with
/// [`PathFollow`].
///
/// The path is planned again when the target has moved, when the map has changed, and when the
/// agent is stuck; the agent keeps its place on the way. How closely it follows the path is set on
/// its `PathFollow`, of which each path sets the end to [`PathEnd::Stop`](bevy_steer::PathEnd).
/// Avoidance is added like for any other agent; [`AvoidWalls`], which keeps the
/// body out of walls and out of the borders of the map, is required.
///
/// Triggers [`NavigationFinished`](crate::NavigationFinished) and
/// [`NavigationFailed`](crate::NavigationFailed).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # use bevy_steer_navigation::NavigateTo;
/// # fn spawn(mut commands: Commands) {
/// let player = commands.spawn(Vehicle::default()).id();
/// // Goes to a place.
/// commands.spawn((Vehicle::default(), NavigateTo::new(Vec2::new(30.0, 12.0))));
/// // Goes to the player, wherever it is, and avoids others on the way.
/// commands.spawn((Vehicle::default(), NavigateTo::new(player), AvoidAgents::default()));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[require(PathFollow, AvoidWalls)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct NavigateTo {
    /// Where the agent goes. Default: nowhere.
    #[entities]
    pub target: NavigationTarget,
    /// The entity with the map. Default `None`: the only one in the world.
    #[entities]
    pub map: Option<Entity>,
    /// The path is planned again when a target that is an entity has moved by this share of its
    /// distance. Default 0.1. A target that is a point is followed exactly.
    #[reflect(@ParameterRange::up_to(1.0))]
    pub replan_share: f32,
    /// The path is planned again this often in any case, in seconds. Default `None`: only when
    /// something has changed.
    #[reflect(@Unit::Time)]
    pub replan_every: Option<f32>,
    /// How far it has come.
    #[entities]
    pub progress: Memory<NavigationProgress>,
}

impl Default for NavigateTo {
    fn default() -> Self {
        Self {
            target: NavigationTarget::None,
            map: None,
            replan_share: 0.1,
            replan_every: None,
            progress: default(),
        }
    }
}

impl NavigateTo {
    /// Goes to this target: a `Vec3`, a `Vec2` or an `Entity`.
    pub fn new(target: impl Into<NavigationTarget>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    builders! {
        /// Sets the entity with the map.
        with_map(map: impl Into<Option<Entity>>);
        /// Sets by which share of its distance a target must have moved for another plan.
        with_replan_share(replan_share: f32);
        /// Sets how often the path is planned again in any case, in seconds.
        with_replan_every(replan_every: impl Into<Option<f32>>);
    }

    /// Where it is on its way to its present target: for one that has just been set
    /// [`Waiting`](NavigationStatus::Waiting), or [`Following`](NavigationStatus::Following) if it
    /// is on its way already.
    pub fn status(&self) -> NavigationStatus {
        let status = self.progress.status;
        let is_about_it = self.progress.target.is_same(self.target);
        if is_about_it || status == NavigationStatus::Following {
            status
        } else {
            NavigationStatus::Waiting
        }
    }
}

/// Where an agent is on its way to a target.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum NavigationStatus {
    /// It has no target, or its first path is still being planned.
    #[default]
    Waiting,
    /// It follows a path.
    Following,
    /// It rests at the end of its path.
    Finished,
    /// There is no path.
    Failed(NavigationFailure),
}

/// How far an agent with [`NavigateTo`] has come: what it keeps from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct NavigationProgress {
    /// The target that the rest is about.
    #[entities]
    pub target: NavigationTarget,
    /// Where it is on its way.
    pub status: NavigationStatus,
    /// The [id](bevy_steer::Path::id) of the path that it got last; 0 before.
    pub path: u64,
    /// Where it came to rest at the end of its path, if it has.
    pub place: Option<Vec3>,
    /// What its path, or the last failure, was planned for.
    #[entities]
    pub plan: Option<Plan>,
    /// The plan that is being made.
    #[entities]
    pub pending: Option<PendingPlan>,
    /// For how many ticks it has waited for its turn to plan.
    pub waiting: u32,
    /// The time since its path was planned, in seconds.
    pub age: f32,
    /// How many plans in a row have failed.
    pub failures: u32,
    /// How long it does not try again, in seconds.
    pub pause: f32,
    /// The shortest rest of its path that it has come to, in units.
    pub remaining: f32,
    /// How long it has made no progress, in seconds.
    pub stalled: f32,
}

/// What a path has been planned for.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, MapEntities)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Plan {
    /// The target that it leads to.
    #[entities]
    pub target: NavigationTarget,
    /// From where to where, and for how large a body.
    pub query: PathQuery,
    /// The entity with the map.
    #[entities]
    pub map: Entity,
    /// The version of the map.
    pub version: u64,
}

/// A plan that is being made.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, MapEntities)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct PendingPlan {
    /// What it is for.
    #[entities]
    pub plan: Plan,
    /// The [`SteeringTick`](bevy_steer::SteeringTick) in which it is used.
    pub due: u64,
}
