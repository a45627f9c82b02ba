//! [`AvoidObstacles`]: the component and its implementation.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    agent::{
        blend::{Blend, Priority},
        builders::builders,
        parameter::{ParameterRange, RuntimeState, Unit},
    },
    behavior::{
        Agent, AgentBlock, DebugDraw, DebugLayer, ParamOf, SimdBehavior, Steering, SteeringBehavior,
    },
    behaviors::avoid_obstacles::formulas::{ObstacleApproach, ObstaclePass, avoid_obstacle},
    obstacles::{ObstacleIndex, PlacedObstacle, Sweep},
    simd::{
        lanes::{Lanes, WIDTH, pack},
        vector::{Vector, each},
    },
    space::vector::{direction, perpendicular, split},
};

/// Steers round [`Obstacle`](crate::Obstacle)s on its path, and out of those that it is in.
///
/// Obstacles that move (with a [`Velocity`](crate::Velocity)) are met where they will be. Head-on,
/// it picks a side and keeps it until the obstacle is passed.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AvoidObstacles {
    /// How far ahead it looks, in seconds of its motion. Default 1.5.
    #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
    pub look_ahead: f32,
    /// How far it keeps clear, in multiples of the vehicle's radius. Default 0.5.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(5.0))]
    pub margin: f32,
    /// How much of its speed it gives up right before an obstacle, 0 to 1. Default 0.5.
    #[reflect(@ParameterRange::at_most(1.0))]
    pub brake: f32,
    /// The obstacle that it is passing, and on which side.
    #[entities]
    pub passing: Passing,
    /// Its part in arbitration; its own tier is [`Priority::Critical`].
    pub blend: Blend,
}

/// What [`AvoidObstacles`] remembers of the obstacle that it is passing.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
#[reflect(@RuntimeState)]
pub struct Passing {
    /// The obstacle, if there is one.
    #[entities]
    pub obstacle: Option<Entity>,
    /// The unit vector from its centre to the side.
    pub side: Vec3,
}

impl Default for AvoidObstacles {
    fn default() -> Self {
        Self {
            look_ahead: 1.5,
            margin: 0.5,
            brake: 0.5,
            passing: Passing::default(),
            blend: Blend::default(),
        }
    }
}

impl Passing {
    /// Forgets the obstacle. Writes nothing where there is none.
    #[inline(always)]
    fn end(&mut self) {
        if self.obstacle.is_some() {
            *self = Self::default();
        }
    }

    /// The side that was chosen for this obstacle, perpendicular to the unit vector `axis`; zero if
    /// none was.
    fn remembered(&self, obstacle: Entity, axis: Vec3) -> Vec3 {
        if self.obstacle == Some(obstacle) {
            direction(perpendicular(self.side, axis))
        } else {
            Vec3::ZERO
        }
    }
}

/// An obstacle on the agent's path.
struct Threat {
    obstacle: PlacedObstacle,
    /// The agent's position relative to the obstacle's centre.
    from: Vec3,
    approach: ObstacleApproach,
}

/// An obstacle with a margin that the agent is in.
struct Touch {
    entity: Entity,
    relative: Vec3,
    away: Vec3,
    /// How far in, in units.
    depth: f32,
    /// The agent's radius and margin.
    body: f32,
}

impl AvoidObstacles {
    /// A path is head-on when its offset from the obstacle's centre is below this share of the
    /// clearance.
    const HEAD_ON: f32 = 0.1;
    /// An agent changes sides only from this far (as a share of the clearance) on the other side
    /// on.
    const SWITCH_SIDES: f32 = 0.5;
    /// An agent that is faster than this share of its top speed along an obstacle goes on to that
    /// side.
    const DRIFT: f32 = 0.1;
    /// The share of its top speed at which it slides along an obstacle that it is pressed against.
    const SLIDE: f32 = 0.6;

    builders! {
        /// Looking this far ahead, in seconds.
        with_look_ahead(look_ahead: f32);
        /// Keeping this clear, in multiples of the vehicle's radius.
        with_margin(margin: f32);
        /// Braking this much, 0 to 1.
        with_brake(brake: f32);
    }

    /// The side to pass on: where the path already is, but as before when it is close to head-on.
    fn side(&mut self, agent: &Agent, threat: &Threat, clearance: f32) -> Vec3 {
        let along = threat.approach.along;
        let (geometric, offset) = split(perpendicular(threat.from, along));
        let remembered = self.passing.remembered(threat.obstacle.entity, along);
        let side = if remembered != Vec3::ZERO {
            let opposite = geometric.dot(remembered) < 0.0;
            if opposite && offset > clearance * Self::SWITCH_SIDES { geometric } else { remembered }
        } else if offset > clearance * Self::HEAD_ON {
            geometric
        } else {
            agent.own_side(along)
        };
        self.passing = Passing { obstacle: Some(threat.obstacle.entity), side };
        side
    }

    /// Out of the margin of an obstacle that the agent touches, and along it: the deeper it is
    /// pressed in, the faster. So it is not stuck when its target is straight behind.
    fn slide_off(&mut self, agent: &Agent, touch: &Touch) -> Vec3 {
        let max_speed = agent.vehicle.max_speed;
        let away = if touch.away == Vec3::ZERO { agent.own_way_out() } else { touch.away };
        // Full speed when it is pressed in by the whole margin.
        let margin = (touch.body - agent.vehicle.radius).max(0.01 * touch.body);
        let pressed = (touch.depth / margin).min(1.0);
        let out = (max_speed * pressed - touch.relative.dot(away)).max(0.0);

        let drift = perpendicular(touch.relative, away);
        let remembered = self.passing.remembered(touch.entity, away);
        let side = if drift.length() > Self::DRIFT * max_speed {
            direction(drift)
        } else if remembered != Vec3::ZERO {
            remembered
        } else {
            agent.own_side(away)
        };
        self.passing = Passing { obstacle: Some(touch.entity), side };
        let slide = (Self::SLIDE * max_speed * pressed - touch.relative.dot(side)).max(0.0);
        away * out + side * slide
    }
}

impl SteeringBehavior for AvoidObstacles {
    type Param = Res<'static, ObstacleIndex>;
    const PRIORITY: Priority = Priority::Critical;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, index: &ParamOf<Self>) -> Steering {
        let body = agent.vehicle.radius * (1.0 + self.margin.max(0.0));
        let look_ahead = self.look_ahead.max(0.0);
        if index.is_empty() || !(body.is_finite() && look_ahead.is_finite()) {
            return Steering::NONE;
        }
        let mut change = Vec3::ZERO;
        let mut nearest: Option<Threat> = None;
        let mut touches = false;
        let way = Sweep {
            from: agent.position,
            to: agent.velocity * look_ahead,
            reach: body + index.fastest() * look_ahead,
        };
        index.for_each_ahead(
            way,
            |place| agent.towards(place),
            |obstacle, offset| {
                if obstacle.is_wall || obstacle.entity == agent.entity {
                    return;
                }
                let from = -offset;
                let relative = agent.velocity - agent.plane.flatten(obstacle.velocity);
                let (gap, away) = obstacle.shape.distance(from, &obstacle.axes, agent.plane);
                if gap < body {
                    let entity = obstacle.entity;
                    let touch = Touch { entity, relative, away, depth: body - gap, body };
                    change += self.slide_off(agent, &touch);
                    touches = true;
                    return;
                }
                let (along, speed) = split(relative);
                let length = speed * look_ahead;
                if length <= 0.0 || gap > body + length {
                    return;
                }
                let axes = &obstacle.axes;
                let hit = obstacle.shape.sweep(from, along, length, body, axes, agent.plane);
                let Some((distance, _)) = hit else { return };
                // Compared in time: of two the farther one may be met first.
                let is_sooner = nearest.as_ref().is_none_or(|nearest| {
                    distance * nearest.approach.speed < nearest.approach.distance * speed
                });
                if is_sooner {
                    let approach = ObstacleApproach { along, speed, distance, look_ahead: length };
                    nearest = Some(Threat { obstacle: *obstacle, from, approach });
                }
            },
        );

        if let Some(threat) = nearest {
            let width = body + threat.obstacle.shape.bounding_radius();
            let sideways = self.side(agent, &threat, width);
            let offset = perpendicular(threat.from, threat.approach.along).dot(sideways);
            let pass = ObstaclePass { sideways, clearance: width - offset, width };
            let (delay, max_speed) = (agent.response(), agent.vehicle.max_speed);
            change += avoid_obstacle(threat.approach, pass, self.brake, delay, max_speed);
        } else if !touches {
            self.passing.end();
        }
        Steering::linear(change)
    }

    fn debug_draw(&self, agent: &Agent, index: &ParamOf<Self>, draw: &mut DebugDraw) {
        let body = agent.vehicle.radius * (1.0 + self.margin.max(0.0));
        let (along, speed) = split(agent.velocity);
        let length = speed * self.look_ahead.max(0.0);
        let hit = index
            .around(agent.position, body + length)
            .filter(|obstacle| !obstacle.is_wall && obstacle.entity != agent.entity)
            .filter_map(|obstacle| {
                let from = -agent.towards(obstacle.position);
                obstacle.shape.sweep(from, along, length, body, &obstacle.axes, agent.plane)
            })
            .map(|(distance, _)| distance)
            .min_by(f32::total_cmp);
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
    /// Most agents have nothing ahead.
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        index: &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        let nothing = [l.splat(0.0); 3];
        if index.is_empty() {
            return (nothing, requested);
        }
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let margin = l.max(pack!(l, i => behaviors[i].margin), zero);
        let look_ahead = l.max(pack!(l, i => behaviors[i].look_ahead), zero);
        let body = l.mul(agents.vehicle(l).radius, l.add(one, margin));
        let velocity = agents.velocity(l);
        let way = each!(d => l.mul(velocity[d], look_ahead));
        let reach = l.add(body, l.mul(l.splat(index.fastest()), look_ahead));
        let from = agents.position(l);
        let offset = |i, place| agents.way(i, place);
        let done = index.clear_ways(l, requested, from, way, reach, offset);
        for (i, behavior) in behaviors.iter_mut().enumerate() {
            if done >> i & 1 == 1 {
                behavior.passing.end();
            }
        }
        (nothing, done)
    }
}
