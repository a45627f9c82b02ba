//! [`Target`]: what a behaviour is directed at, and the [`Targets`] that find it.

use bevy::{
    ecs::{entity::MapEntities, system::SystemParam},
    prelude::*,
};

use crate::{
    agent::{
        events::TargetLost,
        invalid_input::InvalidInputLog,
        layers::SteeringLayers,
        parameter::{RuntimeState, Unit},
        vehicle::{Heading, Velocity},
    },
    behavior::agent::Agent,
    neighbors::{IndexDemand, Neighbors},
    space::{plane::IntoPoint, vector::is_valid},
};

/// What a behaviour is directed at.
///
/// A `Vec3`, a `Vec2` or an `Entity` converts into it.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Target {
    /// A position.
    Point(Vec3),
    /// An entity with a `Transform`, wherever it is in a hierarchy. If it is despawned the
    /// behaviour has no wish, and observers get one [`TargetLost`](crate::TargetLost).
    Entity(#[entities] Entity),
    /// The nearest entity at the moment with one of these [`SteeringLayers`], except the agent
    /// itself.
    Nearest {
        /// The layers that count.
        layers: SteeringLayers,
        /// How far the agent can see, in units. May be infinite.
        #[reflect(@Unit::Length)]
        within: f32,
    },
}

impl Default for Target {
    /// The origin.
    fn default() -> Self {
        Self::Point(Vec3::ZERO)
    }
}

impl Target {
    /// The nearest entity in one of these layers, no farther than `within` units.
    pub fn nearest(layers: SteeringLayers, within: f32) -> Self {
        Self::Nearest { layers, within }
    }
}

impl<P: IntoPoint> From<P> for Target {
    fn from(point: P) -> Self {
        Self::Point(point.into_point())
    }
}

impl From<Entity> for Target {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

/// What a behaviour remembers of its target from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
#[reflect(@RuntimeState)]
pub struct TargetMemory {
    /// The entity that the target was in the last tick, if it was one.
    #[entities]
    pub current: Option<Entity>,
    /// The lost entity that has been reported.
    #[entities]
    pub lost: Option<Entity>,
}

/// A target as an agent sees it at the beginning of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetView {
    /// The entity, unless it is a position.
    pub entity: Option<Entity>,
    /// The way from the agent to it: in the agent's plane, and the short way round in a wrapping
    /// world.
    pub offset: Vec3,
    /// Its velocity in the agent's plane; zero if it has none.
    pub velocity: Vec3,
    /// The direction in which it looks: a unit vector in the agent's plane. Its [`Heading`], else
    /// along its velocity, else by its rotation.
    pub heading: Vec3,
}

/// Finds targets; for the `Param` of a [`SteeringBehavior`](crate::SteeringBehavior).
///
/// `AgentDemand` is as in [`Neighbors`].
#[derive(SystemParam)]
pub struct Targets<'w, 's, AgentDemand: FromWorld + Send + Sync + 'static = IndexDemand> {
    entities: Query<
        'w,
        's,
        (&'static Transform, Option<&'static Velocity>, Option<&'static Heading>, Has<ChildOf>),
    >,
    hierarchy: TransformHelper<'w, 's>,
    neighbors: Neighbors<'w, 's, AgentDemand>,
    invalid_input: Res<'w, InvalidInputLog>,
}

impl<AgentDemand: FromWorld + Send + Sync> Targets<'_, '_, AgentDemand> {
    /// Where the target is, or `None` if there is none; emits [`TargetLost`](crate::TargetLost)
    /// when there was one before.
    #[inline(always)]
    pub fn find(
        &self,
        agent: &Agent,
        target: &Target,
        memory: &mut TargetMemory,
    ) -> Option<TargetView> {
        if let Target::Point(point) = *target {
            *memory = TargetMemory::default();
            return is_valid(agent.plane.flatten(point)).then(|| TargetView {
                entity: None,
                offset: agent.towards(point),
                velocity: Vec3::ZERO,
                heading: agent.plane.forward(),
            });
        }
        // A copy, so that where the target is a point the agent need not be put together in memory.
        let agent = *agent;
        self.find_entity(&agent, target, memory)
    }

    /// Where the target is that was [found](Self::find) last, without looking for a nearer one and
    /// without events; for [`SteeringBehavior::debug_draw`](crate::SteeringBehavior::debug_draw).
    pub fn last_seen(
        &self,
        agent: &Agent,
        target: &Target,
        memory: &TargetMemory,
    ) -> Option<TargetView> {
        match *target {
            Target::Point(_) => self.find(agent, target, &mut TargetMemory::default()),
            Target::Entity(entity) => self.see(agent, entity),
            Target::Nearest { .. } => memory.current.and_then(|entity| self.see(agent, entity)),
        }
    }

    #[inline(never)]
    fn find_entity(
        &self,
        agent: &Agent,
        target: &Target,
        memory: &mut TargetMemory,
    ) -> Option<TargetView> {
        let found = match *target {
            Target::Point(_) => None,
            Target::Entity(entity) => self.see(agent, entity),
            Target::Nearest { layers, within } => {
                let nearest = self.neighbors.nearest(agent.around(layers), within);
                nearest.and_then(|neighbor| self.see(agent, neighbor.entity))
            }
        };
        let before = match *target {
            Target::Entity(entity) => Some(entity),
            _ => memory.current,
        };
        memory.current = found.and_then(|view| view.entity);
        match (memory.current, before) {
            (Some(_), _) => memory.lost = None,
            (None, Some(entity)) if memory.lost != Some(entity) => {
                memory.lost = Some(entity);
                agent.emit(TargetLost { entity: agent.entity, target: entity });
            }
            (None, _) => {}
        }
        found
    }

    /// An entity as an agent sees it; `None` if it has no valid `Transform`.
    pub fn see(&self, agent: &Agent, entity: Entity) -> Option<TargetView> {
        let (transform, velocity, heading, is_child) = self.entities.get(entity).ok()?;
        let position = if is_child {
            self.hierarchy.compute_global_transform(entity).ok()?.translation()
        } else {
            transform.translation
        };
        let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        if !(is_valid(position) && is_valid(velocity)) {
            let problem = "or its Velocity is NaN or beyond ±1e9: this target is ignored until both are valid";
            self.invalid_input.warn(entity, "Transform", problem);
            return None;
        }
        let velocity = agent.plane.flatten(velocity);
        let heading = heading.map_or(Vec3::ZERO, |heading| agent.plane.flatten(heading.0));
        let heading = [heading, velocity].into_iter().find_map(Vec3::try_normalize);
        Some(TargetView {
            entity: Some(entity),
            offset: agent.towards(position),
            velocity,
            heading: heading.unwrap_or_else(|| agent.plane.heading(transform.rotation)),
        })
    }
}
