//! Avoid obstacles: go round what is ahead.

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
    obstacles::{ObstacleIndex, PlacedObstacle, Sweep},
    simd::{
        lanes::{Lanes, WIDTH, pack},
        vector::{Vector, each},
    },
    space::vector::{direction, perpendicular, split},
};

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
    pub look_ahead: f32,
}

/// On which side of an obstacle an agent passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstaclePass {
    /// The unit vector to that side, perpendicular to the motion.
    pub sideways: Vec3,
    /// How many units it still has to gain on that side.
    pub clearance: f32,
    /// The clearance of a head-on approach, in units.
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
    let ObstacleApproach { along, speed, distance, look_ahead } = approach;
    let ObstaclePass { sideways, clearance, width } = pass;
    let time = if speed > 0.0 { distance / speed } else { f32::INFINITY };
    let in_time = (time - delay).max(delay).max(f32::MIN_POSITIVE);
    let nearness =
        if look_ahead > 0.0 { (1.0 - distance / look_ahead).clamp(0.0, 1.0) } else { 1.0 };
    let missing = clearance.max(0.0);
    let head_on = if width > 0.0 { (missing / width).min(1.0) } else { 0.0 };
    let aside = sideways * (missing / in_time).min(max_speed);
    aside - along * (speed.min(max_speed) * brake * head_on * nearness * nearness)
}

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

/// An obstacle whose margin the agent is in.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A change for an obstacle straight ahead at 5 units a second.
    fn change(distance: f32, clearance: f32, brake: f32, delay: f32, max_speed: f32) -> Vec3 {
        let approach = ObstacleApproach { along: Vec3::X, speed: 5.0, distance, look_ahead: 20.0 };
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
