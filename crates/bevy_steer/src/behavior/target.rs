//! [`Target`]: what a behaviour is directed at.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    agent::{
        layers::SteeringLayers,
        parameter::{ParameterRange, RuntimeState, Unit},
    },
    simd::lanes::WIDTH,
    space::plane::IntoPoint,
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
    /// The nearest entity with one of these [`SteeringLayers`], except the agent itself.
    ///
    /// The present target is kept until another one is clearly nearer, so that an agent between two
    /// does not waver.
    Nearest {
        /// The layers that count.
        layers: SteeringLayers,
        /// How far the agent can see, in units. May be infinite. The search grows until it finds
        /// one: what is near costs little whatever the reach, and so does a layer with nothing or
        /// little in it. Only where all are in the same layers, or a target in more than four of
        /// them is looked for, it costs more the farther it sees and the farther off the target is.
        #[reflect(@Unit::Length)]
        within: f32,
        /// Another one replaces the present target when it is nearer than this share of the
        /// distance to that. Default 0.8; 1 is always the nearest.
        #[reflect(default = "switch_ratio", @ParameterRange::at_most(1.0))]
        #[cfg_attr(feature = "serialize", serde(default = "switch_ratio"))]
        switch_ratio: f32,
    },
    /// All entities in reach with one of these [`SteeringLayers`], except the agent itself.
    ///
    /// [`Flee`](crate::Flee) and [`Evade`](crate::Evade) run from all of them, from nearer ones
    /// more, and sideways where they are between two. Other behaviours take the nearest. It visits
    /// each of them in each tick, which is dear where hundreds are in reach.
    All {
        /// The layers that count.
        layers: SteeringLayers,
        /// How far the agent can see, in units. May be infinite.
        #[reflect(@Unit::Length)]
        within: f32,
    },
}

/// The default of [`Target::Nearest`].
pub(super) const fn switch_ratio() -> f32 {
    0.8
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
        Self::Nearest { layers, within, switch_ratio: switch_ratio() }
    }

    /// All entities in these layers, no farther than `within` units.
    pub fn all(layers: SteeringLayers, within: f32) -> Self {
        Self::All { layers, within }
    }

    /// The points that these are, if all of them are points.
    #[inline(always)]
    pub(crate) fn points(all: [&Self; WIDTH]) -> Option<[Vec3; WIDTH]> {
        let mut points = [Vec3::ZERO; WIDTH];
        for (target, point) in all.into_iter().zip(&mut points) {
            let Self::Point(place) = *target else { return None };
            *point = place;
        }
        Some(points)
    }

    /// Whether it is looked for in the [`NeighborIndex`](crate::NeighborIndex).
    pub(crate) fn needs_index(&self) -> bool {
        matches!(self, Self::Nearest { .. } | Self::All { .. })
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
    /// The entity that the target was in the last tick, if it was one. Of [`Target::All`] one that
    /// is in reach.
    #[entities]
    pub current: Option<Entity>,
    /// The lost entity that has been reported.
    #[entities]
    pub lost: Option<Entity>,
}

impl TargetMemory {
    /// Forgets the entities of those with a bit set: their targets are points.
    #[inline(always)]
    pub(crate) fn forget<'a>(all: impl Iterator<Item = &'a mut Self>, bits: u8) {
        for (i, memory) in all.enumerate() {
            // What is not written need not be carried back to memory.
            if bits >> i & 1 == 1 && *memory != Self::default() {
                *memory = Self::default();
            }
        }
    }
}

/// A target as an agent sees it at the beginning of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetView {
    /// The entity, unless it is a position.
    pub entity: Option<Entity>,
    /// The way from the agent to it: in the agent's plane, and the short way round in a wrapping
    /// world.
    pub offset: Vec3,
    /// Its velocity in the agent's plane; zero if it has none. For a child it is that in the world:
    /// its own, relative to its parent, and how the parent moves and turns.
    ///
    /// Parents that are not moved by steering need a [`Velocity`](crate::Velocity) and an
    /// [`AngularVelocity`](crate::AngularVelocity) for that.
    pub velocity: Vec3,
    /// The direction in which it looks: a unit vector in the agent's plane. Its
    /// [`Heading`](crate::Heading), else along its velocity, else by its rotation.
    pub heading: Vec3,
}
