//! [`for_each_nearest`].

use bevy::prelude::*;

use super::{
    parry::{bounding_volume::Aabb, query::PointProjection, shape::Shape},
    space,
};
use crate::{engine::NearestPoint, ground::Ground};

/// Calls `each` with the nearest point of a shape, or of each part of a shape of several parts that
/// may be within `reach` and is not ground: one that is pressed off one part must not get into
/// another.
pub fn for_each_nearest(
    shape: &dyn Shape,
    point: Vec3,
    reach: f32,
    ground: Option<Ground>,
    mut each: impl FnMut(NearestPoint),
) {
    let point = space::from_world(point);
    let mut tell = |PointProjection { point, is_inside, .. }: PointProjection| {
        each(NearestPoint { point: space::to_world(point), is_inside });
    };
    let Some(composite) = shape.as_composite_shape() else {
        tell(shape.project_local_point(point, false));
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
            tell(match pose {
                Some(pose) => part.project_point(pose, point, false),
                None => part.project_local_point(point, false),
            });
        });
    }
}
