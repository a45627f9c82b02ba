//! [`Outline`]: what a surface looks like in the plane of a way that leads past it; [`Turn`]: how
//! the way turns off to pass it.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    obstacles::{geometry::counted_axes, shape::ObstacleShape},
    space::{
        SteeringPlane, segment_gap,
        vector::{self},
    },
};

/// The outline of a surface in a plane: all that is within `radius` of the hull of some corners.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline {
    corners: SmallVec<[Vec2; 8]>,
    center: Vec2,
    radius: f32,
    /// Of the circle around it, in units.
    bounding_radius: f32,
}

/// The straight beginning of a way past an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tangent {
    /// The unit vector of the way.
    pub heading: Vec2,
    /// How far it is straight, in units.
    pub length: f32,
    /// The corner that it goes round then.
    pub corner: Vec2,
}

impl Outline {
    /// The shadow of a shape in a plane. `project` tells where a place relative to the shape is in
    /// that.
    pub(crate) fn of(
        shape: &ObstacleShape,
        axes: &[Vec3; 3],
        plane: SteeringPlane,
        project: impl Fn(Vec3) -> Vec2,
    ) -> Self {
        let mut corners = SmallVec::<[Vec2; 8]>::new();
        let mut radius = 0.0;
        match *shape {
            ObstacleShape::Sphere { radius: of_sphere } => {
                radius = of_sphere;
                corners.push(project(Vec3::ZERO));
            }
            ObstacleShape::Capsule { radius: of_capsule, half_length } => {
                radius = of_capsule;
                let end = axes[1] * half_length;
                corners.extend([project(end), project(-end)]);
            }
            ObstacleShape::Box { half_size } => {
                corners.push(project(Vec3::ZERO));
                for axis in counted_axes(axes, plane) {
                    let edge = project(axes[axis] * half_size[axis]) - project(Vec3::ZERO);
                    let others: SmallVec<[Vec2; 8]> =
                        corners.iter().map(|corner| *corner - edge).collect();
                    corners.iter_mut().for_each(|corner| *corner += edge);
                    corners.extend(others);
                }
            }
            ObstacleShape::Segment { start, end } => {
                corners.extend([start, end].map(|end| project(vector::to_world(axes, end))));
            }
        }
        let center = corners.iter().sum::<Vec2>() / corners.len() as f32;
        let farthest = corners.iter().map(|corner| corner.distance(center)).fold(0.0, f32::max);
        Self { corners, center, radius, bounding_radius: farthest + radius }
    }

    /// Whether a body of this radius may touch it on the straight way between two places. If not,
    /// it surely does not.
    pub(crate) fn may_touch(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let reach = self.bounding_radius + radius;
        point_gap(self.center, from, to).length_squared() <= reach * reach
    }

    /// The distance of the straight way between two places from it, in units; zero if it leads
    /// through it.
    pub(crate) fn distance(&self, from: Vec2, to: Vec2) -> f32 {
        let least = match *self.corners {
            [corner] => point_gap(corner, from, to).length(),
            _ => {
                let way = between(from, to);
                let gaps = self.lines().map(|(a, b)| segment_gap(way, between(a, b)).length());
                gaps.fold(f32::INFINITY, f32::min)
            }
        };
        (least - self.radius).max(0.0)
    }

    /// The corners, and the lines between two of them, with all edges. The gap between lines that
    /// are almost parallel is not exact; that between a line and a corner is.
    fn lines(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        let corners = self.corners.iter().enumerate();
        corners.flat_map(move |(i, &a)| self.corners[i..].iter().map(move |&b| (a, b)))
    }

    /// Whether two outlines are at least as far apart as this, in units.
    pub(crate) fn is_apart(&self, other: &Self, gap: f32) -> bool {
        let farthest = gap + self.bounding_radius + other.bounding_radius;
        self.center.distance_squared(other.center) >= farthest * farthest
            || self.lines().all(|(a, b)| other.distance(a, b) - self.radius >= gap)
    }

    /// How far a body surely comes on the straight way between two places before it is nearer than
    /// `room` units, as a share of the way: as exactly as it takes to tell which of two is touched
    /// first. `None` if it is not that near at the share `until` of the way.
    pub(super) fn reach(&self, from: Vec2, to: Vec2, room: f32, until: f32) -> Option<f32> {
        let is_reached = |share: f32| self.distance(from, from.lerp(to, share)) < room;
        if !is_reached(until) {
            return None;
        }
        let (mut low, mut high) = (0.0, until);
        for _ in 0..12 {
            let middle = f32::midpoint(low, high);
            if is_reached(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(low)
    }

    /// The straight way from `place` past it on this side, `room` units clear of it.
    pub(super) fn tangent(&self, place: Vec2, room: f32, side: Side) -> Tangent {
        let radius = self.radius + room;
        let to_center = self.center - place;
        let tangents = self.corners.iter().map(|&corner| {
            let to_corner = corner - place;
            let distance = to_corner.length().max(f32::MIN_POSITIVE);
            let sine = (radius / distance).min(1.0);
            let cosine = (1.0 - sine * sine).sqrt();
            let turned = Vec2::new(cosine, sine * side.sign());
            let heading = turned.rotate(to_corner / distance);
            Tangent { heading, length: distance * cosine, corner }
        });
        let turn = |tangent: &Tangent| side.angle(to_center, tangent.heading);
        let best =
            tangents.reduce(|best, other| if turn(&other) > turn(&best) { other } else { best });
        best.unwrap_or(Tangent { heading: Vec2::X, length: 0.0, corner: self.center })
    }

    /// How far an agent at `place` with this heading turns to this side to head for `other`, past
    /// this outline, which is between the two: a whole turn is 4.
    pub(super) fn turn(&self, place: Vec2, heading: Vec2, other: Vec2, side: Side) -> f32 {
        let to_center = self.center - place;
        side.angle(heading, to_center) + side.angle(to_center, other)
    }
}

/// The shortest vector from the straight way between two places to a point.
fn point_gap(point: Vec2, from: Vec2, to: Vec2) -> Vec2 {
    let (way, between) = (to - from, point - from);
    let squared = way.length_squared().max(f32::MIN_POSITIVE);
    between - way * (way.dot(between) / squared).clamp(0.0, 1.0)
}

fn between(from: Vec2, to: Vec2) -> (Vec3, Vec3) {
    (from.extend(0.0), (to - from).extend(0.0))
}

/// On which side of something a way leads past it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// That of an angle to this side.
    pub(super) fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// The angle from one vector to another, to this side, between -2 and 2 (half a turn). Grows
    /// with the angle, though not in proportion; in plain arithmetic, which is the same on every
    /// platform.
    fn angle(self, from: Vec2, to: Vec2) -> f32 {
        let turned = Vec2::new(from.dot(to), from.perp_dot(to) * self.sign());
        let sum = turned.x.abs() + turned.y.abs();
        if sum == 0.0 {
            return 0.0;
        }
        let share = turned.y / sum;
        match (turned.x >= 0.0, turned.y >= 0.0) {
            (true, _) => share,
            (false, true) => 2.0 - share,
            (false, false) => -2.0 - share,
        }
    }
}

/// How a way turns off.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub tangent: Tangent,
    pub side: Side,
    /// How far it turns, as [`Outline::turn`](super::outline::Outline::turn).
    pub angle: f32,
    /// The outline that is first in its way.
    pub first: usize,
    /// All that it passes, one bit each.
    pub barrier: u64,
    /// Where it leads first, if something beside the barrier is in the way there.
    pub end: Option<Vec2>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{obstacles::Obstacle, space::local_axes};

    fn outline(shape: ObstacleShape, place: Vec2) -> Outline {
        let axes = local_axes(Quat::IDENTITY);
        Outline::of(&shape, &axes, SteeringPlane::Xy, |corner| place + corner.truncate())
    }

    #[test]
    fn a_tangent_passes_a_shape_on_its_side() {
        let place = Vec2::new(10.0, 1.0);
        let shapes = [
            Obstacle::sphere(2.0).shape,
            Obstacle::cuboid(Vec3::new(4.0, 2.0, 2.0)).shape,
            Obstacle::capsule(1.0, 2.0).shape,
            ObstacleShape::Segment { start: Vec3::Y * -3.0, end: Vec3::Y * 3.0 },
        ];
        for (shape, reaches) in shapes.into_iter().zip([2.0, 1.0, 2.0, 3.0]) {
            let outline = outline(shape, place);
            let Tangent { heading, length, .. } = outline.tangent(Vec2::ZERO, 0.5, Side::Left);
            let gap = outline.distance(Vec2::ZERO, heading * 30.0);
            assert!((gap - 0.5).abs() < 1e-3, "{shape:?}: {gap}");
            assert!(heading.y > 0.0 && heading.x > 0.0 && length > 7.0, "{shape:?} {heading}");
            let touched = heading * length;
            assert!(touched.y > 1.0 + reaches - 0.5 && touched.y < 1.6 + reaches, "{touched}");
            let right = outline.tangent(Vec2::ZERO, 0.5, Side::Right).heading;
            assert!(right.y < heading.y && outline.distance(Vec2::ZERO, right * 30.0) > 0.499);
        }
    }

    #[test]
    fn ways_through_and_past_it() {
        let outline = outline(Obstacle::cuboid(Vec3::new(4.0, 2.0, 2.0)).shape, Vec2::X * 9.0);
        assert_eq!(outline.distance(Vec2::ZERO, Vec2::X * 20.0), 0.0);
        assert_eq!(outline.distance(Vec2::ZERO, Vec2::X * 6.0), 1.0);
        let past = (Vec2::new(0.0, 3.0), Vec2::new(20.0, 3.0));
        assert_eq!(outline.distance(past.0, past.1), 2.0);
        assert!(outline.may_touch(past.0, past.1, 2.5) && !outline.may_touch(past.0, past.1, 0.5));
    }

    #[test]
    fn at_a_corner_it_goes_along_and_out_of_what_is_too_near() {
        let outline = outline(Obstacle::sphere(1.0).shape, Vec2::X * 1.2);
        let tangent = outline.tangent(Vec2::ZERO, 0.5, Side::Left);
        assert!(tangent.length == 0.0 && tangent.heading.distance(Vec2::Y) < 1e-6);
    }

    #[test]
    fn angles_grow_with_the_turn() {
        let from = Vec2::new(3.0, 4.0);
        let to: Vec<Vec2> =
            (-31..=31).map(|i| Vec2::from_angle(0.1 * i as f32 + 0.927_295)).collect();
        let angles: Vec<f32> = to.iter().map(|to| Side::Left.angle(from, *to)).collect();
        assert!(angles.windows(2).all(|pair| pair[0] < pair[1]), "{angles:?}");
        assert!(angles[31].abs() < 1e-5 && angles[62] > 1.9 && angles[0] < -1.9);
        for (to, left) in to.iter().zip(angles) {
            assert_eq!(Side::Right.angle(from, *to), -left);
        }
    }
}
