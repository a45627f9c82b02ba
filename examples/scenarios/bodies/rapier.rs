//! Bodies of Rapier for the agents and obstacles of a scenario.

use bevy::prelude::*;
use bevy_rapier2d::prelude::{
    Collider, ColliderMassProperties::Mass, NoUserData, RapierConfiguration, RapierPhysicsPlugin,
    RigidBody, TimestepMode, Velocity as BodyVelocity,
};
use bevy_steer::{ObstacleShape, prelude::*};
use bevy_steer_rapier::dim2::RapierSteeringPlugin;

use super::Bodies;

pub(super) struct Rapier;

impl Bodies for Rapier {
    type Body = RigidBody;
    type Collider = Collider;
    const FIXED: RigidBody = RigidBody::Fixed;

    fn add(app: &mut App) {
        let dt = app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
        app.insert_resource(TimestepMode::Fixed { dt, substeps: 1 })
            .add_plugins((
                RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule(),
                RapierSteeringPlugin::default(),
            ))
            .add_systems(Startup, see_from_above);
    }

    fn agent(vehicle: &Vehicle, is_obstacle: bool, velocity: Vec2) -> impl Bundle {
        let kind = if is_obstacle { RigidBody::KinematicVelocityBased } else { RigidBody::Dynamic };
        let velocity = BodyVelocity::linear(velocity);
        (kind, Mass(vehicle.mass), Collider::ball(vehicle.radius), velocity)
    }

    fn collider(shape: ObstacleShape) -> Collider {
        match shape {
            ObstacleShape::Sphere { radius } => Collider::ball(radius),
            ObstacleShape::Box { half_size } => Collider::cuboid(half_size.x, half_size.y),
            ObstacleShape::Capsule { radius, half_length } => {
                Collider::capsule_y(half_length, radius)
            }
            ObstacleShape::Segment { start, end } => {
                Collider::segment(start.truncate(), end.truncate())
            }
        }
    }
}

fn see_from_above(mut world: Single<&mut RapierConfiguration>) {
    world.gravity = Vec2::ZERO;
}
