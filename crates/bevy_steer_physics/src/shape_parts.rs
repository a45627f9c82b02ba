//! The shapes of colliders as parts of obstacles.

use bevy::prelude::*;
use bevy_steer::ObstacleShape;

use crate::{ground::Ground, part::Part};

use super::{
    parry::shape::{Cuboid, Segment, Shape, TypedShape, Voxels},
    space,
};

/// The obstacles that stand for a shape. Round shapes, boxes and lines are themselves; others are
/// approximated, see `docs/physics.md`.
pub fn parts_of(shape: &dyn Shape, ground: Option<Ground>) -> Vec<Part> {
    let mut parts = Vec::new();
    add_parts(shape, ground, &mut parts);
    parts
}

fn add_parts(shape: &dyn Shape, ground: Option<Ground>, parts: &mut Vec<Part>) {
    let typed = shape.as_typed_shape();
    match typed {
        TypedShape::Ball(ball) => {
            parts.push(Part::centered(ObstacleShape::Sphere { radius: ball.radius }));
        }
        TypedShape::Cuboid(cuboid) => parts.push(of_cuboid(cuboid)),
        TypedShape::RoundCuboid(round) => {
            parts.push(of_cuboid(&round.inner_shape).inflated(round.border_radius));
        }
        TypedShape::Capsule(capsule) => {
            // From below: one along the y axis then needs no rotation.
            let ends = [capsule.segment.a, capsule.segment.b].map(space::to_world);
            let [start, end] = if ends[0].y <= ends[1].y { ends } else { [ends[1], ends[0]] };
            parts.push(Part::around_line(start, end, capsule.radius));
        }
        TypedShape::Segment(segment) => parts.push(of_segment(segment, 0.0)),
        TypedShape::Polyline(line) => {
            parts.extend(line.segments().map(|segment| of_segment(&segment, 0.0)));
        }
        TypedShape::Voxels(voxels) => parts.extend(of_voxels(voxels)),
        TypedShape::Compound(compound) => {
            for (pose, shape) in compound.shapes() {
                let (offset, rotation) = space::pose(pose);
                let ground = ground.map(|ground| ground.turned(rotation));
                let first = parts.len();
                add_parts(&**shape, ground, parts);
                for part in &mut parts[first..] {
                    *part = part.moved(offset, rotation);
                }
            }
        }
        _ => space::special(&typed, ground, parts),
    }
}

fn of_cuboid(cuboid: &Cuboid) -> Part {
    let half_size = space::to_world(cuboid.half_extents);
    Part::centered(ObstacleShape::Box { half_size })
}

fn of_segment(segment: &Segment, radius: f32) -> Part {
    Part::around_line(space::to_world(segment.a), space::to_world(segment.b), radius)
}

/// A box for each row of cells.
fn of_voxels(voxels: &Voxels) -> Vec<Part> {
    let size = space::to_world(voxels.voxel_size());
    let filled = voxels.voxels().filter(|voxel| !voxel.state.is_empty());
    let mut cells: Vec<_> =
        filled.map(|voxel| (space::cell(voxel.grid_coords), voxel.center)).collect();
    cells.sort_unstable_by_key(|&([x, y, z], _)| [z, y, x]);
    let rows = cells.chunk_by(|([x, y, z], _), (next, _)| *next == [x + 1, *y, *z]);
    let boxes = rows.filter_map(|row| {
        let [(_, first), .., (_, last)] = row else {
            return row.first().map(|&(_, center)| (center, 1));
        };
        Some(((*first + *last) * 0.5, row.len()))
    });
    boxes
        .map(|(center, count)| {
            let count = Vec3::new(count as f32, 1.0, 1.0);
            Part::aligned_box(space::to_world(center), size * count * 0.5)
        })
        .collect()
}
