//! [`Flow`]: the directions from all cells of a grid to some goals, as a field.

use bevy::prelude::*;

use crate::{
    field::FlowField,
    grid::{
        distances::{Distances, Source},
        grid_planner::GridPlanner,
    },
};

/// The field in which bodies of one size go to the nearest of some goals.
#[derive(Clone, Default)]
pub(crate) struct Flow {
    /// Zero where there is no way.
    pub(crate) field: FlowField,
    /// Where the body fits at each goal; `None` if there is no place near it.
    pub(crate) reaches: Vec<Option<Reach>>,
}

/// Where the body fits at a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// How far from it, in units: 0 if it fits there.
    pub(crate) distance: f32,
    /// Whether the goal is in an obstacle: it fits on all sides of that.
    pub(crate) is_inside: bool,
}

/// Cells at most this far from a goal look for a straight way to it, in cells.
const NEAR: f32 = 3.0;
/// How often the way to a goal is halved, to find out whether anything is on it.
pub(super) const HALVES: u32 = 7;

impl GridPlanner {
    /// The field in which bodies of at most this radius go to the nearest of these goals. Within
    /// `rest_radius` units of a goal the vectors shrink to zero.
    pub(crate) fn flow(&self, goals: &[Vec2], radius: f32, rest_radius: f32) -> Flow {
        if radius > self.max_radius() {
            return self.clone().with_max_radius(radius).flow(goals, radius, rest_radius);
        }
        let needed = self.needed(radius);
        let within = rest_radius.max(NEAR * self.cell_size);
        let mut sources = Vec::new();
        let reaches = goals.iter().map(|&goal| {
            let (of_goal, reach) = self.sources(goal, radius, within)?;
            sources.extend(of_goal);
            Some(reach)
        });
        let reaches = reaches.collect();
        let distances = self.distances(&sources, needed);
        let vectors = self.vectors(&distances, needed, rest_radius);
        let (min, size) = (self.min, self.cell_size);
        let field = FlowField::new(min, size, self.columns, self.rows, vectors);
        Flow { field: field.unwrap_or_default(), reaches }
    }

    /// The cells from which the way to a goal is straight, and how far from the goal the body fits.
    fn sources(&self, goal: Vec2, radius: f32, within: f32) -> Option<(Vec<Source>, Reach)> {
        self.cell_of(goal)?;
        let needed = self.needed(radius);
        let room = self.clearance(goal);
        let source = |cell: usize| {
            let offset = goal - self.middle_of(cell);
            let towards = offset.normalize_or_zero();
            Source { cell, distance: offset.length(), towards }
        };
        // As for paths: ends where the body fits stay where they are.
        let fits = room >= radius.max(0.5 * needed);
        if fits {
            let needed = needed.min(room);
            let is_clear = |&cell: &usize| {
                self.clearance_of(cell) >= needed
                    && self.middle_of(cell).distance(goal) <= within
                    && self.is_clear(self.middle_of(cell), goal, needed)
            };
            let sources: Vec<Source> =
                self.cells_near(goal, within).filter(is_clear).map(source).collect();
            if !sources.is_empty() {
                return Some((sources, Reach { distance: 0.0, is_inside: false }));
            }
        }
        // The nearest cells in which it fits; for a goal in the open, on the same side of a wall.
        let is_free = |cell: &usize| self.clearance_of(*cell) >= needed;
        let near: Vec<Source> = if room > 0.0 {
            let is_open = |&cell: &usize| self.is_open(self.middle_of(cell), goal, HALVES);
            let around = self.cells_near(goal, within + 3.0 * radius);
            around.filter(is_free).filter(is_open).map(source).collect()
        } else {
            (0..self.columns * self.rows).filter(is_free).map(source).collect()
        };
        let distance = near.iter().map(|one| one.distance).min_by(f32::total_cmp)?;
        let nearest = near.into_iter().filter(|one| one.distance <= distance + self.cell_size);
        let nearest = nearest.map(|one| Source { distance: one.distance - distance, ..one });
        Some((nearest.collect(), Reach { distance, is_inside: room <= 0.0 }))
    }

    /// The vectors of all cells.
    fn vectors(&self, distances: &Distances, needed: f32, rest_radius: f32) -> Vec<Vec2> {
        let vector = |cell: usize| {
            let speed = if rest_radius > 0.0 { distances.value(cell) / rest_radius } else { 1.0 };
            distances.direction(cell) * speed.min(1.0)
        };
        let is_reached = |cell: usize| distances.value(cell) < f32::INFINITY;
        let cells = 0..self.columns * self.rows;
        cells
            .map(|cell| {
                if is_reached(cell) {
                    return vector(cell);
                }
                if self.clearance_of(cell) >= needed {
                    // No way leads from here.
                    return Vec2::ZERO;
                }
                // In a wall: as beside it, since who passes there would be slowed down by a zero.
                let around = self.around(cell).into_iter().flatten();
                let around = around.filter(|&next| is_reached(next)).map(vector);
                let (sum, count) = around.fold((Vec2::ZERO, 0.0), |(sum, count), vector| {
                    (sum + vector, count + 1.0_f32)
                });
                sum / count.max(1.0)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RADIUS: f32 = 0.5;

    /// Goes along a field in small steps, and returns where it comes to rest, and the least
    /// clearance on its way.
    fn go(grid: &GridPlanner, field: &FlowField, from: Vec2) -> (Vec2, f32) {
        let (mut place, mut least) = (from, f32::INFINITY);
        for _ in 0..4000 {
            place += field.sample(place).unwrap_or_default() * 0.1;
            least = least.min(grid.clearance(place));
        }
        (place, least)
    }

    /// A room with a wall that has a gap at its upper end.
    fn room() -> GridPlanner {
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), RADIUS);
        grid.block_rect(Vec2::new(9.0, 0.0), Vec2::new(11.0, 16.0));
        grid
    }

    #[test]
    fn all_ways_lead_to_the_goal_and_end_there() {
        let grid = room();
        let goal = Vec2::new(17.3, 3.1);
        let flow = grid.flow(&[goal], RADIUS, 2.0);
        assert_eq!(flow.reaches, [Some(Reach { distance: 0.0, is_inside: false })]);
        for from in [[2.0, 2.0], [8.4, 1.0], [10.0, 19.5], [19.9, 19.9], [17.3, 3.1], [11.4, 9.0]] {
            let (end, least) = go(&grid, &flow.field, from.into());
            assert!(end.distance(goal) < 0.01, "{end} from {from:?}");
            let start = grid.clearance(from.into());
            assert!(least > start.min(RADIUS), "{least} from {from:?}");
        }
    }

    #[test]
    fn near_the_goal_vectors_shrink_with_the_distance() {
        let grid = room();
        let goal = Vec2::new(15.0, 8.0);
        let field = grid.flow(&[goal], RADIUS, 3.0).field;
        for offset in [Vec2::new(1.0, 0.5), Vec2::new(-1.3, 1.2), Vec2::new(0.02, -2.0), Vec2::ZERO]
        {
            let vector = field.sample(goal + offset).unwrap();
            assert!((vector + offset / 3.0).length() < 1e-4, "{vector} at {offset}");
        }
        assert!((field.sample(goal + Vec2::Y * 6.0).unwrap().length() - 1.0).abs() < 0.01);
        let at_full_speed = grid.flow(&[goal], RADIUS, 0.0).field;
        assert!((at_full_speed.sample(goal + Vec2::Y * 0.5).unwrap().length() - 1.0).abs() < 0.3);
    }

    #[test]
    fn gaps_that_are_too_narrow_are_no_way() {
        let mut grid = room();
        grid.block_rect(Vec2::new(9.0, 18.0), Vec2::new(11.0, 20.0));
        let goal = Vec2::new(16.0, 4.0);
        let start = grid.flow(&[goal], RADIUS, 1.0).field.sample(Vec2::new(4.0, 4.0)).unwrap();
        assert!(start.y > 0.7, "{start}");
        let flow = grid.flow(&[goal], 2.5, 1.0);
        assert_eq!(flow.field.sample(Vec2::new(4.0, 4.0)), Some(Vec2::ZERO));
        assert!(flow.field.sample(Vec2::new(16.0, 12.0)).unwrap().y < -0.9);
    }

    #[test]
    fn goals_in_obstacles_are_reached_beside_them() {
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), RADIUS);
        grid.block_rect(Vec2::splat(8.0), Vec2::splat(12.0));
        let goal = Vec2::splat(10.0);
        let flow = grid.flow(&[goal], RADIUS, 1.0);
        let Reach { distance: reach, is_inside } = flow.reaches[0].unwrap();
        assert!((2.5..3.3).contains(&reach) && is_inside, "{reach}");
        for from in [[1.0, 9.0], [10.0, 1.0], [19.0, 12.0], [3.0, 18.0]] {
            let (end, least) = go(&grid, &flow.field, from.into());
            assert!(least >= RADIUS && end.distance(goal) < reach + 1.0, "{end} from {from:?}");
        }
        // One close to a wall without width stays on its side.
        let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(20.0), RADIUS);
        grid.block_segment(Vec2::new(10.0, 0.0), Vec2::new(10.0, 15.0));
        let flow = grid.flow(&[Vec2::new(10.1, 5.0)], RADIUS, 1.0);
        let (end, _) = go(&grid, &flow.field, Vec2::new(5.0, 5.0));
        assert!(end.x > 10.5 && end.distance(Vec2::new(10.1, 5.0)) < 2.0, "{end}");
    }

    #[test]
    fn no_goal_is_no_way() {
        let grid = room();
        for goals in [vec![], vec![Vec2::splat(-9.0)], vec![Vec2::NAN]] {
            let flow = grid.flow(&goals, RADIUS, 1.0);
            assert!(flow.reaches.iter().all(Option::is_none));
            assert!(flow.field.vectors().iter().all(|&vector| vector == Vec2::ZERO));
        }
        let empty = GridPlanner::new(Vec2::ZERO, Vec2::ZERO, 1.0);
        assert_eq!(empty.flow(&[Vec2::ZERO], RADIUS, 1.0).field.vectors().len(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Among random obstacles whoever follows the field arrives, and touches none.
        #[test]
        fn among_random_obstacles_ways_lead_to_the_goal(
            things in proptest::collection::vec(
                (1.0..29.0_f32, 1.0..29.0_f32, 0.0..4.0_f32, 0.0..4.0_f32, 0..3_u32), 0..14,
            ),
            goal in proptest::array::uniform2(1.0..29.0_f32),
            from in proptest::array::uniform2(1.0..29.0_f32),
            share in 0.5..1.0_f32,
        ) {
            let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(30.0), share * RADIUS);
            for (x, y, width, height, kind) in things {
                let place = Vec2::new(x, y);
                match kind {
                    0 => grid.block_circle(place, 0.5 * width),
                    1 => grid.block_rect(place, place + Vec2::new(width, height)),
                    _ => grid.block_segment(place, place + Vec2::new(width, -height)),
                }
            }
            let [goal, from] = [goal, from].map(Vec2::from);
            let flow = grid.flow(&[goal], RADIUS, 1.0);
            let has_room = |place| grid.clearance(place) >= grid.needed(RADIUS);
            let reach = flow.reaches[0];
            let is_way = flow.field.sample(from).is_some_and(|vector| vector.length() > 0.9);
            prop_assume!(has_room(from) && is_way && reach.is_some());
            let (end, least) = go(&grid, &flow.field, from);
            prop_assert!(end.distance(goal) < reach.unwrap().distance + 1.0, "{end} of {goal}");
            prop_assert!(least > 0.8 * RADIUS, "{least}");
        }
    }
}
