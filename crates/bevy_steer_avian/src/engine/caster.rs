//! [`ColliderCaster`]: feelers that cast into the engine's spatial query; and [`ColliderRays`].

use bevy::{
    ecs::system::{SystemParam, SystemParamItem},
    prelude::*,
};
use bevy_steer::{Agent, AvoidWallsWith, FeelerCaster, FeelerHit, SteeringLayers, Vehicle};

use crate::settings::{ColliderObstacles, IgnoredCollider};

use super::{
    avian::{
        parry::{bounding_volume::Aabb, math::Vector, query::PointProjection, shape::Shape},
        prelude::*,
    },
    motion::BodyMotion,
    space,
};

/// [`AvoidWalls`](bevy_steer::AvoidWalls) with feelers that cast into the engine's spatial query:
/// they feel the exact shapes of colliders, also of those that are not obstacles because
/// [`ColliderObstacles`] does not choose them.
///
/// They do not feel agents, sensors, [`IgnoredCollider`]s and, in a plane of three dimensions, the
/// ground. Registered by the plugin.
pub type AvoidColliders = AvoidWallsWith<ColliderCaster>;

/// Feels colliders, for [`AvoidColliders`].
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct ColliderCaster;

/// Casts rays at colliders: what a system asks about lines of sight.
#[derive(SystemParam)]
pub struct ColliderRays<'w, 's> {
    query: SpatialQuery<'w, 's>,
    colliders: Query<
        'w,
        's,
        (
            (&'static Collider, &'static Position, &'static Rotation, &'static CollisionLayers),
            Option<&'static ColliderOf>,
            (Has<Sensor>, Has<IgnoredCollider>, Has<Vehicle>),
        ),
    >,
    bodies: Query<'w, 's, (Has<IgnoredCollider>, Has<Vehicle>), With<RigidBody>>,
    motion: BodyMotion<'w, 's>,
    obstacles: Res<'w, ColliderObstacles>,
}

impl ColliderRays<'_, '_> {
    /// The first collider that a ray from `origin` along a vector hits within `length` units: where
    /// it hits it, and on which side. Of those in one of the layers
    /// (`CollisionLayers::memberships`) that belong to no agent and are neither a sensor nor an
    /// [`IgnoredCollider`](crate::IgnoredCollider).
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
        let direction = space::direction(along).filter(|_| origin.is_finite() && length > 0.0)?;
        let filter = SpatialQueryFilter::from_mask(LayerMask(layers.0));
        let origin = space::from_world(origin);
        let mut first: Option<FeelerHit> = None;
        let length = length.min(f32::MAX);
        self.query.ray_hits_callback(origin, direction, length, false, &filter, |hit| {
            let normal = space::to_world(hit.normal);
            let (distance, entity) = (hit.distance, Some(hit.entity));
            let felt = FeelerHit { distance, normal, velocity: Vec3::ZERO, entity };
            let is_nearer = first.is_none_or(|first| {
                (hit.distance, Some(hit.entity)) < (first.distance, first.entity)
            });
            if is_nearer && self.is_felt(hit.entity) && counts(&felt) {
                first = Some(felt);
            }
            true
        });
        first.map(|hit| {
            let touched = space::to_world(origin) + space::to_world(*direction) * hit.distance;
            let body = hit.entity.map(|entity| self.motion.at(entity, touched));
            FeelerHit { velocity: body.unwrap_or_default().velocity, ..hit }
        })
    }

    /// Whether it belongs to no agent, and is solid.
    fn is_felt(&self, collider: Entity) -> bool {
        let Ok((_, of_body, (is_sensor, is_ignored, is_agent))) = self.colliders.get(collider)
        else {
            return false;
        };
        let of_body = of_body.and_then(|of_body| self.bodies.get(of_body.body).ok());
        let (body_ignored, of_agent) = of_body.unwrap_or_default();
        !(is_sensor || is_ignored || is_agent || body_ignored || of_agent)
    }
}

impl FeelerCaster for ColliderCaster {
    type Param = ColliderRays<'static, 'static>;

    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        layers: SteeringLayers,
        rays: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit> {
        let max_slope = rays.obstacles.max_slope;
        let hit = rays.first(agent.position, along, length, layers, |hit| {
            !space::is_ground(agent.plane, hit.normal, max_slope)
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
        let place = space::from_world(at);
        let around = ColliderAabb::new(place, space::from_world(Vec3::splat(reach)));
        let mut touched = Vec::new();
        rays.query.aabb_intersections_with_aabb_callback(around, |entity| {
            touched.push(entity);
            true
        });
        // In an order that does not depend on the engine's tree.
        touched.sort_unstable();
        touched.dedup();
        for entity in touched {
            let Ok(((collider, position, rotation, of_layers), ..)) = rays.colliders.get(entity)
            else {
                continue;
            };
            if !rays.is_felt(entity) || of_layers.memberships.0 & layers.0 == 0 {
                continue;
            }
            let (position, rotation) = (space::to_world(position.0), space::rotation(*rotation));
            let local = space::from_world(rotation.inverse() * (at - position));
            let max_slope = rays.obstacles.max_slope;
            let ground = space::ground(agent.plane, rotation, max_slope);
            for_each_nearest(&**collider.shape_scaled(), local, reach, ground, |nearest| {
                let sign = if nearest.is_inside { -1.0 } else { 1.0 };
                let away = rotation * space::to_world(local - nearest.point) * sign;
                let distance = away.length();
                let normal = away.normalize_or_zero();
                let flat = agent.plane.flatten(normal).normalize_or_zero();
                let is_ground = space::is_ground(agent.plane, normal, max_slope);
                if distance <= reach && flat != Vec3::ZERO && !is_ground {
                    let distance = distance * sign;
                    let velocity = rays.motion.at(entity, at - away).velocity;
                    touch(FeelerHit { distance, normal: flat, velocity, entity: Some(entity) });
                }
            });
        }
    }
}

/// Calls `each` with the nearest point of a shape, or of each part of a shape of several parts that
/// may be within `reach` and is not ground: one that is pressed off one part must not get into
/// another.
fn for_each_nearest(
    shape: &dyn Shape,
    point: Vector,
    reach: f32,
    ground: Option<space::Ground>,
    mut each: impl FnMut(PointProjection),
) {
    let Some(composite) = shape.as_composite_shape() else {
        each(shape.project_local_point(point, false));
        return;
    };
    let around = Aabb::from_half_extents(point, space::from_world(Vec3::splat(reach)));
    let mut parts: Vec<u32> = composite.bvh().intersect_aabb(&around).collect();
    parts.sort_unstable();
    for part in parts {
        composite.map_part_at(part, &mut |pose, part, _| {
            if space::is_ground_part(&part.as_typed_shape(), ground) {
                return;
            }
            each(match pose {
                Some(pose) => part.project_point(pose, point, false),
                None => part.project_local_point(point, false),
            });
        });
    }
}
