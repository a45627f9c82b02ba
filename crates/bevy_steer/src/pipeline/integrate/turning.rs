//! How an agent turns by its angular velocity.

use bevy::prelude::*;

use crate::space::{plane::SteeringPlane, vector};

/// The heading and the angular velocity of an agent after a step in which its angular velocity
/// changes by `change`.
#[inline(always)]
pub(super) fn turned(
    plane: SteeringPlane,
    heading: Vec3,
    spin: Vec3,
    change: Vec3,
    dt: f32,
) -> (Vec3, Vec3) {
    let spin = plane.flatten_turn(spin);
    let faster = spin + plane.flatten_turn(change);
    let spin = if vector::is_valid(faster) { faster } else { spin };
    let (axis, rate) = vector::split(spin);
    if rate == 0.0 {
        return (heading, spin);
    }
    let heading = SteeringPlane::turn(heading, axis, rate * dt);
    (plane.flatten(heading).normalize_or(plane.forward()), spin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spinner_turns_by_its_rate_in_its_plane() {
        let (plane, spin) = (SteeringPlane::Xy, Vec3::new(9.0, 9.0, 1.0));
        let (heading, spin) = turned(plane, Vec3::X, spin, Vec3::Z, 0.5);
        assert_eq!(spin, Vec3::Z * 2.0);
        assert!((heading - plane.direction(1.0)).length() < 1e-6);
        let fastest = Vec3::Z * 1e9;
        let (heading, spin) = turned(plane, Vec3::X, fastest, fastest, 0.5);
        assert!(heading.is_normalized() && spin == fastest);
    }
}
