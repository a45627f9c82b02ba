//! Planning on a grid of square cells, for games without a navigation mesh. Knows nothing of
//! agents: only [`ObstacleGrid`] looks at the world.

mod grid_planner;
mod obstacle_grid;
mod outline;
mod search;

pub use grid_planner::GridPlanner;
pub use obstacle_grid::ObstacleGrid;
pub(crate) use obstacle_grid::build_obstacle_grids;
