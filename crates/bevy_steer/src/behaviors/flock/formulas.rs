//! The three rules of a flock, for one agent.

use bevy::prelude::*;

use crate::space::vector::{NEGLIGIBLE, truncate};

/// The contribution of a neighbour at `offset` to separation: away from it, with the length
/// `s / d − d / s` for the separation radius `s` and the distance `d`. Unbounded at distance zero,
/// and zero at the radius, so that it does not jump when a neighbour crosses it. After Reynolds
/// (1999), "Separation".
pub fn separation_share(offset: Vec3, separation_radius: f32) -> Vec3 {
    let squared = offset.length_squared();
    let radius_squared = separation_radius * separation_radius;
    if squared < radius_squared && squared > NEGLIGIBLE * NEGLIGIBLE {
        offset * ((1.0 - radius_squared / squared) / separation_radius)
    } else {
        Vec3::ZERO
    }
}

/// Agents at most this far apart are coincident: their offset gives no direction to separate.
pub(super) fn coincident_distance(separation_radius: f32) -> f32 {
    NEGLIGIBLE * separation_radius.max(1.0)
}

/// The change of velocity that moves an agent to the centre of its neighbours: `max_speed` if the
/// centre is `radius` away, and proportional to the distance. Reynolds (1999), "Cohesion".
///
/// `mean_offset` is the mean of the neighbours' positions relative to the agent, without itself.
pub fn cohesion(mean_offset: Vec3, radius: f32, max_speed: f32) -> Vec3 {
    if radius > 0.0 { truncate(mean_offset * (max_speed / radius), max_speed) } else { Vec3::ZERO }
}

/// The change of velocity that makes an agent move at the mean velocity of its neighbours. Reynolds
/// (1999), "Alignment".
pub fn alignment(velocity: Vec3, mean_velocity: Vec3) -> Vec3 {
    mean_velocity - velocity
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separation_grows_with_nearness_and_ends_at_its_radius() {
        // 4/2 − 2/4 and 4/1 − 1/4.
        assert_eq!(separation_share(Vec3::X * 2.0, 4.0), Vec3::NEG_X * 1.5);
        assert_eq!(separation_share(Vec3::X * 1.0, 4.0), Vec3::NEG_X * 3.75);
        assert!(separation_share(Vec3::X * 3.999, 4.0).length() < 1e-3);
        assert_eq!(separation_share(Vec3::X * 4.0, 4.0), Vec3::ZERO);
        assert_eq!(separation_share(Vec3::ZERO, 4.0), Vec3::ZERO);
    }

    #[test]
    fn cohesion_is_in_proportion_to_the_distance() {
        assert_eq!(cohesion(Vec3::Y * 2.0, 4.0, 10.0), Vec3::Y * 5.0);
        assert_eq!(cohesion(Vec3::Y * 9.0, 4.0, 10.0), Vec3::Y * 10.0);
        assert_eq!(cohesion(Vec3::Y, 0.0, 10.0), Vec3::ZERO);
    }

    #[test]
    fn alignment_matches_the_mean_velocity() {
        assert_eq!(alignment(Vec3::X, Vec3::Y * 3.0), Vec3::new(-1.0, 3.0, 0.0));
    }
}
