//! [`GridFlow`]: a flow field to some goals, built from a map.

use bevy::{ecs::entity::MapEntities, prelude::*};
use bevy_steer::{Agent, Memory, Unit, WhenNone, builders};

use crate::{field::FlowField, navigate_to::NavigationTarget};

/// Builds the [`FlowField`] of its entity from a grid: from everywhere round all obstacles to the
/// nearest of some goals. Thousands of agents with one goal need one field instead of a path each.
///
/// The grid is that of an [`ObstacleGrid`](crate::ObstacleGrid), or a
/// [`GridPlanner`](crate::GridPlanner) in a [`NavigationMap`](crate::NavigationMap). Distances are
/// found by Dijkstra's search from the goals, of the crate `pathfinding`, and then straightened, so
/// that vectors point along the shortest way and not only in eight directions. They keep off what
/// blocks the way by the radius, and farther where there is room, so that a crowd is not drawn out
/// along the walls. They are zero where no way leads to a goal.
///
/// The field is built again when a goal has moved to another cell, and when the map has changed. As
/// a path, it is built on another thread and used in a tick that does not depend on that, see
/// [`PlanTiming`](crate::PlanTiming); only the first one is there immediately.
///
/// Within [`rest_radius`](Self::rest_radius) of a goal the vectors shrink to zero. There
/// [`FlowFollow`](crate::FlowFollow) comes to rest as [`Arrive`](bevy_steer::Arrive) does: agents
/// with [`AvoidAgents`](bevy_steer::AvoidAgents) gather around those that are there before them,
/// and stand still.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # use bevy_steer_navigation::{FlowFollow, GridFlow, ObstacleGrid};
/// # fn spawn(mut commands: Commands) {
/// // The map, and the field on it.
/// let gate = Vec2::new(15.0, -9.0);
/// let grid = ObstacleGrid::new(Vec2::splat(-20.0), Vec2::splat(20.0), 0.5);
/// commands.spawn((grid, GridFlow::new(gate)));
/// commands.spawn(Wall::new(Vec2::new(0.0, -20.0), Vec2::new(0.0, 12.0)));
/// for y in -18..18 {
///     let place = Transform::from_xyz(-15.0, y as f32, 0.0);
///     let avoidance = (AvoidWalls::default(), AvoidAgents::default());
///     commands.spawn((Vehicle::default(), FlowFollow::default(), avoidance, place));
/// }
/// # }
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[require(FlowField)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct GridFlow {
    /// Where the agents go: each to the nearest. Default: nowhere.
    #[entities]
    pub goals: Vec<NavigationTarget>,
    /// The entity with the map. Default `None`: its own entity if that has one, otherwise the only
    /// one in the world.
    #[entities]
    pub map: Option<Entity>,
    /// The radius of the largest agent that the field is for, in units. Default 0.5.
    #[reflect(@Unit::Length)]
    pub radius: f32,
    /// The distance from a goal at which agents begin to slow down, in units. Default `None`: four
    /// radii. With 0 they do not stop: for goals where they are despawned.
    #[reflect(@Unit::Length, @WhenNone("four radii"))]
    pub rest_radius: Option<f32>,
    /// How often it looks for changes of the map and of where the goals are, in ticks. Default 16.
    /// 0 counts as 1. Changes of this component count immediately.
    pub check_every: u32,
    /// What its field has been built from.
    #[entities]
    pub state: Memory<GridFlowState>,
}

impl Default for GridFlow {
    fn default() -> Self {
        Self {
            goals: Vec::new(),
            map: None,
            radius: 0.5,
            rest_radius: None,
            check_every: 16,
            state: default(),
        }
    }
}

impl GridFlow {
    /// A field to this goal: a `Vec3`, a `Vec2` or an `Entity`.
    pub fn new(goal: impl Into<NavigationTarget>) -> Self {
        Self::to_nearest([goal])
    }

    /// A field to the nearest of these goals.
    pub fn to_nearest<G: Into<NavigationTarget>>(goals: impl IntoIterator<Item = G>) -> Self {
        Self { goals: goals.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    builders! {
        /// Sets the entity with the map.
        with_map(map: impl Into<Option<Entity>>);
        /// Sets the radius of the largest agent that the field is for, in units.
        with_radius(radius: f32);
        /// Sets the distance from a goal at which agents begin to slow down, in units.
        with_rest_radius(rest_radius: impl Into<Option<f32>>);
        /// Sets how often it looks for changes, in ticks.
        with_check_every(check_every: u32);
    }

    /// The distance from a goal at which agents begin to slow down, in units.
    pub(super) fn rests_within(&self) -> f32 {
        self.rest_radius.unwrap_or(4.0 * self.radius)
    }

    /// The goal that is nearest to an agent, of those to which the field leads.
    pub(super) fn nearest_goal(&self, agent: &Agent) -> Option<FlowGoal> {
        let squared =
            |goal: &FlowGoal| agent.towards(agent.plane.point(goal.position)).length_squared();
        let goals = self.state.goals.iter().filter(|goal| goal.reach.is_some());
        goals.min_by(|a, b| squared(a).total_cmp(&squared(b))).copied()
    }
}

/// What a [`GridFlow`] keeps from tick to tick: what its field has been built from.
#[derive(Reflect, Clone, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct GridFlowState {
    /// The goals to which the field leads.
    pub goals: Vec<FlowGoal>,
    /// What the field has been built from.
    #[entities]
    pub plan: Option<FlowPlan>,
    /// What it is being built from.
    #[entities]
    pub pending: Option<FlowPlan>,
    /// The [`SteeringTick`](bevy_steer::SteeringTick) in which that is used.
    pub due: u64,
}

/// A goal of a [`GridFlow`].
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct FlowGoal {
    /// Where it is now, in the coordinates of the plane of the map.
    pub position: Vec2,
    /// How far from it the body fits, in units; `None` if there is no place near it.
    pub reach: Option<f32>,
    /// Whether it is in an obstacle: agents come to rest on all sides of that.
    pub is_inside: bool,
}

/// What the field of a [`GridFlow`] is built from.
#[derive(Reflect, Clone, Debug, PartialEq, MapEntities)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct FlowPlan {
    /// The entity with the map.
    #[entities]
    pub map: Entity,
    /// The version of the map.
    pub version: u64,
    /// The goals.
    #[entities]
    pub targets: Vec<NavigationTarget>,
    /// The positions of the goals, in the coordinates of the plane of the map.
    pub goals: Vec<Vec2>,
    /// The radius of the largest agent, in units.
    pub radius: f32,
    /// The distance from a goal at which agents begin to slow down, in units.
    pub rest_radius: f32,
}
