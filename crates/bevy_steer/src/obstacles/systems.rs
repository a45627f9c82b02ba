//! The system that looks at all obstacles and walls at the beginning of a tick.

use bevy::prelude::*;

use crate::{
    agent::{tick_context::Tick, vehicle::Velocity},
    obstacles::{
        index::ObstacleIndex,
        placed::PlacedObstacle,
        shape::{Obstacle, ObstacleShape, Wall},
    },
    space::vector,
};

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<ObstacleIndex>().register_type::<Obstacle>().register_type::<Wall>();
}

pub(crate) fn build_index(
    mut index: ResMut<ObstacleIndex>,
    obstacles: Query<
        (Entity, &Transform, Option<&Obstacle>, Option<&Wall>, Option<&Velocity>, Has<ChildOf>),
        Or<(With<Obstacle>, With<Wall>)>,
    >,
    hierarchy: TransformHelper,
    tick: Tick,
) {
    let mut found = core::mem::take(&mut index.spare);
    found.clear();
    for (entity, transform, obstacle, wall, velocity, is_child) in &obstacles {
        let transform = if is_child {
            let global = hierarchy.compute_global_transform(entity);
            global.map_or(*transform, |global| global.compute_transform())
        } else {
            *transform
        };
        let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        let axes = vector::local_axes(transform.rotation);
        let sound = transform.translation.is_finite()
            && transform.scale.is_finite()
            && velocity.is_finite()
            && axes.iter().all(|axis| axis.is_finite());
        if !sound {
            tick.invalid_input.warn(
                entity,
                "Transform",
                "or `Velocity` of an obstacle is not finite",
            );
            continue;
        }
        let obstacle = obstacle.map(|obstacle| (obstacle.shape, obstacle.layers, None));
        let wall = wall.map(|&Wall { start, end, height, layers }| {
            let rise = height.unwrap_or(f32::INFINITY);
            (ObstacleShape::Segment { start, end }, layers, Some(rise))
        });
        for (mut shape, layers, rise) in [obstacle, wall].into_iter().flatten() {
            let (is_wall, mut rise) = (rise.is_some(), rise.unwrap_or(0.0));
            if transform.scale != Vec3::ONE {
                let (scaled, stays_round) = shape.scaled(transform.scale, tick.settings.plane);
                if !stays_round {
                    let problem = "differs between the axes: a round obstacle stays round and \
                                   takes the largest factor";
                    tick.invalid_input.warn(entity, "Transform.scale", problem);
                }
                shape = scaled;
                let scale = transform.scale.abs();
                if rise.is_finite() {
                    rise *= (scale - tick.settings.plane.flatten(scale)).length();
                }
            }
            let bounding_radius = shape.bounding_radius();
            if !(bounding_radius.is_finite() && rise >= 0.0) {
                let field = if is_wall { "Wall" } else { "Obstacle.shape" };
                tick.invalid_input.warn(entity, field, "is negative or not finite");
                continue;
            }
            found.push(PlacedObstacle {
                entity,
                position: transform.translation,
                velocity,
                shape,
                is_wall,
                layers,
                rise,
                axes,
                bounding_radius,
            });
        }
    }
    index.update(found, tick.settings.plane, tick.world_bounds());
}
