//! [`ObstacleIndex`]: obstacles by position, size and speed; and the system that looks at all
//! obstacles and walls at the beginning of a tick.

use core::cmp::Ordering;

use bevy::prelude::*;

use crate::{
    agent::{AngularVelocity, Hierarchy, Tick, Velocity},
    obstacles::{
        geometry::factor_along,
        level::{Level, LevelKind, Region},
        shape::{Obstacle, ObstacleShape, PlacedObstacle, Wall},
    },
    simd::MAX_MAGNITUDE,
    space::{
        Bounds, PARALLEL, SteeringPlane, is_valid,
        vector::{self},
    },
};

/// Where one in this number has changed, all is built anew.
const MANY_CHANGES: usize = 8;

/// All [`Obstacle`](crate::Obstacle)s and [`Wall`](crate::Wall)s by position, size and speed;
/// rebuilt at the beginning of each tick in which any of them has changed.
///
/// A behaviour asks for those near its agent by [`NearSurfaces`](crate::NearSurfaces), for which
/// all behaviours search together.
#[derive(Resource, Debug, Default)]
pub struct ObstacleIndex {
    /// In query order.
    pub(super) placed: Vec<PlacedObstacle>,
    /// Which of them come first by their properties.
    order: Vec<u32>,
    pub(super) levels: Vec<Level>,
    built_for: Option<(SteeringPlane, Bounds)>,
    spare: Vec<PlacedObstacle>,
}

impl ObstacleIndex {
    #[cfg(test)]
    pub(super) fn of(placed: Vec<PlacedObstacle>, plane: SteeringPlane, bounds: &Bounds) -> Self {
        let mut index = Self { placed, ..Self::default() };
        index.build(plane, bounds);
        index
    }

    /// Every obstacle that reaches into the ball of `radius` units about `center`, and some others.
    /// Each comes once.
    pub fn around(&self, center: Vec3, radius: f32) -> impl Iterator<Item = &PlacedObstacle> + '_ {
        let around = if radius >= 0.0 { radius } else { 0.0 };
        let region = Region { center, around, path: Vec3::ZERO, clearance: 0.0 };
        let found = self.levels.iter().flat_map(move |level| level.near(&region));
        found.map(|i| &self.placed[i as usize])
    }

    /// Every obstacle that reaches into a box, and some others. Each comes once.
    pub fn in_box(&self, min: Vec3, max: Vec3) -> impl Iterator<Item = &PlacedObstacle> + '_ {
        self.around(min.midpoint(max), 0.5 * (max - min).length())
    }

    /// All of them, as agents see them.
    pub fn iter(&self) -> impl Iterator<Item = &PlacedObstacle> {
        self.order.iter().map(|&i| &self.placed[i as usize])
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
        self.levels.iter().fold(0.0, |fastest, level| fastest.max(level.fastest))
    }

    /// Builds the index of these as far as they are not the same as in the last tick: most
    /// obstacles never move. The result does not depend on what it was.
    fn update(&mut self, found: Vec<PlacedObstacle>, plane: SteeringPlane, bounds: &Bounds) {
        let changes = self.changes(&found, plane, bounds);
        self.spare = core::mem::replace(&mut self.placed, found);
        match changes {
            Some(changes) if changes.is_empty() => {}
            Some(changes) => self.rebuild(&changes, plane, bounds),
            None => self.build(plane, bounds),
        }
    }

    /// Which obstacles have changed, if these are few.
    fn changes(
        &self,
        found: &[PlacedObstacle],
        plane: SteeringPlane,
        bounds: &Bounds,
    ) -> Option<Vec<u32>> {
        if self.built_for != Some((plane, *bounds)) || found.len() != self.placed.len() {
            return None;
        }
        let mut changes = Vec::new();
        for (i, (old, new)) in self.placed.iter().zip(found).enumerate() {
            if old != new {
                changes.push(i as u32);
                if old.entity != new.entity || changes.len() > found.len() / MANY_CHANGES {
                    return None;
                }
            }
        }
        Some(changes)
    }

    fn build(&mut self, plane: SteeringPlane, bounds: &Bounds) {
        self.built_for = Some((plane, *bounds));
        self.order = (0..self.placed.len() as u32).collect();
        let Self { placed, order, levels, .. } = self;
        order.sort_unstable_by(|&a, &b| in_order(placed, a, b));
        let kind = |i: u32| LevelKind::of(&placed[i as usize], plane);
        let mut by_kind: Vec<(LevelKind, u32)> = order.iter().map(|&i| (kind(i), i)).collect();
        by_kind.sort_by_key(|&(kind, _)| kind);
        let new = by_kind.chunk_by(|a, b| a.0 == b.0).map(|some| {
            let members = some.iter().map(|&(_, i)| i).collect();
            Level::build(some[0].0, members, placed, plane, bounds)
        });
        *levels = new.collect();
    }

    /// Builds the levels anew in which something has changed.
    fn rebuild(&mut self, changes: &[u32], plane: SteeringPlane, bounds: &Bounds) {
        let Self { placed, order, levels, spare: before, .. } = self;
        let mut moved: Vec<u32> = changes.to_vec();
        moved.sort_unstable_by(|&a, &b| in_order(placed, a, b));
        let mut has_changed = vec![false; placed.len()];
        changes.iter().for_each(|&i| has_changed[i as usize] = true);
        let mut moved = moved.into_iter().peekable();
        let mut merged = Vec::with_capacity(order.len());
        for &i in order.iter().filter(|&&i| !has_changed[i as usize]) {
            while let Some(one) = moved.next_if(|&one| in_order(placed, one, i).is_lt()) {
                merged.push(one);
            }
            merged.push(i);
        }
        merged.extend(moved);
        *order = merged;

        let both = |&i: &u32| [&before[i as usize], &placed[i as usize]];
        let kind_of = |one: &PlacedObstacle| LevelKind::of(one, plane);
        let mut kinds: Vec<LevelKind> = changes.iter().flat_map(both).map(kind_of).collect();
        kinds.sort_unstable();
        kinds.dedup();
        levels.retain(|level| kinds.binary_search(&level.kind).is_err());
        for kind in kinds {
            let is_member = |i: &u32| kind_of(&placed[*i as usize]) == kind;
            let members: Vec<u32> = order.iter().copied().filter(is_member).collect();
            if !members.is_empty() {
                levels.push(Level::build(kind, members, placed, plane, bounds));
            }
        }
        levels.sort_by_key(|level| level.kind);
    }
}

/// By their properties first, so that nothing depends on the order of spawning.
fn in_order(placed: &[PlacedObstacle], a: u32, b: u32) -> Ordering {
    let (a, b) = (&placed[a as usize], &placed[b as usize]);
    let place = |one: &PlacedObstacle| one.position.to_array().map(f32::to_bits);
    // Mostly decided by the first number.
    let by_place = place(a).cmp(&place(b));
    by_place.then_with(|| numbers(a).cmp(numbers(b))).then_with(|| a.entity.cmp(&b.entity))
}

/// All of an obstacle that makes a difference to agents, as bits.
fn numbers(one: &PlacedObstacle) -> impl Iterator<Item = u32> {
    let vectors = [one.position, one.velocity, one.spin].into_iter().chain(one.axes);
    let numbers = vectors
        .flat_map(|vector| vector.to_array())
        .chain(one.shape.numbers())
        .chain([one.rise, one.taller]);
    numbers.map(f32::to_bits).chain([u32::from(one.is_wall), one.layers.0])
}

pub(crate) fn build_index(
    mut index: ResMut<ObstacleIndex>,
    obstacles: Query<
        (
            Entity,
            &Transform,
            (Option<&Obstacle>, Option<&Wall>),
            (Option<&Velocity>, Option<&AngularVelocity>),
            Has<ChildOf>,
        ),
        Or<(With<Obstacle>, With<Wall>)>,
    >,
    transforms: TransformHelper,
    hierarchy: Hierarchy,
    tick: Tick,
) {
    let mut found = core::mem::take(&mut index.spare);
    found.clear();
    for (entity, transform, (obstacle, wall), (velocity, spin), is_child) in &obstacles {
        let mut transform = *transform;
        let mut velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        let mut spin = spin.map_or(Vec3::ZERO, |spin| spin.0);
        if is_child {
            if let Ok(global) = transforms.compute_global_transform(entity) {
                transform = global.compute_transform();
            }
            // Its parents carry it along and swing it round.
            if let Some(motion) = hierarchy.motion(entity, Vec3::X) {
                (velocity, spin) = (motion.velocity, motion.spin);
            }
        }
        let axes = vector::local_axes(unit(transform.rotation));
        let sound = is_valid(transform.translation)
            && is_valid(transform.scale)
            && is_valid(velocity)
            && is_valid(spin)
            && axes.iter().all(|axis| axis.is_finite());
        if !sound {
            let problem =
                "or a velocity is NaN or beyond ±1e9; the obstacle is ignored; set finite values";
            tick.invalid_input.warn(entity, "Transform", problem);
            continue;
        }
        let obstacle = obstacle.map(|obstacle| (obstacle.shape, obstacle.layers, None));
        let wall = wall.map(|wall| {
            let rise = wall.height.unwrap_or(f32::INFINITY);
            let [start, end] = wall.ends(tick.settings.plane);
            (ObstacleShape::Segment { start, end }, wall.layers, Some(rise))
        });
        if let Some((shape, ..)) = obstacle
            && stands_upright(shape, &axes, tick.settings.plane)
        {
            let problem = "is flat and stands upright on the plane of the agents; they see it \
                           from its edge; a Rectangle, Segment2d or Obstacle::rect is in the \
                           plane Xy; use Obstacle::ground or Segment3d in Xz, or a cuboid";
            tick.invalid_input.warn(entity, "Obstacle.shape", problem);
        }
        for (mut shape, layers, rise) in [obstacle, wall].into_iter().flatten() {
            let (is_wall, mut rise, mut taller) = (rise.is_some(), rise.unwrap_or(0.0), 0.0);
            if transform.scale != Vec3::ONE {
                let plane = tick.settings.plane;
                let scaled = shape.scaled(transform.scale, &axes, plane);
                if !scaled.stays_round {
                    let problem = "is not uniform; spheres and capsules use the largest axis; \
                                   use a uniform scale or a cuboid";
                    tick.invalid_input.warn(entity, "Transform.scale", problem);
                }
                (shape, taller) = (scaled.shape, scaled.taller);
                if rise.is_finite() {
                    rise *= factor_along(plane.normal(), transform.scale, &axes);
                }
            }
            let bounding_radius = shape.bounding_radius();
            if !(bounding_radius <= MAX_MAGNITUDE && rise >= 0.0) {
                let field = if is_wall { "Wall" } else { "Obstacle.shape" };
                let problem = "is negative, NaN or beyond ±1e9; the obstacle is ignored; set \
                               valid sizes";
                tick.invalid_input.warn(entity, field, problem);
                continue;
            }
            found.push(PlacedObstacle {
                entity,
                position: transform.translation,
                velocity,
                spin,
                shape,
                is_wall,
                layers,
                rise,
                taller,
                axes,
                bounding_radius,
            });
        }
    }
    index.update(found, tick.settings.plane, tick.world_bounds());
}

/// Whether it is a rectangle or a line in two dimensions of which planar agents see no more than
/// the edge, as one of the plane `Xy` is for agents on the ground.
fn stands_upright(shape: ObstacleShape, axes: &[Vec3; 3], plane: SteeringPlane) -> bool {
    let size = match shape {
        ObstacleShape::Box { half_size } => half_size,
        // One that is somewhere else in its plane is meant to be there.
        ObstacleShape::Segment { start, end } if start.z == 0.0 && end.z == 0.0 => {
            (end - start).abs()
        }
        _ => return false,
    };
    let mut flat = (0..3).filter(|&axis| size[axis] == 0.0);
    let (Some(flat), None) = (flat.next(), flat.next()) else { return false };
    // The axis on which it has no size leads out of the plane if it lies flat.
    plane.is_planar() && axes[flat].dot(plane.normal()).abs() <= PARALLEL
}

/// A rotation at length one, which `Transform` does not promise: else a box would reach beyond the
/// ball around it. As it is where it is off by no more than rounding.
fn unit(rotation: Quat) -> Quat {
    const ROUNDING: f32 = 1e-5;
    // Not `Quat::length_squared`, which adds in another order on other platforms.
    let [x, y, z, w] = rotation.to_array();
    let squared = x * x + y * y + z * z + w * w;
    let is_unit = (squared - 1.0).abs() <= ROUNDING;
    // All zeros turn nothing, and of what is too large nothing can be told.
    if is_unit || squared == 0.0 || squared == f32::INFINITY {
        rotation
    } else {
        rotation * (1.0 / squared.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::BoundsEdge;

    /// An index of balls.
    fn index_of(places: &[(Vec3, f32)], plane: SteeringPlane, bounds: &Bounds) -> ObstacleIndex {
        let mut placed = Vec::new();
        for (i, &(position, radius)) in places.iter().enumerate() {
            let entity = Entity::from_raw_u32(i as u32).unwrap();
            placed.push(PlacedObstacle::body(entity, position, radius));
        }
        ObstacleIndex::of(placed, plane, bounds)
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

    fn segment(start: Vec3, end: Vec3, number: u32) -> PlacedObstacle {
        let shape = ObstacleShape::Segment { start, end };
        PlacedObstacle {
            shape,
            is_wall: true,
            rise: f32::INFINITY,
            bounding_radius: shape.bounding_radius(),
            ..PlacedObstacle::body(Entity::from_raw_u32(number).unwrap(), Vec3::ZERO, 0.0)
        }
    }

    fn scattered(i: u32, salt: u32) -> f32 {
        (i.wrapping_mul(2_654_435_761).wrapping_add(salt.wrapping_mul(40_503)) >> 12) as f32
            / (1 << 20) as f32
    }

    #[test]
    fn walls_are_found_by_where_they_are_not_by_their_origin() {
        let walls = (0..400).map(|i| {
            let start = Vec3::new(scattered(i, 1), scattered(i, 2), 0.0) * 1000.0;
            let way = Vec3::new(scattered(i, 3) - 0.5, scattered(i, 4) - 0.5, 0.0);
            segment(start, start + way * if i % 8 == 0 { 700.0 } else { 9.0 }, i)
        });
        let mut index = ObstacleIndex { placed: walls.collect(), ..default() };
        for plane in [SteeringPlane::Xy, SteeringPlane::Free] {
            index.build(plane, &Bounds::UNBOUNDED);
            let mut found = 0;
            for i in 0..100 {
                let center = Vec3::new(scattered(i, 5), scattered(i, 6), 0.0) * 1000.0;
                let (radius, reach) = (15.0 * scattered(i, 7), Vec3::splat(3.0));
                let near: Vec<_> = index.around(center, radius).map(|one| one.entity).collect();
                let boxed: Vec<_> =
                    index.in_box(center - reach, center + reach).map(|one| one.entity).collect();
                for wall in &index.placed {
                    let gap = wall.shape.distance(center, &wall.axes, SteeringPlane::Xy).0;
                    let times = near.iter().filter(|&&one| one == wall.entity).count();
                    assert!(times == 1 || times == 0 && gap > radius, "{gap} {radius}");
                    assert!(gap > 3.0 || boxed.contains(&wall.entity));
                }
                found += near.len();
            }
            assert!(found < 1500 || plane == SteeringPlane::Free, "{plane:?}: {found}");
        }
    }

    #[test]
    fn long_walls_are_found_once_across_the_seam_of_a_world() {
        let wraps = Bounds::rect(Vec2::ZERO, Vec2::splat(1000.0), BoundsEdge::Wrap);
        let point = |i, salt| Vec3::new(scattered(i, salt), scattered(i, salt + 1), 0.0) * 1000.0;
        let walls = (0..60).map(|i| {
            let way = point(i, 3) - Vec3::new(500.0, 500.0, 0.0);
            segment(point(i, 1), point(i, 1) + way * 0.6, i)
        });
        let mut index = ObstacleIndex { placed: walls.collect(), ..default() };
        index.build(SteeringPlane::Xy, &wraps);
        let mut near = 0;
        for i in 0..300 {
            let (center, radius) = (point(i, 5), 20.0 * scattered(i, 7));
            let found: Vec<_> = index.around(center, radius).map(|one| one.entity).collect();
            for wall in &index.placed {
                let ObstacleShape::Segment { start, end } = wall.shape else { panic!("a wall") };
                let gap = |share: u16| {
                    wraps.shortest(start.lerp(end, f32::from(share) / 1000.0) - center).length()
                };
                let is_near = (0..=1000).any(|share| gap(share) < radius);
                let times = found.iter().filter(|&&one| one == wall.entity).count();
                assert!(times == 1 || times == 0 && !is_near, "{center} {radius} {wall:?}");
                near += usize::from(is_near);
            }
            assert!(found.len() < 30, "{center} {radius}: {}", found.len());
        }
        assert!(near > 300, "{near}");
    }

    #[test]
    fn an_index_that_is_updated_equals_a_new_one() {
        let stone = |i: u32, tick: u32| {
            let moves = i % 40 == tick % 40 || i.is_multiple_of(97);
            let shift = if moves { tick as f32 * 3.0 } else { 0.0 };
            let radius = if i % 31 == tick { 9.0 } else { 0.5 };
            PlacedObstacle {
                position: Vec3::new(scattered(i, 1) * 100.0 + shift, scattered(i, 2) * 100.0, 0.0),
                velocity: Vec3::X
                    * if i.is_multiple_of(97) { (tick % 3) as f32 * 20.0 } else { 0.0 },
                shape: Obstacle::sphere(radius).shape,
                is_wall: false,
                bounding_radius: radius,
                ..segment(Vec3::ZERO, Vec3::X, i)
            }
        };
        let (plane, bounds) = (SteeringPlane::Xy, Bounds::UNBOUNDED);
        let mut index = ObstacleIndex::default();
        for tick in 0..60 {
            let now: Vec<_> = (0..500 - tick / 20).map(|i| stone(i, tick)).collect();
            index.update(now.clone(), plane, &bounds);
            let mut new = ObstacleIndex::default();
            new.update(now, plane, &bounds);
            assert!(index.iter().eq(new.iter()) && index.fastest() == new.fastest(), "{tick}");
            let everywhere = Vec3::splat(1e6);
            assert!(index.in_box(-everywhere, everywhere).eq(new.in_box(-everywhere, everywhere)));
            let levels = |index: &ObstacleIndex| -> Vec<(LevelKind, Vec<u32>)> {
                index.levels.iter().map(|level| (level.kind, level.members.clone())).collect()
            };
            assert_eq!(levels(&index), levels(&new), "{tick}");
        }
    }

    #[test]
    fn rotations_get_length_one() {
        let turned = Quat::from_euler(EulerRot::XYZ, 0.3, -1.2, 2.0);
        assert_eq!(unit(turned), turned);
        for share in [1e-6, 0.3, 7.0, 1e9] {
            assert!(unit(turned * share).abs_diff_eq(turned, 1e-6), "{share}");
        }
        let nothing = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert_eq!(vector::local_axes(unit(nothing)), Vec3::AXES);
        assert!(unit(Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)).is_nan());
        let huge = unit(Quat::from_xyzw(1e30, 0.0, 0.0, 1.0));
        assert!(vector::local_axes(huge).iter().any(|axis| !axis.is_finite()), "named in the log");
    }
}
