//! Wander: wherever the nose leads.

use bevy::{ecs::system::SystemParamItem, math::ops, prelude::*};

use super::{blend_field, seek::seek};
use crate::{
    behavior::{Agent, Steering, SteeringBehavior},
    blend::{Blend, Priority},
    plane::SteeringPlane,
    random::{RandomStream, unit_variance},
};

/// The change of velocity that makes an agent head for a point on a circle (a sphere in free space) ahead of it.
///
/// The circle of `radius` is `distance` ahead along the unit vector `heading`; `displacement` is a unit vector from its
/// centre to the point. Only the ratio of the two lengths matters. Reynolds (1999), "Wander".
pub fn wander(
    velocity: Vec3,
    heading: Vec3,
    displacement: Vec3,
    distance: f32,
    radius: f32,
    max_speed: f32,
) -> Vec3 {
    let point = heading * distance + displacement * radius;
    seek(Vec3::ZERO, velocity, point, max_speed)
}

/// Strolls: a point on a circle ahead of the agent does a random walk, and the agent heads for it.
///
/// It turns as fast as somebody would who means to be at the circle's centre line in the time the way there takes, so the
/// stroll looks the same whatever the vehicle's `response`. The walk's step grows with the root of the time step: what it
/// does in a second does not depend on the tick rate. It is the same on every run, see [`RandomStream`].
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Wander {
    /// How far ahead the circle's centre is, in multiples of the vehicle's radius. Default 5. Far is straight.
    pub distance: f32,
    /// The circle's radius, in multiples of the vehicle's radius. Default 3. Wide is winding.
    pub radius: f32,
    /// How fast the point moves along the circle: the standard deviation of its angle after a second, in radians. Default 2.
    pub rate: f32,
    /// Where the point is: a unit vector from the circle's centre, with `x` ahead of the agent, `y` left and `z` up. Zero
    /// before the first tick.
    pub displacement: Vec3,
    /// Where the steps come from.
    pub stream: RandomStream,
    /// Its part in arbitration; its own tier is [`Priority::Low`].
    pub blend: Blend,
}

impl Default for Wander {
    fn default() -> Self {
        Self {
            distance: 5.0,
            radius: 3.0,
            rate: 2.0,
            displacement: Vec3::ZERO,
            stream: RandomStream::default(),
            blend: Blend::default(),
        }
    }
}

impl Wander {
    const SALT: u64 = 0x3A2D;

    /// With the circle this far ahead, in multiples of the vehicle's radius.
    #[must_use]
    pub fn with_distance(mut self, distance: f32) -> Self {
        self.distance = distance;
        self
    }

    /// With a circle of this radius, in multiples of the vehicle's radius.
    #[must_use]
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// With this restlessness: radians of standard deviation after a second.
    #[must_use]
    pub fn with_rate(mut self, rate: f32) -> Self {
        self.rate = rate;
        self
    }

    /// One step of the random walk.
    fn walk(&mut self, agent: &Agent) {
        let step = self.rate * agent.dt.sqrt();
        let generator = agent.random(&mut self.stream, Self::SALT);
        if self.displacement == Vec3::ZERO || !self.displacement.is_finite() {
            self.displacement = Vec3::X;
        }
        if agent.plane.is_planar() {
            let (sin, cos) = ops::sin_cos(unit_variance(generator) * step);
            let Vec3 { x, y, .. } = self.displacement;
            self.displacement = Vec3::new(x * cos - y * sin, x * sin + y * cos, 0.0);
        } else {
            let push = Vec3::from_array(core::array::from_fn(|_| unit_variance(generator)));
            self.displacement += push * step;
        }
        self.displacement = self.displacement.normalize_or(Vec3::X);
    }
}

impl SteeringBehavior for Wander {
    type World = ();
    const PRIORITY: Priority = Priority::Low;
    blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (): &SystemParamItem<Self::World>) -> Steering {
        self.walk(agent);
        let heading = agent.direction();
        let left = agent.plane.left(heading);
        let up = match agent.plane {
            SteeringPlane::Free => heading.cross(left),
            _ => Vec3::ZERO,
        };
        let Vec3 { x, y, z } = self.displacement;
        let displacement = heading * x + left * y + up * z;
        let max_speed = agent.vehicle.max_speed;
        let change =
            wander(agent.velocity, heading, displacement, self.distance, self.radius, max_speed);
        // Arbitration makes a change in the response time; this one may take as long as the way to the circle.
        let way = self.distance.abs() * agent.vehicle.radius;
        let leisure = if max_speed > 0.0 { way / max_speed } else { 0.0 };
        Steering::linear(change * (agent.response() / leisure.max(agent.response())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_for_the_point_on_the_circle() {
        // 3 ahead and 4 to the left.
        let change = wander(Vec3::X, Vec3::X, Vec3::Y, 3.0, 4.0, 10.0);
        assert!((change - Vec3::new(5.0, 8.0, 0.0)).length() < 1e-5, "{change}");
    }

    #[test]
    fn only_the_ratio_of_the_lengths_matters() {
        let change = |scale: f32| wander(Vec3::X, Vec3::X, Vec3::Y, 3.0 * scale, 4.0 * scale, 10.0);
        assert!((change(1.0) - change(100.0)).length() < 1e-5);
    }
}
