//! Avoid agents: keep out of each other's way.

mod limit;
mod solve;

use bevy::prelude::*;

pub use crate::behaviors::avoid_agents::limit::{Encounter, closest_approach, velocity_obstacle};
use crate::{
    agent::{
        blend::{Blend, Priority},
        builders::builders,
        layers::SteeringLayers,
        parameter::{ParameterRange, Unit},
        think::SteeringTick,
    },
    behavior::{Agent, DebugDraw, DebugLayer, ParamOf, Steering, SteeringBehavior},
    behaviors::avoid_agents::solve::{Limit, Limits, solve},
    neighbors::{Approach, Neighbor, NeighborIndex, Neighbors},
    obstacles::ObstacleIndex,
    space::vector::truncate,
};

/// Keeps out of the way of other agents, all of them at once: goes aside or brakes in time for a
/// velocity without a collision, and backs out of overlaps.
///
/// It regards every agent in the given layers, whether that has the behaviour or not, and whatever
/// else has layers and a [`Velocity`](crate::Velocity), as a player moved by scripts may: that
/// counts as large as the agent itself, and leaves all the avoiding to it. Each of two agents that
/// meet does about half of what it takes, the one with the higher [`AgentId`](crate::AgentId)
/// a little more; where two are already too near, which of them does more changes every 64 ticks,
/// so that none waits for ever. It does not dodge into an [`Obstacle`](crate::Obstacle) or a
/// [`Wall`](crate::Wall). After van den Berg, Guy, Lin and Manocha (2011), "Reciprocal n-body
/// Collision Avoidance"; see [`velocity_obstacle`](crate::formulas::velocity_obstacle).
///
/// It costs as much as there is to meet in [`horizon`](Self::horizon). Of more than 128 agents in
/// reach it regards the nearest, and where dozens stand in each other some of these.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AvoidAgents {
    /// Layers of the agents to avoid. Default: all.
    pub layers: SteeringLayers,
    /// Layers of the [`Obstacle`](crate::Obstacle)s and [`Wall`](crate::Wall)s into which it does
    /// not dodge. Default: all.
    pub surfaces: SteeringLayers,
    /// The room that it wants around it, in multiples of the vehicle's radius. Default 1.5.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(10.0))]
    pub radius: f32,
    /// How far ahead it looks, in seconds. Default 1.5.
    #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
    pub horizon: f32,
    /// Its part in arbitration; its own tier is [`Priority::Critical`].
    pub blend: Blend,
}

impl Default for AvoidAgents {
    fn default() -> Self {
        Self {
            layers: SteeringLayers::ALL,
            surfaces: SteeringLayers::ALL,
            radius: 1.5,
            horizon: 1.5,
            blend: Blend::default(),
        }
    }
}

impl AvoidAgents {
    builders! {
        /// Avoiding only agents in these layers.
        with_layers(layers: SteeringLayers);
        /// Not dodging into obstacles and walls in these layers.
        with_surfaces(surfaces: SteeringLayers);
        /// With this room around it, in multiples of the vehicle's radius.
        with_radius(radius: f32);
        /// Looking this far ahead, in seconds.
        with_horizon(horizon: f32);
    }
}

impl SteeringBehavior for AvoidAgents {
    type Param =
        (Neighbors<'static, 'static, ()>, Res<'static, ObstacleIndex>, Res<'static, SteeringTick>);
    const PRIORITY: Priority = Priority::Critical;
    const DRIVES: bool = false;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (neighbors, obstacles, tick): &ParamOf<Self>) -> Steering {
        let Agent { velocity, vehicle, .. } = *agent;
        let possible = possible_change(agent);
        let mut others = Limits::default();
        self.for_each_limit(agent, neighbors, tick, |limit, _| others.add(limit));
        if others.are_kept() {
            return Steering::NONE;
        }
        let surfaces = surfaces(agent, self.surfaces, obstacles);
        let change = solve(&others, &surfaces, velocity, vehicle.max_speed);
        Steering::linear(truncate(change * agent.urgency(), MOST * possible))
    }

    fn debug_draw(
        &self,
        agent: &Agent,
        (neighbors, _, tick): &ParamOf<Self>,
        draw: &mut DebugDraw,
    ) {
        draw.circle(DebugLayer::Range, agent.position, self.own_room(agent));
        let mut first: Option<(Limit, Neighbor)> = None;
        self.for_each_limit(agent, neighbors, tick, |limit, other| {
            if limit.missing <= 0.0 {
                return;
            }
            draw.line(DebugLayer::Link, agent.position, agent.position + other.offset);
            if first.is_none_or(|(first, _)| limit.missing > first.missing) {
                first = Some((limit, *other));
            }
        });
        let Some((_, other)) = first else { return };
        let velocity = agent.plane.flatten(other.velocity);
        let time = closest_approach(-other.offset, agent.velocity - velocity).unwrap_or(0.0);
        let here = agent.position + agent.velocity * time;
        let there = agent.position + other.offset + velocity * time;
        draw.line(DebugLayer::Guess, agent.position, here)
            .circle(DebugLayer::Guess, here, agent.vehicle.radius)
            .circle(DebugLayer::Guess, there, other.radius);
    }
}

/// It asks for at most so many times what the force can do, so that the other critical behaviours
/// count too.
const MOST: f32 = 2.0;

/// By how much the velocity can change before the agent looks again at what it had to spare.
fn possible_change(agent: &Agent) -> f32 {
    agent.vehicle.max_acceleration() * agent.response()
}

/// The shares of an avoidance of the agent with the right of way, the one with the lower id, and of
/// the other.
const SHARES: [f32; 2] = [0.4, 0.6];

impl AvoidAgents {
    /// The radius of the room that the agent wants, in units.
    fn own_room(&self, agent: &Agent) -> f32 {
        agent.vehicle.radius * self.radius.max(0.0)
    }

    /// Calls `f` for every neighbour that may come too near before the agent looks again.
    #[inline(always)]
    fn for_each_limit(
        &self,
        agent: &Agent,
        index: &NeighborIndex,
        tick: &SteeringTick,
        mut f: impl FnMut(Limit, &Neighbor),
    ) {
        let own = self.own_room(agent);
        let (response, horizon) = (agent.response(), self.horizon.max(0.0));
        let possible = possible_change(agent);
        let turn = tick.0 / TICKS_A_TURN;
        let body = agent.vehicle.radius;
        let speed = agent.velocity.length();
        let approach = Approach { room: own, body, speed, horizon };
        index.for_each_approach(agent.beside(self.layers), agent.id, approach, |other| {
            if !other.moves {
                return;
            }
            let room = own + if other.is_agent { other.radius } else { body };
            let relative = agent.velocity - agent.plane.flatten(other.velocity);
            // Most are too far off to come too near, which is cheaper to tell than their limit.
            let distance = other.distance_squared.sqrt();
            let too_near = distance < room;
            let needed = distance * (distance - room) / horizon;
            if !too_near && relative.dot(other.offset) + possible / SHARES[0] * distance < needed {
                return;
            }
            // All that are found, wherever the index looks for them.
            let is_met = distance <= room + approach.way(other.velocity.length());
            if !too_near && !is_met {
                return;
            }
            let encounter = Encounter { offset: -other.offset, relative, room };
            let (normal, missing) = velocity_obstacle(agent.plane, encounter, horizon, response);
            let normal = if normal == Vec3::ZERO {
                agent.plane.parting(agent.id.0, other.id.0)
            } else {
                normal
            };
            let rank = |number| if too_near { right_of_way(number, turn) } else { number };
            let yields = rank(agent.id.0) > rank(other.id.0);
            let share = if other.is_agent { SHARES[usize::from(yields)] } else { 1.0 };
            let missing = missing * share;
            if missing.is_finite() && missing > -possible {
                f(Limit { normal, missing, id: other.id.0 }, other);
            }
        });
    }
}

/// How long an order of the right of way lasts. In steering ticks: these are the same for all
/// agents, however seldom they think, and are saved with the world.
const TICKS_A_TURN: u64 = 64;

/// The rank of an agent where two are already too near to each other: the lower one has the right
/// of way. Another order each turn: where several block each other at a door, a fixed order could
/// be one in which none can go.
fn right_of_way(number: u64, turn: u64) -> u64 {
    const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;
    (number ^ turn.rotate_left(32)).wrapping_mul(MIXER).rotate_left(31).wrapping_mul(MIXER)
}

/// The surfaces that an agent must not be pushed into. An agent that is in one already need not
/// come out: that is up to other behaviours.
fn surfaces(agent: &Agent, layers: SteeringLayers, obstacles: &ObstacleIndex) -> Limits {
    let mut surfaces = Limits::default();
    obstacles.for_each_surface(agent, layers, agent.approach_reach(), |obstacle, hit| {
        let relative = agent.velocity - agent.plane.flatten(obstacle.velocity);
        let missing = -relative.dot(hit.normal) - agent.approach_speed(hit.distance);
        // Many are equally far from being kept: their directions decide.
        let [x, y, z] = hit.normal.to_array().map(|x| u64::from(x.to_bits()));
        surfaces.add(Limit {
            normal: hit.normal,
            missing: missing.min(0.0),
            id: x << 32 | (y ^ z),
        });
    });
    surfaces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_of_way_is_clear_and_changes() {
        for (a, b) in [(0, 1), (7, 3), (40, u64::MAX)] {
            let has_it: Vec<bool> =
                (0..40).map(|turn| right_of_way(a, turn) < right_of_way(b, turn)).collect();
            let count = has_it.iter().filter(|has_it| **has_it).count();
            assert!((8..=32).contains(&count), "{a} and {b}: {count} of 40");
            assert!((0..40).all(|turn| right_of_way(a, turn) != right_of_way(b, turn)));
        }
    }
}
