//! Positions on a plane: two coordinates in it, and a height above it.

use bevy::prelude::*;
use bevy_steer::SteeringPlane;

/// The coordinates of a position in the plane; of [`SteeringPlane::Free`] those on the ground.
pub(crate) fn flat(plane: SteeringPlane, position: Vec3) -> Vec2 {
    match plane {
        SteeringPlane::Xy => position.truncate(),
        SteeringPlane::Xz | SteeringPlane::Free => Vec2::new(position.x, position.z),
    }
}

/// How high a position is above the plane, in units.
pub(crate) fn height(plane: SteeringPlane, position: Vec3) -> f32 {
    position.dot(plane.normal())
}

/// The position with these coordinates in the plane, so high above it.
pub(crate) fn lift(plane: SteeringPlane, coordinates: Vec2, height: f32) -> Vec3 {
    plane.point(coordinates) + plane.normal() * height
}

/// The point of a segment that is nearest to `point`.
pub(crate) fn nearest_on_segment(point: Vec2, start: Vec2, end: Vec2) -> Vec2 {
    let along = end - start;
    let squared = along.length_squared();
    if squared <= 0.0 {
        return start;
    }
    start + along * ((point - start).dot(along) / squared).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_and_height_make_the_position() {
        let position = Vec3::new(1.0, 2.0, 3.0);
        for plane in SteeringPlane::ALL {
            let (coordinates, up) = (flat(plane, position), height(plane, position));
            assert_eq!(lift(plane, coordinates, up), position);
        }
        assert_eq!(flat(SteeringPlane::Xz, position), Vec2::new(1.0, 3.0));
        assert_eq!(height(SteeringPlane::Xy, position), 3.0);
    }

    #[test]
    fn nearest_point_is_on_the_segment() {
        let [start, end] = [Vec2::ZERO, Vec2::X * 4.0];
        assert_eq!(nearest_on_segment(Vec2::new(1.0, 5.0), start, end), Vec2::X);
        assert_eq!(nearest_on_segment(Vec2::new(9.0, 5.0), start, end), end);
        assert_eq!(nearest_on_segment(Vec2::new(9.0, 5.0), start, start), start);
    }
}
