//! The system that looks at all obstacles and walls at the beginning of a tick.

use bevy::prelude::*;

use crate::{
    agent::{
        hierarchy::Hierarchy,
        tick_context::Tick,
        vehicle::{AngularVelocity, Velocity},
    },
    obstacles::{
        index::ObstacleIndex,
        placed::PlacedObstacle,
        scaled::factor_along,
        shape::{Obstacle, ObstacleShape, Wall},
    },
    simd::vector::MAX_MAGNITUDE,
    space::{
        plane::{PARALLEL, SteeringPlane},
        vector::{self, is_valid},
    },
};

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<ObstacleIndex>();
}

pub(crate) fn build_index(
    mut index: ResMut<ObstacleIndex>,
    obstacles: Query<
        (
            Entity,
            &Transform,
            (Option<&Obstacle>, Option<&Wall>),
            (Option<&Velocity>, Option<&AngularVelocity>),
            Has<ChildOf>,
        ),
        Or<(With<Obstacle>, With<Wall>)>,
    >,
    transforms: TransformHelper,
    hierarchy: Hierarchy,
    tick: Tick,
) {
    let mut found = core::mem::take(&mut index.spare);
    found.clear();
    for (entity, transform, (obstacle, wall), (velocity, spin), is_child) in &obstacles {
        let mut transform = *transform;
        let mut velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        let mut spin = spin.map_or(Vec3::ZERO, |spin| spin.0);
        if is_child {
            if let Ok(global) = transforms.compute_global_transform(entity) {
                transform = global.compute_transform();
            }
            // Its parents carry it along and swing it round.
            if let Some(motion) = hierarchy.motion(entity, Vec3::X) {
                (velocity, spin) = (motion.velocity, motion.spin);
            }
        }
        let axes = vector::local_axes(unit(transform.rotation));
        let sound = is_valid(transform.translation)
            && is_valid(transform.scale)
            && is_valid(velocity)
            && is_valid(spin)
            && axes.iter().all(|axis| axis.is_finite());
        if !sound {
            let problem =
                "or a velocity is NaN or beyond ±1e9; the obstacle is ignored; set finite values";
            tick.invalid_input.warn(entity, "Transform", problem);
            continue;
        }
        let obstacle = obstacle.map(|obstacle| (obstacle.shape, obstacle.layers, None));
        let wall = wall.map(|wall| {
            let rise = wall.height.unwrap_or(f32::INFINITY);
            let [start, end] = wall.ends(tick.settings.plane);
            (ObstacleShape::Segment { start, end }, wall.layers, Some(rise))
        });
        if let Some((shape, ..)) = obstacle
            && stands_upright(shape, &axes, tick.settings.plane)
        {
            let problem = "is flat and stands upright on the plane of the agents; they see it \
                           from its edge; a Rectangle, Segment2d or Obstacle::rect is in the \
                           plane Xy; use Obstacle::ground or Segment3d in Xz, or a cuboid";
            tick.invalid_input.warn(entity, "Obstacle.shape", problem);
        }
        for (mut shape, layers, rise) in [obstacle, wall].into_iter().flatten() {
            let (is_wall, mut rise, mut taller) = (rise.is_some(), rise.unwrap_or(0.0), 0.0);
            if transform.scale != Vec3::ONE {
                let plane = tick.settings.plane;
                let scaled = shape.scaled(transform.scale, &axes, plane);
                if !scaled.stays_round {
                    let problem = "is not uniform; spheres and capsules use the largest axis; \
                                   use a uniform scale or a cuboid";
                    tick.invalid_input.warn(entity, "Transform.scale", problem);
                }
                (shape, taller) = (scaled.shape, scaled.taller);
                if rise.is_finite() {
                    rise *= factor_along(plane.normal(), transform.scale, &axes);
                }
            }
            let bounding_radius = shape.bounding_radius();
            if !(bounding_radius <= MAX_MAGNITUDE && rise >= 0.0) {
                let field = if is_wall { "Wall" } else { "Obstacle.shape" };
                let problem = "is negative, NaN or beyond ±1e9; the obstacle is ignored; set \
                               valid sizes";
                tick.invalid_input.warn(entity, field, problem);
                continue;
            }
            found.push(PlacedObstacle {
                entity,
                position: transform.translation,
                velocity,
                spin,
                shape,
                is_wall,
                layers,
                rise,
                taller,
                axes,
                bounding_radius,
            });
        }
    }
    index.update(found, tick.settings.plane, tick.world_bounds());
}

/// Whether it is a rectangle or a line in two dimensions of which planar agents see no more than
/// the edge, as one of the plane `Xy` is for agents on the ground.
fn stands_upright(shape: ObstacleShape, axes: &[Vec3; 3], plane: SteeringPlane) -> bool {
    let size = match shape {
        ObstacleShape::Box { half_size } => half_size,
        // One that is somewhere else in its plane is meant to be there.
        ObstacleShape::Segment { start, end } if start.z == 0.0 && end.z == 0.0 => {
            (end - start).abs()
        }
        _ => return false,
    };
    let mut flat = (0..3).filter(|&axis| size[axis] == 0.0);
    let (Some(flat), None) = (flat.next(), flat.next()) else { return false };
    // The axis on which it has no size leads out of the plane if it lies flat.
    plane.is_planar() && axes[flat].dot(plane.normal()).abs() <= PARALLEL
}

/// A rotation at length one, which `Transform` does not promise: else a box would reach beyond the
/// ball around it. As it is where it is off by no more than rounding.
fn unit(rotation: Quat) -> Quat {
    const ROUNDING: f32 = 1e-5;
    // Not `Quat::length_squared`, which adds in another order on other platforms.
    let [x, y, z, w] = rotation.to_array();
    let squared = x * x + y * y + z * z + w * w;
    let is_unit = (squared - 1.0).abs() <= ROUNDING;
    // All zeros turn nothing, and of what is too large nothing can be told.
    if is_unit || squared == 0.0 || squared == f32::INFINITY {
        rotation
    } else {
        rotation * (1.0 / squared.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_get_length_one() {
        let turned = Quat::from_euler(EulerRot::XYZ, 0.3, -1.2, 2.0);
        assert_eq!(unit(turned), turned);
        for share in [1e-6, 0.3, 7.0, 1e9] {
            assert!(unit(turned * share).abs_diff_eq(turned, 1e-6), "{share}");
        }
        let nothing = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert_eq!(vector::local_axes(unit(nothing)), Vec3::AXES);
        assert!(unit(Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)).is_nan());
        let huge = unit(Quat::from_xyzw(1e30, 0.0, 0.0, 1.0));
        assert!(vector::local_axes(huge).iter().any(|axis| !axis.is_finite()), "named in the log");
    }
}
