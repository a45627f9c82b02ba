//! Drawings of the world: obstacles and walls as agents see them, and the edges of the world.

use bevy::prelude::*;

use crate::{
    agent::SteeringSettings,
    debug::gizmos::{SteeringGizmos, shapes::Pen},
    obstacles::{ObstacleIndex, ObstacleShape, PlacedObstacle},
    space::{SteeringPlane, WorldBounds},
};

pub(crate) fn draw_surroundings(
    index: Res<ObstacleIndex>,
    bounds: Option<Res<WorldBounds>>,
    settings: Res<SteeringSettings>,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    for placed in index.iter() {
        if let Some(color) = if placed.is_wall { config.walls } else { config.obstacles } {
            draw_obstacle(placed, settings.plane, color, &mut gizmos);
        }
    }
    if let (Some(bounds), Some(color)) = (bounds, config.bounds) {
        let size = bounds.max - bounds.min;
        // Without edges there is nothing to draw.
        let flat = Vec3::select(size.is_finite_mask(), size, Vec3::ZERO);
        if settings.plane.flatten(size).is_finite() {
            let middle = (bounds.min + bounds.max) * 0.5;
            let middle = Vec3::select(size.is_finite_mask(), middle, Vec3::ZERO);
            gizmos.cube(Transform::from_translation(middle).with_scale(flat), color);
        }
    }
}

fn draw_obstacle(
    placed: &PlacedObstacle,
    plane: SteeringPlane,
    color: Color,
    gizmos: &mut Gizmos<SteeringGizmos>,
) {
    let [x, y, z] = placed.axes;
    let center = placed.position;
    let rotation = Quat::from_mat3(&Mat3::from_cols(x, y, z));
    let place = Isometry3d::new(center, rotation);
    if !(center.is_finite() && rotation.is_finite()) {
        return;
    }
    match placed.shape {
        ObstacleShape::Sphere { radius } => {
            Pen::new(gizmos, plane, radius).circle(center, radius, color);
        }
        ObstacleShape::Box { half_size } => {
            let scale = Vec3::select(half_size.is_finite_mask(), half_size * 2.0, Vec3::ZERO);
            gizmos.cube(Transform { translation: center, rotation, scale }, color);
        }
        ObstacleShape::Capsule { radius, half_length } => {
            gizmos.primitive_3d(&Capsule3d { radius, half_length }, place, color);
        }
        ObstacleShape::Segment { start, end } => {
            gizmos.line(place * start, place * end, color);
        }
    }
}
