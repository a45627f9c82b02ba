//! [`bevy_steer`] with the bodies and colliders of the physics engine
//! [Rapier](https://docs.rs/bevy_rapier2d).
//!
//! One plugin for each dimension, `dim2::RapierSteeringPlugin` with the feature `2d`
//! (`bevy_rapier2d`) and `dim3::RapierSteeringPlugin` with the feature `3d` (`bevy_rapier3d`). An
//! agent with a `RigidBody` is then moved by the engine, and colliders are obstacles:
//!
#![cfg_attr(feature = "2d", doc = "```")]
#![cfg_attr(not(feature = "2d"), doc = "```ignore")]
//! use bevy::prelude::*;
//! use bevy_rapier2d::prelude::{
//!     Collider, NoUserData, RapierConfiguration, RapierPhysicsPlugin, RigidBody, TimestepMode,
//! };
//! use bevy_steer::prelude::*;
//! use bevy_steer_rapier::dim2::RapierSteeringPlugin;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((MinimalPlugins, TransformPlugin))
//!         // The time of a fixed step of Bevy's, 64 a second.
//!         .insert_resource(TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 })
//!         .add_plugins(SteeringPlugin::default())
//!         .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
//!         .add_plugins(RapierSteeringPlugin::default())
//!         .add_systems(Startup, (see_from_above, spawn))
//! #       .add_systems(Update, |mut exit: MessageWriter<AppExit>| {
//! #           exit.write(AppExit::Success);
//! #       })
//!         .run();
//! }
//!
//! fn see_from_above(mut world: Single<&mut RapierConfiguration>) {
//!     world.gravity = Vec2::ZERO;
//! }
//!
//! fn spawn(mut commands: Commands) {
//!     commands.spawn((
//!         (Vehicle::new(5.0), Seek::new(Vec2::X * 20.0), AvoidObstacles::default()),
//!         (RigidBody::Dynamic, Collider::ball(0.5)),
//!     ));
//!     let place = Transform::from_xyz(10.0, 0.0, 0.0);
//!     commands.spawn((RigidBody::Fixed, Collider::cuboid(1.0, 3.0), place));
//! }
//! ```
//!
//! What is guaranteed of bodies, obstacles, mass and radius is said in [`bevy_steer_physics`]. Its
//! [guide](https://docs.rs/bevy_steer_physics/latest/bevy_steer_physics/guide/index.html) has more.
//!
//! - `RigidBody::KinematicPositionBased` is moved by its `Transform`, hence by steering, as an
//!   agent without a body is.
//! - Every `RigidBody` gets the component `bevy_rapier2d::prelude::Velocity` (or that of
//!   `bevy_rapier3d`): the engine tells the velocity of bodies with it only.
//! - Rays, and whether the engine is paused, are those of the default context.
//!
//! # Order
//!
//! `SteeringPlugin` runs in `FixedUpdate`. Add the engine with `in_fixed_schedule()` and
//! `TimestepMode::Fixed` with the time of a fixed step: in every fixed step, at any rate, steering
//! reads the velocities of the last step of the engine and the engine moves the bodies by what
//! steering wrote. An engine in `PostUpdate`, its default, moves them once a frame instead: the
//! motion then depends on the frame rate. Where steering and the engine run in another schedule,
//! give that to `SteeringPlugin::new` and to this plugin. [`BodySystems`] names the steps.

#[cfg(feature = "2d")]
pub mod dim2;
#[cfg(feature = "3d")]
pub mod dim3;

pub use bevy_steer_physics::{
    BodySystems, ColliderChoice, ColliderObstacles, GeneratedObstacle, IgnoredCollider,
    ObstacleCollider, ObstaclePartOf, ObstacleParts,
};
