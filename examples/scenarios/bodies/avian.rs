//! Bodies of Avian for the agents and obstacles of a scenario.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::{ObstacleShape, prelude::*};
use bevy_steer_avian::dim2::AvianSteeringPlugin;

use super::Bodies;

pub(super) struct Avian;

impl Bodies for Avian {
    type Body = RigidBody;
    type Collider = Collider;
    const FIXED: RigidBody = RigidBody::Static;

    fn add(app: &mut App) {
        app.add_plugins((PhysicsPlugins::default(), AvianSteeringPlugin::default()))
            .insert_resource(Gravity(Vec2::ZERO));
    }

    fn agent(vehicle: &Vehicle, is_obstacle: bool, velocity: Vec2) -> impl Bundle {
        let kind = if is_obstacle { RigidBody::Kinematic } else { RigidBody::Dynamic };
        (kind, Mass(vehicle.mass), Collider::circle(vehicle.radius), LinearVelocity(velocity))
    }

    fn collider(shape: ObstacleShape) -> Collider {
        match shape {
            ObstacleShape::Sphere { radius } => Collider::circle(radius),
            ObstacleShape::Box { half_size } => {
                Collider::rectangle(2.0 * half_size.x, 2.0 * half_size.y)
            }
            ObstacleShape::Capsule { radius, half_length } => {
                Collider::capsule(radius, 2.0 * half_length)
            }
            ObstacleShape::Segment { start, end } => {
                Collider::segment(start.truncate(), end.truncate())
            }
        }
    }
}
