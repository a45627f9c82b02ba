//! Colliders as obstacles: made, moved and removed with them.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_steer::{AngularVelocity as Spin, Obstacle, SteeringSettings, Vehicle, Velocity, Wall};

use crate::{
    engine::{
        BodyKind, BodyState, BodyVelocity, Hierarchy, PhysicsEngine, Pose, ReadBody, ReadCollider,
    },
    generated::{Converted, GeneratedObstacle, ObstaclePartOf, ObstacleParts, PartPose},
    ground::Ground,
    motion::BodyMotion,
    settings::{ColliderChoice, ColliderObstacles, IgnoredCollider, ObstacleCollider},
};

/// What decides about a collider by itself.
type ColliderData<E> = (
    (Entity, ReadCollider<E>, Option<&'static Transform>),
    (Has<ObstacleCollider>, Has<IgnoredCollider>),
    (Has<Obstacle>, Has<Wall>, Has<GeneratedObstacle>, Has<Vehicle>),
    (Option<&'static Converted>, Has<ObstacleParts>, Has<Velocity>, Has<ChildOf>),
);

/// Those that are an obstacle, or may become one: the collider of an agent is none.
type MayBeObstacle =
    Or<(Without<Vehicle>, With<Converted>, With<GeneratedObstacle>, With<ObstacleParts>)>;

/// What its body adds to that.
type BodyData<E> = (ReadBody<E>, Has<Vehicle>, (Has<ObstacleCollider>, Has<IgnoredCollider>));

/// What a collider's body says of it.
#[derive(Clone, Copy, Debug, Default)]
struct OfBody {
    kind: BodyKind,
    has_no_colliders: bool,
    is_agent: bool,
    is_marked: bool,
    is_ignored: bool,
}

/// Tells which colliders are parts of agents without a body.
#[derive(SystemParam)]
pub(crate) struct PartsOfAgents<'w, 's> {
    parents: Query<'w, 's, &'static ChildOf>,
    agents: Query<'w, 's, (), With<Vehicle>>,
}

impl PartsOfAgents<'_, '_> {
    /// Whether an ancestor of this entity is an agent.
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.parents.iter_ancestors(entity).any(|ancestor| self.agents.contains(ancestor))
    }
}

/// Makes the obstacles of colliders that are new, have changed or have become obstacles, and
/// removes those of colliders that are none any more.
pub(crate) fn convert_colliders<E: PhysicsEngine>(
    mut commands: Commands,
    colliders: Query<ColliderData<E>, MayBeObstacle>,
    bodies: Query<BodyData<E>>,
    hierarchy: Hierarchy<E>,
    (parts_of_agents, new_agents): (PartsOfAgents, Query<(), Added<Vehicle>>),
    obstacles: Res<ColliderObstacles>,
    settings: Res<SteeringSettings>,
) {
    let has_new_agents = !new_agents.is_empty();
    let rules_changed = obstacles.is_changed() || settings.is_changed();
    for (collider, marks, own, made) in &colliders {
        let (entity, data, transform) = collider;
        let (is_marked, is_ignored) = marks;
        let (has_obstacle, has_wall, is_generated, is_agent) = own;
        let (converted, has_parts, has_velocity, is_child) = made;
        let state = E::collider(&data);
        let body = E::body_of(entity, &hierarchy);
        let of_body = body.and_then(|body| bodies.get(body).ok());
        let of_body = of_body.map_or_else(OfBody::default, |(body, is_agent, marks)| {
            let (is_marked, is_ignored) = marks;
            let BodyState { kind, has_no_colliders, .. } = E::body(body);
            OfBody { kind, has_no_colliders, is_agent, is_marked, is_ignored }
        });
        let is_chosen = match obstacles.choice {
            ColliderChoice::All => true,
            ColliderChoice::Marked => is_marked || of_body.is_marked,
            ColliderChoice::None => false,
        };
        let is_wanted = is_chosen
            && state.layers.overlaps(obstacles.layers)
            && !(state.is_sensor || state.is_disabled || of_body.has_no_colliders)
            && !(is_ignored || of_body.is_ignored)
            && !(is_agent || of_body.is_agent || has_wall || (has_obstacle && !is_generated))
            // Those that are obstacles already are no agent's, unless that is new.
            && !((has_new_agents || converted.is_none()) && parts_of_agents.contains(entity));
        let moves = of_body.kind != BodyKind::Static;
        let is_converted = converted.is_some();
        let has_changed = rules_changed
            || state.has_changed
            || converted.is_some_and(|before| before.body != body || before.layers != state.layers);
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

        let Pose { position, rotation } = E::pose(entity, &hierarchy).unwrap_or_default();
        let ground = Ground::of::<E>(settings.plane, rotation, obstacles.max_slope);
        let parts = E::parts(&data, ground);
        let stands_alone = !is_child && body.is_none_or(|body| body == entity);
        if let [part] = parts[..]
            && part.is_centered()
            && stands_alone
            && transform.is_none_or(|transform| transform.scale == Vec3::ONE)
        {
            let obstacle = Obstacle { shape: part.shape, layers: state.layers };
            let had_own_velocity =
                !has_velocity || converted.is_some_and(|before| before.has_own_velocity);
            let converted = Converted::by::<E>(body, state.layers, moves && had_own_velocity);
            commands.entity(entity).try_insert((obstacle, GeneratedObstacle, converted));
            if moves {
                commands.entity(entity).try_insert_if_new((Velocity::default(), Spin::default()));
            }
            continue;
        }
        commands.entity(entity).try_insert(Converted::by::<E>(body, state.layers, false));
        for part in parts {
            let pose = PartPose { offset: part.offset, rotation: part.rotation };
            commands.spawn((
                Name::new("Obstacle of a collider"),
                Obstacle { shape: part.shape, layers: state.layers },
                place(pose, position, rotation),
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

/// Removes the generated obstacles of colliders that were removed.
pub(crate) fn remove_leftovers<E: PhysicsEngine>(
    mut commands: Commands,
    without_collider: Query<(Entity, &Converted, Has<Vehicle>), E::WithoutCollider>,
) {
    let of_engine = without_collider.iter().filter(|(_, converted, _)| converted.is_by::<E>());
    for (entity, _, is_agent) in of_engine {
        remove_obstacles(&mut commands, entity, is_agent);
    }
}

/// Removes generated obstacles from a saved scene that has no collider for them.
pub(crate) fn remove_orphans<E: PhysicsEngine>(
    mut commands: Commands,
    orphans: Query<
        (Entity, Has<PartPose>, Has<Vehicle>),
        (
            Or<(With<GeneratedObstacle>, With<ObstacleParts>)>,
            (Without<ObstaclePartOf>, Without<Converted>, E::WithoutCollider),
        ),
    >,
) {
    for (entity, is_part, is_agent) in &orphans {
        if is_part {
            commands.entity(entity).try_despawn();
        } else {
            remove_obstacles(&mut commands, entity, is_agent);
        }
    }
}

/// The obstacles follow their colliders.
pub(crate) fn move_obstacles<E: PhysicsEngine>(
    mut parts: Query<(&ObstaclePartOf, &PartPose, &mut Transform, (&mut Velocity, &mut Spin))>,
    mut own: Query<
        (Entity, &Converted, (&mut Velocity, &mut Spin)),
        (With<GeneratedObstacle>, E::WithCollider, Without<ObstaclePartOf>, Without<Vehicle>),
    >,
    colliders: Query<(), E::WithCollider>,
    bodies: BodyMotion<E>,
) {
    let set = |(mut velocity, mut spin): (Mut<Velocity>, Mut<Spin>), motion: BodyVelocity| {
        velocity.set_if_neq(Velocity(motion.linear));
        spin.set_if_neq(Spin(motion.angular));
    };
    let pose_of = |entity| E::pose(entity, &bodies.hierarchy);
    for (entity, converted, motion) in &mut own {
        // The velocity of one without a body is the game's.
        if converted.body.is_some()
            && let Some(pose) = pose_of(entity)
        {
            set(motion, bodies.at(entity, pose.position));
        }
    }
    for (&ObstaclePartOf(collider), &pose, mut transform, motion) in &mut parts {
        let Some(at) = pose_of(collider).filter(|_| colliders.contains(collider)) else { continue };
        let placed = place(pose, at.position, at.rotation);
        transform.set_if_neq(placed);
        set(motion, bodies.at(collider, placed.translation));
    }
}
