//! [`Rapier`], for the dimension of the module above, which names the engine (`rapier`) and tells
//! how its vectors relate to those of steering (`space`).

use bevy::{
    ecs::{
        intern::Interned,
        query::QueryData,
        schedule::ScheduleLabel,
        system::{SystemParam, SystemParamItem, lifetimeless::SRes},
    },
    prelude::*,
    transform::systems::mark_dirty_trees,
};
use bevy_steer::{AvoidWallsWith, RunSteering, SteeringLayers, SteeringSchedule};
use bevy_steer_physics::{
    BodyKind, BodyState, BodySystems, BodyVelocity, ColliderState, Ground, NearestPoint,
    ObstaclePartOf, Part, PhysicsEngine, PhysicsSteeringPlugin, Pose, Ray, RayHit, Read,
};

use super::{
    dim,
    rapier::{plugin::RapierConfiguration, prelude as rapier},
    space,
};

/// Lets the engine move the agents that have a body, and makes obstacles of colliders. See the
/// [crate](crate).
///
/// Add it with [`SteeringPlugin`](bevy_steer::SteeringPlugin) (with integration, the default) and
/// `RapierPhysicsPlugin`, in any order but after `SteeringPlugin`. It is for an engine
/// `in_fixed_schedule()`; for another schedule there is `RapierSteeringPlugin::new`.
pub type RapierSteeringPlugin = PhysicsSteeringPlugin<Rapier>;

/// [`AvoidWalls`](bevy_steer::AvoidWalls) with feelers that cast into the engine's scene queries:
/// they feel the exact shapes of colliders, also of those that are not obstacles because
/// [`ColliderObstacles`](crate::ColliderObstacles) does not choose them.
///
/// They do not feel agents, sensors, [`IgnoredCollider`](crate::IgnoredCollider)s and, in a plane
/// of three dimensions, the ground. Registered by the plugin.
pub type AvoidColliders = AvoidWallsWith<ColliderCaster>;

/// Feels colliders, for [`AvoidColliders`].
pub type ColliderCaster = bevy_steer_physics::ColliderCaster<Rapier>;

/// Casts rays at colliders: what a system asks about lines of sight. Layers are those of
/// `CollisionGroups::memberships`. It reads `Transform`s: a system cannot write them beside it.
pub type ColliderRays<'w, 's> = bevy_steer_physics::ColliderRays<'w, 's, Rapier>;

/// The engine, in its default context.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct Rapier;

/// Where bodies and colliders are, and which belong together: a collider belongs to the nearest
/// body among itself and its ancestors.
#[derive(SystemParam)]
pub struct BodyHierarchy<'w, 's> {
    parents: Query<'w, 's, &'static ChildOf>,
    children: Query<'w, 's, &'static Children>,
    bodies: Query<'w, 's, (), With<rapier::RigidBody>>,
    colliders: Query<'w, 's, (), With<rapier::Collider>>,
    transforms: Query<'w, 's, &'static Transform, Without<ObstaclePartOf>>,
}

impl BodyHierarchy<'_, '_> {
    /// The transform of an entity in an ancestor of it, or in the world.
    fn transform_in(&self, entity: Entity, ancestor: Option<Entity>) -> Transform {
        let mut transform = Transform::IDENTITY;
        let mut next = Some(entity).filter(|entity| Some(*entity) != ancestor);
        while let Some(entity) = next {
            transform = self.transform(entity) * transform;
            let parent = self.parents.get(entity).ok().map(ChildOf::parent);
            next = parent.filter(|parent| Some(*parent) != ancestor);
        }
        transform
    }

    /// As the engine does, it takes a missing one for the identity.
    fn transform(&self, entity: Entity) -> Transform {
        self.transforms.get(entity).copied().unwrap_or_default()
    }

    fn visit(&self, entity: Entity, each: &mut impl FnMut(Entity)) {
        if self.colliders.contains(entity) {
            each(entity);
        }
        for &child in self.children.get(entity).into_iter().flatten() {
            if !self.bodies.contains(child) {
                self.visit(child, each);
            }
        }
    }
}

fn to_pose(transform: Transform) -> Pose {
    Pose { position: transform.translation, rotation: transform.rotation }
}

impl PhysicsEngine for Rapier {
    type Body = (
        &'static rapier::RigidBody,
        &'static mut rapier::Velocity,
        &'static rapier::ReadMassProperties,
        (Option<&'static rapier::LockedAxes>, Has<rapier::RigidBodyDisabled>),
    );
    type Collider = (
        (Ref<'static, rapier::Collider>, Option<&'static rapier::CollisionGroups>),
        (Has<rapier::Sensor>, Has<rapier::ColliderDisabled>),
    );
    type WithCollider = With<rapier::Collider>;
    type WithoutCollider = Without<rapier::Collider>;
    type Hierarchy = BodyHierarchy<'static, 'static>;
    type Queries = rapier::ReadRapierContext<'static, 'static>;
    type Clock = (
        Query<'static, 'static, &'static RapierConfiguration, With<rapier::DefaultRapierContext>>,
        Option<SRes<rapier::TimestepMode>>,
    );

    const HAS_DEPTH: bool = space::HAS_DEPTH;
    const AVOID_COLLIDERS: &'static str = super::AVOID_COLLIDERS;

    fn schedule() -> Interned<dyn ScheduleLabel> {
        FixedUpdate.intern()
    }

    fn set_up(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
        // The engine tells the velocity of bodies that have the component only. Where a body was
        // spawned before, or the component removed, a system adds it.
        let _ = app.try_register_required_components::<rapier::RigidBody, rapier::Velocity>();
        app.configure_sets(schedule, RunSteering.before(rapier::PhysicsSet::SyncBackend))
            .add_systems(SteeringSchedule, add_velocities.in_set(BodySystems::Read))
            // The engine propagates transforms by itself, but only those of marked trees.
            .add_systems(
                schedule,
                mark_dirty_trees
                    .in_set(rapier::PhysicsSet::SyncBackend)
                    .before(rapier::RapierTransformPropagateSet),
            );
    }

    fn is_running((worlds, mode): &SystemParamItem<Self::Clock>) -> bool {
        use rapier::TimestepMode::{Fixed, Interpolated, Variable};
        let steps = mode.as_deref().is_none_or(|mode| match *mode {
            Fixed { dt, substeps } => dt > 0.0 && substeps > 0,
            Variable { max_dt: most, time_scale, substeps }
            | Interpolated { dt: most, time_scale, substeps } => {
                most > 0.0 && time_scale > 0.0 && substeps > 0
            }
        });
        let is_active = |world: &RapierConfiguration| {
            world.physics_pipeline_active && world.simulation_mode == rapier::SimulationMode::Full
        };
        steps && worlds.iter().any(is_active)
    }

    fn body((body, velocity, mass, limits): Read<'_, '_, Self::Body>) -> BodyState {
        state(body, velocity, mass, limits)
    }

    fn set_velocity(
        (body, mut velocity, mass, limits): <Self::Body as QueryData>::Item<'_, '_>,
        change: impl FnOnce(&BodyState) -> Option<BodyVelocity>,
    ) {
        let Some(after) = change(&state(body, &velocity, mass, limits)) else { return };
        let linear = dim::from_world(after.linear);
        velocity.set_if_neq(rapier::Velocity {
            linear,
            angular: space::spin_from_world(after.angular),
        });
    }

    fn collider(
        ((collider, groups), (is_sensor, is_disabled)): &<Self::Collider as QueryData>::Item<
            '_,
            '_,
        >,
    ) -> ColliderState {
        let members = groups.map_or(u32::MAX, |groups| groups.memberships.bits());
        ColliderState {
            layers: SteeringLayers(members),
            is_sensor: *is_sensor,
            is_disabled: *is_disabled,
            has_changed: collider.is_changed(),
        }
    }

    fn parts(
        ((collider, _), _): &<Self::Collider as QueryData>::Item<'_, '_>,
        ground: Option<Ground>,
    ) -> Vec<Part> {
        dim::parts_of(&*collider.raw, ground)
    }

    fn for_each_nearest(
        ((collider, _), _): &<Self::Collider as QueryData>::Item<'_, '_>,
        point: Vec3,
        reach: f32,
        ground: Option<Ground>,
        each: impl FnMut(NearestPoint),
    ) {
        dim::for_each_nearest(&*collider.raw, point, reach, ground, each);
    }

    fn body_of(collider: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Option<Entity> {
        let ancestors = hierarchy.parents.iter_ancestors(collider);
        core::iter::once(collider).chain(ancestors).find(|one| hierarchy.bodies.contains(*one))
    }

    fn for_each_collider(
        body: Entity,
        hierarchy: &SystemParamItem<Self::Hierarchy>,
        mut each: impl FnMut(Entity),
    ) {
        hierarchy.visit(body, &mut each);
    }

    fn pose(entity: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Option<Pose> {
        Some(to_pose(hierarchy.transform_in(entity, None)))
    }

    fn pose_in_body(collider: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Pose {
        let Some(body) = Self::body_of(collider, hierarchy) else { return Pose::default() };
        // The scale of a body moves its colliders, its place and rotation do not.
        let scale = Transform::from_scale(hierarchy.transform(body).scale);
        to_pose(scale * hierarchy.transform_in(collider, Some(body)))
    }

    fn for_each_hit(
        Ray { origin, direction, length, .. }: Ray,
        queries: &SystemParamItem<Self::Queries>,
        mut each: impl FnMut(RayHit),
    ) {
        let direction = dim::from_world(*direction).normalize_or_zero();
        let Ok(context) = queries.single() else { return };
        let (origin, filter) = (dim::from_world(origin), rapier::QueryFilter::new());
        context.intersect_ray(origin, direction, length, false, filter, |entity, _, hit| {
            let distance = hit.time_of_impact;
            each(RayHit { entity, distance, normal: dim::to_world(hit.normal) });
            true
        });
    }

    fn for_each_near(
        point: Vec3,
        reach: f32,
        queries: &SystemParamItem<Self::Queries>,
        mut each: impl FnMut(Entity),
    ) {
        let Ok(context) = queries.single() else { return };
        let around = space::around(point, reach);
        context.intersect_aabb_conservative(around, rapier::QueryFilter::new(), |entity, _| {
            each(entity);
            true
        });
    }
}

fn state(
    body: &rapier::RigidBody,
    velocity: &rapier::Velocity,
    mass: &rapier::ReadMassProperties,
    (locked, is_disabled): (Option<&rapier::LockedAxes>, bool),
) -> BodyState {
    use rapier::LockedAxes as Lock;
    let is_free = |axis: Lock| !locked.is_some_and(|locked| locked.contains(axis));
    let axes = |x, y, z| BVec3::new(is_free(x), is_free(y), is_free(z));
    BodyState {
        kind: match body {
            rapier::RigidBody::Dynamic => BodyKind::Dynamic,
            rapier::RigidBody::KinematicVelocityBased => BodyKind::Kinematic,
            rapier::RigidBody::KinematicPositionBased => BodyKind::Placed,
            rapier::RigidBody::Fixed => BodyKind::Static,
        },
        velocity: BodyVelocity {
            linear: dim::to_world(velocity.linear),
            angular: space::spin_to_world(velocity.angular),
        },
        mass: mass.mass,
        center: dim::to_world(mass.local_center_of_mass),
        moves: axes(
            Lock::TRANSLATION_LOCKED_X,
            Lock::TRANSLATION_LOCKED_Y,
            Lock::TRANSLATION_LOCKED_Z,
        ),
        turns: axes(Lock::ROTATION_LOCKED_X, Lock::ROTATION_LOCKED_Y, Lock::ROTATION_LOCKED_Z),
        is_disabled,
        has_no_colliders: is_disabled,
        // Its velocity is zero then.
        is_asleep: false,
    }
}

fn add_velocities(
    mut commands: Commands,
    bodies: Query<Entity, (With<rapier::RigidBody>, Without<rapier::Velocity>)>,
) {
    for body in &bodies {
        commands.entity(body).try_insert(rapier::Velocity::zero());
    }
}
