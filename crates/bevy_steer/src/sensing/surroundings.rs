//! [`Surroundings`]: all that an agent that moves somewhere has to know of, among it the
//! [`free_place`] where its body fits.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    behavior::{Agent, AgentBlock, NearSurfaces, braking::BODY},
    obstacles::{PlacedObstacle, field::SLACK},
    sensing::Encounters,
    space::{direction, split},
};

/// What is near the agents in this tick, as the `Param` of a behaviour or a part of it: obstacles
/// and walls, and other agents. It knows the [`course`](Self::course) to a goal.
///
/// It tells of what the agent's behaviours have asked for: those that avoid do.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{Detour, ParamOf, Surroundings, prelude::*};
///
/// /// Goes home.
/// #[derive(Component, Reflect, Default)]
/// #[reflect(Component, Default)]
/// struct GoHome {
///     home: Vec3,
///     detour: Detour,
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for GoHome {
///     type Param = Surroundings<'static>;
///     const PRIORITY: Priority = Priority::Normal;
///     bevy_steer::blend_field!();
///
///     fn steer(&mut self, agent: &Agent, surroundings: &ParamOf<Self>) -> Steering {
///         let home = agent.displacement(agent.position, self.home);
///         let way = surroundings.course(agent, home, &mut self.detour).offset;
///         let speed = agent.vehicle.max_speed.min(way.length());
///         Steering::linear(way.normalize_or_zero() * speed - agent.velocity)
///     }
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_steering_behavior::<GoHome>();
/// ```
#[derive(SystemParam)]
pub struct Surroundings<'w> {
    /// Obstacles and walls.
    pub surfaces: NearSurfaces<'w>,
    /// Other agents that it may collide with.
    pub encounters: Encounters<'w>,
}

impl Surroundings<'_> {
    /// Whether any obstacle or wall is near the agent, or a body that stands and avoids nobody.
    #[inline(always)]
    pub(crate) fn are_near(&self, agent: &Agent) -> bool {
        agent.surfaces.is_some_and(|slot| self.surfaces.has_any(slot))
            || self.encounters.standing(agent).next().is_some()
    }

    /// Which of eight agents have any of that near them, one bit each.
    #[inline(always)]
    pub(crate) fn near_block(&self, agents: &AgentBlock) -> u8 {
        let others = self.encounters.passive_block(agents.plane, agents.entries());
        self.surfaces.near_block(agents) | others
    }
}

/// The maximum number of times that a goal is moved out of what it is in.
const MOVES: usize = 4;
/// A goal in the middle of something is moved out on the side of the agent: as if it were this
/// share of the way nearer to it, or this part of a radius if that is more. Else the agent might
/// change its mind on the way.
const NEARER: f32 = 0.02;
const NEARER_RADII: f32 = 0.1;

/// Whether the agent's body fits at `offset` from where it is.
pub(super) fn fits(agent: &Agent, surfaces: &[&PlacedObstacle], offset: Vec3) -> bool {
    let radius = agent.vehicle.radius * (1.0 - SLACK);
    surfaces.iter().all(|obstacle| gap(agent, obstacle, offset).distance >= radius)
}

/// The distance of a place from a surface, and the direction away from that.
struct Gap {
    distance: f32,
    normal: Vec3,
}

fn gap(agent: &Agent, obstacle: &PlacedObstacle, offset: Vec3) -> Gap {
    let seen = obstacle.plane(agent.plane);
    let from = seen.flatten(offset - agent.towards(obstacle.position));
    let (distance, normal) = obstacle.shape.distance(from, &obstacle.axes, seen);
    Gap { distance, normal: direction(agent.plane.flatten(normal)) }
}

/// How far off an obstacle the agent's goal is.
pub(crate) fn goal_distance(agent: &Agent, goal: Vec3, obstacle: &PlacedObstacle) -> f32 {
    gap(agent, obstacle, goal).distance
}

/// The place nearest to `offset` at which the body keeps clear of these surfaces.
pub(super) fn free_place(agent: &Agent, surfaces: &[&PlacedObstacle], offset: Vec3) -> Vec3 {
    let room = agent.vehicle.radius * BODY;
    let mut place = offset;
    for turn in 0..MOVES {
        let mut is_moved = false;
        for obstacle in surfaces {
            let Gap { distance, .. } = gap(agent, obstacle, place);
            if distance >= room * (1.0 - f32::EPSILON * 8.0) {
                continue;
            }
            // Of two ways out that are about as short the one nearer to the agent.
            let (to_place, length) = split(place);
            let depth = if turn == 0 { room - distance } else { 0.0 };
            let shift = (NEARER * length).max(NEARER_RADII * room).min(depth).min(length);
            let nearer = place - to_place * shift;
            let Gap { normal, distance: out } = gap(agent, obstacle, nearer);
            let (normal, distance) = if out < room { (normal, out) } else { (normal, distance) };
            let normal = if normal == Vec3::ZERO { -direction(place) } else { normal };
            let from = if out < room { nearer } else { place };
            place = from + normal * (room - distance);
            is_moved = true;
        }
        if !is_moved {
            break;
        }
    }
    place
}
