//! Planning on a grid of square cells, for games without a navigation mesh. Knows nothing of
//! agents: only [`ObstacleGrid`] looks at the world.

mod distances;
mod flow;
mod grid_planner;
mod obstacle_grid;
mod outline;
mod search;

pub(crate) use flow::Flow;
pub use grid_planner::GridPlanner;
pub use obstacle_grid::ObstacleGrid;
pub(crate) use obstacle_grid::build_obstacle_grids;
