//! [`ObstacleIndex`]: obstacles by position and size.

use bevy::prelude::*;

use crate::{
    agent::{tick_context::Tick, vehicle::Velocity},
    grid::{
        cell_grid::CellGrid,
        extent::{Extent, roomy_cell},
    },
    obstacles::{
        shape::{Obstacle, ObstacleShape, Wall},
        summed_area::SummedArea,
    },
    space::{bounds::Bounds, plane::SteeringPlane, vector},
};

/// All [`Obstacle`]s and [`Wall`]s by position and size; rebuilt at the beginning of each tick in
/// which any of them has changed.
#[derive(Resource, Debug, Default)]
pub struct ObstacleIndex {
    pub(super) placed: Vec<PlacedObstacle>,
    pub(super) sizes: Vec<SizeClass>,
    fastest: f32,
    /// The obstacles in query order, and what else the index depends on.
    as_found: Vec<PlacedObstacle>,
    built_for: Option<(SteeringPlane, Bounds)>,
    spare: Vec<PlacedObstacle>,
}

/// An obstacle in this tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedObstacle {
    /// Its entity.
    pub entity: Entity,
    /// The origin of its shape.
    pub position: Vec3,
    /// Its velocity; zero if it has none.
    pub velocity: Vec3,
    /// Its shape.
    pub shape: ObstacleShape,
    /// Whether it is a [`Wall`], which only feelers detect.
    pub is_wall: bool,
    pub(crate) axes: [Vec3; 3],
    /// The radius of the ball around it, in units.
    pub(crate) bounding_radius: f32,
}

impl PlacedObstacle {
    /// All that makes a difference to agents, as bits.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        let vectors = [self.position, self.velocity].into_iter().chain(self.axes);
        let numbers = vectors.flat_map(|vector| vector.to_array()).chain(self.shape.numbers());
        numbers.map(f32::to_bits).chain([u32::from(self.is_wall)])
    }
}

/// Obstacles of about one size: no larger than `largest`, in cells at least twice that.
///
/// Each is stored in the cell of its centre only; a search adds `largest` to its reach. So none is
/// found twice, and a mountain among pebbles does not make the cells of the pebbles large.
#[derive(Debug, Default)]
pub(super) struct SizeClass {
    pub(super) largest: f32,
    pub(super) grid: CellGrid,
    pub(super) members: Vec<u32>,
    /// The positions of the members, and the radii of the balls around them.
    pub(super) balls: Vec<(Vec3, f32)>,
    pub(super) tally: SummedArea,
    /// On each axis all lanes if there is surely nothing beyond the ends of the table, none
    /// otherwise: the world does not repeat, and no position was folded.
    pub(super) is_in_table: [u8; 3],
}

impl ObstacleIndex {
    /// Every obstacle that reaches into the ball of `radius` units about `center`, and some others.
    pub fn around(&self, center: Vec3, radius: f32) -> impl Iterator<Item = &PlacedObstacle> + '_ {
        let reach = Vec3::splat(if radius >= 0.0 { radius } else { 0.0 });
        self.in_box(center - reach, center + reach)
    }

    /// Every obstacle that reaches into a box, and some others. Each comes once.
    pub fn in_box(&self, min: Vec3, max: Vec3) -> impl Iterator<Item = &PlacedObstacle> + '_ {
        self.sizes.iter().flat_map(move |class| {
            let reach = Vec3::splat(class.largest);
            class
                .grid
                .runs(min - reach, max + reach)
                .flat_map(|run| &class.members[run])
                .map(|&member| &self.placed[member as usize])
        })
    }

    /// All of them, as agents see them.
    pub fn iter(&self) -> impl Iterator<Item = &PlacedObstacle> {
        self.placed.iter()
    }

    /// The number of obstacles and walls.
    pub fn len(&self) -> usize {
        self.placed.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// The highest speed of any of them, in units per second.
    pub fn fastest(&self) -> f32 {
        self.fastest
    }

    /// Builds the index of these, unless they are the same as in the last tick: most obstacles
    /// never move.
    fn update(&mut self, found: Vec<PlacedObstacle>, plane: SteeringPlane, bounds: &Bounds) {
        self.spare = found;
        let is_known = self.spare == self.as_found && self.built_for == Some((plane, *bounds));
        if is_known {
            return;
        }
        self.built_for = Some((plane, *bounds));
        core::mem::swap(&mut self.spare, &mut self.as_found);
        self.placed.clone_from(&self.as_found);
        self.build(plane, bounds);
    }

    fn build(&mut self, plane: SteeringPlane, bounds: &Bounds) {
        // By their properties first, so that nothing depends on the order of spawning.
        self.placed
            .sort_unstable_by(|a, b| a.numbers().cmp(b.numbers()).then(a.entity.cmp(&b.entity)));
        self.fastest = self
            .placed
            .iter()
            .fold(0.0_f32, |fastest, obstacle| fastest.max(obstacle.velocity.length_squared()))
            .sqrt();
        let class_of = |obstacle: &PlacedObstacle| size_class(obstacle.bounding_radius);
        let mut by_size: Vec<u32> = (0..self.placed.len() as u32).collect();
        by_size.sort_by_key(|&i| class_of(&self.placed[i as usize]));
        self.sizes.clear();
        for chunk in by_size.chunk_by(|&a, &b| {
            class_of(&self.placed[a as usize]) == class_of(&self.placed[b as usize])
        }) {
            let place = |i: usize| self.placed[chunk[i] as usize].position;
            let largest = chunk
                .iter()
                .fold(0.0_f32, |largest, &i| largest.max(self.placed[i as usize].bounding_radius));
            let sample: Vec<Vec3> =
                (0..chunk.len()).step_by(chunk.len().div_ceil(SAMPLES)).map(place).collect();
            let Extent { spread, table } = Extent::of(&sample);
            let cell = roomy_cell(chunk.len(), spread, plane, PER_CELL).max(2.0 * largest);
            let mut grid = CellGrid::default();
            grid.lay_out(chunk.len() * BUCKETS, plane, bounds, Vec3::splat(cell), table);
            let order = grid.sort(chunk.len(), place);
            let members: Vec<u32> = order.iter().map(|&i| chunk[i as usize]).collect();
            let ball = |&member: &u32| {
                let obstacle = &self.placed[member as usize];
                (obstacle.position, obstacle.bounding_radius)
            };
            let balls = members.iter().map(ball).collect();
            let tally = SummedArea::of(&grid);
            let is_in_table = [0, 1, 2].map(|d| {
                let axis = &grid.axes[d];
                let is_in =
                    |i: usize| (0..axis.buckets as i32).contains(&axis.cell_of(place(i)[d]));
                if axis.period == 0.0 && (0..chunk.len()).all(is_in) { u8::MAX } else { 0 }
            });
            self.sizes.push(SizeClass { largest, grid, members, balls, tally, is_in_table });
        }
    }
}

/// The number of obstacles per cell: most cells are empty, so that most sweeps are known to be
/// clear at once.
const PER_CELL: f32 = 0.1;
/// Half as many buckets as this are stored per obstacle.
const BUCKETS: usize = 8;
/// The size of the sample that tells how densely obstacles are spread.
const SAMPLES: usize = 1024;

/// Sizes within a factor of four are one class: half the binary exponent. Tiny ones share a class.
fn size_class(radius: f32) -> u32 {
    (radius.max(1e-3).to_bits() >> 23) / 2
}

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<ObstacleIndex>().register_type::<Obstacle>().register_type::<Wall>();
}

pub(crate) fn build_index(
    mut index: ResMut<ObstacleIndex>,
    obstacles: Query<
        (Entity, &Transform, Option<&Obstacle>, Option<&Wall>, Option<&Velocity>, Has<ChildOf>),
        Or<(With<Obstacle>, With<Wall>)>,
    >,
    hierarchy: TransformHelper,
    tick: Tick,
) {
    let mut found = core::mem::take(&mut index.spare);
    found.clear();
    for (entity, transform, obstacle, wall, velocity, is_child) in &obstacles {
        let transform = if is_child {
            let global = hierarchy.compute_global_transform(entity);
            global.map_or(*transform, |global| global.compute_transform())
        } else {
            *transform
        };
        let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        let axes = vector::local_axes(transform.rotation);
        let sound = transform.translation.is_finite()
            && velocity.is_finite()
            && axes.iter().all(|axis| axis.is_finite());
        if !sound {
            tick.invalid_input.warn(
                entity,
                "Transform",
                "or `Velocity` of an obstacle is not finite",
            );
            continue;
        }
        let wall_shape =
            wall.map(|wall| ObstacleShape::Segment { start: wall.start, end: wall.end });
        let shapes = [(obstacle.map(|obstacle| obstacle.shape), false), (wall_shape, true)];
        for (shape, is_wall) in shapes {
            let Some(shape) = shape else { continue };
            let bounding_radius = shape.bounding_radius();
            if !bounding_radius.is_finite() {
                let field = if is_wall { "Wall" } else { "Obstacle.shape" };
                tick.invalid_input.warn(entity, field, "is negative or not finite");
                continue;
            }
            found.push(PlacedObstacle {
                entity,
                position: transform.translation,
                velocity,
                shape,
                is_wall,
                axes,
                bounding_radius,
            });
        }
    }
    index.update(found, tick.settings.plane, tick.world_bounds());
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::space::bounds::BoundsEdge;

    /// An index of balls.
    pub(in crate::obstacles) fn index_of(
        places: &[(Vec3, f32)],
        plane: SteeringPlane,
        bounds: &Bounds,
    ) -> ObstacleIndex {
        let mut index = ObstacleIndex::default();
        for (i, &(position, radius)) in places.iter().enumerate() {
            index.placed.push(PlacedObstacle {
                entity: Entity::from_raw_u32(i as u32).unwrap(),
                position,
                velocity: Vec3::ZERO,
                shape: Obstacle::sphere(radius).shape,
                is_wall: false,
                axes: Vec3::AXES,
                bounding_radius: radius,
            });
        }
        index.build(plane, bounds);
        index
    }

    fn found(index: &ObstacleIndex, center: Vec3, radius: f32) -> Vec<Vec3> {
        let mut found: Vec<Vec3> = index.around(center, radius).map(|o| o.position).collect();
        found.sort_unstable_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
        found
    }

    #[test]
    fn large_obstacle_keeps_small_ones_cheap() {
        let mut places: Vec<(Vec3, f32)> = (0..1000)
            .map(|i| (Vec3::new((i % 40) as f32 * 10.0, (i / 40) as f32 * 10.0, 0.0), 0.5))
            .collect();
        let mountain = Vec3::new(500.0, 500.0, 0.0);
        places.push((mountain, 480.0));
        let index = index_of(&places, SteeringPlane::Xy, &Bounds::UNBOUNDED);
        let near = found(&index, Vec3::new(200.0, 120.0, 0.0), 12.0);
        assert!(near.contains(&mountain));
        assert!(near.len() < 60, "{}", near.len());
    }

    #[test]
    fn every_obstacle_in_reach_is_found_once() {
        let places: Vec<(Vec3, f32)> = (0..300)
            .map(|i| {
                let x = ((i * 7919) % 1000) as f32 / 10.0;
                let y = ((i * 104_729) % 1000) as f32 / 10.0;
                (Vec3::new(x, y, 0.0), 0.2 + (i % 17) as f32)
            })
            .collect();
        for bounds in
            [Bounds::UNBOUNDED, Bounds::rect(Vec2::ZERO, Vec2::splat(100.0), BoundsEdge::Wrap)]
        {
            let index = index_of(&places, SteeringPlane::Xy, &bounds);
            for (center, radius) in [(Vec3::ZERO, 5.0), (Vec3::new(99.0, 50.0, 0.0), 20.0)] {
                let near: Vec<_> = index.around(center, radius).collect();
                for (i, &(position, size)) in places.iter().enumerate() {
                    let times = near.iter().filter(|o| o.entity.index_u32() == i as u32).count();
                    let touches = bounds.shortest(position - center).length() <= radius + size;
                    assert!(times <= 1);
                    assert!(times == 1 || !touches, "{position} {size}");
                }
            }
        }
    }
}
