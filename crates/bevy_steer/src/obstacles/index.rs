//! [`ObstacleIndex`]: obstacles by position and size.

use bevy::prelude::*;

use crate::{
    obstacles::{placed::PlacedObstacle, size_class::SizeClass},
    space::{bounds::Bounds, plane::SteeringPlane},
};

/// All [`Obstacle`](crate::Obstacle)s and [`Wall`](crate::Wall)s by position and size; rebuilt at
/// the beginning of each tick in which any of them has changed.
#[derive(Resource, Debug, Default)]
pub struct ObstacleIndex {
    /// In query order.
    pub(super) placed: Vec<PlacedObstacle>,
    /// Which of them come first by their properties.
    pub(super) order: Vec<u32>,
    pub(super) sizes: Vec<SizeClass>,
    pub(super) fastest: f32,
    pub(super) built_for: Option<(SteeringPlane, Bounds)>,
    pub(super) spare: Vec<PlacedObstacle>,
}

impl ObstacleIndex {
    /// Every obstacle that reaches into the ball of `radius` units about `center`, and some others.
    pub fn around(&self, center: Vec3, radius: f32) -> impl Iterator<Item = &PlacedObstacle> + '_ {
        let radius = if radius >= 0.0 { radius } else { 0.0 };
        let reach = Vec3::splat(radius);
        self.near((center - reach, center + reach), center, radius)
    }

    /// Every obstacle that reaches into a box, and some others. Each comes once.
    pub fn in_box(&self, min: Vec3, max: Vec3) -> impl Iterator<Item = &PlacedObstacle> + '_ {
        self.near((min, max), min.midpoint(max), 0.5 * (max - min).length())
    }

    fn near(
        &self,
        corners: (Vec3, Vec3),
        center: Vec3,
        radius: f32,
    ) -> impl Iterator<Item = &PlacedObstacle> + '_ {
        self.sizes.iter().flat_map(move |class| {
            let near = class.near(corners, center, radius);
            near.map(|i| &self.placed[i as usize])
        })
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
        self.fastest
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        agent::layers::SteeringLayers,
        obstacles::shape::{Obstacle, ObstacleShape},
        space::bounds::BoundsEdge,
    };

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
                layers: SteeringLayers::ALL,
                rise: 0.0,
                taller: 0.0,
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

    pub(in crate::obstacles) fn segment(start: Vec3, end: Vec3, number: u32) -> PlacedObstacle {
        let shape = ObstacleShape::Segment { start, end };
        PlacedObstacle {
            entity: Entity::from_raw_u32(number).unwrap(),
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            shape,
            is_wall: true,
            layers: SteeringLayers::ALL,
            rise: f32::INFINITY,
            taller: 0.0,
            axes: Vec3::AXES,
            bounding_radius: shape.bounding_radius(),
        }
    }

    pub(in crate::obstacles) fn scattered(i: u32, salt: u32) -> f32 {
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
}
