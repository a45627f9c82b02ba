//! [`Distances`]: how far it is from each cell of a grid to the nearest of some goals.

use core::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

use bevy::prelude::*;
use pathfinding::prelude::dijkstra_reach;

use crate::grid::{
    grid_planner::GridPlanner,
    search::{AROUND, COSTS, ROUNDING},
};

/// A cell with a straight way to a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) cell: usize,
    /// How far it is from the middle of the cell to the goal, in units.
    pub(super) distance: f32,
    /// The direction from there to the goal: a unit vector, or zero at the goal.
    pub(super) towards: Vec2,
}

/// How far it is from the middle of each cell of a grid to the nearest goal, for bodies of one
/// size, and in which direction to go. Ways beside walls count as longer than they are.
pub(super) struct Distances<'a> {
    grid: &'a GridPlanner,
    /// What a step from each cell costs, as a multiple of its length.
    costs: Vec<f32>,
    /// To which of its neighbours a body may step from each cell, one bit each.
    steps: Vec<u8>,
    /// In units; infinite where there is no way.
    values: Vec<f32>,
    /// Unit vectors; zero where there is no way, and at a goal.
    directions: Vec<Vec2>,
}

/// The length of a step from a cell without enough room, as a multiple of the real one: whoever has
/// been pushed into such a cell leaves it soon.
const CRAMPED: f32 = 4.0;
/// Beside a wall a step counts up to twice as long, and this many times the room that the body
/// needs off it no longer: a crowd turns round a corner side by side, and not in a line along the
/// wall.
const WIDE: f32 = 4.0;
/// How often cells are relaxed, at most. Few need more than two rounds.
const ROUNDS: usize = 8;
/// A change of a distance by less than this share of a cell is none.
const TOLERANCE: f32 = 1e-4;
/// The neighbours across a corner that are next to each one that is beside, see [`AROUND`].
const CORNERS: [[usize; 2]; 4] = [[4, 5], [6, 7], [4, 6], [5, 7]];
/// Of each neighbour, the one on the other side.
const OPPOSITE: [usize; 8] = [1, 0, 3, 2, 7, 6, 5, 4];
/// How often the way between two positions is halved, to find out whether anything is on it.
const HALVES: u32 = 5;

impl GridPlanner {
    /// The distances to the goals of these sources, for bodies that need this clearance.
    pub(super) fn distances(&self, sources: &[Source], needed: f32) -> Distances<'_> {
        let cells = self.columns * self.rows;
        let steps = (0..cells).map(|cell| self.steps_as_bits(cell, needed)).collect();
        let (values, directions) = (vec![f32::INFINITY; cells], vec![Vec2::ZERO; cells]);
        let costs = (0..cells).map(|cell| self.cost(cell, needed)).collect();
        let mut distances = Distances { grid: self, costs, steps, values, directions };
        let mut is_source = vec![false; cells];
        for &Source { cell, distance, towards } in sources {
            is_source[cell] = true;
            if distance < distances.values[cell] {
                distances.values[cell] = distance;
                distances.directions[cell] = towards;
            }
        }

        // Dijkstra finds the cells from which there is a way, in the order of its length.
        let order = distances.order(sources);
        let others = order.into_iter().filter(|&cell| !is_source[cell]);
        distances.relax(&others.collect::<Vec<_>>());
        distances
    }

    /// What a step from a cell costs, as a multiple of its length.
    fn cost(&self, cell: usize, needed: f32) -> f32 {
        let room = self.clearance_of(cell) - needed;
        if room < 0.0 {
            return CRAMPED;
        }
        let wide = (WIDE * needed).min(self.reach() - needed);
        let narrow = (1.0 - room / wide).max(0.0);
        1.0 + narrow * narrow
    }

    /// To which neighbours a body may step from a cell. From one without enough room it may go
    /// wherever nothing is in between.
    fn steps_as_bits(&self, cell: usize, needed: f32) -> u8 {
        let steps = if self.clearance_of(cell) >= needed {
            self.steps(cell, needed)
        } else {
            let is_open =
                |&next: &usize| self.is_open(self.middle_of(cell), self.middle_of(next), HALVES);
            self.around(cell).map(|next| next.filter(is_open))
        };
        (0..8).fold(0, |bits, side| bits | (u8::from(steps[side].is_some()) << side))
    }

    /// Whether nothing blocks the straight way between two positions, however narrow that is.
    pub(super) fn is_open(&self, from: Vec2, to: Vec2, halves: u32) -> bool {
        let room = [from, to].map(|end| self.clearance(end));
        // Circles with nothing in them cover the way. At right angles through a wall without width
        // they touch: rounding must not open it.
        if room[0] + room[1] > from.distance(to) * (1.0 + ROUNDING) {
            return true;
        }
        let middle = from.midpoint(to);
        room[0].min(room[1]) > 0.0
            && halves > 0
            && self.is_open(from, middle, halves - 1)
            && self.is_open(middle, to, halves - 1)
    }
}

impl Distances<'_> {
    /// The distance from the middle of a cell; infinite where there is no way.
    pub(super) fn value(&self, cell: usize) -> f32 {
        self.values[cell]
    }

    /// The direction in which to go from the middle of a cell.
    pub(super) fn direction(&self, cell: usize) -> Vec2 {
        self.directions[cell]
    }

    /// The cells from which there is a way to a source, the nearest first.
    fn order(&self, sources: &[Source]) -> Vec<usize> {
        let cell_size = self.grid.cell_size;
        let start = |source: &Source| {
            let cost = source.distance / cell_size * COSTS[0] as f32;
            (Some(source.cell), cost as u64)
        };
        // The search begins nowhere: one step from there to each source.
        let reached = dijkstra_reach(&None::<usize>, |cell| {
            let sources = if cell.is_none() { sources } else { &[] };
            let steps = cell.map_or([None; 8], |cell| self.steps_into(cell));
            sources.iter().map(start).chain(steps.into_iter().flatten())
        });
        reached.filter_map(|one| one.node).collect()
    }

    /// The cells from which a body may step into a cell, each with the cost.
    fn steps_into(&self, cell: usize) -> [Option<(Option<usize>, u64)>; 8] {
        let around = self.grid.around(cell);
        core::array::from_fn(|side| {
            let from = around[side]?;
            let may_step = (self.steps[from] >> OPPOSITE[side]) & 1 == 1;
            let cost = COSTS[side] as f32 * self.costs[from];
            may_step.then_some((Some(from), cost as u64))
        })
    }

    /// Steps along the sides and diagonals of cells are longer than the straight way, and lead in
    /// eight directions. Here the way from a cell leads to any point between two neighbours: the
    /// upwind scheme of Tsitsiklis (1995), "Efficient Algorithms for Globally Optimal
    /// Trajectories". In the order of the search nearly all neighbours are known when they are
    /// needed.
    fn relax(&mut self, order: &[usize]) {
        let least = TOLERANCE * self.grid.cell_size;
        for _ in 0..ROUNDS {
            let mut has_changed = false;
            for &cell in order {
                let (value, direction) = self.descent(cell);
                if value < self.values[cell] {
                    has_changed |= value < self.values[cell] - least;
                    self.values[cell] = value;
                    self.directions[cell] = direction.normalize_or_zero();
                }
            }
            if !has_changed {
                break;
            }
        }
    }

    /// The distance of a cell by those of its neighbours, and the direction to go.
    fn descent(&self, cell: usize) -> (f32, Vec2) {
        let around = self.grid.around(cell);
        let values: [f32; 8] = core::array::from_fn(|side| match around[side] {
            Some(next) if (self.steps[cell] >> side) & 1 == 1 => self.values[next],
            _ => f32::INFINITY,
        });
        let step = self.grid.cell_size * self.costs[cell];
        let (mut least, mut direction) = (f32::INFINITY, Vec2::ZERO);
        for (beside, corners) in CORNERS.into_iter().enumerate() {
            for corner in corners {
                let (length, share) = between(values[beside], values[corner], step);
                if length < least {
                    let [beside, corner] = [beside, corner].map(|side| Vec2::from(AROUND[side]));
                    (least, direction) = (length, beside.lerp(corner, share));
                }
            }
        }
        (least, direction)
    }
}

/// The shortest way from a corner of a right triangle past its opposite side, whose ends have the
/// distances `beside`, one step away, and `corner`, across a square. Returns the distance and at
/// which share of the side the way crosses it.
fn between(beside: f32, corner: f32, step: f32) -> (f32, f32) {
    let slope = (beside - corner) / step;
    if slope > 0.0 && slope < FRAC_1_SQRT_2 {
        let height = (1.0 - slope * slope).sqrt();
        (beside + step * height, slope / height)
    } else if beside + step <= corner + step * SQRT_2 {
        (beside + step, 0.0)
    } else {
        (corner + step * SQRT_2, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distances to the middle of a cell.
    fn to_cell(grid: &GridPlanner, cell: usize, needed: f32) -> Distances<'_> {
        grid.distances(&[Source { cell, distance: 0.0, towards: Vec2::ZERO }], needed)
    }

    #[test]
    fn the_way_past_a_side_is_the_shortest() {
        assert_eq!(between(0.0, 0.0, 1.0), (1.0, 0.0));
        assert_eq!(between(3.0, f32::INFINITY, 2.0), (5.0, 0.0));
        assert_eq!(between(f32::INFINITY, 3.0, 1.0), (3.0 + SQRT_2, 1.0));
        assert_eq!(between(f32::INFINITY, f32::INFINITY, 1.0).0, f32::INFINITY);
        // No other point of the side is better.
        for corner in [0.1_f32, 0.3, 0.6, 0.9] {
            let (length, share) = between(1.0, corner, 1.0);
            let at = |share: f32| 1.0 + (corner - 1.0) * share + (1.0 + share * share).sqrt();
            let best = (0..=100).map(|i| at(i as f32 / 100.0)).fold(f32::INFINITY, f32::min);
            assert!((length - best).abs() < 1e-3 && (length - at(share)).abs() < 1e-5);
        }
    }

    #[test]
    fn in_the_open_distances_and_directions_are_nearly_straight() {
        let grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(40.0), 1.0);
        let goal = 12 * 40 + 25;
        let distances = to_cell(&grid, goal, 0.5);
        for cell in (0..1600).filter(|&cell| cell != goal) {
            let offset = grid.middle_of(goal) - grid.middle_of(cell);
            let (length, straight) = (distances.value(cell), offset.length());
            assert!(length >= straight - 1e-3 && length < 1.05 * straight, "{length} {straight}");
            let along = distances.direction(cell).dot(offset / straight);
            // Within 14 degrees, and nearly all much closer.
            assert!(along > 0.97, "{cell}: {along}");
        }
        assert_eq!((distances.value(goal), distances.direction(goal)), (0.0, Vec2::ZERO));
    }

    #[test]
    fn ways_lead_round_walls_and_not_across_corners() {
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::new(9.0, 5.0), 1.0);
        // Open above.
        grid.block_cells(|column, row| column == 4 && row < 4);
        let distances = to_cell(&grid, 8, 0.5);
        // From the lower left up, over the wall and down again.
        // It is 12 units long, and counts as longer beside the wall.
        assert!((15.0..20.0).contains(&distances.value(0)), "{}", distances.value(0));
        // Beside the wall straight up, not across its corner.
        assert_eq!(distances.direction(3 * 9 + 3), Vec2::Y);
        assert_eq!(distances.direction(4 * 9 + 4), Vec2::X);
        assert_eq!(distances.value(2 * 9 + 4), f32::INFINITY, "in the wall");
    }

    #[test]
    fn walls_without_width_are_not_crossed() {
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(10.0), 1.0);
        grid.block_segment(Vec2::new(5.2, -1.0), Vec2::new(5.2, 11.0));
        let distances = to_cell(&grid, 57, 0.5);
        for row in 0..10 {
            for column in 0..10 {
                let is_reached = distances.value(row * 10 + column) < f32::INFINITY;
                // Also from the cells without enough room, which are on this side.
                assert_eq!(is_reached, column >= 5, "{column} {row}");
            }
        }
    }

    #[test]
    fn whoever_has_too_little_room_leaves_the_wall() {
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), 1.0);
        grid.block_rect(Vec2::new(0.0, 0.0), Vec2::new(20.0, 5.0));
        let distances = to_cell(&grid, 10 * 20 + 19, 2.0);
        // Half a unit and one and a half from the wall: out of there, and on.
        for row in [5, 6] {
            let direction = distances.direction(row * 20 + 3);
            assert!(direction.y > 0.7 && direction.x > 0.0, "{direction}");
        }
        assert_eq!(distances.value(4 * 20 + 3), f32::INFINITY, "in the wall");
    }

    #[test]
    fn of_several_goals_the_nearest_counts() {
        let grid = GridPlanner::new(Vec2::ZERO, Vec2::new(9.0, 1.0), 1.0);
        let source = |cell, distance| Source { cell, distance, towards: Vec2::ZERO };
        let distances = grid.distances(&[source(8, 0.0), source(0, 2.0), source(8, 1.0)], 0.5);
        let values = [0, 1, 2, 3, 4, 8].map(|cell| distances.value(cell));
        assert_eq!(values, [2.0, 3.0, 4.0, 5.0, 4.0, 0.0]);
    }
}
