//! [`Path`]: a line of points that many agents can share.

use std::sync::Arc;

use bevy::prelude::*;

use crate::{
    path::polyline::Polyline,
    space::{Point, SteeringPlane, is_valid},
};

/// A line through points, for [`PathFollow`](crate::PathFollow). Cloning shares the points.
///
/// Empty and one-point paths are allowed, and so are equal consecutive points. A path with a point
/// that is NaN or beyond [`MAX_MAGNITUDE`](crate::MAX_MAGNITUDE) is not followed.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::{Path, prelude::*};
/// let path = Path::new([Vec2::ZERO, Vec2::new(3.0, 4.0)]);
/// assert_eq!(path.length(false), 5.0);
/// assert_eq!(path.length(true), 10.0);
/// ```
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(opaque)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(from = "Vec<Point>", into = "Vec<Point>"))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Path(Arc<Shape>);

/// The line, and its projection into a plane if that differs.
#[derive(Debug, Default, PartialEq)]
struct Shape {
    given: Vec<Point>,
    line: Polyline,
    flat: [Option<Polyline>; 3],
    finite: bool,
    id: u64,
}

impl Path {
    /// A path through these points: `Vec3` in the world, or `Vec2` in the coordinates of the plane
    /// of the agent that follows it.
    pub fn new<P: Into<Point>>(points: impl IntoIterator<Item = P>) -> Self {
        let given: Vec<Point> = points.into_iter().map(Into::into).collect();
        let points = given.iter().map(|point| point.in_plane(SteeringPlane::Xy));
        let line = Polyline::new(points.collect());
        let projected = |plane: SteeringPlane| {
            let points = given.iter().map(|point| point.in_plane(plane));
            let points: Vec<Vec3> = points.map(|point| plane.flatten(point)).collect();
            (points != line.points()).then(|| Polyline::new(points))
        };
        let flat = SteeringPlane::ALL.map(projected);
        let finite =
            line.points().iter().all(|&point| is_valid(point)) && line.length(true).is_finite();
        let bits = given.iter().flat_map(|&point| match point {
            Point::World(position) => position.to_array().map(f32::to_bits),
            // As a third coordinate this would be NaN.
            Point::Plane(Vec2 { x, y }) => [x.to_bits(), y.to_bits(), u32::MAX],
        });
        // The hash of Fowler, Noll and Vo.
        let hash = bits.fold(0xCBF2_9CE4_8422_2325_u64, |hash, bits| {
            (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01B3)
        });
        Self(Arc::new(Shape { given, line, flat, finite, id: hash.max(1) }))
    }

    /// The points as they were given.
    pub fn given(&self) -> &[Point] {
        &self.0.given
    }

    /// The same path with all points in the world, for agents of this plane.
    #[must_use]
    pub fn in_plane(&self, plane: SteeringPlane) -> Self {
        if self.given().iter().all(|point| matches!(point, Point::World(_))) {
            self.clone()
        } else {
            Self::new(self.given().iter().map(|point| point.in_plane(plane)))
        }
    }

    /// The points. Those that were given as `Vec2` are in the `Xy` plane, as for
    /// [`point_at`](Self::point_at) and [`project`](Self::project); for any other plane ask
    /// [`in_plane`](Self::in_plane).
    pub fn points(&self) -> &[Vec3] {
        self.0.line.points()
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.points().len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.points().is_empty()
    }

    /// Whether every point is valid and the length is finite.
    pub fn is_finite(&self) -> bool {
        self.0.finite
    }

    /// The length in units, if `closed` including the segment from the last point to the first. For
    /// planar agents [`PathProgress::distance`](crate::PathProgress) is along the line without its
    /// heights.
    pub fn length(&self, closed: bool) -> f32 {
        self.0.line.length(closed)
    }

    /// The distance along the path of the point with this index, in units. Beyond the last point it
    /// is the length.
    pub fn distance_of(&self, index: usize) -> f32 {
        self.0.line.distance_of(index.min(self.len().saturating_sub(1)))
    }

    /// The length in units of the line that agents of this plane follow: for planar ones without
    /// its heights, like [`PathProgress::distance`](crate::PathProgress).
    pub fn length_in(&self, plane: SteeringPlane, closed: bool) -> f32 {
        self.seen_in(plane).length(closed)
    }

    /// A number that identifies the path by its points, the same on every run; 0 for the default
    /// path.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The point at this distance along the path. A distance outside of the path gives its ends, or
    /// wraps around if it is closed.
    ///
    /// The origin for an empty path.
    pub fn point_at(&self, distance: f32, closed: bool) -> Vec3 {
        self.0.line.point_at(distance, closed)
    }

    /// The distance along the path of its point closest to `point`, among the points at most
    /// `reach` along the path from `near`. If `closed`, includes the segment to the first point.
    ///
    /// The reach keeps a follower on its branch where a path crosses itself. Where the path leads
    /// back along itself, the next point after `near` is used.
    pub fn project(&self, point: Vec3, near: f32, reach: f32, closed: bool) -> f32 {
        self.0.line.project(point, near, reach, closed, 1.0)
    }

    /// The line projected into a plane: without the heights, which planar agents ignore.
    pub(crate) fn seen_in(&self, plane: SteeringPlane) -> &Polyline {
        self.0.flat[plane as usize].as_ref().unwrap_or(&self.0.line)
    }
}

impl<P: Into<Point>> From<Vec<P>> for Path {
    fn from(points: Vec<P>) -> Self {
        Self::new(points)
    }
}

impl<P: Into<Point>, const N: usize> From<[P; N]> for Path {
    fn from(points: [P; N]) -> Self {
        Self::new(points)
    }
}

impl<P: Into<Point>> FromIterator<P> for Path {
    fn from_iter<I: IntoIterator<Item = P>>(points: I) -> Self {
        Self::new(points)
    }
}

impl From<Path> for Vec<Point> {
    fn from(path: Path) -> Self {
        path.given().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_points_and_lengths() {
        let path = Path::new([Vec2::ZERO, Vec2::new(3.0, 0.0), Vec2::new(3.0, 4.0)]);
        assert_eq!((path.len(), path.is_empty(), path.is_finite()), (3, false, true));
        assert_eq!([path.length(false), path.length(true)], [7.0, 12.0]);
        assert_eq!([0, 1, 2, 9].map(|index| path.distance_of(index)), [0.0, 3.0, 7.0, 7.0]);
        assert_eq!(path.point_at(5.0, false), Vec3::new(3.0, 2.0, 0.0));
        let nothing = Path::new::<Vec3>([]);
        assert_eq!((nothing.len(), nothing.is_empty(), nothing.length(true)), (0, true, 0.0));
        assert_eq!(nothing.distance_of(3), 0.0);
    }
}
