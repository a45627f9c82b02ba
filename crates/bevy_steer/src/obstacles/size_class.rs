//! [`SizeClass`]: obstacles of about one size and speed.

use core::ops::Range;

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    grid::{
        cell_grid::CellGrid,
        extent::{Extent, roomy_cell},
    },
    obstacles::{placed::PlacedObstacle, shape::ObstacleShape},
    space::{
        bounds::{Bounds, shortest},
        plane::SteeringPlane,
        vector::to_world,
    },
};

/// Obstacles of about one size and speed, in cells at least twice as wide as the largest of them.
///
/// Each is stored in the cell of its centre only; a search adds `largest` to its reach, and how far
/// the fastest gets. So a mountain among pebbles does not make the cells of the pebbles large, nor
/// a rolling one the searches among those at rest. Long and thin ones that are many are cut into
/// pieces, each of which is stored so: else a search would come upon all the long walls of a town.
#[derive(Debug, Default)]
pub(super) struct SizeClass {
    pub(super) key: u32,
    /// The largest radius of the balls.
    pub(super) largest: f32,
    /// How far off a surface may be found, in units.
    pub(super) rough: f32,
    pub(super) fastest: f32,
    pub(super) grid: CellGrid,
    /// The obstacles, by their properties.
    pub(super) members: Vec<u32>,
    /// Indices of members, in the order of the grid; those that are cut come once for each piece.
    pub(super) numbers: Vec<u32>,
    /// In the same order the centres of balls around them or their pieces, and their radii.
    pub(super) balls: Vec<(Vec3, f32)>,
    hulls: Vec<Hull>,
    /// On each axis all lanes if there is surely nothing beyond the ends of the table, none
    /// otherwise: the world does not repeat, and no position was folded.
    pub(super) is_in_table: [u8; 3],
    periods: Option<Vec3>,
}

/// A capsule about an obstacle or a piece of it.
#[derive(Clone, Copy, Debug)]
struct Hull {
    center: Vec3,
    /// Of the ball around all.
    radius: f32,
    /// From there to the centre of either cap, and one over the square of its length.
    spine: Vec3,
    per_square: f32,
    /// The radius of the caps.
    thickness: f32,
    /// One on the axes that count, zero on the others.
    has: Vec3,
}

impl Hull {
    /// Of an obstacle in a world of this plane, `wide` until it repeats.
    fn of(obstacle: &PlacedObstacle, plane: SteeringPlane, wide: f32) -> Self {
        let axes = &obstacle.axes;
        let (center, radius) = (obstacle.position, obstacle.bounding_radius);
        let (center, spine, radius) = match obstacle.shape {
            // The origin of a wall may be far from it.
            ObstacleShape::Segment { start, end } => {
                let spine = to_world(axes, 0.5 * (end - start));
                let center = center + to_world(axes, 0.5 * (start + end));
                (center, spine, spine.length())
            }
            ObstacleShape::Capsule { half_length, .. } => (center, axes[1] * half_length, radius),
            // Tilted against the plane it reaches farther in it: none of its axes is shortened.
            ObstacleShape::Box { .. } if plane.is_planar() => {
                let along_normal = axes.map(|axis| axis.dot(plane.normal()).abs());
                let most = along_normal.into_iter().fold(f32::MIN_POSITIVE, f32::max);
                (center, Vec3::ZERO, radius / most)
            }
            _ => (center, Vec3::ZERO, radius),
        };
        // Of something that reaches half round the world the nearest image is not clear.
        let spine = if radius < 0.25 * wide { spine } else { Vec3::ZERO };
        let has = obstacle.plane(plane).flatten(Vec3::ONE);
        let (spine, thickness) = (spine * has, (radius - spine.length()).max(0.0));
        let per_square = 1.0 / spine.length_squared().max(f32::MIN_POSITIVE);
        Self { center, radius, spine, per_square, thickness, has }
    }

    /// Its pieces, about so long.
    fn cut(self, length: f32) -> impl Iterator<Item = Self> {
        // Shorter pieces of thick ones would be hardly smaller.
        let lengths = 2.0 * self.spine.length() / length.max(2.0 * self.thickness);
        // What is so long that the division overflows stays whole.
        let pieces = if lengths < f32::MAX { lengths.ceil().clamp(1.0, MOST_PIECES) } else { 1.0 };
        let spine = self.spine / pieces;
        let piece = Self {
            spine,
            per_square: self.per_square * (pieces * pieces),
            radius: self.thickness + spine.length(),
            ..self
        };
        (0..pieces as u32).map(move |i| {
            let place = (2 * i + 1) as f32 - pieces;
            Self { center: self.center + spine * place, ..piece }
        })
    }

    /// Whether it reaches into a ball, or may do so.
    #[inline(always)]
    fn is_near(&self, center: Vec3, radius: f32, periods: Option<Vec3>) -> bool {
        let straight = (center - self.center) * self.has;
        let offset = periods.map_or(straight, |periods| shortest(straight, periods));
        let along = (offset.dot(self.spine) * self.per_square).clamp(-1.0, 1.0);
        let gap = (offset - self.spine * along).length_squared();
        let limit = radius + self.thickness;
        // Not the other way round: what cannot be told is near.
        let is_far = gap > limit * limit + SLACK * (limit * limit + offset.length_squared());
        !is_far
    }
}

/// The number of obstacles per cell: most cells are empty, so that most sweeps meet none.
const PER_CELL: f32 = 0.1;
/// Up to twice as many buckets as this are stored per obstacle.
const BUCKETS: usize = 12;
/// The size of the sample that tells how densely obstacles are spread.
const SAMPLES: usize = 1024;
/// Much more than the rounding of a distance, as a share of it.
const SLACK: f32 = 1e-4;
/// Surfaces are found as exactly as this share of the size of what they belong to.
const ROUGH: f32 = 2e-3;
/// Fewer obstacles than this are not cut: to test all costs little.
const MANY: usize = 8;
/// The length of pieces in multiples of the cells that suit the number of obstacles: most agents
/// look farther than a piece.
const PIECE: f32 = 1.0;
const MOST_PIECES: f32 = 16.0;

/// The numbers of obstacles that were found: mostly few.
pub(super) type Found = SmallVec<[u32; 16]>;

impl SizeClass {
    /// The class of an obstacle: sizes within a factor of four are one, and speeds likewise. Tiny
    /// ones share a class, and so do all at rest. What stands upright in free space is apart.
    pub(super) fn key_of(obstacle: &PlacedObstacle, plane: SteeringPlane) -> u32 {
        let radius = match obstacle.shape {
            ObstacleShape::Segment { start, end } => 0.5 * start.distance(end),
            _ => obstacle.bounding_radius,
        };
        let size = radius.max(1e-3).to_bits() >> 24;
        let squared = obstacle.velocity.length_squared();
        let speed = if squared > 0.0 { squared.max(1e-6).to_bits() >> 25 } else { 0 };
        // The sign of a size is free.
        let is_upright = obstacle.plane(plane) != plane;
        speed << 8 | u32::from(is_upright) << 7 | size
    }

    /// The class of some of the obstacles, at least one, in this order.
    pub(super) fn build(
        key: u32,
        some: &[u32],
        placed: &[PlacedObstacle],
        plane: SteeringPlane,
        bounds: &Bounds,
    ) -> Self {
        let wide = bounds.periods().min_element();
        let layout = placed[some[0] as usize].plane(plane);
        let whole = |&i: &u32| Hull::of(&placed[i as usize], plane, wide);
        let wholes: Vec<Hull> = some.iter().map(whole).collect();
        let largest = |hulls: &[Hull]| hulls.iter().fold(0.0_f32, |most, one| most.max(one.radius));
        let rough = ROUGH * largest(&wholes);
        let speeds = some.iter().map(|&i| placed[i as usize].velocity.length_squared());
        let fastest = speeds.fold(0.0_f32, f32::max).sqrt();
        // An odd step, as neighbouring pieces are of one obstacle.
        let roomy = |hulls: &[Hull]| {
            let sample = hulls.iter().step_by(hulls.len().div_ceil(SAMPLES) | 1);
            let Extent { spread, table } =
                Extent::of(&sample.map(|hull| hull.center).collect::<Vec<_>>());
            (roomy_cell(hulls.len(), spread, layout, PER_CELL), table)
        };
        let length = if some.len() < MANY { f32::INFINITY } else { PIECE * roomy(&wholes).0 };
        let (owners, hulls): (Vec<u32>, Vec<Hull>) = (0..)
            .zip(wholes)
            .flat_map(|(number, whole)| whole.cut(length).map(move |piece| (number, piece)))
            .unzip();
        let largest = largest(&hulls);
        let (cell, table) = roomy(&hulls);
        let cell = cell.max(2.0 * largest);
        let place = |i: usize| hulls[i].center;
        let mut grid = CellGrid::default();
        grid.lay_out(hulls.len() * BUCKETS, layout, bounds, Vec3::splat(cell), table);
        let order = grid.sort(hulls.len(), place);
        let is_in_table = [0, 1, 2].map(|d| {
            let axis = &grid.axes[d];
            let is_in = |i: usize| (0..axis.buckets as i32).contains(&axis.cell_of(place(i)[d]));
            if axis.period == 0.0 && (0..hulls.len()).all(is_in) { u8::MAX } else { 0 }
        });
        let hull = |&i: &u32| hulls[i as usize];
        Self {
            key,
            largest,
            rough,
            fastest,
            members: some.to_vec(),
            numbers: order.iter().map(|&i| owners[i as usize]).collect(),
            balls: order.iter().map(hull).map(|hull| (hull.center, hull.radius)).collect(),
            hulls: order.iter().map(hull).collect(),
            is_in_table,
            periods: wide.is_finite().then(|| bounds.periods()),
            grid,
        }
    }

    /// Whether one of these hulls, in the order of the grid, reaches into a ball, or may do so.
    #[inline(always)]
    pub(super) fn is_any_near(&self, hulls: Range<usize>, center: Vec3, radius: f32) -> bool {
        self.hulls[hulls].iter().any(|hull| hull.is_near(center, radius, self.periods))
    }

    /// The obstacles that reach into a ball, and some others, of those in the cells of a box. Each
    /// comes once.
    pub(super) fn near<'a>(
        &'a self,
        (min, max): (Vec3, Vec3),
        center: Vec3,
        radius: f32,
    ) -> impl Iterator<Item = u32> + 'a {
        let margin = Vec3::splat(self.largest);
        let mut found = Found::new();
        self.grid.for_each_run(min - margin, max + margin, |run| {
            for (hull, &number) in self.hulls[run.clone()].iter().zip(&self.numbers[run]) {
                if hull.is_near(center, radius, self.periods) {
                    found.push(number);
                }
            }
        });
        self.once(found)
    }

    /// Each of those found once, by their properties: the order must not depend on the cells, and
    /// so on what there is elsewhere.
    #[inline(always)]
    pub(super) fn once(&self, mut found: Found) -> impl Iterator<Item = u32> {
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|number| self.members[number as usize])
    }
}
