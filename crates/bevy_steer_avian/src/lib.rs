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
//! What is guaranteed of bodies, obstacles, mass and radius is said in [`bevy_steer_physics`]. Its
//! [guide](https://docs.rs/bevy_steer_physics/latest/bevy_steer_physics/guide/index.html) has more.
//!
//! # Order
//!
//! `SteeringPlugin` runs in `FixedUpdate` and the engine in `FixedPostUpdate`, by default: in every
//! fixed step, at any rate, steering reads the velocities of the last step of the engine and the
//! engine moves the bodies by what steering wrote. [`BodySystems`] names the steps. If both run in
//! one schedule, this crate orders steering first; give the plugin that schedule.

#[cfg(feature = "2d")]
pub mod dim2;
#[cfg(feature = "3d")]
pub mod dim3;

pub use bevy_steer_physics::{
    BodySystems, ColliderChoice, ColliderObstacles, GeneratedObstacle, IgnoredCollider,
    ObstacleCollider, ObstaclePartOf, ObstacleParts,
};
