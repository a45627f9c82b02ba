//! [`PathPlanner`]: what finds a path.

use core::any::Any;

use bevy::prelude::*;

use crate::events::NavigationFailure;

/// From where to where a path is to be found, and for how large a body.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct PathQuery {
    /// Where the path begins. Finite.
    pub start: Vec3,
    /// Where it ends. Finite.
    pub goal: Vec3,
    /// The radius of the body that follows the path, in units. Finite and not negative.
    pub radius: f32,
}

/// A straight piece of the border of a map, which no body crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// Its first end.
    pub start: Vec3,
    /// Its second end.
    pub end: Vec3,
}

/// Finds paths: a grid, a navigation mesh, a road network.
///
/// A planner is an unchangeable snapshot of the world; to change the world, give the
/// [`NavigationMap`](crate::NavigationMap) a new one. Paths are planned on Bevy's task pool for
/// asynchronous computation, so [`plan`](Self::plan) may take a few ticks. The result must depend
/// on nothing but the planner and the query; then agents move in the same way on every run.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer_navigation::{NavigationFailure, NavigationMap, PathPlanner, PathQuery};
///
/// /// Whoever goes from one bank to the other goes over the bridge.
/// struct River;
///
/// impl PathPlanner for River {
///     fn plan(&self, query: &PathQuery) -> Result<Vec<Vec3>, NavigationFailure> {
///         if query.radius > 2.0 {
///             return Err(NavigationFailure::NoWay);
///         }
///         let crosses = query.start.x * query.goal.x < 0.0;
///         let bridge = crosses.then_some(Vec3::new(0.0, 30.0, 0.0));
///         Ok([query.start].into_iter().chain(bridge).chain([query.goal]).collect())
///     }
/// }
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn(NavigationMap::new(River));
/// }
/// ```
pub trait PathPlanner: Any + Send + Sync {
    /// The points of a path from the start to the goal, or to the nearest place where the body
    /// fits. The first one is the start.
    fn plan(&self, query: &PathQuery) -> Result<Vec<Vec3>, NavigationFailure>;

    /// The point of the map's surface on which an agent at this position stands. Used by
    /// [`StandOnMap`](crate::StandOnMap). Default: `None`, the map has no heights.
    fn ground(&self, position: Vec3) -> Option<Vec3> {
        let _ = position;
        None
    }

    /// The borders of the map. They become [`Wall`](bevy_steer::Wall)s, so that agents do not leave
    /// the map while they avoid each other. Default: none.
    fn borders(&self) -> Vec<Border> {
        Vec::new()
    }
}
