//! What the integrations of [`bevy_steer`] with physics engines share. Games use the one for their
//! engine: [`bevy_steer_avian`](https://docs.rs/bevy_steer_avian) or
//! [`bevy_steer_rapier`](https://docs.rs/bevy_steer_rapier).
//!
//! An integration implements [`PhysicsEngine`] for a type of its own, and its plugin is
//! [`PhysicsSteeringPlugin`] of that type. For shapes of the crates `parry2d` and `parry3d`, which
//! both engines use, the features `2d` and `3d` have the modules `dim2` and `dim3`.
//!
//! The [guide] is for games: how agents get bodies, and which colliders are obstacles.
//!
//! # What is guaranteed
//!
//! - **Dynamic bodies** get the change of velocity that the force of their agent makes in a tick,
//!   and the turn. The velocity of the engine comes back, whatever changed it. `Vehicle::mass` and
//!   `Vehicle::radius` come from the body and its colliders, see [Measures](#measures).
//! - **Kinematic bodies** get the permitted velocity, and stop at what is solid for their agent.
//! - **Agents with [`SkipIntegration`](bevy_steer::SkipIntegration)** are moved by the game:
//!   nothing of them is read or written. The same holds for all agents with
//!   [`SteeringPlugin::without_integration`](bevy_steer::SteeringPlugin::without_integration).
//! - **Other agents**, without a body or with a static one, are moved by `bevy_steer` as ever.
//! - **Colliders are obstacles**, unless [`ColliderObstacles`], a marker or their layers say
//!   otherwise. They follow their colliders.
//!
//! # Measures
//!
//! The engine's mass of a dynamic body replaces `Vehicle::mass` where that is what
//! [`Vehicle::new`](bevy_steer::Vehicle::new) gives, 1. `Vehicle::max_force` is multiplied by the
//! same factor, so that the agent accelerates as before. A game that sets another mass keeps mass
//! and force. The radius of the solid colliders about the entity replaces `Vehicle::radius` where
//! that is what `Vehicle::new` gives, a tenth of the top speed. Agents of the plane `Xz` without a
//! [`SteeringHeight`](bevy_steer::SteeringHeight) get one: the height of the body without
//! its lowest and highest twentieth, so that the floor is not in its way.

mod bodies;
#[cfg(any(feature = "2d", feature = "3d"))]
mod convex;
#[cfg(feature = "2d")]
pub mod dim2;
#[cfg(feature = "3d")]
pub mod dim3;
mod engine;
mod generated;
mod ground;
#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/physics.md")]
pub mod guide {}
mod measure;
mod motion;
mod obstacles;
mod part;
mod plugin;
mod rays;
mod settings;

pub use engine::{
    BodyKind, BodyState, BodyVelocity, ColliderState, NearestPoint, PhysicsEngine, Pose, Ray,
    RayHit, Read,
};
pub use generated::{GeneratedObstacle, ObstaclePartOf, ObstacleParts};
pub use ground::Ground;
pub use part::Part;
pub use plugin::PhysicsSteeringPlugin;
pub use rays::{ColliderCaster, ColliderRays};
pub use settings::{
    BodySystems, ColliderChoice, ColliderObstacles, IgnoredCollider, ObstacleCollider,
};
