//! Colliders as obstacles: made, moved and removed with them.

use bevy::prelude::*;
use bevy_steer::{
    AngularVelocity as Spin, Obstacle, SteeringLayers, SteeringSettings, Vehicle, Velocity, Wall,
};

use crate::{
    generated::{Converted, GeneratedObstacle, ObstaclePartOf, ObstacleParts, PartPose},
    settings::{ColliderChoice, ColliderObstacles, IgnoredCollider, ObstacleCollider},
};

use super::{
    avian::prelude::*,
    motion::{BodyMotion, Motion},
    shapes::parts_of,
    space,
};

/// What decides about a collider by itself.
type ColliderData = (
    Entity,
    Ref<'static, Collider>,
    Ref<'static, CollisionLayers>,
    (&'static Transform, &'static Position, &'static Rotation),
    Option<Ref<'static, ColliderOf>>,
    (Has<Sensor>, Has<ColliderDisabled>, Has<ObstacleCollider>, Has<IgnoredCollider>),
    (Has<Obstacle>, Has<Wall>, Has<GeneratedObstacle>, Has<Vehicle>),
    (Option<&'static Converted>, Has<ObstacleParts>, Has<Velocity>, Has<ChildOf>),
);

/// What its body adds to that.
type BodyData = (&'static RigidBody, Has<Vehicle>, (Has<ObstacleCollider>, Has<IgnoredCollider>));

/// Makes the obstacles of colliders that are new, have changed or have become obstacles, and
/// removes those of colliders that are none any more.
pub(super) fn convert_colliders(
    mut commands: Commands,
    colliders: Query<ColliderData>,
    bodies: Query<BodyData>,
    obstacles: Res<ColliderObstacles>,
    settings: Res<SteeringSettings>,
) {
    let rules_changed = obstacles.is_changed() || settings.is_changed();
    for (
        entity,
        collider,
        layers,
        pose,
        of_body,
        kinds,
        own,
        (converted, has_parts, has_velocity, is_child),
    ) in &colliders
    {
        let (is_sensor, is_disabled, is_marked, is_ignored) = kinds;
        let (has_obstacle, has_wall, is_generated, is_agent) = own;
        let body_of = of_body.as_ref().map(|of_body| of_body.body);
        let (body, of_agent, (body_marked, body_ignored)) = body_of
            .and_then(|body| bodies.get(body).ok())
            .map_or((None, false, (false, false)), |(body, has_vehicle, marks)| {
                (Some(body), has_vehicle, marks)
            });
        let is_chosen = match obstacles.choice {
            ColliderChoice::All => true,
            ColliderChoice::Marked => is_marked || body_marked,
            ColliderChoice::None => false,
        };
        let member = SteeringLayers(layers.memberships.0);
        let is_wanted = is_chosen
            && member.overlaps(obstacles.layers)
            && !(is_sensor || is_disabled || is_ignored || body_ignored)
            && !(is_agent || of_agent || has_wall || (has_obstacle && !is_generated));
        let has_changed = rules_changed
            || collider.is_changed()
            || layers.is_changed()
            || of_body.is_some_and(|of_body| of_body.is_changed());
        let moves = body.is_some_and(|body| !body.is_static());
        let is_converted = converted.is_some();
        // It comes from a saved scene, or its body was static and now moves.
        let is_outdated = is_generated && (!is_converted || (moves && !has_velocity));
        let is_as_it_should_be = is_wanted == is_converted && !(is_wanted && has_changed);
        if is_as_it_should_be && !is_outdated {
            continue;
        }
        if is_converted || is_generated || has_parts {
            remove_obstacles(&mut commands, entity, is_agent);
        }
        if !is_wanted {
            continue;
        }

        let (transform, position, rotation) = pose;
        let rotation = space::rotation(*rotation);
        let ground = space::ground(settings.plane, rotation, obstacles.max_slope);
        let parts = parts_of(collider.shape_scaled(), ground);
        let stands_alone = !is_child && body_of.is_none_or(|body| body == entity);
        if let [part] = parts[..]
            && part.is_centered()
            && stands_alone
            && transform.scale == Vec3::ONE
        {
            let obstacle = Obstacle { shape: part.shape, layers: member };
            let converted = Converted {
                has_own_velocity: moves
                    && converted.map_or(!has_velocity, |before| before.has_own_velocity),
            };
            commands.entity(entity).try_insert((obstacle, GeneratedObstacle, converted));
            if moves {
                commands.entity(entity).try_insert_if_new((Velocity::default(), Spin::default()));
            }
            continue;
        }
        commands.entity(entity).try_insert(Converted { has_own_velocity: false });
        for part in parts {
            let pose = PartPose { offset: part.offset, rotation: part.rotation };
            commands.spawn((
                Name::new("Obstacle of a collider"),
                Obstacle { shape: part.shape, layers: member },
                place(pose, space::to_world(position.0), rotation),
                (Velocity::default(), Spin::default()),
                (pose, GeneratedObstacle, ObstaclePartOf(entity)),
            ));
        }
    }
}

fn place(pose: PartPose, position: Vec3, rotation: Quat) -> Transform {
    Transform::from_translation(position + rotation * pose.offset)
        .with_rotation(rotation * pose.rotation)
}

/// Removes the obstacles of a collider, and what has become of it, if anything.
fn remove_obstacles(commands: &mut Commands, entity: Entity, is_agent: bool) {
    commands.entity(entity).queue_silenced(move |mut entity: EntityWorldMut| {
        let has_own_velocity =
            entity.take::<Converted>().is_some_and(|converted| converted.has_own_velocity);
        entity.despawn_related::<ObstacleParts>();
        if entity.contains::<GeneratedObstacle>() {
            entity.remove::<(GeneratedObstacle, Obstacle)>();
            if has_own_velocity && !is_agent {
                entity.remove::<(Velocity, Spin)>();
            }
        }
    });
}

/// Removes generated obstacles whose collider was removed, or was not saved with the scene.
pub(super) fn remove_leftovers(
    mut commands: Commands,
    without_collider: Query<
        (Entity, Has<Vehicle>),
        (Or<(With<Converted>, With<ObstacleParts>)>, Without<Collider>),
    >,
    orphans: Query<
        (Entity, Has<PartPose>, Has<Vehicle>),
        (With<GeneratedObstacle>, Without<ObstaclePartOf>, Without<Collider>),
    >,
) {
    for (entity, is_agent) in &without_collider {
        remove_obstacles(&mut commands, entity, is_agent);
    }
    for (entity, is_part, is_agent) in &orphans {
        if is_part {
            commands.entity(entity).try_despawn();
        } else {
            remove_obstacles(&mut commands, entity, is_agent);
        }
    }
}

/// The obstacles follow their colliders.
pub(super) fn move_obstacles(
    mut parts: Query<
        (&ObstaclePartOf, &PartPose, &mut Transform, (&mut Velocity, &mut Spin)),
        Without<Collider>,
    >,
    mut own: Query<
        (Entity, &Position, (&mut Velocity, &mut Spin)),
        (With<GeneratedObstacle>, With<Collider>, Without<Vehicle>),
    >,
    colliders: Query<(&Position, &Rotation)>,
    bodies: BodyMotion,
) {
    let set = |(mut velocity, mut spin): (Mut<Velocity>, Mut<Spin>), motion: Motion| {
        velocity.set_if_neq(Velocity(motion.velocity));
        spin.set_if_neq(Spin(motion.spin));
    };
    for (entity, position, motion) in &mut own {
        set(motion, bodies.at(entity, space::to_world(position.0)));
    }
    for (&ObstaclePartOf(collider), &pose, mut transform, motion) in &mut parts {
        let Ok((position, rotation)) = colliders.get(collider) else { continue };
        let placed = place(pose, space::to_world(position.0), space::rotation(*rotation));
        transform.set_if_neq(placed);
        set(motion, bodies.at(collider, placed.translation));
    }
}
