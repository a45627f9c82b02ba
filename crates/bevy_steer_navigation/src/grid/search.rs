//! The search for a route on a grid, and its straight pieces.

use bevy::prelude::*;
use pathfinding::prelude::astar;

use crate::{
    events::NavigationFailure,
    grid::{flow::HALVES, grid_planner::GridPlanner},
};

/// The cost of a step to a cell beside, and to one across a corner.
const STRAIGHT: u32 = 1000;
const ACROSS: u32 = 1414;
/// The neighbours of a cell, as offsets: four beside it, then four across its corners.
pub(super) const AROUND: [[f32; 2]; 8] = [
    [-1.0, 0.0],
    [1.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
    [-1.0, -1.0],
    [-1.0, 1.0],
    [1.0, -1.0],
    [1.0, 1.0],
];
/// The cost of a step to each of them.
pub(super) const COSTS: [u32; 8] =
    [STRAIGHT, STRAIGHT, STRAIGHT, STRAIGHT, ACROSS, ACROSS, ACROSS, ACROSS];
/// The neighbours on both sides of a step to each of them; of one that is beside, only itself.
const BESIDE: [[usize; 2]; 8] = [[0, 0], [1, 1], [2, 2], [3, 3], [0, 2], [0, 3], [1, 2], [1, 3]];
/// A share that is rounding: it closes no passage in which a body just fits, and opens no wall.
pub(super) const ROUNDING: f32 = 1e-4;

impl GridPlanner {
    /// The corners of a route, from the start to the goal or the nearest place where the body fits.
    pub(super) fn route(
        &self,
        start: Vec2,
        goal: Vec2,
        radius: f32,
    ) -> Result<Vec<Vec2>, NavigationFailure> {
        let needed = self.needed(radius);
        let near = 3.0 * radius + 2.0 * self.cell_size;
        let from = self.free_cell(start, needed, near).ok_or(NavigationFailure::StartOutside)?;
        let to = self.free_cell(goal, needed, near).ok_or_else(|| match self.cell_of(goal) {
            Some(_) => NavigationFailure::GoalBlocked,
            None => NavigationFailure::GoalOutside,
        })?;
        // Ends where the body fits, with less room than elsewhere, stay where they are.
        let end = if self.clearance(goal) >= radius.max(0.5 * needed) {
            goal
        } else {
            self.middle_of(to)
        };
        let has_room = |place: Vec2| self.clearance(place) >= needed;
        if has_room(start) && has_room(end) && self.is_clear(start, end, needed) {
            return Ok(vec![start, end]);
        }
        let cells = self.search(from, to, needed).ok_or(NavigationFailure::NoWay)?;
        let middles = cells.into_iter().map(|cell| self.middle_of(cell));
        // From an end without enough room the way leads to the nearest cell that has it.
        let [first, last] = [start, end].map(|place| (!has_room(place)).then_some(place));
        let inner = [start].into_iter().filter(|_| first.is_none());
        let inner = inner.chain(middles).chain([end].into_iter().filter(|_| last.is_none()));
        let straight = self.straighten(inner.collect(), needed);
        Ok(first.into_iter().chain(straight).chain(last).collect())
    }

    /// The nearest cell to a position with this clearance, if there is one within a distance. For a
    /// position in the open one on the same side of a wall, if there is such a cell.
    fn free_cell(&self, position: Vec2, needed: f32, within: f32) -> Option<usize> {
        let is_free = |cell: usize| self.clearance_of(cell) >= needed;
        let is_in_the_open = self.clearance(position) > 0.0;
        let is_open = |cell| is_in_the_open && self.is_open(self.middle_of(cell), position, HALVES);
        let is_beside = |cell: usize| is_free(cell) && (is_open(cell) || !is_in_the_open);
        if let Some(cell) = self.cell_of(position).filter(|&cell| is_beside(cell)) {
            return Some(cell);
        }
        let squared = |cell: usize| self.middle_of(cell).distance_squared(position);
        let near = self.cells_near(position, within);
        let near = near.filter(|&cell| is_free(cell) && squared(cell) <= within * within);
        let order = |&(is_apart, cell): &(bool, usize)| (is_apart, squared(cell));
        let near = near.map(|cell| (!is_open(cell), cell));
        let nearest = near.min_by(|a, b| {
            let [(apart, distance), (other_apart, other_distance)] = [a, b].map(order);
            apart.cmp(&other_apart).then(distance.total_cmp(&other_distance))
        });
        nearest.map(|(_, cell)| cell)
    }

    /// The cells of a shortest route.
    fn search(&self, from: usize, to: usize, needed: f32) -> Option<Vec<usize>> {
        let columns = self.columns;
        let place = |cell: usize| [cell % columns, cell / columns];
        let [goal_column, goal_row] = place(to);
        let successors = |&cell: &usize| {
            let steps = self.steps(cell, needed).into_iter().zip(COSTS);
            steps.filter_map(|(next, cost)| Some((next?, cost)))
        };
        let estimate = |&cell: &usize| {
            let [column, row] = place(cell);
            let [aside, along] = [column.abs_diff(goal_column), row.abs_diff(goal_row)];
            let (less, more) = (aside.min(along) as u32, aside.max(along) as u32);
            STRAIGHT * (more - less) + ACROSS * less
        };
        astar(&from, successors, estimate, |&cell| cell == to).map(|(cells, _)| cells)
    }

    /// The neighbours of a cell, in the order of [`AROUND`].
    pub(super) fn around(&self, cell: usize) -> [Option<usize>; 8] {
        let [column, row] = [cell % self.columns, cell / self.columns];
        let left = (column > 0).then(|| cell - 1);
        let right = (column + 1 < self.columns).then(|| cell + 1);
        let down = (row > 0).then(|| cell - self.columns);
        let up = (row + 1 < self.rows).then(|| cell + self.columns);
        let across = |beside: Option<usize>, other: Option<usize>| Some(beside? + other? - cell);
        let corners =
            [across(left, down), across(left, up), across(right, down), across(right, up)];
        let [left_down, left_up, right_down, right_up] = corners;
        [left, right, down, up, left_down, left_up, right_down, right_up]
    }

    /// Those of its neighbours to which a body that needs this clearance may step from a cell that
    /// has it.
    pub(super) fn steps(&self, cell: usize, needed: f32) -> [Option<usize>; 8] {
        let around = self.around(cell);
        let is_free = around.map(|next| next.is_some_and(|next| self.clearance_of(next) >= needed));
        core::array::from_fn(|side| {
            // Not across the corner of something that is blocked.
            let is_open = BESIDE[side].into_iter().all(|beside| is_free[beside]);
            let next = around[side].filter(|_| is_free[side] && is_open)?;
            self.may_step(cell, next, needed).then_some(next)
        })
    }

    /// Whether there is this clearance on the way from a cell to one beside it; both have it.
    fn may_step(&self, from: usize, to: usize, needed: f32) -> bool {
        let [a, b] = [self.middle_of(from), self.middle_of(to)];
        // Nowhere on the way is it less than this.
        let least = 0.5 * (self.clearance_of(from) + self.clearance_of(to) - a.distance(b));
        least >= needed || self.clearance(a.midpoint(b)) >= needed * (1.0 - ROUNDING)
    }

    /// Leaves out the points between which the body fits on the straight line.
    fn straighten(&self, points: Vec<Vec2>, needed: f32) -> Vec<Vec2> {
        let mut kept: Vec<Vec2> = Vec::new();
        let mut before: Option<Vec2> = None;
        for point in points {
            match (kept.last(), before) {
                (Some(&corner), Some(last)) if !self.is_clear(corner, point, needed) => {
                    kept.push(last);
                }
                (None, _) => kept.push(point),
                _ => {}
            }
            before = Some(point);
        }
        if kept.len() > 1 || before != kept.last().copied() {
            kept.extend(before);
        }
        kept
    }

    /// Whether there is this clearance everywhere between two positions.
    pub(super) fn is_clear(&self, from: Vec2, to: Vec2, needed: f32) -> bool {
        let steps = (from.distance(to) / (0.5 * self.cell_size)).ceil().max(1.0);
        let needed = needed * (1.0 - ROUNDING);
        (0..=steps as usize).all(|i| self.clearance(from.lerp(to, i as f32 / steps)) >= needed)
    }
}

#[cfg(test)]
mod tests {
    use bevy_steer::SteeringPlane;

    use super::*;
    use crate::planner::{PathPlanner, PathQuery};

    /// A room with a wall that has a gap at its upper end.
    fn room() -> GridPlanner {
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), 0.5);
        grid.block_rect(Vec2::new(9.0, 0.0), Vec2::new(11.0, 16.0));
        grid
    }

    fn plan(grid: &GridPlanner, from: [f32; 2], to: [f32; 2], radius: f32) -> Vec<Vec2> {
        let [start, goal] = [from, to].map(|end| Vec2::from(end).extend(0.0));
        let path = grid.plan(&PathQuery { start, goal, radius }).unwrap();
        path.into_iter().map(Vec3::truncate).collect()
    }

    fn length(path: &[Vec2]) -> f32 {
        path.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    #[test]
    fn a_free_way_is_straight() {
        let path = plan(&room(), [1.0, 1.0], [7.0, 18.0], 0.5);
        assert_eq!(path, [Vec2::new(1.0, 1.0), Vec2::new(7.0, 18.0)]);
    }

    #[test]
    fn paths_keep_off_corners_by_the_radius() {
        let grid = room();
        for radius in [0.0, 0.3, 0.5, 1.0, 1.5] {
            let path = plan(&grid, [4.0, 4.0], [16.0, 4.0], radius);
            let outline = crate::grid::outline::Outline::new(
                [
                    Vec2::new(9.0, 0.0),
                    Vec2::new(11.0, 0.0),
                    Vec2::new(11.0, 16.0),
                    Vec2::new(9.0, 16.0),
                ],
                0.0,
            );
            let outline = outline.unwrap();
            for pair in path.windows(2) {
                for i in 0..=100 {
                    let point = pair[0].lerp(pair[1], i as f32 / 100.0);
                    assert!(outline.distance(point) >= radius, "{point} for {radius}: {path:?}");
                }
            }
            // Round two corners: not much longer than the shortest way.
            let shortest = 2.0 * 13.0 + 2.0 + 4.0 * radius;
            assert!(length(&path) < 1.06 * shortest + 2.0, "{} of {shortest}", length(&path));
            assert!(path.len() <= 7, "{path:?}");
        }
    }

    #[test]
    fn ends_are_moved_to_where_the_body_fits() {
        let grid = room();
        // Beside the wall: the body touches it, and leaves it.
        let path = plan(&grid, [8.6, 4.0], [2.0, 4.0], 0.5);
        assert_eq!(path[0], Vec2::new(8.6, 4.0));
        // In the wall, near its surface.
        let path = plan(&grid, [4.0, 4.0], [9.3, 4.0], 0.5);
        let end = path[path.len() - 1];
        assert!(end.x < 8.5 && end.distance(Vec2::new(9.3, 4.0)) < 1.5, "{end}");
    }

    /// As a switch on a wall is, which is too near to it for the middle of a cell.
    #[test]
    fn an_end_beside_a_thin_wall_stays_on_its_side() {
        for right_across in [false, true] {
            let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), 0.5);
            let end = if right_across { 20.0 } else { 15.0 };
            grid.block_segment(Vec2::new(10.15, 0.0), Vec2::new(10.15, end));
            let path = plan(&grid, [5.0, 5.0], [10.05, 5.0], 0.5);
            assert!(path.last().unwrap().x < 10.0, "{path:?}");
        }
        // In the corner of a cell of which the middle is free, beyond a wall at a slant.
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), 1.0);
        grid.block_segment(Vec2::new(8.85, 13.0), Vec2::new(13.0, 8.85));
        let path = plan(&grid, [18.0, 18.0], [10.97, 10.97], 0.05);
        assert!(path.last().unwrap().element_sum() > 21.85, "{path:?}");
    }

    #[test]
    fn failures_have_reasons() {
        let mut grid = room();
        grid.block_circle(Vec2::new(15.0, 8.0), 3.5);
        let reason = |from: [f32; 2], to: [f32; 2], radius| {
            let [start, goal] = [from, to].map(|end| Vec2::from(end).extend(0.0));
            grid.plan(&PathQuery { start, goal, radius }).unwrap_err()
        };
        let [a, b] = [[4.0, 4.0], [14.0, 2.0]];
        assert_eq!(reason([-9.0, 4.0], b, 0.5), NavigationFailure::StartOutside);
        assert_eq!(reason(a, [40.0, 4.0], 0.5), NavigationFailure::GoalOutside);
        assert_eq!(reason(a, [15.0, 8.0], 0.5), NavigationFailure::GoalBlocked);
        // The gap is for smaller ones.
        assert_eq!(reason(a, b, 2.5), NavigationFailure::NoWay);
        assert!(plan(&grid, a, b, 1.0).len() > 2);
    }

    #[test]
    fn walls_without_width_are_not_crossed() {
        for turn in 0..12 {
            let along = Vec2::from_angle(turn as f32 * 0.26);
            let mut grid = GridPlanner::new(Vec2::splat(-20.0), Vec2::splat(20.0), 1.0);
            grid.block_segment(along * -10.0, along * 10.0);
            let start = along.perp() * 4.0;
            let path = plan(&grid, start.to_array(), (-start).to_array(), 0.0);
            assert!(length(&path) > 20.0, "{turn}: {path:?}");
        }
    }

    /// A number from 0 to 1.
    fn random(seed: &mut u32) -> f32 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) as f32 / (1 << 24) as f32
    }

    #[test]
    fn paths_among_random_things_keep_off_all_of_them() {
        let seed = &mut 1;
        let (mut found, mut nearest) = (0, f32::INFINITY);
        for _ in 0..100 {
            let radius = 0.3 + random(seed);
            let cell_size = radius * (0.4 + random(seed));
            let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(40.0), cell_size);
            for _ in 0..25 {
                let mut place = || Vec2::new(random(seed), random(seed)) * 40.0;
                let (a, b) = (place(), place());
                match (a.x * 100.0) as u32 % 3 {
                    0 => grid.block_circle(a, 0.1 * b.x),
                    1 => grid.block_rect(a, a + 0.1 * b),
                    _ => grid.block_segment(a, a.lerp(b, 0.3)),
                }
            }
            for _ in 0..10 {
                let ends = [(); 4].map(|()| random(seed) * 40.0);
                let [start, goal] = [[ends[0], ends[1]], [ends[2], ends[3]]].map(Vec2::from);
                let has_room = |end| grid.clearance(end) >= grid.needed(radius);
                let Ok(path) = grid.route(start, goal, radius) else { continue };
                if !has_room(start) || !has_room(goal) {
                    continue;
                }
                found += 1;
                assert!(path[0] == start && path[path.len() - 1] == goal);
                for pair in path.windows(2) {
                    for i in 0..=200 {
                        let point = pair[0].lerp(pair[1], i as f32 / 200.0);
                        let gaps = grid.outlines().iter().map(|outline| outline.distance(point));
                        nearest = nearest.min(gaps.fold(f32::INFINITY, f32::min) / radius);
                    }
                }
            }
        }
        assert!(found > 300, "{found}");
        assert!(nearest > 0.97, "{nearest} radii");
    }

    #[test]
    fn on_the_ground_heights_are_kept() {
        let grid = room().in_plane(SteeringPlane::Xz);
        let start = Vec3::new(4.0, 7.0, 4.0);
        let goal = Vec3::new(16.0, 9.0, 4.0);
        let path = grid.plan(&PathQuery { start, goal, radius: 0.5 }).unwrap();
        assert_eq!((path[0], path[path.len() - 1]), (start, goal));
        assert!(path[1..path.len() - 1].iter().all(|point| point.y == 7.0));
    }
}
