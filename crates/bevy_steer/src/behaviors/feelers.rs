//! [`FeelerCaster`]: short casts ahead, by this crate's own index or a physics engine's.

use bevy::{
    ecs::system::{ReadOnlySystemParam, SystemParamItem},
    prelude::*,
};

use crate::{
    behavior::agent::Agent,
    obstacles::{ObstacleIndex, ObstacleShape, geometry::cast_at_segment},
    space::vector,
};

/// What a feeler touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeelerHit {
    /// How far along the feeler, in units.
    pub distance: f32,
    /// The unit vector away from the surface, towards the agent.
    pub normal: Vec3,
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
///         _: &SystemParamItem<Self::Param>,
///     ) -> Option<FeelerHit> {
///         let distance = agent.position.y / -along.y;
///         (0.0..=length).contains(&distance).then_some(FeelerHit {
///             distance,
///             normal: Vec3::Y,
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

    /// The first thing within `length` units of the agent's position along the unit vector `along`.
    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        world: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit>;

    /// Calls `touch` with the nearest point of each thing no farther than `reach` units from the
    /// agent's position: things beside the agent, or between two feelers. The default knows of
    /// none.
    fn near(
        agent: &Agent,
        reach: f32,
        world: &SystemParamItem<Self::Param>,
        touch: impl FnMut(FeelerHit),
    ) {
        let _ = (agent, reach, world, touch);
    }
}

/// Feels [`Obstacle`](crate::Obstacle)s and [`Wall`](crate::Wall)s.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct ObstacleCaster;

impl FeelerCaster for ObstacleCaster {
    type Param = Res<'static, ObstacleIndex>;

    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        index: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit> {
        let tip = agent.position + along * length;
        index
            .in_box(agent.position.min(tip), agent.position.max(tip))
            .filter(|obstacle| obstacle.entity != agent.entity)
            .filter_map(|obstacle| {
                let from = -agent.towards(obstacle.position);
                match obstacle.shape {
                    ObstacleShape::Segment { start, end } => {
                        let [x, y, z] = obstacle.axes;
                        let to_world = |p: Vec3| agent.plane.flatten(x * p.x + y * p.y + z * p.z);
                        let (start, end) = (to_world(start), to_world(end));
                        cast_at_segment(from, along, length, start, end, agent.plane.normal())
                    }
                    shape => shape.sweep(from, along, length, 0.0, &obstacle.axes, agent.plane),
                }
            })
            .min_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(distance, normal)| FeelerHit {
                distance,
                normal: vector::direction(agent.plane.flatten(normal)),
            })
    }

    fn near(
        agent: &Agent,
        reach: f32,
        index: &SystemParamItem<Self::Param>,
        mut touch: impl FnMut(FeelerHit),
    ) {
        index.for_each_surface(agent, reach, |_, hit| touch(hit));
    }
}
