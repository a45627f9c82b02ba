//! [`Surroundings`]: all that an agent that moves somewhere has to know of.

use bevy::ecs::system::SystemParam;

use crate::{
    behavior::{Agent, AgentBlock, NearSurfaces},
    sensing::Encounters,
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
