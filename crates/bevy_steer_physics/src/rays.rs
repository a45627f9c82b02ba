//! [`ColliderCaster`]: feelers that cast into the engine's spatial query; and [`ColliderRays`].

use bevy::{
    ecs::system::{StaticSystemParam, SystemParam, SystemParamItem},
    prelude::*,
};
use bevy_steer::{Agent, FeelerCaster, FeelerHit, SteeringLayers, Vehicle};

use crate::{
    engine::{PhysicsEngine, Pose, Ray, ReadCollider},
    ground::Ground,
    motion::BodyMotion,
    obstacles::PartsOfAgents,
    settings::{ColliderObstacles, IgnoredCollider},
};

/// Feels colliders: for [`AvoidWallsWith`](bevy_steer::AvoidWallsWith).
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct ColliderCaster<E: PhysicsEngine>(core::marker::PhantomData<E>);

/// Casts rays at colliders: what a system asks about lines of sight.
#[derive(SystemParam)]
pub struct ColliderRays<'w, 's, E: PhysicsEngine> {
    queries: StaticSystemParam<'w, 's, <E as PhysicsEngine>::Queries>,
    colliders: Query<'w, 's, ReadCollider<E>>,
    /// Of colliders and of bodies.
    left_out: Query<'w, 's, (), Or<(With<IgnoredCollider>, With<Vehicle>)>>,
    parts_of_agents: PartsOfAgents<'w, 's>,
    motion: BodyMotion<'w, 's, E>,
    obstacles: Res<'w, ColliderObstacles>,
}

impl<E: PhysicsEngine> ColliderRays<'_, '_, E> {
    /// The first collider that a ray from `origin` along a vector hits within `length` units: where
    /// it hits it, and on which side. Of those in one of the layers that belong to no agent and are
    /// neither a sensor nor an [`IgnoredCollider`].
    ///
    /// A ray that starts inside of a collider hits its surface from inside. One with NaN, or along
    /// a zero vector, hits nothing.
    pub fn cast_ray(
        &self,
        origin: Vec3,
        along: Vec3,
        length: f32,
        layers: SteeringLayers,
    ) -> Option<FeelerHit> {
        self.first(origin, along, length, layers, |_| true)
    }

    /// Whether no collider, of those that [`cast_ray`](Self::cast_ray) hits, is between two places.
    pub fn line_of_sight(&self, from: Vec3, to: Vec3, layers: SteeringLayers) -> bool {
        let way = to - from;
        self.cast_ray(from, way, way.length(), layers).is_none()
    }

    /// The first hit that counts.
    fn first(
        &self,
        origin: Vec3,
        along: Vec3,
        length: f32,
        layers: SteeringLayers,
        counts: impl Fn(&FeelerHit) -> bool,
    ) -> Option<FeelerHit> {
        let direction = Dir3::new(E::flatten(along)).ok()?;
        if !(origin.is_finite() && length > 0.0) {
            return None;
        }
        let ray = Ray { origin, direction, length: length.min(f32::MAX), layers };
        let mut first: Option<FeelerHit> = None;
        E::for_each_hit(ray, &self.queries, |hit| {
            let (distance, entity) = (hit.distance, Some(hit.entity));
            let felt = FeelerHit { distance, normal: hit.normal, velocity: Vec3::ZERO, entity };
            let is_nearer =
                first.is_none_or(|first| (distance, entity) < (first.distance, first.entity));
            if is_nearer && self.is_felt(hit.entity, layers) && counts(&felt) {
                first = Some(felt);
            }
        });
        first.map(|hit| {
            let touched = origin + direction * hit.distance;
            let body = hit.entity.map(|entity| self.motion.at(entity, touched));
            FeelerHit { velocity: body.unwrap_or_default().linear, ..hit }
        })
    }

    /// Whether it is in one of the layers, belongs to no agent, and is solid.
    fn is_felt(&self, collider: Entity, layers: SteeringLayers) -> bool {
        let Ok(data) = self.colliders.get(collider) else { return false };
        let state = E::collider(&data);
        let body = E::body_of(collider, &self.motion.hierarchy);
        let is_left_out = |entity| self.left_out.contains(entity);
        let counts = !(is_left_out(collider) || body.is_some_and(is_left_out));
        let is_solid = !(state.is_sensor || state.is_disabled);
        state.layers.overlaps(layers)
            && is_solid
            && counts
            && !self.parts_of_agents.contains(collider)
    }
}

impl<E: PhysicsEngine> FeelerCaster for ColliderCaster<E> {
    type Param = ColliderRays<'static, 'static, E>;
    const BEHAVIOR: Option<&'static str> = Some(E::AVOID_COLLIDERS);

    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        layers: SteeringLayers,
        rays: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit> {
        let ground = Ground::of::<E>(agent.plane, Quat::IDENTITY, rays.obstacles.max_slope);
        let hit = rays.first(agent.position, along, length, layers, |hit| {
            !ground.is_some_and(|ground| ground.is(hit.normal))
        })?;
        Some(FeelerHit { normal: agent.plane.flatten(hit.normal).normalize_or_zero(), ..hit })
    }

    fn near(
        agent: &Agent,
        reach: f32,
        layers: SteeringLayers,
        rays: &SystemParamItem<Self::Param>,
        mut touch: impl FnMut(FeelerHit),
    ) {
        let at = agent.position;
        if !(at.is_finite() && reach > 0.0 && reach.is_finite()) {
            return;
        }
        let mut touched = Vec::new();
        E::for_each_near(at, reach, &rays.queries, |entity| touched.push(entity));
        // In an order that does not depend on the engine's tree.
        touched.sort_unstable();
        touched.dedup();
        let max_slope = rays.obstacles.max_slope;
        let flat_ground = Ground::of::<E>(agent.plane, Quat::IDENTITY, max_slope);
        for entity in touched.into_iter().filter(|entity| rays.is_felt(*entity, layers)) {
            let Ok(collider) = rays.colliders.get(entity) else { continue };
            let Some(pose) = E::pose(entity, &rays.motion.hierarchy) else { continue };
            let Pose { position, rotation } = pose;
            let local = rotation.inverse() * E::flatten(at - position);
            let ground = Ground::of::<E>(agent.plane, rotation, max_slope);
            E::for_each_nearest(&collider, local, reach, ground, |nearest| {
                let sign = if nearest.is_inside { -1.0 } else { 1.0 };
                let away = rotation * (local - nearest.point) * sign;
                let distance = away.length();
                let normal = away.normalize_or_zero();
                let flat = agent.plane.flatten(normal).normalize_or_zero();
                let is_ground = flat_ground.is_some_and(|ground| ground.is(normal));
                if distance <= reach && flat != Vec3::ZERO && !is_ground {
                    let distance = distance * sign;
                    let velocity = rays.motion.at(entity, at - away).linear;
                    touch(FeelerHit { distance, normal: flat, velocity, entity: Some(entity) });
                }
            });
        }
    }
}
