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
        if along.is_empty() {
            return (0.0, 0.0);
        }
        let tenth = along.len() / 10;
        let (_, &mut low, above) = along.select_nth_unstable_by(tenth, f32::total_cmp);
        let Some(last) = above.len().checked_sub(1) else { return (low, low) };
        (low, *above.select_nth_unstable_by(last - tenth, f32::total_cmp).1)
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
    fn the_middle_leaves_out_a_tenth_on_each_side() {
        for count in [1, 2, 9, 10, 11, 100, 128] {
            // In no order, and all different.
            let place = |i: usize| (i * 37 % count) as f32;
            let points: Vec<Vec3> =
                (0..count).map(|i| Vec3::new(place(i), -place(i), 7.0)).collect();
            let (low, high) = most_of(&points);
            let (first, last) = ((count / 10) as f32, (count - 1 - count / 10) as f32);
            assert_eq!((low, high), (Vec3::new(first, -last, 7.0), Vec3::new(last, -first, 7.0)));
        }
        assert_eq!(most_of(&[]), (Vec3::ZERO, Vec3::ZERO));
    }

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
