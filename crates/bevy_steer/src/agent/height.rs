//! [`SteeringHeight`]: what is level with an agent.

use bevy::prelude::*;

use crate::{agent::vehicle::Vehicle, space::plane::SteeringPlane};

/// The height of a planar agent along the normal of its plane, half of it above its position and
/// half below: obstacles, walls, and the neighbours of `Flock` and `AvoidAgents` count only where
/// they reach into it. So the storeys of a building have nothing to do with each other: up to 32 of
/// them move bit by bit as if each were alone (with layered things at heights of their own counted
/// as storeys).
///
/// Without this component an agent in the [`Xz`](SteeringPlane::Xz) plane is four radii high, as a
/// person is, and one in the [`Xy`](SteeringPlane::Xy) plane infinitely high. A thing without a
/// [`Vehicle`] is flat there: give it a height if its `Transform` is at its feet. Give agents that
/// flock or meet on steep slopes more. In free space it has no effect.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringHeight(pub f32);

impl Default for SteeringHeight {
    fn default() -> Self {
        Self(f32::INFINITY)
    }
}

/// Half the height of an agent, in radii, where the plane has a normal that is up.
const HALF_IN_RADII: f32 = 2.0;

impl SteeringHeight {
    /// Half the height of an agent, or of a thing that is none.
    #[inline(always)]
    pub(crate) fn half(own: Option<&Self>, plane: SteeringPlane, agent: Option<&Vehicle>) -> f32 {
        match own {
            Some(height) => 0.5 * height.0.max(0.0),
            None if plane == SteeringPlane::Xz => {
                let size = agent.map_or(0.0, Vehicle::size);
                // That of an invalid one may be anything.
                HALF_IN_RADII * if size > 0.0 && size.is_finite() { size } else { 0.0 }
            }
            None => f32::INFINITY,
        }
    }

    /// From where to where a body reaches along the normal of a plane.
    #[inline(always)]
    pub(crate) fn span(plane: SteeringPlane, position: Vec3, half: f32) -> [f32; 2] {
        let [.., level] = plane.project(position);
        [level - half, level + half]
    }
}

/// Whether two spans meet.
#[inline(always)]
pub(crate) fn meet(a: [f32; 2], b: [f32; 2]) -> bool {
    a[0] <= b[1] && b[0] <= a[1]
}
