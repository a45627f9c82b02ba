//! [`Target`]: the target of a behaviour.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    agent::{ParameterRange, RuntimeState, SteeringLayers, Unit},
    behavior::detour::Detour,
    simd::WIDTH,
    space::Point,
};

/// The target of a behaviour.
///
/// A `Vec3`, a `Vec2` (in the coordinates of the agent's plane, see [`Point`]) or an `Entity`
/// converts into it.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Target {
    /// Nothing: the behaviour requests nothing. The default.
    #[default]
    None,
    /// A position.
    Point(Point),
    /// An entity with a `Transform`, anywhere in a hierarchy. If it is despawned the behaviour
    /// requests nothing, and [`TargetLost`](crate::TargetLost) is triggered once.
    Entity(#[entities] Entity),
    /// The nearest entity with one of these [`SteeringLayers`], except the agent itself.
    ///
    /// The present target is kept until another one is clearly closer, so that an agent between two
    /// targets does not waver.
    Nearest {
        /// The layers of the target.
        layers: SteeringLayers,
        /// The maximum distance at which a target is found, in units; it is lost beyond 1.2 times
        /// this distance. May be infinite. The search is extended until it finds a target: near
        /// targets are cheap whatever the range, and so are layers with few entities. A distant
        /// target costs more only if all entities are in the same layers, or if this has more than
        /// four layers.
        #[reflect(@Unit::Length)]
        #[cfg_attr(feature = "serialize", serde(with = "crate::space::unbounded"))]
        within: f32,
        /// Another target replaces the present one if it is closer than this fraction of the
        /// distance to the present one. Default 0.8; with 1 the target is always the nearest.
        #[reflect(default = "switch_ratio", @ParameterRange::at_most(1.0))]
        #[cfg_attr(feature = "serialize", serde(default = "switch_ratio"))]
        switch_ratio: f32,
    },
    /// All entities in range with one of these [`SteeringLayers`], except the agent itself.
    ///
    /// [`Flee`](crate::Flee) and [`Evade`](crate::Evade) flee from all of them, from closer ones
    /// more, and sideways if they are between two. Other behaviours use the nearest. Each entity is
    /// visited in each tick, which is expensive if hundreds are in range.
    All {
        /// The layers of the targets.
        layers: SteeringLayers,
        /// The maximum distance of a target, in units: 1.2 times this distance while there is a
        /// target. May be infinite.
        #[reflect(@Unit::Length)]
        #[cfg_attr(feature = "serialize", serde(with = "crate::space::unbounded"))]
        within: f32,
    },
}

/// How far away what has been noticed within this distance is kept in mind, in units. Whatever
/// moves along the edge of a range would otherwise be noticed and forgotten again and again.
pub(crate) fn kept_within(distance: f32) -> f32 {
    const KEPT: f32 = 1.2;
    KEPT * distance
}

/// The default of [`Target::Nearest`].
pub(super) const fn switch_ratio() -> f32 {
    0.8
}

impl Target {
    /// The nearest entity in one of these layers, at most `within` units away.
    pub fn nearest(layers: SteeringLayers, within: f32) -> Self {
        Self::Nearest { layers, within, switch_ratio: switch_ratio() }
    }

    /// All entities in one of these layers, at most `within` units away.
    pub fn all(layers: SteeringLayers, within: f32) -> Self {
        Self::All { layers, within }
    }

    /// The points, if all targets are points.
    #[inline(always)]
    pub(crate) fn points(all: [&Self; WIDTH]) -> Option<[Point; WIDTH]> {
        let mut points = [Point::default(); WIDTH];
        for (target, point) in all.into_iter().zip(&mut points) {
            let Self::Point(place) = *target else { return None };
            *point = place;
        }
        Some(points)
    }

    /// The maximum distance at which it is found, if it is searched for.
    pub(crate) fn range(&self) -> Option<f32> {
        match *self {
            Self::Nearest { within, .. } | Self::All { within, .. } => Some(within),
            Self::None | Self::Point(_) | Self::Entity(_) => None,
        }
    }

    /// The entity that it is, as far as a behaviour with this memory knows.
    pub fn entity(&self, memory: &TargetMemory) -> Option<Entity> {
        match *self {
            Self::None | Self::Point(_) => None,
            Self::Entity(entity) => Some(entity),
            Self::Nearest { .. } | Self::All { .. } => memory.current,
        }
    }
}

impl<P: Into<Point>> From<P> for Target {
    fn from(point: P) -> Self {
        Self::Point(point.into())
    }
}

impl From<Entity> for Target {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

/// The memory of a behaviour about its target, from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
#[reflect(@RuntimeState)]
pub struct TargetMemory {
    /// The entity that was the target in the last tick. For [`Target::All`] one that is in range.
    #[entities]
    pub current: Option<Entity>,
    /// The lost entity that has been reported.
    #[entities]
    pub lost: Option<Entity>,
    /// The way round what is between the agent and the target.
    pub detour: Detour,
}

impl TargetMemory {
    /// There is none: the target is a point, or nothing.
    pub(super) fn forget_entities(&mut self) {
        (self.current, self.lost) = (None, None);
    }

    /// Resets the memories with a bit set, whose targets are points.
    #[inline(always)]
    pub(crate) fn forget<'a>(all: impl Iterator<Item = &'a mut Self>, bits: u8) {
        for (i, memory) in all.enumerate() {
            // Writing only changed ones saves memory bandwidth.
            let is_empty = memory.current.is_none() && memory.lost.is_none();
            if bits >> i & 1 == 1 && !is_empty {
                memory.forget_entities();
            }
        }
    }
}

/// A target as an agent sees it at the beginning of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetView {
    /// The entity, unless the target is a point.
    pub entity: Option<Entity>,
    /// The radius of its body, in units; `None` if it has no [`Vehicle`](crate::Vehicle).
    pub radius: Option<f32>,
    /// The offset from the agent to it: in the agent's plane, and in a wrapping world the shortest
    /// one.
    pub offset: Vec3,
    /// Its velocity in the agent's plane; zero if it has none. For a child it is the velocity in
    /// the world: its own, relative to its parent, plus the motion of its parents.
    ///
    /// Parents that are not moved by steering need a [`Velocity`](crate::Velocity) and an
    /// [`AngularVelocity`](crate::AngularVelocity) for that.
    pub velocity: Vec3,
    /// The direction that it faces: a unit vector in the agent's plane. Its
    /// [`Heading`](crate::Heading), or along its velocity, or derived from its rotation.
    pub heading: Vec3,
}
