//! Which colliders are obstacles: [`ColliderObstacles`] and two markers; and the steps of a tick.

use core::f32::consts::FRAC_PI_4;

use bevy::prelude::*;
use bevy_steer::SteeringLayers;

/// The steps in which bodies and steering exchange their motion, in the
/// [`SteeringSchedule`](bevy_steer::SteeringSchedule).
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodySystems {
    /// In [`SteeringSystems::Prepare`](bevy_steer::SteeringSystems::Prepare): measures bodies and
    /// reads their velocities, and keeps the obstacles in step with their colliders.
    Read,
    /// Between [`SteeringSystems::Limit`](bevy_steer::SteeringSystems::Limit) and
    /// [`Integrate`](bevy_steer::SteeringSystems::Integrate): notes where the bodies are.
    Note,
    /// Between [`SteeringSystems::Integrate`](bevy_steer::SteeringSystems::Integrate) and
    /// [`Notify`](bevy_steer::SteeringSystems::Notify): writes the velocities of bodies.
    Write,
}

/// Which colliders are obstacles. A resource; changes apply in the next tick.
///
/// Never obstacles are the colliders of agents, sensors, disabled colliders, colliders with
/// [`IgnoredCollider`] (on themselves or on their body), and those to which the game has added an
/// [`Obstacle`](bevy_steer::Obstacle) or a [`Wall`](bevy_steer::Wall) itself.
///
/// An obstacle is in the layers of which its collider is a member (Avian's
/// `CollisionLayers::memberships`, Rapier's `CollisionGroups::memberships`): behaviours filter by
/// them as by any [`SteeringLayers`].
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
pub struct ColliderObstacles {
    /// Which colliders, if in one of the layers. Default: all.
    pub choice: ColliderChoice,
    /// Only colliders that are members of one of these layers. Default: all.
    pub layers: SteeringLayers,
    /// Triangles, half-spaces and heights less steep than this are ground and no obstacles for
    /// agents in a plane, in radians. Default π/4. Only in three dimensions; NaN counts as zero.
    pub max_slope: f32,
}

impl Default for ColliderObstacles {
    fn default() -> Self {
        Self { choice: ColliderChoice::All, layers: SteeringLayers::ALL, max_slope: FRAC_PI_4 }
    }
}

/// Which colliders are obstacles, see [`ColliderObstacles`].
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, Default, PartialEq, Clone)]
pub enum ColliderChoice {
    /// All of them.
    #[default]
    All,
    /// Those with [`ObstacleCollider`], on themselves or on their body.
    Marked,
    /// None.
    None,
}

/// This collider, or all colliders of this body, are obstacles even with
/// [`ColliderChoice::Marked`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct ObstacleCollider;

/// This collider, or all colliders of this body, are not obstacles, and feelers do not detect them:
/// the ground, grass, what agents may push away.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct IgnoredCollider;
