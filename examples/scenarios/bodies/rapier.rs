//! Bodies of Rapier for the agents and obstacles of a scenario.

use bevy::prelude::*;
use bevy_rapier2d::prelude::{
    Collider, ColliderMassProperties::Mass, NoUserData, RapierConfiguration, RapierPhysicsPlugin,
    RigidBody, TimestepMode, Velocity as BodyVelocity,
};
use bevy_steer::{ObstacleShape, Velocity, prelude::*};
use bevy_steer_rapier::dim2::RapierSteeringPlugin;

/// Moves the agents by dynamic bodies; obstacles and walls have bodies too.
pub(super) fn bodies(app: &mut App, plane: SteeringPlane) {
    let dt = app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
    app.insert_resource(TimestepMode::Fixed { dt, substeps: 1 })
        .add_plugins((
            TransformPlugin,
            SteeringPlugin::default().with_plane(plane),
            RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule(),
            RapierSteeringPlugin::default(),
        ))
        .add_systems(Startup, see_from_above)
        .add_systems(FixedFirst, (give_bodies, give_colliders));
}

fn see_from_above(mut world: Single<&mut RapierConfiguration>) {
    world.gravity = Vec2::ZERO;
}

fn give_bodies(
    mut commands: Commands,
    agents: Query<(Entity, &Vehicle, Has<Obstacle>, &Velocity), Without<RigidBody>>,
) {
    for (agent, vehicle, is_obstacle, velocity) in &agents {
        // Obstacles that move are not pushed away.
        let kind = if is_obstacle { RigidBody::KinematicVelocityBased } else { RigidBody::Dynamic };
        let body = (kind, Mass(vehicle.mass), Collider::ball(vehicle.radius));
        commands.entity(agent).insert((body, BodyVelocity::linear(velocity.0.truncate())));
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
            ObstacleShape::Sphere { radius } => Collider::ball(radius),
            ObstacleShape::Box { half_size } => Collider::cuboid(half_size.x, half_size.y),
            ObstacleShape::Capsule { radius, half_length } => {
                Collider::capsule_y(half_length, radius)
            }
            ObstacleShape::Segment { start, end } => {
                Collider::segment(start.truncate(), end.truncate())
            }
        };
        commands.entity(entity).insert((RigidBody::Fixed, collider));
    }
    for (entity, wall) in &walls {
        let [start, end] = wall.ends(SteeringPlane::Xy).map(Vec3::truncate);
        commands.entity(entity).insert((RigidBody::Fixed, Collider::segment(start, end)));
    }
}
