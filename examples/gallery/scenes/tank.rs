//! The glass walls of a tank, for the feelers of [`AvoidWallsWith`](bevy_steer::AvoidWallsWith).

use bevy::{ecs::system::SystemParamItem, prelude::*};
use bevy_steer::{FeelerCaster, FeelerHit, prelude::*};

/// Casts feelers against the inside of the world's bounds, as one would with a physics engine.
#[derive(TypePath, Clone, Copy, Debug)]
pub(super) struct Glass;

impl FeelerCaster for Glass {
    type Param = Res<'static, WorldBounds>;

    fn cast(
        agent: &Agent,
        along: Vec3,
        length: f32,
        _: SteeringLayers,
        bounds: &SystemParamItem<Self::Param>,
    ) -> Option<FeelerHit> {
        let hits = (0..3).filter_map(|axis| {
            let wall = if along[axis] > 0.0 { bounds.max[axis] } else { bounds.min[axis] };
            let distance = ((wall - agent.position[axis]) / along[axis]).max(0.0);
            let mut normal = Vec3::ZERO;
            normal[axis] = -along[axis].signum();
            (distance <= length).then_some(FeelerHit {
                distance,
                normal,
                velocity: Vec3::ZERO,
                entity: None,
            })
        });
        hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }
}
