//! Where a body on its way first touches the shape of an obstacle.

use bevy::prelude::*;

use crate::{
    obstacles::shape::ObstacleShape,
    space::{plane::SteeringPlane, vector},
};

impl ObstacleShape {
    /// Where a ball of radius `inflate` that moves from `from` along the unit vector `along` first
    /// touches the shape: the distance, if no more than `length`, and the unit vector away from the
    /// shape there.
    pub(crate) fn sweep(
        &self,
        from: Vec3,
        along: Vec3,
        length: f32,
        inflate: f32,
        axes: &[Vec3; 3],
        plane: SteeringPlane,
    ) -> Option<(f32, Vec3)> {
        if let Self::Sphere { radius } = *self {
            return sweep_sphere(from, along, length, radius + inflate);
        }
        // Sphere tracing (Hart 1996): a step as long as the distance can never jump over the
        // surface.
        const STEPS: usize = 48;
        let close_enough = 1e-3 * (inflate + self.bounding_radius());
        let mut travelled = 0.0;
        for _ in 0..STEPS {
            let (distance, away) = self.distance(from + along * travelled, axes, plane);
            let gap = distance - inflate;
            if gap <= close_enough {
                // Past the nearest point on the way out is no hit.
                return (travelled > 0.0 || along.dot(away) < 0.0).then_some((travelled, away));
            }
            travelled += gap;
            if travelled > length {
                return None;
            }
        }
        None
    }
}

fn sweep_sphere(from: Vec3, along: Vec3, length: f32, radius: f32) -> Option<(f32, Vec3)> {
    let ahead = -from.dot(along);
    if ahead < 0.0 {
        return None;
    }
    let gap_squared = vector::perpendicular(from, along).length_squared();
    if gap_squared >= radius * radius {
        return None;
    }
    let travelled = (ahead - (radius * radius - gap_squared).sqrt()).max(0.0);
    (travelled <= length).then(|| (travelled, vector::direction(from + along * travelled)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obstacles::geometry::tests::shapes;

    const AXES: [Vec3; 3] = Vec3::AXES;
    const XY: SteeringPlane = SteeringPlane::Xy;

    #[test]
    fn sweeps_meet_the_inflated_shape() {
        for shape in shapes() {
            let from = Vec3::new(0.3, 10.0, 0.0);
            let (travelled, away) = shape.sweep(from, Vec3::NEG_Y, 20.0, 0.5, &AXES, XY).unwrap();
            let (distance, _) = shape.distance(from + Vec3::NEG_Y * travelled, &AXES, XY);
            assert!((distance - 0.5).abs() < 1e-2, "{shape:?} {distance}");
            assert!(away.y > 0.7, "{shape:?} {away}");
            assert_eq!(shape.sweep(from, Vec3::NEG_Y, 4.0, 0.5, &AXES, XY), None);
            assert_eq!(shape.sweep(from, Vec3::Y, 20.0, 0.5, &AXES, XY), None);
            let beside = Vec3::new(4.0, 10.0, 0.0);
            assert_eq!(shape.sweep(beside, Vec3::NEG_Y, 20.0, 0.5, &AXES, XY), None);
        }
    }
}
