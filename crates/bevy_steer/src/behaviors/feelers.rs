//! [`FeelerCaster`]: short casts ahead, by this crate's own index or a physics engine's.

use core::f32::consts::FRAC_PI_2;

use bevy::{
    ecs::system::{ReadOnlySystemParam, SystemParamItem},
    prelude::*,
};

use crate::{
    agent::SteeringLayers,
    behavior::{Agent, NearSurface, NearSurfaces, Several},
    behaviors::avoid_obstacles::AvoidObstacles,
    obstacles::{ObstacleShape, PlacedObstacle, geometry::cast_at_segment},
    space::{SteeringPlane, vector},
};

/// What a feeler touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeelerHit {
    /// How far along the feeler, in units.
    pub distance: f32,
    /// The unit vector away from the surface, towards the agent.
    pub normal: Vec3,
    /// The velocity of the surface where the feeler touched it, in units a second; zero if it is at
    /// rest.
    pub velocity: Vec3,
    /// What it touched, if that is an entity: a [`SteeringTrace`](crate::SteeringTrace) tells of
    /// it.
    pub entity: Option<Entity>,
}

/// What the feelers of [`AvoidWalls`](crate::AvoidWalls) feel. Implement it for a physics engine,
/// and register `AvoidWallsWith<YourCaster>` with
/// [`add_steering_behavior`](crate::SteeringAppExt::add_steering_behavior).
///
/// ```
/// use bevy::{ecs::system::SystemParamItem, prelude::*};
/// use bevy_steer::{AvoidWallsWith, FeelerCaster, FeelerHit, prelude::*};
///
/// /// An endless floor.
/// #[derive(TypePath)]
/// struct Floor;
///
/// impl FeelerCaster for Floor {
///     type Param = ();
///     fn cast(
///         agent: &Agent,
///         along: Vec3,
///         length: f32,
///         _: SteeringLayers,
///         _: &SystemParamItem<Self::Param>,
///     ) -> Option<FeelerHit> {
///         let distance = agent.position.y / -along.y;
///         (0.0..=length).contains(&distance).then_some(FeelerHit {
///             distance,
///             normal: Vec3::Y,
///             velocity: Vec3::ZERO,
///             entity: None,
///         })
///     }
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_steering_behavior::<AvoidWallsWith<Floor>>();
/// ```
pub trait FeelerCaster: TypePath + Send + Sync + 'static {
    /// What it reads of the world: a physics engine's query parameter.
    type Param: for<'w, 's> ReadOnlySystemParam<Item<'w, 's>: Sync> + 'static;

    /// Whether it reads [`NearSurfaces`]: whether the agent looks for them as far as its feelers
    /// reach. Default false.
    const SURFACES: bool = false;

    /// The path of the alias of [`AvoidWallsWith`](crate::AvoidWallsWith) for this caster, such as
    /// `my_game::AvoidCliffs`: tools name the behaviour by it. Default: it has none.
    const BEHAVIOR: Option<&'static str> = None;

    /// The first thing within `length` units of the agent's position along the unit vector `along`
    /// that is in one of the layers.
    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        layers: SteeringLayers,
        params: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit>;

    /// Calls `touch` with the nearest point of each thing in one of the layers no farther than
    /// `reach` units from the agent's position, also beside it: the agent stays able to stop before
    /// them. The default casts ahead and to both sides.
    fn near(
        agent: &Agent,
        reach: f32,
        layers: SteeringLayers,
        params: &SystemParamItem<Self::Param>,
        mut touch: impl FnMut(FeelerHit),
    ) {
        let ahead = agent.direction();
        for angle in [0.0, 0.6, -0.6, FRAC_PI_2, -FRAC_PI_2] {
            let along = SteeringPlane::turn(ahead, agent.plane.normal(), angle);
            if let Some(hit) = Self::cast(agent, along, reach, layers, params) {
                touch(FeelerHit { distance: hit.distance * -along.dot(hit.normal), ..hit });
            }
        }
    }
}

/// The behaviours that go round obstacles.
type Avoiders<'w, 's> =
    (Query<'w, 's, &'static AvoidObstacles>, Query<'w, 's, &'static Several<AvoidObstacles>>);

/// Feels [`Obstacle`](crate::Obstacle)s and [`Wall`](crate::Wall)s, of those that
/// [`NearSurfaces`] has; not the obstacles that the agent's own [`AvoidObstacles`] avoids.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct ObstacleCaster;

impl FeelerCaster for ObstacleCaster {
    type Param = (NearSurfaces<'static>, Avoiders<'static, 'static>);
    const SURFACES: bool = true;
    const BEHAVIOR: Option<&'static str> = Some("bevy_steer::AvoidWalls");

    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        layers: SteeringLayers,
        params: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit> {
        let surfaces = felt(agent, layers, params);
        let hits = surfaces.filter_map(|one| cast_at(agent, one.obstacle, along, length));
        let first = hits.min_by(|a, b| a.distance.total_cmp(&b.distance))?;
        let normal = vector::direction(agent.plane.flatten(first.normal));
        Some(FeelerHit { normal, ..first })
    }

    fn near(
        agent: &Agent,
        reach: f32,
        layers: SteeringLayers,
        params: &SystemParamItem<Self::Param>,
        mut touch: impl FnMut(FeelerHit),
    ) {
        for surface in felt(agent, layers, params) {
            let NearSurface { obstacle, distance, normal } = surface;
            if distance <= reach && normal != Vec3::ZERO {
                let (velocity, entity) = (surface.velocity(agent), Some(obstacle.entity));
                touch(FeelerHit { distance, normal, velocity, entity });
            }
        }
    }
}

/// The surfaces near an agent that it does not go round anyway: two behaviours for one box would
/// add up, and one would hold the agent where the other goes on.
fn felt<'a>(
    agent: &Agent,
    layers: SteeringLayers,
    (surfaces, (single, several)): &'a (NearSurfaces, Avoiders),
) -> impl Iterator<Item = NearSurface<'a>> {
    let mut surfaces = surfaces.of(agent, layers).peekable();
    let mut avoided = SteeringLayers::NONE;
    if surfaces.peek().is_some() {
        let several = several.get(agent.entity).ok().into_iter().flat_map(|several| &several.0);
        let avoiders = single.get(agent.entity).ok().into_iter().chain(several);
        for avoider in avoiders.filter(|avoider| avoider.blend.enabled) {
            avoided = avoided.or(avoider.layers);
        }
    }
    surfaces.filter(move |NearSurface { obstacle, .. }| {
        obstacle.is_wall || !obstacle.layers.overlaps(avoided)
    })
}

/// Where a feeler of an agent touches an obstacle; the normal is not yet in the agent's plane.
#[inline]
fn cast_at(
    agent: &Agent,
    obstacle: &PlacedObstacle,
    along: Vec3,
    length: f32,
) -> Option<FeelerHit> {
    if along.is_nan() {
        return None;
    }
    let &PlacedObstacle { entity, shape, axes, .. } = obstacle;
    let (from, plane) = (-agent.towards(obstacle.position), agent.plane);
    let hit = match shape {
        ObstacleShape::Segment { start, end } if obstacle.plane(plane).is_planar() => {
            let [start, end] = [start, end].map(|end| plane.flatten(vector::to_world(&axes, end)));
            cast_at_segment(from, along, length, start, end, plane.normal())
        }
        _ => shape.sweep(from, along, length, 0.0, &axes, plane),
    };
    hit.map(|(distance, normal)| FeelerHit {
        distance,
        normal,
        velocity: obstacle.velocity_at(from + along * distance),
        entity: Some(entity),
    })
}
