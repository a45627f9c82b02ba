//! Bodies of Avian for the agents and obstacles of a scenario.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::{ObstacleShape, Velocity, prelude::*};
use bevy_steer_avian::dim2::AvianSteeringPlugin;

/// Moves the agents by dynamic bodies; obstacles and walls have bodies too.
pub(super) fn bodies(app: &mut App, plane: SteeringPlane) {
    app.add_plugins((
        TransformPlugin,
        SteeringPlugin::default().with_plane(plane),
        PhysicsPlugins::default(),
        AvianSteeringPlugin::default(),
    ))
    .insert_resource(Gravity(Vec2::ZERO))
    .add_systems(FixedFirst, (give_bodies, give_colliders));
}

fn give_bodies(
    mut commands: Commands,
    agents: Query<(Entity, &Vehicle, Has<Obstacle>, &Velocity), Without<RigidBody>>,
) {
    for (agent, vehicle, is_obstacle, velocity) in &agents {
        // Obstacles that move are not pushed away.
        let kind = if is_obstacle { RigidBody::Kinematic } else { RigidBody::Dynamic };
        let body = (kind, Mass(vehicle.mass), Collider::circle(vehicle.radius));
        commands.entity(agent).insert((body, LinearVelocity(velocity.0.truncate())));
    }
}

type Still = (Without<Vehicle>, Without<Collider>);

fn give_colliders(
    mut commands: Commands,
    obstacles: Query<(Entity, &Obstacle), Still>,
    walls: Query<(Entity, &Wall), Still>,
) {
    for (entity, obstacle) in &obstacles {
        let collider = match obstacle.shape {
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
        };
        commands.entity(entity).insert((RigidBody::Static, collider));
    }
    for (entity, wall) in &walls {
        let [start, end] = wall.ends(SteeringPlane::Xy).map(Vec3::truncate);
        commands.entity(entity).insert((RigidBody::Static, Collider::segment(start, end)));
    }
}
