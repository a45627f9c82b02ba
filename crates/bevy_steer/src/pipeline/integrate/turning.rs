//! How the heading follows: the motion, or the agent's own angular velocity.

use bevy::prelude::*;

use crate::space::{plane::SteeringPlane, vector};

/// What turns an agent.
pub(crate) enum Turner {
    /// It looks where it goes.
    Motion { velocity: Vec3, max_speed: f32 },
    /// It turns by its angular velocity.
    Spin { now: Vec3, change: Vec3 },
}

/// Slower than this share of its top speed an agent keeps its heading: the direction of a crawl is mostly noise.
pub(crate) const TOO_SLOW_TO_TURN: f32 = 0.01;

/// The new heading, and the new angular velocity where there is one.
#[inline(always)]
pub(crate) fn turned(
    plane: SteeringPlane,
    heading: Vec3,
    turner: Turner,
    dt: f32,
) -> (Vec3, Option<Vec3>) {
    match turner {
        Turner::Motion { velocity, max_speed } => {
            let (direction, speed) = vector::split(velocity);
            let fast_enough = speed > max_speed * TOO_SLOW_TO_TURN;
            (if fast_enough { direction } else { heading }, None)
        }
        Turner::Spin { now, change } => {
            let now = plane.flatten_turn(now);
            let faster = now + change;
            // Two finite numbers may add up to one that is not.
            let spin = if faster.is_finite() { faster } else { now };
            let (axis, rate) = vector::split(spin);
            if rate == 0.0 {
                return (heading, Some(spin));
            }
            let heading = SteeringPlane::turn(heading, axis, rate * dt);
            (plane.flatten(heading).normalize_or(plane.forward()), Some(spin))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mover_looks_where_it_goes_and_keeps_its_heading_at_rest() {
        let look = |velocity| {
            let turner = Turner::Motion { velocity, max_speed: 10.0 };
            turned(SteeringPlane::Xy, Vec3::X, turner, 0.1).0
        };
        assert_eq!(look(Vec3::Y * 5.0), Vec3::Y);
        assert_eq!(look(Vec3::ZERO), Vec3::X);
        assert_eq!(look(Vec3::Y * 0.05), Vec3::X);
    }

    #[test]
    fn a_spinner_turns_by_its_rate_in_its_plane() {
        let turner = Turner::Spin { now: Vec3::new(9.0, 9.0, 1.0), change: Vec3::Z };
        let (heading, spin) = turned(SteeringPlane::Xy, Vec3::X, turner, 0.5);
        assert_eq!(spin, Some(Vec3::Z * 2.0));
        assert!((heading - SteeringPlane::Xy.direction(1.0)).length() < 1e-6);
        let (now, change) = (Vec3::Z * f32::MAX, Vec3::Z * f32::MAX);
        let (heading, spin) = turned(SteeringPlane::Xy, Vec3::X, Turner::Spin { now, change }, 0.5);
        assert!(heading.is_normalized() && spin == Some(now));
    }
}
