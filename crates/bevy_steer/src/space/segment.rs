//! Line segments.

use bevy::prelude::*;

/// The point of a segment that is nearest to `point`.
pub(crate) fn nearest_on_segment(point: Vec3, start: Vec3, end: Vec3) -> Vec3 {
    let along = end - start;
    let squared = along.length_squared();
    if squared > 0.0 {
        start + along * ((point - start).dot(along) / squared).clamp(0.0, 1.0)
    } else {
        start
    }
}
