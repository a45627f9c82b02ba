//! [`Path`]: a line of points that many agents can share.

mod polyline;

use std::sync::Arc;

use bevy::prelude::*;

use crate::plane::IntoPoint;

/// A line through points, for [`PathFollow`](crate::PathFollow). Cloning shares the points.
///
/// Empty and one-point paths are allowed, and so are equal points in a row. A path with a point that is not finite is
/// not followed.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// let path = Path::new([Vec2::ZERO, Vec2::new(3.0, 4.0)]);
/// assert_eq!(path.length(false), 5.0);
/// assert_eq!(path.length(true), 10.0);
/// ```
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(opaque)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(from = "Vec<Vec3>", into = "Vec<Vec3>"))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Path(Arc<Line>);

#[derive(Debug, Default, PartialEq)]
struct Line {
    points: Vec<Vec3>,
    /// For each point the length of the line up to it; one more for the way back to the first.
    lengths: Vec<f32>,
    finite: bool,
}

impl Path {
    /// A path through these points, `Vec3` or `Vec2`.
    pub fn new<P: IntoPoint>(points: impl IntoIterator<Item = P>) -> Self {
        let points: Vec<Vec3> = points.into_iter().map(IntoPoint::into_point).collect();
        let mut lengths = Vec::with_capacity(points.len() + 1);
        let mut length = 0.0;
        for (i, point) in points.iter().enumerate() {
            lengths.push(length);
            length += point.distance(points[(i + 1) % points.len()]);
        }
        lengths.push(length);
        let finite = points.iter().all(|point| point.is_finite()) && length.is_finite();
        Self(Arc::new(Line { points, lengths, finite }))
    }

    /// The points.
    pub fn points(&self) -> &[Vec3] {
        &self.0.points
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.points().len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.points().is_empty()
    }

    /// Whether every point, and the length, is finite.
    pub fn is_finite(&self) -> bool {
        self.0.finite
    }

    /// The length, with or without the way from the last point back to the first, in units.
    pub fn length(&self, closed: bool) -> f32 {
        let last = if closed { self.len() } else { self.len().saturating_sub(1) };
        self.0.lengths.get(last).copied().unwrap_or(0.0)
    }
}

impl From<Vec<Vec3>> for Path {
    fn from(points: Vec<Vec3>) -> Self {
        Self::new(points)
    }
}

impl From<Path> for Vec<Vec3> {
    fn from(path: Path) -> Self {
        path.points().to_vec()
    }
}
