//! [`FeelerCaster`]: short casts ahead, by this crate's own index or a physics engine's.

use core::f32::consts::FRAC_PI_2;

use bevy::{
    ecs::system::{ReadOnlySystemParam, SystemParamItem},
    prelude::*,
};

use crate::{
    agent::layers::SteeringLayers,
    behavior::{agent::Agent, several::Several},
    behaviors::avoid_obstacles::AvoidObstacles,
    obstacles::{ObstacleIndex, ObstacleShape, PlacedObstacle, geometry::cast_at_segment},
    space::{plane::SteeringPlane, vector},
};

/// What a feeler touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeelerHit {
    /// How far along the feeler, in units.
    pub distance: f32,
    /// The unit vector away from the surface, towards the agent.
    pub normal: Vec3,
    /// What it touched, if that is an entity: a [`SteeringTrace`](crate::SteeringTrace) tells of
    /// it.
    pub entity: Option<Entity>,
}

/// A straight line from an agent's position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feeler {
    /// The unit vector along it.
    pub along: Vec3,
    /// Its length, in units.
    pub length: f32,
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

    /// The first thing within `length` units of the agent's position along the unit vector `along`
    /// that is in one of the layers.
    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        layers: SteeringLayers,
        params: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit>;

    /// Calls `touch` with each of some feelers that touches something, and what it touches first.
    /// The default casts them one by one.
    fn feel(
        agent: &Agent,
        feelers: &[Feeler],
        layers: SteeringLayers,
        params: &SystemParamItem<Self::Param>,
        mut touch: impl FnMut(Feeler, FeelerHit),
    ) {
        for &feeler in feelers {
            let Feeler { along, length } = feeler;
            if let Some(hit) = Self::cast(agent, along, length, layers, params) {
                touch(feeler, hit);
            }
        }
    }

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

/// Feels [`Obstacle`](crate::Obstacle)s and [`Wall`](crate::Wall)s; not the obstacles that the
/// agent's own [`AvoidObstacles`] avoids.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct ObstacleCaster;

impl FeelerCaster for ObstacleCaster {
    type Param = (Res<'static, ObstacleIndex>, Avoiders<'static, 'static>);

    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        layers: SteeringLayers,
        params: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit> {
        let mut found = None;
        Self::feel(agent, &[Feeler { along, length }], layers, params, |_, hit| found = Some(hit));
        found
    }

    /// Looks for obstacles once for all feelers.
    fn feel(
        agent: &Agent,
        feelers: &[Feeler],
        layers: SteeringLayers,
        (index, avoiders): &SystemParamItem<Self::Param>,
        mut touch: impl FnMut(Feeler, FeelerHit),
    ) {
        let here = agent.position;
        for some in feelers.chunks(AT_ONCE) {
            let tips = some.iter().map(|feeler| here + feeler.along * feeler.length);
            let tips = tips.filter(|tip| !tip.is_nan());
            let (min, max) =
                tips.fold((here, here), |(min, max), tip| (min.min(tip), max.max(tip)));
            let mut first: [Option<FeelerHit>; AT_ONCE] = [None; AT_ONCE];
            // Not a `for` loop, which is slower on nested iterators.
            index.in_box(min, max).for_each(|obstacle| {
                if !obstacle.concerns(agent, layers)
                    || !is_left_to_feelers(agent, obstacle, avoiders)
                {
                    return;
                }
                let cast = cast_at(agent, obstacle);
                for (feeler, first) in some.iter().zip(&mut first) {
                    let Some(hit) = cast(*feeler) else { continue };
                    if first.is_none_or(|first| hit.distance < first.distance) {
                        *first = Some(hit);
                    }
                }
            });
            for (&feeler, hit) in some.iter().zip(first) {
                if let Some(hit) = hit {
                    let normal = vector::direction(agent.plane.flatten(hit.normal));
                    touch(feeler, FeelerHit { normal, ..hit });
                }
            }
        }
    }

    fn near(
        agent: &Agent,
        reach: f32,
        layers: SteeringLayers,
        (index, avoiders): &SystemParamItem<Self::Param>,
        mut touch: impl FnMut(FeelerHit),
    ) {
        index.for_each_surface(agent, layers, reach, |obstacle, hit| {
            if is_left_to_feelers(agent, obstacle, avoiders) {
                touch(hit);
            }
        });
    }
}

/// So many feelers are felt with at once.
const AT_ONCE: usize = 8;

/// Tells where feelers of an agent touch an obstacle; the normals are not yet in the agent's plane.
#[inline(always)]
fn cast_at(agent: &Agent, obstacle: &PlacedObstacle) -> impl Fn(Feeler) -> Option<FeelerHit> {
    let &PlacedObstacle { entity, shape, axes, .. } = obstacle;
    let (from, plane) = (-agent.towards(obstacle.position), agent.plane);
    let ends = match shape {
        ObstacleShape::Segment { start, end } if obstacle.plane(plane).is_planar() => {
            Some([start, end].map(|end| plane.flatten(vector::to_world(&axes, end))))
        }
        _ => None,
    };
    move |Feeler { along, length }| {
        if along.is_nan() {
            return None;
        }
        let hit = match ends {
            Some([start, end]) => cast_at_segment(from, along, length, start, end, plane.normal()),
            None => shape.sweep(from, along, length, 0.0, &axes, plane),
        };
        hit.map(|(distance, normal)| FeelerHit { distance, normal, entity: Some(entity) })
    }
}

/// Whether the agent does not go round this obstacle anyway: two behaviours for one box would add
/// up, and one would hold the agent where the other goes on.
fn is_left_to_feelers(
    agent: &Agent,
    obstacle: &PlacedObstacle,
    (single, several): &Avoiders,
) -> bool {
    let goes_round = |avoider: &AvoidObstacles| {
        avoider.blend.enabled && obstacle.layers.overlaps(avoider.layers)
    };
    let any_goes_round = |several: &Several<AvoidObstacles>| several.0.iter().any(goes_round);
    obstacle.is_wall
        || !(single.get(agent.entity).is_ok_and(goes_round)
            || several.get(agent.entity).is_ok_and(any_goes_round))
}
