//! [`Avian`], for the dimension of the module above, which names the engine (`avian`) and tells how
//! its vectors relate to those of steering (`space`).

use bevy::{
    ecs::{
        intern::Interned,
        query::QueryData,
        schedule::ScheduleLabel,
        system::{SystemParam, SystemParamItem, lifetimeless::SRes},
    },
    prelude::*,
};
use bevy_steer::{AvoidWallsWith, RunSteering, SteeringLayers};
use bevy_steer_physics::{
    BodyKind, BodyState, BodyVelocity, ColliderState, Ground, NearestPoint, Part, PhysicsEngine,
    PhysicsSteeringPlugin, Pose, Ray, RayHit, Read,
};

use super::{avian::prelude::*, dim, space};

/// Lets the engine move the agents that have a body, and makes obstacles of colliders. See the
/// [crate](crate).
///
/// Add it with [`SteeringPlugin`](bevy_steer::SteeringPlugin) (with integration, the default) and
/// `PhysicsPlugins`, in any order but after `SteeringPlugin`. It is for an engine in
/// `FixedPostUpdate`, the default; for another schedule there is `AvianSteeringPlugin::new`.
pub type AvianSteeringPlugin = PhysicsSteeringPlugin<Avian>;

/// [`AvoidWalls`](bevy_steer::AvoidWalls) with feelers that cast into the engine's spatial query:
/// they feel the exact shapes of colliders, also of those that are not obstacles because
/// [`ColliderObstacles`](crate::ColliderObstacles) does not choose them.
///
/// They do not feel agents, sensors, [`IgnoredCollider`](crate::IgnoredCollider)s and, in a plane
/// of three dimensions, the ground. Registered by the plugin.
pub type AvoidColliders = AvoidWallsWith<ColliderCaster>;

/// Feels colliders, for [`AvoidColliders`].
pub type ColliderCaster = bevy_steer_physics::ColliderCaster<Avian>;

/// Casts rays at colliders: what a system asks about lines of sight. Layers are those of
/// `CollisionLayers::memberships`.
pub type ColliderRays<'w, 's> = bevy_steer_physics::ColliderRays<'w, 's, Avian>;

/// The engine.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct Avian;

/// Where bodies and colliders are, and which belong together.
#[derive(SystemParam)]
pub struct BodyHierarchy<'w, 's> {
    colliders: Query<'w, 's, (Option<&'static ColliderOf>, Option<&'static ColliderTransform>)>,
    bodies: Query<'w, 's, &'static RigidBodyColliders>,
    poses: Query<'w, 's, (&'static Position, &'static Rotation)>,
}

impl PhysicsEngine for Avian {
    type Body = (
        &'static RigidBody,
        (&'static mut LinearVelocity, &'static mut AngularVelocity),
        (&'static ComputedMass, &'static ComputedCenterOfMass),
        (Option<&'static LockedAxes>, Has<RigidBodyDisabled>, Has<Sleeping>),
    );
    type Collider = (
        (Ref<'static, Collider>, Ref<'static, CollisionLayers>),
        (Has<Sensor>, Has<ColliderDisabled>),
    );
    type WithCollider = With<Collider>;
    type WithoutCollider = Without<Collider>;
    type Hierarchy = BodyHierarchy<'static, 'static>;
    type Queries = SpatialQuery<'static, 'static>;
    type Clock = SRes<Time<Physics>>;

    const HAS_DEPTH: bool = space::HAS_DEPTH;
    const AVOID_COLLIDERS: &'static str = super::AVOID_COLLIDERS;

    fn schedule() -> Interned<dyn ScheduleLabel> {
        FixedPostUpdate.intern()
    }

    fn set_up(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
        app.configure_sets(schedule, RunSteering.before(PhysicsSystems::First));
    }

    fn is_running(clock: &SystemParamItem<Self::Clock>) -> bool {
        !clock.is_paused() && clock.relative_speed() > 0.0
    }

    fn body((body, velocity, mass, limits): Read<'_, '_, Self::Body>) -> BodyState {
        state(body, velocity, mass, limits)
    }

    fn set_velocity(
        (body, (mut linear, mut angular), mass, limits): <Self::Body as QueryData>::Item<'_, '_>,
        change: impl FnOnce(&BodyState) -> Option<BodyVelocity>,
    ) {
        let before = state(body, (&linear, &angular), mass, limits);
        let Some(after) = change(&before) else { return };
        if before.is_asleep {
            linear.set_changed();
        }
        linear.set_if_neq(LinearVelocity(dim::from_world(after.linear)));
        angular.set_if_neq(space::spin_from_world(after.angular));
    }

    fn collider(
        ((collider, layers), (is_sensor, is_disabled)): &<Self::Collider as QueryData>::Item<
            '_,
            '_,
        >,
    ) -> ColliderState {
        ColliderState {
            layers: SteeringLayers(layers.memberships.0),
            is_sensor: *is_sensor,
            is_disabled: *is_disabled,
            has_changed: collider.is_changed(),
        }
    }

    fn parts(
        ((collider, _), _): &<Self::Collider as QueryData>::Item<'_, '_>,
        ground: Option<Ground>,
    ) -> Vec<Part> {
        dim::parts_of(&**collider.shape_scaled(), ground)
    }

    fn for_each_nearest(
        ((collider, _), _): &<Self::Collider as QueryData>::Item<'_, '_>,
        point: Vec3,
        reach: f32,
        ground: Option<Ground>,
        each: impl FnMut(NearestPoint),
    ) {
        dim::for_each_nearest(&**collider.shape_scaled(), point, reach, ground, each);
    }

    fn body_of(collider: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Option<Entity> {
        let (of_body, _) = hierarchy.colliders.get(collider).ok()?;
        of_body.map(|of_body| of_body.body)
    }

    fn for_each_collider(
        body: Entity,
        hierarchy: &SystemParamItem<Self::Hierarchy>,
        each: impl FnMut(Entity),
    ) {
        let colliders = hierarchy.bodies.get(body);
        colliders.into_iter().flat_map(RigidBodyColliders::iter).for_each(each);
    }

    fn pose(entity: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Option<Pose> {
        let (position, rotation) = hierarchy.poses.get(entity).ok()?;
        let rotation = space::rotation(*rotation);
        Some(Pose { position: dim::to_world(position.0), rotation })
    }

    fn pose_in_body(collider: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Pose {
        let Ok((_, Some(local))) = hierarchy.colliders.get(collider) else {
            return Pose::default();
        };
        let rotation = space::rotation(local.rotation.into());
        Pose { position: dim::to_world(local.translation), rotation }
    }

    fn for_each_hit(
        Ray { origin, direction, length, layers }: Ray,
        queries: &SystemParamItem<Self::Queries>,
        mut each: impl FnMut(RayHit),
    ) {
        let Some(direction) = space::direction(*direction) else { return };
        let filter = SpatialQueryFilter::from_mask(LayerMask(layers.0));
        let origin = dim::from_world(origin);
        queries.ray_hits_callback(origin, direction, length, false, &filter, |hit| {
            let (entity, distance) = (hit.entity, hit.distance);
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
        let half = dim::from_world(Vec3::splat(reach));
        let around = ColliderAabb::new(dim::from_world(point), half);
        queries.aabb_intersections_with_aabb_callback(around, |entity| {
            each(entity);
            true
        });
    }
}

fn state(
    body: &RigidBody,
    (linear, angular): (&LinearVelocity, &AngularVelocity),
    (mass, center): (&ComputedMass, &ComputedCenterOfMass),
    (locked, is_disabled, is_asleep): (Option<&LockedAxes>, bool, bool),
) -> BodyState {
    let (moves, turns) = locked.map_or((BVec3::TRUE, BVec3::TRUE), |&locked| space::free(locked));
    BodyState {
        kind: match body {
            RigidBody::Dynamic => BodyKind::Dynamic,
            RigidBody::Kinematic => BodyKind::Kinematic,
            RigidBody::Static => BodyKind::Static,
        },
        velocity: BodyVelocity {
            linear: dim::to_world(linear.0),
            angular: space::spin_to_world(*angular),
        },
        mass: mass.value(),
        center: dim::to_world(center.0),
        moves,
        turns,
        is_disabled,
        has_no_colliders: false,
        is_asleep,
    }
}
