//! [`AvoidObstacles`]: the component and its implementation.

use bevy::prelude::*;

use crate::{
    agent::{
        Blend, CourseNote, HalfSpace, Memory, ParameterRange, Priority, SolidSurfaces,
        SteeringLayers, SurfaceReach, SurfaceSlot, Unit, VelocityLimits, WhenNone, builders,
    },
    behavior::{
        Agent, AgentBlock, DebugDraw, DebugLayer, NearSurface, NearSurfaces, ParamOf, SimdBehavior,
        Steering, SteeringBehavior,
    },
    behaviors::avoid_obstacles::passing::{
        ObstacleAhead, ObstacleApproach, ObstaclePass, Passing, avoid_obstacle,
    },
    obstacles::PlacedObstacle,
    sensing::goal_distance,
    simd::{Lanes, Vector, WIDTH},
    space::{direction, perpendicular, split},
};

/// Steers round [`Obstacle`](crate::Obstacle)s on its path, and out of those that it is in.
///
/// Obstacles that move (with a [`Velocity`](crate::Velocity)) are avoided where they will be.
/// Head-on, it picks a side and keeps it until the obstacle is passed. Behaviours that move the
/// agent to a goal choose the way round what stands in between themselves, see
/// [`Surroundings::course`](crate::Surroundings::course): it keeps to that side.
///
/// For what stands in the open. [`Wall`](crate::Wall)s are for [`AvoidWalls`](crate::AvoidWalls).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((Obstacle::sphere(2.0), Transform::from_xyz(5.0, 0.0, 0.0)));
/// commands.spawn((
///     Vehicle::default(),
///     Seek::new(Vec2::X * 10.0),
///     AvoidObstacles::default(),
/// ));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(VelocityLimits, SurfaceSlot)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AvoidObstacles {
    /// How far ahead it looks, in seconds of its motion. Default 1.5.
    #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
    pub look_ahead: f32,
    /// Fixed look-ahead distance in world units, relative to the obstacle, which may move;
    /// overrides [`look_ahead`](Self::look_ahead). Default `None`. Below a tenth of its top speed
    /// the agent looks less far.
    #[reflect(@Unit::Length, @WhenNone("by its look-ahead time"))]
    pub look_ahead_distance: Option<f32>,
    /// How far it keeps clear, in multiples of the vehicle's radius. Default 0.5.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(5.0))]
    pub margin: f32,
    /// Layers of the obstacles to avoid. Default: all.
    pub layers: SteeringLayers,
    /// How much of its speed it gives up right before an obstacle, 0 to 1. Default 0.5.
    #[reflect(@ParameterRange::at_most(1.0))]
    pub brake: f32,
    /// The obstacles that it is passing, and on which side.
    #[entities]
    pub passing: Memory<[Passing; 2]>,
    /// Its part in arbitration; its own tier is [`Priority::Critical`].
    pub blend: Blend,
}

impl Default for AvoidObstacles {
    fn default() -> Self {
        Self {
            look_ahead: 1.5,
            look_ahead_distance: None,
            layers: SteeringLayers::ALL,
            margin: 0.5,
            brake: 0.5,
            passing: default(),
            blend: Blend::default(),
        }
    }
}

/// How hard an agent is pressed into a margin: 0 to 1, where all of it is used up.
fn pressed(agent: &Agent, body: f32, depth: f32) -> f32 {
    let margin = (body - agent.vehicle.radius).max(0.01 * body);
    (depth / margin).clamp(0.0, 1.0)
}

/// The weight of coming out of a margin, compared with what the agent requests.
const OUT: f32 = 1.0;
/// Made in this share of the response time, it holds against a request for top speed where this
/// share of the margin is used up.
const HELD: f32 = 0.5;

impl AvoidObstacles {
    /// Slower than this share of its top speed it does not look a whole distance ahead.
    const LEAST_SPEED: f32 = 0.1;
    /// A path is head-on when its offset from the obstacle's centre is below this share of the
    /// clearance.
    const HEAD_ON: f32 = 0.1;
    /// An agent changes sides only from this far (as a share of the clearance) on the other side
    /// on.
    const SWITCH_SIDES: f32 = 0.5;
    /// An agent that is faster than this share of its top speed along an obstacle goes on to that
    /// side.
    const DRIFT: f32 = 0.1;
    /// The share of its top speed at which it slides along an obstacle that it is pressed against
    /// at top speed.
    const SLIDE: f32 = 0.6;
    /// It knows of all that is this near, in multiples of its radius and margin.
    const NEAR: f32 = 1.5;

    builders! {
        /// Sets how far it looks ahead, in seconds.
        with_look_ahead(look_ahead: f32);
        /// Sets how far it looks ahead, in units: instead of [`look_ahead`](Self::look_ahead).
        with_look_ahead_distance(look_ahead_distance: impl Into<Option<f32>>);
        /// Sets the layers of the obstacles that it avoids.
        with_layers(layers: SteeringLayers);
        /// Sets the clearance that it keeps, in multiples of the vehicle's radius.
        with_margin(margin: f32);
        /// Sets how much it brakes, 0 to 1.
        with_brake(brake: f32);
    }

    /// Its radius and margin, in units.
    fn body(&self, agent: &Agent) -> f32 {
        agent.vehicle.radius * (1.0 + self.margin.max(0.0))
    }

    /// How far it stays off an obstacle, in units: no farther than its goal is off that, or its way
    /// allows.
    fn room(&self, agent: &Agent, course: Option<CourseNote>, obstacle: &PlacedObstacle) -> f32 {
        let (least, most) = (agent.vehicle.radius, self.body(agent));
        course.map_or(most, |course| {
            // Of what moves the way does not know.
            let way = if obstacle.top_speed() == 0.0 { course.room } else { f32::INFINITY };
            goal_distance(agent, course.goal, obstacle).min(way).clamp(least, most)
        })
    }

    /// How far ahead it looks at a speed relative to an obstacle, in units.
    fn length_ahead(&self, agent: &Agent, speed: f32) -> f32 {
        let Some(distance) = self.look_ahead_distance else {
            return speed * self.look_ahead.max(0.0);
        };
        let least = (Self::LEAST_SPEED * agent.vehicle.max_speed).max(f32::MIN_POSITIVE);
        distance.max(0.0) * (speed / least).min(1.0)
    }

    /// How it passes an obstacle: on the side where its `way` round obstacles leads past it, if it
    /// has one. Else on the side where the path already is, but as before when it is close to
    /// head-on.
    fn pass(&mut self, agent: &Agent, ahead: &ObstacleAhead, body: f32, way: Vec3) -> ObstaclePass {
        let PlacedObstacle { entity, shape, axes, .. } = &ahead.obstacle;
        let along = ahead.approach.along;
        let off_center = ahead.from - agent.plane.flatten(shape.center(axes));
        let from = perpendicular(off_center, along);
        let own = agent.own_side(along);
        let (geometric, offset) = split(from);
        let width = |side| body + shape.extent(side, axes, agent.plane);
        let clearance = width(if geometric == Vec3::ZERO { own } else { geometric });
        let memory = Passing::of(&mut *self.passing, *entity);
        let remembered = memory.side(along);
        let past = if way == Vec3::ZERO { way } else { perpendicular(off_center, direction(way)) };
        let chosen = direction(perpendicular(past, along));
        let sideways = if chosen != Vec3::ZERO {
            chosen
        } else if remembered != Vec3::ZERO {
            let opposite = geometric.dot(remembered) < 0.0;
            if opposite && offset > clearance * Self::SWITCH_SIDES { geometric } else { remembered }
        } else if offset > clearance * Self::HEAD_ON {
            geometric
        } else {
            own
        };
        memory.side = sideways;
        let width = width(sideways);
        ObstaclePass { sideways, clearance: width - from.dot(sideways), width }
    }

    /// Along an obstacle that the agent is pressed against: the deeper in, the faster. So it is not
    /// stuck when its target is straight behind. `room` is how far it stays off, `relative` its
    /// velocity relative to the obstacle.
    fn slide_along(
        &mut self,
        agent: &Agent,
        surface: &NearSurface,
        room: f32,
        relative: Vec3,
    ) -> Vec3 {
        let NearSurface { obstacle, distance, normal: away } = *surface;
        let max_speed = agent.vehicle.max_speed;
        if agent.goes_straight {
            return Vec3::ZERO;
        }
        if away == Vec3::ZERO {
            return agent.own_way_out() * max_speed;
        }
        let drift = perpendicular(relative, away);
        let memory = Passing::of(&mut *self.passing, obstacle.entity);
        let remembered = memory.side(away);
        if drift.length() > Self::DRIFT * max_speed {
            memory.side = direction(drift);
        } else if remembered != Vec3::ZERO {
            memory.side = remembered;
        } else {
            memory.side = agent.own_side(away);
        }
        let speed = Self::SLIDE * (pressed(agent, room, room - distance) / HELD).min(1.0);
        memory.side * (speed * max_speed - relative.dot(memory.side)).max(0.0)
    }
}

/// The way to the edge of what the agent goes round; zero if nothing is in between, and past what
/// moves, of which the course does not know.
fn way_past(course: CourseNote, obstacle: &PlacedObstacle) -> Vec3 {
    if obstacle.top_speed() == 0.0 { course.edge } else { Vec3::ZERO }
}

/// The obstacles near an agent in these layers.
#[inline]
fn avoided<'a>(
    agent: &Agent,
    layers: SteeringLayers,
    surfaces: &'a NearSurfaces,
) -> impl Iterator<Item = NearSurface<'a>> {
    surfaces.of(agent, layers).filter(|surface| !surface.obstacle.is_wall)
}

impl SteeringBehavior for AvoidObstacles {
    type Param = NearSurfaces<'static>;
    const PRIORITY: Priority = Priority::Critical;
    const DRIVES: bool = false;
    const LIMITS: bool = true;
    const SURFACES: bool = true;
    const LIMITS_BY_SURFACES: bool = true;
    crate::blend_field!();

    #[inline]
    fn surface_reach(&self, agent: &Agent) -> SurfaceReach {
        let (clearance, layers) = (self.body(agent), self.layers);
        let solid = SolidSurfaces::Obstacles;
        let around = clearance * Self::NEAR;
        match self.look_ahead_distance {
            // A moving one may come from any side.
            Some(distance) => {
                SurfaceReach { layers, solid, ..SurfaceReach::around(around + distance.max(0.0)) }
            }
            None => SurfaceReach { around, look_ahead: self.look_ahead, clearance, layers, solid },
        }
    }

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, surfaces: &ParamOf<Self>) -> Steering {
        let body = self.body(agent);
        let looks = self.look_ahead_distance.unwrap_or(self.look_ahead);
        if !(body.is_finite() && looks.is_finite()) {
            return Steering::NONE;
        }
        Passing::age(&mut *self.passing, agent.dt);
        let course = agent.course();
        let mut change = Vec3::ZERO;
        // The one that is met first, and the next.
        let mut ahead: [Option<ObstacleAhead>; 2] = [None; 2];
        for surface in avoided(agent, self.layers, surfaces) {
            let NearSurface { obstacle, distance: gap, normal: away } = surface;
            let from = -agent.towards(obstacle.position);
            let relative = agent.velocity - agent.plane.flatten(surface.velocity(agent));
            let room = self.room(agent, course, obstacle);
            if gap < room {
                // What moves it to a goal takes it along what stands in between.
                if course.is_none() || away == Vec3::ZERO {
                    change += self.slide_along(agent, &surface, room, relative);
                }
                continue;
            }
            let (along, speed) = split(relative);
            // What is beside its goal, or behind that, is not in the way there.
            let is_beside = room < body && course.is_some_and(|course| course.edge == Vec3::ZERO);
            // At the edge of what it goes round the way turns.
            let goes = course.map_or(f32::INFINITY, |course| {
                let way = way_past(course, obstacle);
                if way == Vec3::ZERO { course.goal.length() } else { way.length() }
            });
            let length = self.length_ahead(agent, speed).min(goes);
            if is_beside || length <= 0.0 || gap > room + length {
                continue;
            }
            let hit = obstacle.shape.sweep(from, along, length, room, &obstacle.axes, agent.plane);
            let Some((distance, _)) = hit else { continue };
            let approach = ObstacleApproach { along, speed, distance, look_ahead_distance: length };
            ObstacleAhead { obstacle: *obstacle, from, approach }.note(&mut ahead);
        }
        if agent.goes_straight {
            ahead = [None; 2];
        }
        for (ahead, share) in ObstacleAhead::counting(ahead, body).into_iter().flatten() {
            let way = course.map_or(Vec3::ZERO, |course| way_past(course, &ahead.obstacle));
            let pass = self.pass(agent, &ahead, body, way);
            let (delay, max_speed) = (agent.response(), agent.vehicle.max_speed);
            let wish = avoid_obstacle(ahead.approach, pass, self.brake, delay, max_speed) * share;
            // Two that are avoided in the same way are not avoided twice.
            let (along, length) = split(wish);
            change += along * (length - change.dot(along).max(0.0)).max(0.0);
        }
        Passing::forget(&mut *self.passing);
        Steering::linear(change)
    }

    /// It can still stop before each obstacle, and tends out of its margin: the deeper it is
    /// pressed in, the faster.
    #[inline]
    fn limits(&mut self, agent: &Agent, surfaces: &ParamOf<Self>, limits: &mut VelocityLimits) {
        let course = agent.course();
        for surface in avoided(agent, self.layers, surfaces) {
            let NearSurface { obstacle, distance, normal } = surface;
            let body = self.room(agent, course, obstacle);
            let reach = agent.approach_reach().max(body);
            let Some(limit) = agent.limit_before(&surface, reach) else { continue };
            let source = Some(obstacle.entity);
            limits.add_half_space(limit, true, source);
            if distance < body {
                let least = agent.plane.flatten(surface.velocity(agent)).dot(normal);
                let out = agent.vehicle.max_speed * pressed(agent, body, body - distance);
                let present = agent.velocity.dot(normal);
                let made = agent.dt / (HELD * agent.response());
                let bound = present + (least + out - present) * made;
                limits.add_half_space(HalfSpace { normal, bound, weight: OUT }, false, source);
            }
        }
    }

    fn debug_draw(&self, agent: &Agent, surfaces: &ParamOf<Self>, draw: &mut DebugDraw) {
        let body = self.body(agent);
        let (along, speed) = split(agent.velocity);
        let length = self.length_ahead(agent, speed);
        let hits =
            avoided(agent, self.layers, surfaces).filter_map(|NearSurface { obstacle, .. }| {
                let from = -agent.towards(obstacle.position);
                obstacle.shape.sweep(from, along, length, body, &obstacle.axes, agent.plane)
            });
        let hit = hits.map(|(distance, _)| distance).min_by(f32::total_cmp);
        let ahead = along * hit.unwrap_or(length);
        let beside = direction(agent.plane.left(along)) * body;
        for side in [beside, -beside] {
            let from = agent.position + side;
            draw.line(DebugLayer::Feeler, from, from + ahead);
        }
        draw.circle(DebugLayer::Feeler, agent.position + ahead, body);
        if hit.is_some() {
            draw.mark(DebugLayer::Guess, agent.position + ahead);
        }
    }
}

impl SimdBehavior for AvoidObstacles {
    /// Most agents have nothing near them, and nothing to remember.
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        surfaces: &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        let mut concerned = surfaces.near_block(agents);
        for (i, behavior) in behaviors.iter().enumerate() {
            let remembers = behavior.passing.iter().any(|memory| memory.obstacle.is_some());
            concerned |= u8::from(remembers) << i;
        }
        ([l.splat(0.0); 3], requested & !concerned)
    }
}
