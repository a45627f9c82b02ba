//! Wander: wherever the nose leads.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use crate::{
    agent::{
        blend::{Blend, Priority},
        parameter::{ParameterRange, RuntimeState, Unit},
        random::{RandomStream, unit_variance},
        vehicle::VehicleBlock,
    },
    behavior::{
        agent::Agent,
        debug_draw::{DebugDraw, DebugLayer},
        steering_behavior::{Steering, SteeringBehavior},
    },
    behaviors::seek::{seek, seek_block},
    pipeline::behave_simd::{AgentBlock, SimdBehavior},
    simd::{
        lanes::{Lanes, WIDTH, pack},
        vector::{Vector, abs, direction, dot, each, vector},
    },
    space::{plane::SteeringPlane, vector::NEGLIGIBLE},
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
    #[reflect(@Unit::Radii, @ParameterRange::up_to(20.0))]
    pub distance: f32,
    /// The circle's radius, in multiples of the vehicle's radius. Default 3. Wide is winding.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(20.0))]
    pub radius: f32,
    /// How fast the point moves along the circle: the standard deviation of its angle after a second, in radians. Default 2.
    #[reflect(@Unit::AngularSpread, @ParameterRange::up_to(720.0).degrees())]
    pub rate: f32,
    /// Where the point is: a unit vector from the circle's centre, with `x` ahead of the agent, `y` left and `z` up. Zero
    /// before the first tick.
    #[reflect(@RuntimeState)]
    pub displacement: Vec3,
    /// Where the steps come from.
    #[reflect(@RuntimeState)]
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

/// How far from one the squared length of a displacement may be to come back to it by small corrections.
const UNIT_TOLERANCE: f32 = 0.1;

/// Whether this is the square of about one.
fn is_about_one(squared: f32) -> bool {
    (squared - 1.0).abs() < UNIT_TOLERANCE
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

    fn displacement_in_world(&self, agent: &Agent, heading: Vec3) -> Vec3 {
        let left = agent.plane.left(heading);
        let Vec3 { x, y, z } = self.displacement;
        let planar = heading * x + left * y;
        let is_free = agent.plane == SteeringPlane::Free;
        if is_free { planar + heading.cross(left) * z } else { planar }
    }

    /// One step of the random walk.
    fn walk(&mut self, agent: &Agent) {
        let generator = agent.random(&mut self.stream, Self::SALT);
        if !is_about_one(self.displacement.length_squared()) {
            self.displacement = self.displacement.normalize_or(Vec3::X);
        }
        let root = agent.dt.sqrt();
        if agent.plane.is_planar() {
            // Half a small angle is its tangent, and a rotation by that takes no sine.
            let tangent = unit_variance(generator) * (0.5 * self.rate * root);
            let square = tangent * tangent;
            let share = 1.0 / (1.0 + square);
            let (cos, sin) = ((1.0 - square) * share, (tangent + tangent) * share);
            let Vec3 { x, y, .. } = self.displacement;
            let (x, y) = (x * cos - y * sin, x * sin + y * cos);
            // Stays at length one: a step of Newton's for one over the root.
            let mend = 1.5 - 0.5 * (x * x + y * y);
            self.displacement = Vec3::new(x * mend, y * mend, 0.0);
        } else {
            let push = Vec3::from_array(core::array::from_fn(|_| unit_variance(generator)));
            self.displacement += push * (self.rate * root);
            self.displacement = self.displacement.normalize_or(Vec3::X);
        }
    }
}

impl SteeringBehavior for Wander {
    type Param = ();
    const PRIORITY: Priority = Priority::Low;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (): &SystemParamItem<Self::Param>) -> Steering {
        self.walk(agent);
        let heading = agent.direction();
        let displacement = self.displacement_in_world(agent, heading);
        let max_speed = agent.vehicle.max_speed;
        let change =
            wander(agent.velocity, heading, displacement, self.distance, self.radius, max_speed);
        // Arbitration makes a change in the response time; this one may take as long as the way to the circle.
        let way = self.distance.abs() * agent.vehicle.radius;
        let quick = max_speed * agent.response();
        Steering::linear(if way > quick && quick > 0.0 { change * (quick / way) } else { change })
    }

    fn debug_draw(&self, agent: &Agent, (): &SystemParamItem<Self::Param>, draw: &mut DebugDraw) {
        let (heading, unit) = (agent.direction(), agent.vehicle.radius);
        let center = agent.position + heading * (self.distance * unit);
        let point = center + self.displacement_in_world(agent, heading) * (self.radius * unit);
        draw.line(DebugLayer::Wander, agent.position, center)
            .circle(DebugLayer::Wander, center, (self.radius * unit).abs())
            .line(DebugLayer::Wander, agent.position, point)
            .mark(DebugLayer::Wander, point);
    }
}

impl SimdBehavior for Wander {
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        asked: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        (): &SystemParamItem<Self::Param>,
    ) -> (Vector<L>, u8) {
        let nothing = [l.splat(0.0); 3];
        if !agents.plane.is_planar() {
            return (nothing, 0);
        }
        let (one, half, largest) = (l.splat(1.0), l.splat(0.5), l.splat(1e9));
        let distance = pack!(l, i => behaviors[i].distance);
        let radius = pack!(l, i => behaviors[i].radius);
        let rate = pack!(l, i => behaviors[i].rate);
        let [x, y, z] = vector!(l, i => behaviors[i].displacement);
        let velocity = agents.velocity(l);
        let speed = l.sqrt(dot(l, velocity, velocity));
        // Who stands, begins or has absurd parameters is asked by itself: nothing may be random twice.
        let squared = dot(l, [x, y, z], [x, y, z]);
        let mut usual = l.lt(abs(l, l.sub(squared, one)), l.splat(UNIT_TOLERANCE));
        usual = l.and(usual, l.and(l.lt(l.splat(NEGLIGIBLE), speed), l.le(speed, largest)));
        for parameter in [distance, radius, rate] {
            usual = l.and(usual, l.le(abs(l, parameter), largest));
        }
        let done = asked & l.bits(usual);
        let seed = agents.tick.settings.seed;
        let mut variances = [0.0; WIDTH];
        for (i, behavior) in behaviors.iter_mut().enumerate() {
            if done >> i & 1 == 1 {
                let stream = &mut behavior.stream;
                let generator = stream.generator(seed, agents.id(i), Self::SALT);
                variances[i] = unit_variance(generator);
            }
        }

        let dt = agents.dt(l);
        let root = l.sqrt(dt);
        let tangent = l.mul(l.pack(variances), l.mul(l.mul(half, rate), root));
        let square = l.mul(tangent, tangent);
        let share = l.div(one, l.add(one, square));
        let cos = l.mul(l.sub(one, square), share);
        let sin = l.mul(l.add(tangent, tangent), share);
        let (x, y) = (l.sub(l.mul(x, cos), l.mul(y, sin)), l.add(l.mul(x, sin), l.mul(y, cos)));
        let length_squared = l.add(l.mul(x, x), l.mul(y, y));
        let mend = l.sub(l.splat(1.5), l.mul(half, length_squared));
        let (x, y) = (l.mul(x, mend), l.mul(y, mend));
        let (xs, ys) = (l.unpack(x), l.unpack(y));
        for (i, behavior) in behaviors.iter_mut().enumerate() {
            if done >> i & 1 == 1 {
                behavior.displacement = Vec3::new(xs[i], ys[i], 0.0);
            }
        }

        let (heading, _) = direction(l, velocity);
        let minus = |x| l.mul(x, l.splat(-1.0));
        let left = match agents.plane {
            SteeringPlane::Xz => [heading[2], l.splat(0.0), minus(heading[0])],
            _ => [minus(heading[1]), heading[0], l.splat(0.0)],
        };
        let displacement = each!(d => l.add(l.mul(heading[d], x), l.mul(left[d], y)));
        let point = each!(d => l.add(l.mul(heading[d], distance), l.mul(displacement[d], radius)));
        let VehicleBlock { max_speed, radius: body, response, .. } = agents.vehicle(l);
        let (change, _) = seek_block(l, point, velocity, max_speed);

        let way = l.mul(abs(l, distance), body);
        let quick = l.mul(max_speed, l.max(response, dt));
        let is_slow = l.and(l.lt(quick, way), l.lt(l.splat(0.0), quick));
        let share = l.select(is_slow, l.div(quick, way), one);
        (each!(d => l.mul(change[d], share)), done)
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
