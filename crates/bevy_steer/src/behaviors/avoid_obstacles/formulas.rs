//! The formula of [`AvoidObstacles`](crate::AvoidObstacles).

use bevy::prelude::*;

/// The approach of an agent to an obstacle on its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleApproach {
    /// The unit vector of its motion relative to the obstacle.
    pub along: Vec3,
    /// How fast that is, in units a second.
    pub speed: f32,
    /// After how many units it touches the obstacle.
    pub distance: f32,
    /// How many units it looks ahead.
    #[doc(alias = "look_ahead")]
    pub look_ahead_distance: f32,
}

/// On which side of an obstacle an agent passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstaclePass {
    /// The unit vector to that side, perpendicular to the motion.
    pub sideways: Vec3,
    /// How many units it still has to gain on that side until it passes with its margin.
    #[doc(alias = "margin")]
    pub clearance: f32,
    /// What it has to gain in a head-on approach, in units.
    pub width: f32,
}

/// The change of velocity that takes an agent round an obstacle ahead.
///
/// The sideways part gains just the clearance in the time that is left after `delay` (seconds), so
/// it grows as the obstacle comes near, up to `max_speed`. `brake` (0 to 1) of the speed is taken
/// off near the obstacle, the more the closer the approach is to head-on. Both fade out towards a
/// graze. After Reynolds (1999), "Obstacle Avoidance".
pub fn avoid_obstacle(
    approach: ObstacleApproach,
    pass: ObstaclePass,
    brake: f32,
    delay: f32,
    max_speed: f32,
) -> Vec3 {
    let ObstacleApproach { along, speed, distance, look_ahead_distance } = approach;
    let ObstaclePass { sideways, clearance, width } = pass;
    let time = if speed > 0.0 { distance / speed } else { f32::INFINITY };
    let in_time = (time - delay).max(delay).max(f32::MIN_POSITIVE);
    let nearness = if look_ahead_distance > 0.0 {
        (1.0 - distance / look_ahead_distance).clamp(0.0, 1.0)
    } else {
        1.0
    };
    let missing = clearance.max(0.0);
    let head_on = if width > 0.0 { (missing / width).min(1.0) } else { 0.0 };
    let aside = sideways * (missing / in_time).min(max_speed);
    aside - along * (speed.min(max_speed) * brake * head_on * nearness * nearness)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change for an obstacle straight ahead at 5 units a second.
    fn change(distance: f32, clearance: f32, brake: f32, delay: f32, max_speed: f32) -> Vec3 {
        let approach =
            ObstacleApproach { along: Vec3::X, speed: 5.0, distance, look_ahead_distance: 20.0 };
        let pass = ObstaclePass { sideways: Vec3::Y, clearance, width: 6.0 };
        avoid_obstacle(approach, pass, brake, delay, max_speed)
    }

    #[test]
    fn gains_the_clearance_in_the_time_that_is_left() {
        // 10 units at 5 a second: 2 s, less 0.5 s of delay; 3 units to gain.
        let change = change(10.0, 3.0, 0.0, 0.5, 100.0);
        assert!((change - Vec3::Y * 2.0).length() < 1e-5, "{change}");
    }

    #[test]
    fn grows_as_the_obstacle_comes_near_up_to_full_speed() {
        let at = |distance| change(distance, 3.0, 0.0, 0.1, 8.0).y;
        assert!(at(4.0) > at(8.0) && at(8.0) > at(16.0));
        assert_eq!(at(0.0), 8.0);
    }

    #[test]
    fn brakes_only_when_near_and_head_on() {
        let brake = |distance, clearance| change(distance, clearance, 0.8, 0.1, 8.0).x;
        assert_eq!(brake(20.0, 6.0), 0.0);
        assert!((brake(10.0, 6.0) - -1.0).abs() < 1e-5);
        assert!((brake(0.0, 6.0) - -4.0).abs() < 1e-5);
        assert!((brake(0.0, 3.0) - -2.0).abs() < 1e-5);
        assert_eq!(brake(0.0, 0.0), 0.0);
    }
}
