//! [`Outline`]: what a surface looks like in the plane of a way that leads past it.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    obstacles::{geometry::counted_axes, shape::ObstacleShape},
    space::{plane::SteeringPlane, segment::segment_gap, vector},
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
    pub(crate) heading: Vec2,
    /// How far it is straight, in units.
    pub(crate) length: f32,
    /// The corner that it goes round then.
    pub(crate) corner: Vec2,
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

    /// The same, seen in a mirror along the x axis.
    pub(crate) fn mirrored(&self) -> Self {
        let corners = self.corners.iter().copied().map(mirrored).collect();
        Self { corners, center: mirrored(self.center), ..*self }
    }

    /// Whether a body of this radius may touch it on the straight way between two places. If not,
    /// it surely does not.
    pub(crate) fn may_touch(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let gap = segment_gap(between(from, to), between(self.center, self.center));
        gap.length() <= self.bounding_radius + radius
    }

    /// The distance of the straight way between two places from it, in units; zero if it leads
    /// through it.
    pub(crate) fn distance(&self, from: Vec2, to: Vec2) -> f32 {
        let way = between(from, to);
        let mut least = f32::INFINITY;
        // All edges are among the lines between two corners.
        for (i, &corner) in self.corners.iter().enumerate() {
            for &other in &self.corners[i..] {
                least = least.min(segment_gap(way, between(corner, other)).length());
            }
        }
        (least - self.radius).max(0.0)
    }

    /// The distance between two outlines, in units; zero or less where they touch.
    pub(crate) fn gap(&self, other: &Self) -> f32 {
        let lines = self.corners.iter().enumerate();
        let lines = lines.flat_map(|(i, &a)| self.corners[i..].iter().map(move |&b| (a, b)));
        let least = lines.map(|(a, b)| other.distance(a, b)).fold(f32::INFINITY, f32::min);
        least - self.radius
    }

    /// How far a body comes on the straight way between two places until it is nearer than `room`
    /// units, as a share of the way: as exactly as it takes to tell which of two is touched first.
    pub(crate) fn reach(&self, from: Vec2, to: Vec2, room: f32) -> f32 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..12 {
            let middle = f32::midpoint(low, high);
            if self.distance(from, from.lerp(to, middle)) < room {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// The straight way from `place` past it, `room` units clear of it, that leaves it on the
    /// right.
    pub(crate) fn left_tangent(&self, place: Vec2, room: f32) -> Tangent {
        let radius = self.radius + room;
        let to_center = self.center - place;
        let tangents = self.corners.iter().map(|&corner| {
            let to_corner = corner - place;
            let distance = to_corner.length().max(f32::MIN_POSITIVE);
            let sine = (radius / distance).min(1.0);
            let cosine = (1.0 - sine * sine).sqrt();
            let heading = Vec2::new(cosine, sine).rotate(to_corner / distance);
            Tangent { heading, length: distance * cosine, corner }
        });
        let turn = |tangent: &Tangent| angle(to_center, tangent.heading);
        let best =
            tangents.reduce(|best, other| if turn(&other) > turn(&best) { other } else { best });
        best.unwrap_or(Tangent { heading: Vec2::X, length: 0.0, corner: self.center })
    }

    /// How far someone at `place` who heads there turns to the left to head for `other`, past this
    /// outline, which is between the two: a whole turn is 4.
    pub(crate) fn turn(&self, place: Vec2, heading: Vec2, other: Vec2) -> f32 {
        let to_center = self.center - place;
        angle(heading, to_center) + angle(to_center, other)
    }
}

/// The same place or direction, seen in a mirror along the x axis.
pub(super) fn mirrored(v: Vec2) -> Vec2 {
    Vec2::new(v.x, -v.y)
}

fn between(from: Vec2, to: Vec2) -> (Vec3, Vec3) {
    (from.extend(0.0), (to - from).extend(0.0))
}

/// The angle from one vector to another, to the left, between -2 and 2 (half a turn). Grows with
/// the angle, though not in proportion; in plain arithmetic, which is the same on every platform.
fn angle(from: Vec2, to: Vec2) -> f32 {
    let turned = Vec2::new(from.dot(to), from.perp_dot(to));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{obstacles::Obstacle, space::vector::local_axes};

    fn outline(shape: ObstacleShape, place: Vec2) -> Outline {
        let axes = local_axes(Quat::IDENTITY);
        Outline::of(&shape, &axes, SteeringPlane::Xy, |corner| place + corner.truncate())
    }

    #[test]
    fn angles_grow_with_the_turn() {
        let angles: Vec<f32> = (-31..=31)
            .map(|i| angle(Vec2::new(3.0, 4.0), Vec2::from_angle(0.1 * i as f32 + 0.927_295)))
            .collect();
        assert!(angles.windows(2).all(|pair| pair[0] < pair[1]), "{angles:?}");
        assert!(angles[31].abs() < 1e-5 && angles[62] > 1.9 && angles[0] < -1.9);
    }

    #[test]
    fn a_tangent_leaves_a_shape_on_the_right() {
        let place = Vec2::new(10.0, 1.0);
        let shapes = [
            Obstacle::sphere(2.0).shape,
            Obstacle::cuboid(Vec3::new(4.0, 2.0, 2.0)).shape,
            Obstacle::capsule(1.0, 2.0).shape,
            ObstacleShape::Segment { start: Vec3::Y * -3.0, end: Vec3::Y * 3.0 },
        ];
        for (shape, reaches) in shapes.into_iter().zip([2.0, 1.0, 2.0, 3.0]) {
            let outline = outline(shape, place);
            let Tangent { heading, length, .. } = outline.left_tangent(Vec2::ZERO, 0.5);
            let gap = outline.distance(Vec2::ZERO, heading * 30.0);
            assert!((gap - 0.5).abs() < 1e-3, "{shape:?}: {gap}");
            assert!(heading.y > 0.0 && heading.x > 0.0 && length > 7.0, "{shape:?} {heading}");
            let touched = heading * length;
            assert!(touched.y > 1.0 + reaches - 0.5 && touched.y < 1.6 + reaches, "{touched}");
            let right = outline.mirrored().left_tangent(Vec2::ZERO, 0.5).heading;
            assert!(outline.distance(Vec2::ZERO, Vec2::new(right.x, -right.y) * 30.0) > 0.499);
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
        let tangent = outline.left_tangent(Vec2::ZERO, 0.5);
        assert!(tangent.length == 0.0 && tangent.heading.distance(Vec2::Y) < 1e-6);
    }
}
