//! How far a crowd spreads, and the cells that suit it.

use bevy::{math::ops, prelude::*};

use crate::plane::SteeringPlane;

/// How far the middle 80 % of some points spread on each axis; stragglers do not count.
pub(crate) fn spread(points: &[Vec3]) -> Vec3 {
    let (low, high) = most_of(points);
    high - low
}

/// From where to where the middle 80 % of some points are on each axis.
pub(crate) fn most_of(points: &[Vec3]) -> (Vec3, Vec3) {
    let along = |axis: usize| {
        let mut along: Vec<f32> = points.iter().map(|point| point[axis]).collect();
        let tenth = along.len() / 10;
        along.sort_unstable_by(f32::total_cmp);
        match (along.get(tenth), along.len().checked_sub(1 + tenth)) {
            (Some(&low), Some(high)) => (low, along[high]),
            _ => (0.0, 0.0),
        }
    };
    let [x, y, z] = [along(0), along(1), along(2)];
    (Vec3::new(x.0, y.0, z.0), Vec3::new(x.1, y.1, z.1))
}

/// The width of square cells that hold about `per_cell` of `count` points with this [`spread`].
pub(crate) fn roomy_cell(count: usize, spread: Vec3, plane: SteeringPlane, per_cell: f32) -> f32 {
    if count < 2 {
        return 1.0;
    }
    let spread = plane.flatten(spread);
    let widest = spread.max_element();
    // A crowd on a line has no area; give it a little.
    let room: f32 = plane.axes().map(|axis| spread[axis].max(widest * 1e-2)).product();
    let middle = if plane.is_planar() { 0.8 * 0.8 } else { 0.8 * 0.8 * 0.8 };
    let room = room * (per_cell / (count as f32 * middle));
    let cell = if plane.is_planar() { room.sqrt() } else { ops::cbrt(room) };
    if cell.is_finite() && cell > 0.0 { cell } else { widest.max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roomy_cell_holds_as_many_as_it_should() {
        // The middle 80 % of crowds that fill 100 units each way: a tenth in each square unit, a thousandth in each cube.
        let spread = Vec3::splat(80.0);
        let side = roomy_cell(1000, spread, SteeringPlane::Xz, 4.0);
        assert!((side * side * 0.1 - 4.0).abs() < 1e-3, "{side}");
        let side = roomy_cell(1000, spread, SteeringPlane::Free, 8.0);
        assert!((side * side * side * 1e-3 - 8.0).abs() < 1e-2, "{side}");
        let on_a_line = roomy_cell(1000, Vec3::X * 80.0, SteeringPlane::Xy, 4.0);
        assert!((0.1..10.0).contains(&on_a_line), "{on_a_line}");
        assert_eq!(roomy_cell(1000, Vec3::ZERO, SteeringPlane::Xy, 4.0), 1.0);
        assert_eq!(roomy_cell(1, spread, SteeringPlane::Xy, 4.0), 1.0);
    }
}
