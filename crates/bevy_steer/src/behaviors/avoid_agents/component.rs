//! [`AvoidAgents`]: the component and its implementation.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    agent::{
        blend::{Blend, Priority},
        builders::builders,
        half_spaces::HalfSpace,
        layers::SteeringLayers,
        parameter::{ParameterRange, RuntimeState, Unit},
        velocity_limits::VelocityLimits,
    },
    behavior::{Agent, DebugDraw, DebugLayer, ParamOf, Steering, SteeringBehavior},
    behaviors::{
        avoid_agents::{
            drive::Drive,
            limit::closest_approach,
            limiter::{Each, Limiter, TakeLimits},
            near::Body,
        },
        feelers::FeelerHit,
    },
    neighbors::{Lookouts, Meetings, Neighbor, Neighbors, Other},
    obstacles::ObstacleIndex,
    space::vector::{direction, split},
};

/// Keeps out of the way of other agents, all of them at once: it limits the velocity so that the
/// agent goes aside or brakes in time, and backs out of overlaps.
///
/// It regards every agent in the given layers, and whatever else has layers and a
/// [`Velocity`](crate::Velocity), as a player moved by scripts may: that counts as large as the
/// agent itself. Two that both avoid share it: each does half of what it takes, or less if it has
/// the right of way. The agent that more strongly wants to move has it: by the speed that its
/// behaviours want, and by [`pushiness`](Self::pushiness); where two block each other they take
/// turns. What does not avoid is avoided by the agent alone. It does not dodge into an
/// [`Obstacle`](crate::Obstacle) or a [`Wall`](crate::Wall).
///
/// An agent that nothing drives, and that brakes, steps aside for others and comes back to where it
/// stood, unless it was moved farther than four radii.
///
/// After van den Berg, Guy, Lin and Manocha (2011), "Reciprocal n-body Collision Avoidance"; see
/// [`velocity_obstacle`](crate::formulas::velocity_obstacle).
///
/// It regards the nearest 16 of those that it may meet within [`horizon`](Self::horizon), and
/// besides whatever is much faster or larger than most. Where dozens stand in each other it regards
/// some of these.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(VelocityLimits)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AvoidAgents {
    /// Layers of the agents to avoid. Default: all.
    pub layers: SteeringLayers,
    /// Layers of the [`Obstacle`](crate::Obstacle)s and [`Wall`](crate::Wall)s into which it does
    /// not dodge. Default: all.
    pub surfaces: SteeringLayers,
    /// The room that it wants around it, in multiples of the vehicle's radius. Default 1.25.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(10.0))]
    pub radius: f32,
    /// How far ahead it looks, in seconds. Default 1.5. Its cost grows with the number of agents
    /// that can be met in that time.
    #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
    pub horizon: f32,
    /// Which one gives way: of two agents the one with more goes ahead, and the other avoids more.
    /// That an agent wants to go at top speed counts as 1, so -1 to 1 are useful. Default 0.
    #[reflect(@ParameterRange::between(-1.0, 1.0))]
    pub pushiness: f32,
    /// How much it wanted to get on in the last tick: from 0, where it is idle or has arrived, to
    /// 1, where it wants to go at top speed.
    #[reflect(@RuntimeState)]
    pub drive: f32,
    /// Where it stood when it came to rest with nothing to do: if it steps aside for another agent,
    /// it comes back.
    #[reflect(@RuntimeState)]
    pub place: Option<Vec3>,
    /// Its part in arbitration; its own tier is [`Priority::Critical`].
    pub blend: Blend,
}

impl Default for AvoidAgents {
    fn default() -> Self {
        Self {
            layers: SteeringLayers::ALL,
            surfaces: SteeringLayers::ALL,
            radius: 1.25,
            horizon: 1.5,
            pushiness: 0.0,
            drive: 0.0,
            place: None,
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
        /// Giving way to others less (above zero) or more (below zero).
        with_pushiness(pushiness: f32);
    }
}

/// What the agents around one want, and those of them that it may meet.
#[derive(SystemParam)]
pub struct Around<'w, 's> {
    index: Neighbors<'w, 's>,
    lookouts: Res<'w, Lookouts>,
    meetings: Res<'w, Meetings>,
}

impl SteeringBehavior for AvoidAgents {
    type Param = (Around<'static, 'static>, Res<'static, ObstacleIndex>);
    const PRIORITY: Priority = Priority::Critical;
    const DRIVES: bool = false;
    const LIMITS: bool = true;
    crate::blend_field!();

    /// Back to where it stood, if it stepped aside.
    #[inline(always)]
    fn steer(&mut self, agent: &Agent, _: &ParamOf<Self>) -> Steering {
        let Some(place) = self.place else { return Steering::NONE };
        let (back, distance) = split(agent.towards(place));
        if distance < PLACE * agent.vehicle.radius {
            return Steering::NONE;
        }
        // Added to the braking of an idle agent.
        let speed = (distance / RETURN).min(RETURN_SPEED * agent.vehicle.max_speed);
        Steering::linear(back * speed)
    }

    #[inline(always)]
    fn limits(
        &mut self,
        agent: &Agent,
        (around, obstacles): &ParamOf<Self>,
        limits: &mut VelocityLimits,
    ) {
        self.note_place(agent, limits.stands());
        let desired = limits.desired();
        self.drive = limits.drive();
        self.for_each_limit(agent, desired, around, &mut *limits);
        if !limits.are_kept() {
            self.keep_off_surfaces(agent, obstacles, limits);
        }
    }

    fn debug_draw(&self, agent: &Agent, (around, _): &ParamOf<Self>, draw: &mut DebugDraw) {
        draw.circle(DebugLayer::Range, agent.position, self.own_room(agent));
        let mut first: Option<(f32, Neighbor)> = None;
        let mut note = |limit: HalfSpace, other: &Other| {
            let slack = limit.slack(agent.velocity);
            if slack >= 0.0 {
                return;
            }
            let other = other.neighbor();
            draw.line(DebugLayer::Link, agent.position, agent.position + other.offset);
            if first.is_none_or(|(first, _)| slack < first) {
                first = Some((slack, other));
            }
        };
        let each = &mut Each(&mut note);
        self.for_each_limit(agent, agent.velocity, around, each);
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

/// An agent that stepped aside comes back to within this many radii of its place, in about so many
/// seconds, at no more than this share of its top speed. Farther off than so many radii it stays.
const PLACE: f32 = 0.04;
const RETURN: f32 = 0.6;
const RETURN_SPEED: f32 = 0.3;
const FAR: f32 = 4.0;

impl AvoidAgents {
    /// The radius of the room that the agent wants, in units.
    fn own_room(&self, agent: &Agent) -> f32 {
        agent.vehicle.radius * self.radius.max(0.0)
    }

    /// Notes where an agent that nothing drives stands; forgets it when it is driven or far off.
    fn note_place(&mut self, agent: &Agent, stands: bool) {
        let far = FAR * agent.vehicle.radius;
        let is_far = |place: Vec3| agent.towards(place).length() > far;
        if !stands || self.place.is_some_and(is_far) {
            self.place = None;
        } else if self.place.is_none() && agent.velocity == Vec3::ZERO {
            self.place = Some(agent.position);
        }
    }

    /// Calls `found` with the limits of the neighbours that matter in this tick, see [`Limiter`].
    #[inline(always)]
    fn for_each_limit(
        &self,
        agent: &Agent,
        desired: Vec3,
        Around { index, lookouts, meetings }: &Around,
        found: &mut impl TakeLimits,
    ) {
        let own = self.body(agent);
        let query = agent.beside(self.layers);
        let mut alone = Vec::new();
        let slots = match index.slot_of(agent.plane, agent.entry.get()) {
            Some(slot) if agent.place.is_none() => meetings.of(agent.plane, slot),
            _ => {
                index.find_met(query, agent.id, own.moving(), &mut alone);
                &alone
            }
        };
        if slots.is_empty() {
            return;
        }
        let mut limiter = Limiter {
            id: agent.id,
            drive: lookouts.told(agent.entry.get()).map(Drive::from).unwrap_or_default(),
            ahead: direction(desired),
            own,
            found,
        };
        meetings.meet(index, query, slots, &mut limiter);
    }

    pub(super) fn body(&self, agent: &Agent) -> Body {
        Body::of(agent, self.own_room(agent), self.horizon.max(0.0))
    }

    /// It must not be pushed into surfaces. One that is in one already need not come out: that is
    /// up to other behaviours.
    fn keep_off_surfaces(
        &self,
        agent: &Agent,
        obstacles: &ObstacleIndex,
        limits: &mut VelocityLimits,
    ) {
        obstacles.for_each_surface(
            agent,
            self.surfaces,
            agent.approach_reach(),
            |obstacle, FeelerHit { normal, distance, .. }| {
                let mut limit = agent.surface_limit(normal, distance, obstacle.velocity);
                limit.bound = limit.bound.min(agent.velocity.dot(normal).max(0.0));
                limits.add_half_space(limit, true, Some(obstacle.entity));
            },
        );
    }
}
