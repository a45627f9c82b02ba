//! [`Outline`]: what blocks a part of a grid, as a round hull of points.

use core::f32::consts::{PI, TAU};

use bevy::{math::ops, prelude::*};

use crate::planar::nearest_on_segment;

/// The convex hull of some points, and everything within a radius of it: a circle, a capsule, a
/// rectangle, a segment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline {
    /// The corners of the hull, counterclockwise.
    corners: Vec<Vec2>,
    radius: f32,
}

impl Outline {
    /// The hull of these points, and the radius around it. `None` if any is not finite, or there is
    /// no point.
    pub(crate) fn new(points: impl IntoIterator<Item = Vec2>, radius: f32) -> Option<Self> {
        let points: Vec<Vec2> = points.into_iter().collect();
        let is_sound =
            radius >= 0.0 && radius.is_finite() && points.iter().all(|point| point.is_finite());
        (is_sound && !points.is_empty()).then(|| Self { corners: hull(points), radius })
    }

    /// The distance from a point to it; zero inside.
    pub(crate) fn distance(&self, point: Vec2) -> f32 {
        let count = self.corners.len();
        let edges = (0..count).map(|i| (self.corners[i], self.corners[(i + 1) % count]));
        let is_left = |(start, end): (Vec2, Vec2)| (end - start).perp_dot(point - start) >= 0.0;
        if count > 2 && edges.clone().all(is_left) {
            return 0.0;
        }
        let squared =
            edges.map(|(start, end)| point.distance_squared(nearest_on_segment(point, start, end)));
        (squared.fold(f32::INFINITY, f32::min).sqrt() - self.radius).max(0.0)
    }

    /// The corners of the rectangle around it.
    pub(crate) fn bounds(&self) -> Rect {
        let low = self.corners.iter().copied().fold(Vec2::INFINITY, Vec2::min);
        let high = self.corners.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
        Rect::from_corners(low - self.radius, high + self.radius)
    }

    /// The edges of a hull without radius, or of a circle: straight pieces that are inside of it by
    /// no more than `tolerance`.
    pub(crate) fn edges(&self, tolerance: f32) -> Vec<[Vec2; 2]> {
        let corners = match self.corners[..] {
            [center] if self.radius > 0.0 => {
                let share = (1.0 - tolerance / self.radius).clamp(0.0, 1.0);
                let count = (PI / ops::acos(share)).ceil().clamp(8.0, 256.0) as usize;
                let turn = |i: usize| Vec2::from_angle(TAU * i as f32 / count as f32);
                (0..count).map(|i| center + self.radius * turn(i)).collect()
            }
            _ => self.corners.clone(),
        };
        let count = corners.len();
        let edges = if count == 2 { 1 } else { count };
        (0..edges).map(|i| [corners[i], corners[(i + 1) % count]]).collect()
    }

    /// Its numbers as bits, to put outlines into an order.
    pub(crate) fn bits(&self) -> Vec<u32> {
        let numbers = self.corners.iter().flat_map(Vec2::to_array);
        numbers.chain([self.radius]).map(f32::to_bits).collect()
    }
}

/// The convex hull by the monotone chain of Andrew (1979).
fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<Vec2> = Vec::new();
    let backwards = points.clone().into_iter().rev();
    for half in [points, backwards.collect()] {
        let begin = hull.len();
        for point in half {
            while hull.len() >= begin + 2 {
                let [a, b] = [hull[hull.len() - 2], hull[hull.len() - 1]];
                if (b - a).perp_dot(point - a) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(point);
        }
        // The last point of a half is the first one of the other.
        hull.pop();
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_a_box_a_capsule_and_a_point() {
        let corners = [Vec2::ZERO, Vec2::ONE, Vec2::X, Vec2::Y, Vec2::splat(0.5)];
        let square = Outline::new(corners, 0.0).unwrap();
        assert_eq!(square.corners.len(), 4);
        assert_eq!(square.distance(Vec2::new(3.0, 0.5)), 2.0);
        assert_eq!(square.distance(Vec2::new(4.0, 5.0)), 5.0);
        assert_eq!(square.distance(Vec2::new(0.2, 0.9)), 0.0);
        let capsule = Outline::new([Vec2::ZERO, Vec2::X * 4.0], 1.0).unwrap();
        assert_eq!(capsule.distance(Vec2::new(2.0, 3.0)), 2.0);
        assert_eq!(capsule.distance(Vec2::new(2.0, 0.5)), 0.0);
        assert_eq!(capsule.bounds(), Rect::new(-1.0, -1.0, 5.0, 1.0));
        let circle = Outline::new([Vec2::ZERO], 2.0).unwrap();
        assert_eq!(circle.distance(Vec2::new(3.0, 4.0)), 3.0);
    }

    #[test]
    fn edges_of_a_rectangle_a_line_and_a_circle() {
        let count =
            |corners: &[Vec2]| Outline::new(corners.to_vec(), 0.0).unwrap().edges(0.1).len();
        assert_eq!(count(&[Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y]), 4);
        assert_eq!(count(&[Vec2::ZERO, Vec2::X]), 1);
        for radius in [0.3, 2.0, 20.0] {
            let circle = Outline::new([Vec2::ONE], radius).unwrap();
            let edges = circle.edges(0.1);
            for (i, [start, end]) in edges.iter().enumerate() {
                assert_eq!(*end, edges[(i + 1) % edges.len()][0]);
                let middle = start.midpoint(*end).distance(Vec2::ONE);
                assert!((radius - 0.1..=radius).contains(&middle), "{middle} of {radius}");
            }
        }
    }

    #[test]
    fn nothing_is_made_of_bad_numbers() {
        assert_eq!(Outline::new([Vec2::NAN], 0.0), None);
        assert_eq!(Outline::new([Vec2::ZERO], f32::NAN), None);
        assert_eq!(Outline::new([], 0.0), None);
        // Points on a line have a hull of two.
        let line = Outline::new([Vec2::ZERO, Vec2::X, Vec2::X * 2.0], 0.0).unwrap();
        assert_eq!(line.corners.len(), 2);
    }
}
