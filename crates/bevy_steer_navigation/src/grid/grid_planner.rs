//! [`GridPlanner`]: square cells, and how far each is from what blocks the way.

use core::{any::Any, num::NonZero, ops::Range};
use std::sync::Arc;

use bevy::prelude::*;
use bevy_steer::SteeringPlane;

use crate::{
    events::NavigationFailure,
    grid::outline::Outline,
    planar::{flat, height, lift},
    planner::{Border, PathPlanner, PathQuery},
};

/// A [`PathPlanner`] on a grid of square cells, for games without a navigation mesh.
///
/// Each cell knows its clearance: how far its middle is from the nearest thing that blocks the way.
/// A path leads through cells with room for the agent's body, and then straight wherever the body
/// fits, so it keeps off corners by the radius. Agents of any size use one grid.
///
/// Cells of about the radius of the smallest agent are a good choice; cells larger than three radii
/// lose narrow passages. The search is A* (Hart, Nilsson and Raphael 1968) of the crate
/// `pathfinding`, on eight neighbours.
///
/// What is blocked has walls around it, by which agents are held, at any height: if there is a grid
/// for each floor of a building, give the walls of each a layer with
/// [`NavigationMap::with_border_layers`](crate::NavigationMap::with_border_layers). In a world that
/// wraps around, paths do not cross its edges.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer_navigation::{GridPlanner, PathPlanner, PathQuery};
/// let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), 0.5);
/// grid.block_rect(Vec2::new(9.0, 0.0), Vec2::new(11.0, 15.0));
/// let query = PathQuery {
///     start: Vec3::new(2.0, 2.0, 0.0),
///     goal: Vec3::new(18.0, 2.0, 0.0),
///     radius: 0.5,
/// };
/// let path = grid.plan(&query).unwrap();
/// assert!(path.iter().any(|point| point.y > 15.5), "it leads round the wall");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GridPlanner {
    plane: SteeringPlane,
    pub(super) min: Vec2,
    pub(super) cell_size: f32,
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// The radius of the largest body that it is for.
    max_radius: f32,
    outlines: Vec<Outline>,
    /// The straight pieces around what is blocked.
    borders: Vec<[Vec2; 2]>,
    /// The distance from the middle of each cell to the nearest outline, at most `reach`.
    clearance: Vec<f32>,
    /// The index of that outline, if there is one within `reach`.
    nearest: Vec<Option<NonZero<u32>>>,
}

/// More room than the radius, as a share of it: so an agent does not scrape along corners.
const MARGIN: f32 = 0.1;
/// How far the straight walls around a circle may be inside of it, in cells.
const SAG: f32 = 0.05;
/// The maximum number of cells.
const MAX_CELLS: f64 = (1 << 24) as f64;

impl GridPlanner {
    /// A free grid from one corner to another, with cells of this size, all in world units; for
    /// bodies with a radius of up to four cells, see [`with_max_radius`](Self::with_max_radius).
    ///
    /// A grid of bad numbers, or of more than 2²⁴ cells, is empty.
    pub fn new(min: Vec2, max: Vec2, cell_size: f32) -> Self {
        let mut grid = Self::unmeasured(min, max, cell_size);
        grid.measure();
        grid
    }

    /// A free grid of which no cell knows its clearance yet.
    pub(super) fn unmeasured(min: Vec2, max: Vec2, cell_size: f32) -> Self {
        let count = ((max - min) / cell_size).ceil().max(Vec2::ZERO);
        let cells = f64::from(count.x) * f64::from(count.y);
        let is_sound = min.is_finite() && cell_size > 0.0 && cells <= MAX_CELLS;
        if !is_sound {
            return Self::unmeasured(Vec2::ZERO, Vec2::ZERO, 1.0);
        }
        let [columns, rows] = count.to_array().map(|count| count as usize);
        Self {
            plane: SteeringPlane::Xy,
            min,
            cell_size,
            columns,
            rows,
            max_radius: 4.0 * cell_size,
            outlines: Vec::new(),
            borders: Vec::new(),
            clearance: Vec::new(),
            nearest: Vec::new(),
        }
    }

    /// The grid that a planner is, if it is one.
    pub(crate) fn of(planner: &Arc<dyn PathPlanner>) -> Option<&Self> {
        let planner: &dyn Any = &**planner;
        planner.downcast_ref()
    }

    /// Sets the plane that the grid is in. Default [`SteeringPlane::Xy`]; for agents on the ground
    /// of a 3D world [`SteeringPlane::Xz`].
    #[must_use]
    pub fn in_plane(mut self, plane: SteeringPlane) -> Self {
        self.plane = plane;
        self
    }

    /// Sets the radius of the largest body that the grid is for, in units. There is no path for
    /// larger ones. The larger it is, the longer it takes to build the grid.
    #[must_use]
    pub fn with_max_radius(mut self, radius: f32) -> Self {
        self.max_radius = if radius.is_finite() { radius.max(0.0) } else { 0.0 };
        self.measure();
        self
    }

    /// Blocks a rectangle.
    pub fn block_rect(&mut self, min: Vec2, max: Vec2) {
        self.block_with_border(rectangle(min, max));
    }

    /// Blocks a circle.
    pub fn block_circle(&mut self, center: Vec2, radius: f32) {
        self.block_with_border(Outline::new([center], radius));
    }

    /// Blocks a line. However thin, it counts as at least half a cell to each side.
    pub fn block_segment(&mut self, start: Vec2, end: Vec2) {
        self.block_with_border(Outline::new([start, end], 0.0));
    }

    /// Blocks the cells for which the function returns true; it is called with the column and row
    /// of each cell.
    pub fn block_cells(&mut self, mut is_blocked: impl FnMut(usize, usize) -> bool) {
        let (columns, rows) = (self.columns, self.rows);
        let blocked: Vec<bool> =
            (0..columns * rows).map(|cell| is_blocked(cell % columns, cell / columns)).collect();
        let is_blocked = |column: usize, row: usize| {
            column < columns && row < rows && blocked[row * columns + column]
        };
        let (min, size) = (self.min, self.cell_size);
        let corner = |column, row| min + Vec2::new(column as f32, row as f32) * size;
        for row in 0..rows {
            for run in runs(columns, |column| is_blocked(column, row)) {
                let corners = [corner(run.start, row), corner(run.end, row + 1)];
                self.block(rectangle(corners[0], corners[1]));
            }
        }
        // Walls are where the two cells at an edge differ.
        for row in 0..=rows {
            let below = |column| row > 0 && is_blocked(column, row - 1);
            for run in runs(columns, |column| below(column) != is_blocked(column, row)) {
                self.borders.push([corner(run.start, row), corner(run.end, row)]);
            }
        }
        for column in 0..=columns {
            let before = |row| column > 0 && is_blocked(column - 1, row);
            for run in runs(rows, |row| before(row) != is_blocked(column, row)) {
                self.borders.push([corner(column, run.start), corner(column, run.end)]);
            }
        }
    }

    /// How far a position is from what blocks the way, in units: zero outside of the grid, and no
    /// more than the largest body needs.
    pub fn clearance(&self, position: Vec2) -> f32 {
        if self.cell_of(position).is_none() {
            return 0.0;
        }
        // What is nearest to the position is nearest to one of the four middles around it.
        let place = (position - self.min) / self.cell_size - 0.5;
        let low = place.floor().max(Vec2::ZERO);
        let [left, low] = [low.x as usize, low.y as usize];
        let mut clearance = self.reach();
        let mut seen = [None; 4];
        for i in 0..4 {
            let column = (left + i % 2).min(self.columns - 1);
            let row = (low + i / 2).min(self.rows - 1);
            seen[i] = self.nearest[row * self.columns + column];
            let Some(nearest) = seen[i].filter(|_| !seen[..i].contains(&seen[i])) else {
                continue;
            };
            let outline = &self.outlines[nearest.get() as usize - 1];
            clearance = clearance.min(outline.distance(position));
        }
        clearance
    }

    /// For bodies of this radius, too.
    pub(super) fn and_for(self, radius: f32) -> Self {
        Self { max_radius: self.max_radius.max(radius), ..self }
    }

    /// Measured with what blocks the way of the obstacles of a world, which hold agents themselves.
    pub(super) fn with_outlines(mut self, outlines: Vec<Outline>) -> Self {
        self.outlines = outlines;
        self.measure();
        self
    }

    /// What blocks the way.
    #[cfg(test)]
    pub(super) fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    /// Whether it has no cell.
    pub(super) fn is_empty(&self) -> bool {
        self.columns * self.rows == 0
    }

    /// The plane that it is in.
    pub(crate) fn plane(&self) -> SteeringPlane {
        self.plane
    }

    /// The radius of the largest body that it is for.
    pub(super) fn max_radius(&self) -> f32 {
        self.max_radius
    }

    /// Whether it has the cells of another one.
    pub(super) fn has_cells_of(&self, other: &Self) -> bool {
        let is_in_place = self.plane == other.plane && self.min == other.min;
        let is_as_large = (self.columns, self.rows) == (other.columns, other.rows);
        is_in_place && is_as_large && self.cell_size == other.cell_size
    }

    /// Whether it is what an unmeasured grid becomes with these outlines.
    pub(super) fn is_built_from(&self, unmeasured: &Self, outlines: &[Outline]) -> bool {
        self.has_cells_of(unmeasured)
            && self.max_radius == unmeasured.max_radius
            && self.outlines == outlines
    }

    pub(super) fn clearance_of(&self, cell: usize) -> f32 {
        self.clearance[cell]
    }

    /// The clearance that a body needs.
    pub(super) fn needed(&self, radius: f32) -> f32 {
        // Less than half a cell could be on the other side of a wall without width.
        (radius * (1.0 + MARGIN)).max(0.55 * self.cell_size)
    }

    pub(super) fn middle_of(&self, cell: usize) -> Vec2 {
        let [column, row] = [cell % self.columns, cell / self.columns];
        self.min + (Vec2::new(column as f32, row as f32) + 0.5) * self.cell_size
    }

    /// The cell that a position is in.
    pub(crate) fn cell_of(&self, position: Vec2) -> Option<usize> {
        let place = ((position - self.min) / self.cell_size).floor();
        let is_inside = place.cmpge(Vec2::ZERO).all()
            && place.x < self.columns as f32
            && place.y < self.rows as f32;
        is_inside.then(|| place.y as usize * self.columns + place.x as usize)
    }

    /// No clearance is measured beyond this.
    pub(super) fn reach(&self) -> f32 {
        self.needed(self.max_radius) + 2.0 * self.cell_size
    }

    /// The cells that have their centres in a square around a place.
    pub(super) fn cells_near(&self, place: Vec2, within: f32) -> impl Iterator<Item = usize> {
        let [columns, rows] =
            self.cells_in(Rect::from_center_half_size(place, Vec2::splat(within)));
        let width = self.columns;
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// The ranges of columns and of rows of the cells whose centres are in a rectangle.
    pub(super) fn cells_in(&self, area: Rect) -> [Range<usize>; 2] {
        let low = ((area.min - self.min) / self.cell_size - 0.5).ceil();
        let high = ((area.max - self.min) / self.cell_size - 0.5).floor() + 1.0;
        let range = |low: f32, high: f32, count: usize| {
            let [low, high] = [low, high].map(|end| (end.max(0.0) as usize).min(count));
            low..high.max(low)
        };
        [range(low.x, high.x, self.columns), range(low.y, high.y, self.rows)]
    }

    fn block_with_border(&mut self, outline: Option<Outline>) {
        let edges = outline.iter().flat_map(|outline| outline.edges(SAG * self.cell_size));
        self.borders.extend(edges);
        self.block(outline);
    }

    fn block(&mut self, outline: Option<Outline>) {
        let Some(outline) = outline else { return };
        self.outlines.push(outline);
        self.measure_outline(self.outlines.len() - 1);
    }

    /// Measures the clearance of all cells.
    fn measure(&mut self) {
        self.clearance = vec![self.reach(); self.columns * self.rows];
        self.nearest = vec![None; self.columns * self.rows];
        (0..self.outlines.len()).for_each(|index| self.measure_outline(index));
    }

    /// Measures the distance of the cells around an outline to it.
    fn measure_outline(&mut self, index: usize) {
        let outline = &self.outlines[index];
        let number = u32::try_from(index + 1).ok().and_then(NonZero::new);
        let [columns, rows] = self.cells_in(outline.bounds().inflate(self.reach()));
        for row in rows {
            for column in columns.clone() {
                let cell = row * self.columns + column;
                let distance = outline.distance(self.middle_of(cell));
                if distance < self.clearance[cell] {
                    self.clearance[cell] = distance;
                    self.nearest[cell] = number;
                }
            }
        }
    }
}

impl PathPlanner for GridPlanner {
    fn plan(&self, query: &PathQuery) -> Result<Vec<Vec3>, NavigationFailure> {
        let [start, goal] = [query.start, query.goal].map(|end| flat(self.plane, end));
        let radius = if query.radius.is_finite() { query.radius.max(0.0) } else { 0.0 };
        let corners = self.route(start, goal, radius)?;
        let level = height(self.plane, query.start);
        let last = corners.len() - 1;
        let points = corners.into_iter().enumerate().map(|(i, corner)| {
            // The ends keep their heights.
            let level = if i == last { height(self.plane, query.goal) } else { level };
            lift(self.plane, corner, level)
        });
        Ok(points.collect())
    }

    fn borders(&self) -> Vec<Border> {
        let place = |end| lift(self.plane, end, 0.0);
        let borders = self.borders.iter();
        borders.map(|&[start, end]| Border { start: place(start), end: place(end) }).collect()
    }
}

fn rectangle(min: Vec2, max: Vec2) -> Option<Outline> {
    Outline::new([min, max, Vec2::new(min.x, max.y), Vec2::new(max.x, min.y)], 0.0)
}

/// The ranges below `count` in which a condition holds.
fn runs(count: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for i in (0..count).filter(|&i| holds(i)) {
        match runs.last_mut().filter(|run| run.end == i) {
            Some(run) => run.end = i + 1,
            None => runs.push(i..i + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearance_is_the_distance_to_what_blocks() {
        let mut grid = GridPlanner::new(Vec2::splat(-10.0), Vec2::splat(10.0), 0.5);
        grid.block_circle(Vec2::ZERO, 2.0);
        grid.block_segment(Vec2::new(6.0, -9.0), Vec2::new(6.0, 9.0));
        let off = |x: f32, y: f32| grid.clearance(Vec2::new(x, y));
        assert!((off(-3.25, 0.25) - (Vec2::new(3.25, 0.25).length() - 2.0)).abs() < 1e-5);
        assert!((off(4.9, 5.0) - 1.1).abs() < 1e-5, "{}", off(4.9, 5.0));
        assert_eq!(off(0.0, 0.0), 0.0);
        assert_eq!(off(11.0, 0.0), 0.0, "outside");
        // No more than the largest body needs.
        assert!((3.0..4.0).contains(&off(-9.0, -9.0)), "{}", off(-9.0, -9.0));
    }

    #[test]
    fn blocked_cells_are_rectangles() {
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(8.0), 1.0);
        grid.block_cells(|column, row| row == 3 && column != 5);
        assert_eq!(grid.outlines.len(), 2);
        // Of each of the two rectangles four sides.
        assert_eq!(grid.borders().len(), 8);
        assert_eq!(grid.clearance(Vec2::new(2.5, 3.5)), 0.0);
        assert_eq!(grid.clearance(Vec2::new(2.5, 5.5)), 1.5);
        assert_eq!(grid.clearance(Vec2::new(5.5, 3.5)), 0.5);
    }

    #[test]
    fn there_is_no_border_between_blocked_cells() {
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(8.0), 1.0);
        // A block of three by three with a hole.
        grid.block_cells(|column, row| {
            (2..5).contains(&column) && (2..5).contains(&row) && [column, row] != [3, 3]
        });
        let length: f32 = grid.borders().iter().map(|it| it.start.distance(it.end)).sum();
        assert_eq!((grid.borders().len(), length), (8, 16.0));
    }

    #[test]
    fn grids_of_bad_numbers_are_empty() {
        let end = Vec2::splat(10.0);
        for (min, max, size) in [
            (Vec2::NAN, end, 1.0),
            (Vec2::ZERO, Vec2::NAN, 1.0),
            (Vec2::ZERO, end, 0.0),
            (Vec2::ZERO, end, -1.0),
            (Vec2::ZERO, end, f32::NAN),
            (Vec2::ZERO, end, 1e-6),
            (Vec2::ZERO, Vec2::INFINITY, 1.0),
            (end, Vec2::ZERO, 1.0),
        ] {
            let mut grid = GridPlanner::new(min, max, size).with_max_radius(f32::NAN);
            grid.block_circle(Vec2::ONE, 1.0);
            assert_eq!((grid.columns * grid.rows, grid.clearance(Vec2::ONE)), (0, 0.0));
            let query = PathQuery { start: Vec3::ZERO, goal: Vec3::ONE, radius: 0.5 };
            assert_eq!(grid.plan(&query), Err(NavigationFailure::StartOutside));
        }
    }
}
