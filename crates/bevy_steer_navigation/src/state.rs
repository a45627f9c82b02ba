//! [`visit_navigation_state`]: what navigation keeps from tick to tick.

use bevy_steer::StateVisitor;

use crate::{
    field::FlowField,
    flow::{FlowFollow, GridFlow},
    grid::ObstacleGrid,
    navigate_to::NavigateTo,
    settings::NavigationSettings,
    stand_on_map::StandOnMap,
};

/// Calls the visitor with every component and resource that navigation keeps from tick to tick, as
/// [`visit_state`](bevy_steer::visit_state) does for steering.
///
/// The planner of a [`NavigationMap`](crate::NavigationMap) is not among it. Where a map is rolled
/// back or loaded, build it again; nor are its walls, see [`BorderOf`](crate::BorderOf).
pub fn visit_navigation_state(visitor: &mut impl StateVisitor) {
    visitor.component::<NavigateTo>();
    visitor.component::<StandOnMap>();
    visitor.component::<ObstacleGrid>();
    visitor.component::<FlowFollow>();
    visitor.component::<GridFlow>();
    visitor.component::<FlowField>();
    visitor.resource::<NavigationSettings>();
}
