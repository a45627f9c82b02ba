//! [`Level`]: obstacles of about one size and speed.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    grid::cell_grid::{CellGrid, Extent, roomy_cell},
    obstacles::shape::{ObstacleShape, PlacedObstacle},
    space::{Bounds, SteeringPlane, shortest, to_world},
};

/// Obstacles of about one size and speed, in cells at least twice as wide as the largest of them.
///
/// Each is stored in the cell of its centre only; a search adds `largest` to its reach, and how far
/// the fastest gets. So a mountain among pebbles does not make the cells of the pebbles large, nor
/// a rolling one the searches among those at rest. Long and thin ones that are many are cut into
/// pieces, each of which is stored so: else a search would come upon all the long walls of a town.
#[derive(Debug, Default)]
pub(super) struct Level {
    pub kind: LevelKind,
    /// The largest radius of the pieces.
    pub largest: f32,
    /// How much farther off a surface may be found than it is, in units.
    pub rounding: f32,
    pub fastest: f32,
    pub grid: CellGrid,
    /// The obstacles, by their properties.
    pub members: Vec<u32>,
    /// In the order of the grid.
    pieces: Vec<Piece>,
    /// Whether there is surely nothing beyond the ends of the table on an axis: the world does not
    /// repeat, and no position was folded.
    pub is_in_table: [bool; 3],
    /// One on the axes that count, zero on the others.
    has: Vec3,
    /// After which the world repeats, if it does.
    periods: Option<Vec3>,
}

/// The number of obstacles per cell: most cells are empty, so that most searches find none.
const PER_CELL: f32 = 0.1;
/// Up to twice as many buckets as this are stored per obstacle.
const BUCKETS: usize = 12;
/// The size of the sample that tells how densely obstacles are spread.
const SAMPLES: usize = 1024;
/// Distances are as exact as this share of the size of what they belong to.
const ROUNDING: f32 = 2e-3;
/// Fewer obstacles than this are not cut: to test all costs little.
const FEW: usize = 8;

impl Level {
    /// The level of some of the obstacles, at least one, in this order.
    pub(super) fn build(
        kind: LevelKind,
        members: Vec<u32>,
        placed: &[PlacedObstacle],
        plane: SteeringPlane,
        bounds: &Bounds,
    ) -> Self {
        let wide = bounds.periods().min_element();
        let plane_of_all = placed[members[0] as usize].plane(plane);
        let has = plane_of_all.flatten(Vec3::ONE);
        let hull = |&i: &u32| Hull::of(&placed[i as usize], plane_of_all);
        let hulls: Vec<Hull> = members.iter().map(hull).collect();
        let speeds = members.iter().map(|&i| placed[i as usize].top_speed());
        let roomy = |count: usize, center: &dyn Fn(usize) -> Vec3| {
            // An odd step, as neighbouring pieces are of one obstacle.
            let sample = (0..count).step_by(count.div_ceil(SAMPLES) | 1);
            let Extent { spread, table } = Extent::of(&sample.map(center).collect::<Vec<_>>());
            (roomy_cell(count, spread, plane_of_all, PER_CELL), table)
        };
        let is_cut = members.len() >= FEW;
        let (roomy_for_hulls, _) = roomy(hulls.len(), &|i| hulls[i].center);
        // Most agents look farther than a piece of this length.
        let length = if is_cut { roomy_for_hulls } else { f32::INFINITY };
        let all = (0..).zip(&hulls);
        let pieces: Vec<Piece> =
            all.flat_map(|(member, hull)| hull.cut(member, length, wide)).collect();
        let largest = pieces.iter().fold(0.0_f32, |most, piece| most.max(piece.radius));
        let (cell, table) = roomy(pieces.len(), &|i| pieces[i].center);
        let cell = Vec3::splat(cell.max(2.0 * largest));
        let mut grid = CellGrid::default();
        grid.lay_out(pieces.len() * BUCKETS, plane_of_all, bounds, cell, table);
        let order = grid.sort(pieces.len(), |i| pieces[i].center);
        let is_in_table = [0, 1, 2].map(|d| {
            let axis = &grid.axes[d];
            let is_in =
                |piece: &Piece| (0..axis.buckets as i32).contains(&axis.cell_of(piece.center[d]));
            axis.period == 0.0 && pieces.iter().all(is_in)
        });
        Self {
            kind,
            largest,
            rounding: ROUNDING * hulls.iter().map(Hull::radius).fold(0.0, f32::max),
            fastest: speeds.fold(0.0_f32, f32::max),
            members,
            pieces: order.iter().map(|&i| pieces[i as usize]).collect(),
            is_in_table,
            has,
            periods: wide.is_finite().then(|| bounds.periods()),
            grid,
        }
    }

    /// Whether a piece reaches into a region, or may do so.
    #[inline(always)]
    fn is_piece_near(&self, piece: &Piece, region: &Region) -> bool {
        let straight = (piece.center - region.center) * self.has;
        let offset = self.periods.map_or(straight, |periods| shortest(straight, periods));
        let along = (-offset.dot(piece.spine) * piece.per_square).clamp(-1.0, 1.0);
        let gap = offset + piece.spine * along;
        !is_beyond(gap, region.around + piece.thickness, offset)
            || region.has_path()
                && Region { path: region.path * self.has, ..*region }
                    .is_path_near(offset, piece.radius)
    }

    /// Whether anything in these buckets, the first and the last on each axis, reaches into a
    /// region, or may do so.
    #[inline(always)]
    pub(super) fn has_any_in(&self, [x, y, z]: [(u32, u32); 3], region: &Region) -> bool {
        let [columns, rows, _] = self.grid.axes.map(|axis| axis.buckets);
        let starts = &self.grid.starts;
        for layer in z.0..=z.1 {
            for row in y.0..=y.1 {
                let first = (layer * rows + row) * columns;
                let [from, to] = [first + x.0, first + x.1 + 1].map(|i| starts[i as usize]);
                let pieces = &self.pieces[from as usize..to as usize];
                if pieces.iter().any(|piece| self.is_piece_near(piece, region)) {
                    return true;
                }
            }
        }
        false
    }

    /// The obstacles that reach into a region, and some others. Each comes once, by their
    /// properties: the order must not depend on the cells, and so on what there is elsewhere.
    pub(super) fn near<'a>(&'a self, region: &Region) -> impl Iterator<Item = u32> + use<'a> {
        let (min, max) = region.corners();
        let margin = Vec3::splat(self.largest);
        // Mostly few.
        let mut found = SmallVec::<[u32; 16]>::new();
        for run in self.grid.runs(min - margin, max + margin) {
            let near = self.pieces[run].iter().filter(|piece| self.is_piece_near(piece, region));
            found.extend(near.map(|piece| piece.member));
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|member| self.members[member as usize])
    }
}

/// Which obstacles share a level: those with sizes within a factor of four, and speeds likewise.
/// Tiny ones share one, and so do all at rest. What stands upright in free space is apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LevelKind {
    speed: u32,
    is_upright: bool,
    size: u32,
}

impl LevelKind {
    /// Of an obstacle in a world of this plane.
    pub(super) fn of(obstacle: &PlacedObstacle, plane: SteeringPlane) -> Self {
        let radius = match obstacle.shape {
            ObstacleShape::Segment { start, end } => 0.5 * start.distance(end),
            _ => obstacle.bounding_radius,
        };
        // Exponents, without their lowest bit.
        let speed = obstacle.top_speed();
        let speed = if speed > 0.0 { speed.max(1e-3).to_bits() >> 24 } else { 0 };
        let is_upright = obstacle.plane(plane) != plane;
        Self { speed, is_upright, size: radius.max(1e-3).to_bits() >> 24 }
    }
}

/// Where obstacles matter to an agent: in a ball around it, and near its path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub center: Vec3,
    /// The radius of the ball, in units.
    pub around: f32,
    /// From the centre to the end of the path.
    pub path: Vec3,
    /// The distance on all sides of the path, in units.
    pub clearance: f32,
}

/// Much more than the rounding of a distance, as a share of it: what is on the edge counts as near.
const SLACK: f32 = 1e-4;

impl Region {
    /// Its corners.
    fn corners(&self) -> (Vec3, Vec3) {
        let Self { center, around, path, clearance } = *self;
        let end = center + path;
        (
            (center - around).min(center.min(end) - clearance),
            (center + around).max(center.max(end) + clearance),
        )
    }

    /// Whether more than the ball matters.
    #[inline]
    fn has_path(&self) -> bool {
        self.path != Vec3::ZERO || self.clearance > self.around
    }

    /// Whether a ball comes near the path; `offset` leads from the centre of the region to its own.
    #[inline]
    fn is_path_near(&self, offset: Vec3, radius: f32) -> bool {
        let per_square = 1.0 / self.path.length_squared().max(f32::MIN_POSITIVE);
        let along = (offset.dot(self.path) * per_square).clamp(0.0, 1.0);
        !is_beyond(offset - self.path * along, self.clearance + radius, offset)
    }
}

/// Whether the end of `gap` is surely farther off than a limit; `offset` is what it was made of.
/// What cannot be told is near.
#[inline]
fn is_beyond(gap: Vec3, limit: f32, offset: Vec3) -> bool {
    let squared = limit * limit;
    gap.length_squared() > squared + SLACK * (squared + offset.length_squared())
}

const MAX_PIECES: f32 = 16.0;

/// A capsule about an obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hull {
    pub center: Vec3,
    /// From the centre to that of either cap.
    pub spine: Vec3,
    /// The radius of the caps.
    pub thickness: f32,
}

impl Hull {
    /// Of an obstacle as agents of this plane see it.
    pub(super) fn of(obstacle: &PlacedObstacle, plane: SteeringPlane) -> Self {
        let PlacedObstacle { position: center, shape, ref axes, bounding_radius, .. } = *obstacle;
        match shape {
            // The origin of a wall may be far from it.
            ObstacleShape::Segment { start, end } => Self {
                center: center + to_world(axes, 0.5 * (start + end)),
                spine: plane.flatten(to_world(axes, 0.5 * (end - start))),
                thickness: 0.0,
            },
            ObstacleShape::Capsule { radius, half_length } => {
                Self { center, spine: plane.flatten(axes[1] * half_length), thickness: radius }
            }
            // Tilted against the plane it reaches farther in it: none of its axes is shortened.
            ObstacleShape::Box { .. } if plane.is_planar() => {
                let along_normal = axes.map(|axis| axis.dot(plane.normal()).abs());
                let most = along_normal.into_iter().fold(f32::MIN_POSITIVE, f32::max);
                Self { center, spine: Vec3::ZERO, thickness: bounding_radius / most }
            }
            _ => Self { center, spine: Vec3::ZERO, thickness: bounding_radius },
        }
    }

    /// The radius of the ball around all.
    fn radius(&self) -> f32 {
        self.thickness + self.spine.length()
    }

    /// Its pieces, about so long, in a world `wide` until it repeats.
    fn cut(self, member: u32, length: f32, wide: f32) -> impl Iterator<Item = Piece> {
        let Self { center, mut spine, mut thickness } = self;
        // Of something that reaches half round the world the nearest image is not clear.
        if self.radius() >= 0.25 * wide {
            (spine, thickness) = (Vec3::ZERO, self.radius());
        }
        // Shorter pieces of thick ones would be hardly smaller.
        let lengths = 2.0 * spine.length() / length.max(2.0 * thickness);
        // What is so long that the division overflows stays whole.
        let count = if lengths < f32::MAX { lengths.ceil().clamp(1.0, MAX_PIECES) } else { 1.0 };
        let spine = spine / count;
        let radius = thickness + spine.length();
        let per_square = 1.0 / spine.length_squared().max(f32::MIN_POSITIVE);
        (0..count as u32).map(move |i| {
            let center = center + spine * ((2 * i + 1) as f32 - count);
            Piece { center, radius, spine, per_square, thickness, member }
        })
    }
}

/// A capsule about an obstacle, or about a part of it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    center: Vec3,
    /// Of the ball around all.
    radius: f32,
    /// From the centre to that of either cap, and one over the square of its length.
    spine: Vec3,
    per_square: f32,
    /// The radius of the caps.
    thickness: f32,
    /// The index among the members of the level.
    member: u32,
}
