//! [`bevy_steer`] with the bodies and colliders of the physics engine
//! [Avian](https://docs.rs/avian2d).
//!
//! One plugin for each dimension, `dim2::AvianSteeringPlugin` with the feature `2d` (`avian2d`) and
//! `dim3::AvianSteeringPlugin` with the feature `3d` (`avian3d`). An agent with a `RigidBody` is
//! then moved by the engine, and colliders are obstacles:
//!
#![cfg_attr(feature = "2d", doc = "```")]
#![cfg_attr(not(feature = "2d"), doc = "```ignore")]
//! use avian2d::prelude::*;
//! use bevy::prelude::*;
//! use bevy_steer::prelude::*;
//! use bevy_steer_avian::dim2::AvianSteeringPlugin;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((MinimalPlugins, TransformPlugin))
//!         .add_plugins((SteeringPlugin::default(), PhysicsPlugins::default()))
//!         .add_plugins(AvianSteeringPlugin::default())
//!         .insert_resource(Gravity(Vec2::ZERO))
//!         .add_systems(Startup, spawn)
//! #       .add_systems(Update, |mut exit: MessageWriter<AppExit>| {
//! #           exit.write(AppExit::Success);
//! #       })
//!         .run();
//! }
//!
//! fn spawn(mut commands: Commands) {
//!     commands.spawn((
//!         (Vehicle::new(5.0), Seek::new(Vec2::X * 20.0), AvoidObstacles::default()),
//!         (RigidBody::Dynamic, Collider::circle(0.5)),
//!     ));
//!     let place = Transform::from_xyz(10.0, 0.0, 0.0);
//!     commands.spawn((RigidBody::Static, Collider::rectangle(2.0, 6.0), place));
//! }
//! ```
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
//! and force. The radius of the colliders about the entity replaces `Vehicle::radius` where that is
//! what `Vehicle::new` gives, a tenth of the top speed. Agents of the plane `Xz` without a
//! [`SteeringHeight`](bevy_steer::SteeringHeight) get one: the height of the body without
//! its lowest and highest twentieth, so that the floor is not in its way.
//!
//! # Order
//!
//! `SteeringPlugin` runs in `FixedUpdate` and the engine in `FixedPostUpdate`, by default: in every
//! fixed step, at any rate, steering reads the velocities of the last step of the engine and the
//! engine moves the bodies by what steering wrote. [`BodySystems`] names the steps. If both run in
//! one schedule, this crate orders steering first; give the plugin that schedule.

#[cfg(any(feature = "2d", feature = "3d"))]
mod convex;
#[cfg(feature = "2d")]
pub mod dim2;
#[cfg(feature = "3d")]
pub mod dim3;
#[cfg(any(feature = "2d", feature = "3d"))]
mod generated;
#[cfg(any(feature = "2d", feature = "3d"))]
mod part;
mod settings;

#[cfg(any(feature = "2d", feature = "3d"))]
pub use generated::{GeneratedObstacle, ObstaclePartOf, ObstacleParts};
pub use settings::{
    BodySystems, ColliderChoice, ColliderObstacles, IgnoredCollider, ObstacleCollider,
};
