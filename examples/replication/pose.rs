//! [`Pose`]: what the server tells of an agent.

use core::f32::consts::TAU;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Where an agent is and which way it faces, in five bytes: a place to the centimetre, in a world
/// of 655 metres, and a direction to a hundredth of a turn or finer.
///
/// It is all that a client needs to show an agent. Behaviours, velocities and forces stay on the
/// server.
#[derive(
    Component, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord,
)]
pub struct Pose {
    x: i16,
    y: i16,
    turn: u8,
}

/// In units.
const PLACE: f32 = 0.01;
/// In radians.
const TURN: f32 = TAU / 256.0;

impl Pose {
    /// That of an agent in the plane `Xy`.
    pub fn of(transform: &Transform) -> Self {
        let [x, y] = transform.translation.truncate().to_array().map(|x| (x / PLACE).round());
        let facing = (transform.rotation * Vec3::X).truncate().to_angle();
        let turn = (facing.rem_euclid(TAU) / TURN).round() as u16 as u8;
        Self { x: x as i16, y: y as i16, turn }
    }

    /// Its place and rotation.
    pub fn transform(self) -> Transform {
        let place = Vec3::new(f32::from(self.x), f32::from(self.y), 0.0) * PLACE;
        let rotation = Quat::from_rotation_z(f32::from(self.turn) * TURN);
        Transform::from_translation(place).with_rotation(rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_is_near_what_it_tells_of() {
        for i in 0..200 {
            let angle = 0.37 * i as f32;
            let place = Vec2::from_angle(1.1 * angle) * 1.6 * i as f32;
            let told = Transform::from_translation(place.extend(0.0))
                .with_rotation(Quat::from_rotation_z(angle));
            let pose = Pose::of(&told);
            let seen = pose.transform();
            assert!(seen.translation.distance(told.translation) < 0.0075, "{seen:?} {told:?}");
            assert!(seen.rotation.angle_between(told.rotation) < 0.0125, "{seen:?} {told:?}");
            assert_eq!(Pose::of(&seen), pose);
        }
    }
}
