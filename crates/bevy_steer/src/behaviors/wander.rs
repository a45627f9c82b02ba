//! Wander: smooth random motion.

use bevy::prelude::*;

use crate::{
    agent::{
        Blend, Memory, ParameterRange, Priority, RandomStream, Unit, VehicleBlock, builders,
        unit_variance,
    },
    behavior::{
        Agent, AgentBlock, DebugDraw, DebugLayer, NearSurfaces, ParamOf, SimdBehavior, Steering,
        SteeringBehavior,
    },
    behaviors::seek::seek_on,
    simd::{Arithmetic, Lanes, One, Vector, WIDTH, dot, each, pack, split, vector},
    space::SteeringPlane,
};

/// The circle (in free space a sphere) ahead of a wandering agent, and the point on it that the
/// agent moves to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WanderCircle {
    /// The unit vector from the agent to the circle's centre.
    pub heading: Vec3,
    /// The unit vector from the centre to the point.
    pub displacement: Vec3,
    /// The distance of the centre. Only its ratio to the radius matters.
    pub distance: f32,
    /// The radius of the circle.
    pub radius: f32,
}

/// The change of velocity that makes an agent move to a point on a circle ahead of it. Reynolds
/// (1999), "Wander".
pub fn wander(velocity: Vec3, circle: WanderCircle, max_speed: f32) -> Vec3 {
    let WanderCircle { heading, displacement, distance, radius } = circle;
    let (heading, displacement) = (heading.to_array(), displacement.to_array());
    let point = point_on_circle(One, heading, displacement, distance, radius);
    seek_on(One, point, velocity.to_array(), max_speed).into()
}

#[inline(always)]
fn point_on_circle<L: Arithmetic>(
    l: L,
    heading: Vector<L>,
    displacement: Vector<L>,
    distance: L::F,
    radius: L::F,
) -> Vector<L> {
    each!(d => l.add(l.mul(heading[d], distance), l.mul(displacement[d], radius)))
}

/// A step of the random walk along the unit circle: the point `[x, y]` turned by `variance · rate ·
/// √dt`.
#[inline(always)]
fn walk_on_circle<L: Arithmetic>(
    l: L,
    [x, y]: [L::F; 2],
    variance: L::F,
    rate: L::F,
    dt: L::F,
) -> [L::F; 2] {
    let (one, half) = (l.splat(1.0), l.splat(0.5));
    // The tangent of half a small angle is nearly that itself, and a rotation by a half-angle
    // tangent needs no sine.
    let tangent = l.mul(variance, l.mul(l.mul(half, rate), l.sqrt(dt)));
    let square = l.mul(tangent, tangent);
    let share = l.div(one, l.add(one, square));
    let (cos, sin) = (l.mul(l.sub(one, square), share), l.mul(l.add(tangent, tangent), share));
    let (x, y) = (l.sub(l.mul(x, cos), l.mul(y, sin)), l.add(l.mul(x, sin), l.mul(y, cos)));
    // Keep it at length one: a step of Newton's method for the reciprocal root.
    let length_squared = l.add(l.mul(x, x), l.mul(y, y));
    let correction = l.sub(l.splat(1.5), l.mul(half, length_squared));
    [l.mul(x, correction), l.mul(y, correction)]
}

/// The factor on a change of velocity so that it takes as long as moving to the circle's centre,
/// `distance` vehicle radii ahead, and not the response time.
#[inline(always)]
fn share_of_change<L: Arithmetic>(
    l: L,
    distance: L::F,
    vehicle: &VehicleBlock<L>,
    dt: L::F,
) -> L::F {
    let way = l.mul(l.abs(distance), vehicle.radius);
    let in_response_time = l.mul(vehicle.max_speed, l.max(vehicle.response, dt));
    let is_slower = l.and(l.lt(in_response_time, way), l.lt(l.splat(0.0), in_response_time));
    l.select(is_slower, l.div(in_response_time, way), l.splat(1.0))
}

/// Whether a displacement is close enough to length one to be kept there by small corrections.
#[inline(always)]
fn is_about_one<L: Arithmetic>(l: L, displacement: Vector<L>) -> L::M {
    const TOLERANCE: f32 = 0.1;
    let error = l.sub(dot(l, displacement, displacement), l.splat(1.0));
    l.lt(l.abs(error), l.splat(TOLERANCE))
}

/// Moves around at random: a point on a circle ahead of the agent does a random walk, and the agent
/// moves to it.
///
/// A change of direction takes as long as moving to the circle's centre, so the path looks the same
/// whatever the vehicle's `response`. The step of the random walk is proportional to the square
/// root of the time step, so the path does not depend on the tick rate. It is the same on every
/// run, see [`RandomStream`]. Beside a wall or an obstacle that stops its body the agent turns away.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Wander {
    /// The distance of the circle's centre, in multiples of the vehicle's radius. Default 5. Larger
    /// is straighter.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(20.0))]
    pub distance: f32,
    /// The circle's radius, in multiples of the vehicle's radius. Default 3. Larger turns more.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(20.0))]
    pub radius: f32,
    /// How fast the point moves along the circle: the standard deviation of its angle after a
    /// second, in radians. Default 2.
    #[reflect(@Unit::AngularSpread, @ParameterRange::up_to(720.0).degrees())]
    pub rate: f32,
    /// Weight, tier (default [`Priority::Low`]) and whether it is enabled.
    pub blend: Blend,
    /// What it keeps from tick to tick.
    pub memory: Memory<WanderMemory>,
}

/// What [`Wander`] keeps from tick to tick.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct WanderMemory {
    /// The position of the point: a unit vector from the circle's centre, with `x` ahead of the
    /// agent, `y` left and `z` up. Zero before the first tick.
    pub displacement: Vec3,
    /// The random numbers of its steps.
    pub stream: RandomStream,
}

impl Default for Wander {
    fn default() -> Self {
        Self { distance: 5.0, radius: 3.0, rate: 2.0, blend: Blend::default(), memory: default() }
    }
}

impl Wander {
    const SALT: u64 = 0x3A2D;

    builders! {
        /// Sets the distance of the circle's centre, in multiples of the vehicle's radius.
        with_distance(distance: f32);
        /// Sets the circle's radius, in multiples of the vehicle's radius.
        with_radius(radius: f32);
        /// Sets how fast the point moves: the standard deviation after a second, in radians.
        with_rate(rate: f32);
    }

    fn displacement_in_world(&self, agent: &Agent, heading: Vec3) -> Vec3 {
        let left = agent.plane.left(heading);
        let Vec3 { x, y, z } = self.memory.displacement;
        let planar = heading * x + left * y;
        let is_free = agent.plane == SteeringPlane::Free;
        if is_free { planar + heading.cross(left) * z } else { planar }
    }

    /// Moves the point to the other side of the circle if it leads towards a wall or an obstacle
    /// beside the agent: a random walk along a wall would rarely get off it.
    fn turn_off_walls(&mut self, agent: &Agent, surfaces: &NearSurfaces) {
        let nearest = agent.surfaces.and_then(|slot| surfaces.solid(slot).next());
        let reach = self.distance.abs() * agent.vehicle.radius;
        let Some(near) = nearest.filter(|surface| surface.distance < reach) else { return };
        let heading = agent.direction();
        let left = agent.plane.left(heading);
        let Vec3 { y, z, .. } = &mut self.memory.displacement;
        for (sideways, axis) in [(y, left), (z, heading.cross(left))] {
            if *sideways * axis.dot(near.normal) < 0.0 {
                *sideways = -*sideways;
            }
        }
    }

    /// One step of the random walk.
    fn walk(&mut self, agent: &Agent) {
        let WanderMemory { displacement, stream } = &mut *self.memory;
        let generator = agent.random(stream, Self::SALT);
        if !is_about_one(One, displacement.to_array()) {
            *displacement = displacement.normalize_or(Vec3::X);
        }
        if agent.plane.is_planar() {
            let (Vec3 { x, y, .. }, variance) = (*displacement, unit_variance(generator));
            let [x, y] = walk_on_circle(One, [x, y], variance, self.rate, agent.dt);
            *displacement = Vec3::new(x, y, 0.0);
        } else {
            let push = Vec3::from_array(core::array::from_fn(|_| unit_variance(generator)));
            *displacement += push * (self.rate * agent.dt.sqrt());
            *displacement = displacement.normalize_or(Vec3::X);
        }
    }
}

impl SteeringBehavior for Wander {
    type Param = NearSurfaces<'static>;
    const PRIORITY: Priority = Priority::Low;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, surfaces: &ParamOf<Self>) -> Steering {
        self.walk(agent);
        self.turn_off_walls(agent, surfaces);
        let heading = agent.direction();
        let displacement = self.displacement_in_world(agent, heading);
        let Self { distance, radius, .. } = *self;
        let circle = WanderCircle { heading, displacement, distance, radius };
        let change = wander(agent.velocity, circle, agent.vehicle.max_speed);
        let share = share_of_change(One, self.distance, &agent.vehicle.into(), agent.dt);
        Steering::linear(change * share)
    }

    fn debug_draw(&self, agent: &Agent, _: &ParamOf<Self>, draw: &mut DebugDraw) {
        let (heading, unit) = (agent.direction(), agent.vehicle.radius);
        let center = agent.position + heading * (self.distance * unit);
        let point = center + self.displacement_in_world(agent, heading) * (self.radius * unit);
        draw.line(DebugLayer::WanderCircle, agent.position, center)
            .circle(DebugLayer::WanderCircle, center, (self.radius * unit).abs())
            .line(DebugLayer::WanderCircle, agent.position, point)
            .mark(DebugLayer::WanderCircle, point);
    }
}

impl SimdBehavior for Wander {
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        surfaces: &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        if !agents.plane.is_planar() {
            return ([l.splat(0.0); 3], 0);
        }
        let distance = pack!(l, i => behaviors[i].distance);
        let radius = pack!(l, i => behaviors[i].radius);
        let rate = pack!(l, i => behaviors[i].rate);
        let [x, y, z] = vector!(l, i => behaviors[i].memory.displacement);
        let velocity = agents.velocity(l);
        let (heading, speed) = split(l, velocity);
        // Agents at rest, new ones and those near a wall are steered one by one: nothing may be
        // drawn twice from their streams.
        let moves = l.lt(l.splat(0.0), speed);
        let requested = requested & !surfaces.near_block(agents);
        let done = requested & l.bits(l.and(moves, is_about_one(l, [x, y, z])));
        let seed = agents.tick.settings.seed;
        let mut variances = [0.0; WIDTH];
        for (i, behavior) in behaviors.iter_mut().enumerate() {
            if done >> i & 1 == 1 {
                let stream = &mut behavior.memory.stream;
                variances[i] = unit_variance(stream.generator(seed, agents.id(i), Self::SALT));
            }
        }
        let dt = agents.dt(l);
        let [x, y] = walk_on_circle(l, [x, y], l.pack(variances), rate, dt);
        let (xs, ys) = (l.unpack(x), l.unpack(y));
        for (i, behavior) in behaviors.iter_mut().enumerate() {
            if done >> i & 1 == 1 {
                behavior.memory.displacement = Vec3::new(xs[i], ys[i], 0.0);
            }
        }

        let left = agents.plane.left_in_plane(l, heading);
        let displacement = each!(d => l.add(l.mul(heading[d], x), l.mul(left[d], y)));
        let point = point_on_circle(l, heading, displacement, distance, radius);
        let vehicle = agents.vehicle(l);
        let change = seek_on(l, point, velocity, vehicle.max_speed);
        let share = share_of_change(l, distance, &vehicle, dt);
        (each!(d => l.mul(change[d], share)), done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(distance: f32, radius: f32) -> Vec3 {
        let (heading, displacement) = (Vec3::X, Vec3::Y);
        let circle = WanderCircle { heading, displacement, distance, radius };
        wander(Vec3::X, circle, 10.0)
    }

    #[test]
    fn heads_for_the_point_on_the_circle() {
        let change = change(3.0, 4.0);
        assert!((change - Vec3::new(5.0, 8.0, 0.0)).length() < 1e-5, "{change}");
    }

    #[test]
    fn only_the_ratio_of_the_lengths_matters() {
        assert!((change(3.0, 4.0) - change(300.0, 400.0)).length() < 1e-5);
    }
}
