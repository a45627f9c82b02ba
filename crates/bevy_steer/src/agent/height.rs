//! [`SteeringHeight`]: the height range of an agent.

use bevy::prelude::*;

use crate::{agent::vehicle::Vehicle, space::plane::SteeringPlane};

/// The height of a planar agent along the normal of its plane, half of it above its position and
/// half below. Obstacles, walls, and the neighbours of `Flock` and `AvoidAgents` matter only if
/// they overlap this range. The floors of a building are thus independent: on up to 32 floors
/// agents move, bit for bit, as if each floor were alone. (Entities with layers at other heights
/// count as floors.)
///
/// Without this component an agent in the [`Xz`](SteeringPlane::Xz) plane is four radii high, like
/// a person, and one in the [`Xy`](SteeringPlane::Xy) plane infinitely high. An entity without a
/// [`Vehicle`] is flat: give it a height if its `Transform` is at its feet. Increase the height of
/// agents that flock or meet on steep slopes. In free space it has no effect.
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

/// Half the default height of an agent, in radii, in a plane whose normal points up.
const HALF_IN_RADII: f32 = 2.0;

impl SteeringHeight {
    /// Half the height of an agent, or of a thing that is none.
    #[inline]
    pub(crate) fn half(own: Option<&Self>, plane: SteeringPlane, agent: Option<&Vehicle>) -> f32 {
        match own {
            Some(height) => 0.5 * height.0.max(0.0),
            None if plane == SteeringPlane::Xz => {
                let size = agent.map_or(0.0, Vehicle::size);
                // An invalid vehicle may have any radius.
                HALF_IN_RADII * if size > 0.0 && size.is_finite() { size } else { 0.0 }
            }
            None => f32::INFINITY,
        }
    }

    /// From where to where a body reaches along the normal of a plane.
    #[inline]
    pub(crate) fn span(plane: SteeringPlane, position: Vec3, half: f32) -> HeightSpan {
        let [.., level] = plane.project(position);
        HeightSpan { low: level - half, high: level + half }
    }
}

/// From where to where something reaches along the normal of a plane, in units. Whatever has no
/// valid position has NaN and meets nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeightSpan {
    /// The lower end.
    pub low: f32,
    /// The upper end.
    pub high: f32,
}

impl HeightSpan {
    /// All heights.
    pub const ALL: Self = Self { low: f32::NEG_INFINITY, high: f32::INFINITY };

    /// Whether some height is in both.
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}
