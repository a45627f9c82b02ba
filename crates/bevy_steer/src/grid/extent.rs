//! The extent of a crowd, and the cells that suit it.

use bevy::prelude::*;

use crate::space::plane::SteeringPlane;

/// The extent of a crowd on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// The width of the middle 80 %.
    pub spread: Vec3,
    /// The corners of a suitable table of cells: a little farther than all points, without
    /// stragglers.
    pub table: (Vec3, Vec3),
}

/// A point farther from the middle 80 % than this many times their spread is a straggler. A normal
/// distribution has one in 300.
const STRAGGLER: f32 = 0.65;
/// How much farther than a sample a table reaches on either side, as a share: few points are
/// farther out than all of a hundred.
const MARGIN: f32 = 0.04;

impl Extent {
    /// The extent of some points, or of a sample of them.
    pub(crate) fn of(points: &[Vec3]) -> Self {
        let along = |axis: usize| Self::along(points.iter().map(|point| point[axis]).collect());
        let [x, y, z] = [along(0), along(1), along(2)];
        Self {
            spread: Vec3::new(x.0, y.0, z.0),
            table: (Vec3::new(x.1, y.1, z.1), Vec3::new(x.2, y.2, z.2)),
        }
    }

    /// The spread, and the two ends of a table.
    fn along(mut points: Vec<f32>) -> (f32, f32, f32) {
        if points.is_empty() {
            return (0.0, 0.0, 0.0);
        }
        points.sort_unstable_by(f32::total_cmp);
        let (tenth, last) = (points.len() / 10, points.len() - 1);
        let (least, most) = (points[0], points[last]);
        let (low, high) = (points[tenth], points[last - tenth]);
        let spread = high - low;
        let (least, most) =
            (least.max(low - STRAGGLER * spread), most.min(high + STRAGGLER * spread));
        let margin = MARGIN * (most - least);
        (spread, least - margin, most + margin)
    }
}

/// The width of square cells that hold about `per_cell` of `count` points with this
/// [spread](Extent::spread).
pub(crate) fn roomy_cell(count: usize, spread: Vec3, plane: SteeringPlane, per_cell: f32) -> f32 {
    if count < 2 {
        return 1.0;
    }
    let spread = plane.flatten(spread);
    let widest = spread.max_element();
    // A crowd on a line has no area; assume a little.
    let room: f32 = plane.axes().map(|axis| spread[axis].max(widest * 1e-2)).product();
    let middle = if plane.is_planar() { 0.8 * 0.8 } else { 0.8 * 0.8 * 0.8 };
    let room = room * (per_cell / (count as f32 * middle));
    let cell = plane.side_of(room);
    if cell.is_finite() && cell > 0.0 { cell } else { widest.max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_leaves_out_a_tenth_on_each_side() {
        for count in [1, 2, 9, 10, 11, 100, 128] {
            // In no order, and all different.
            let place = |i: usize| (i * 37 % count) as f32;
            let points: Vec<Vec3> =
                (0..count).map(|i| Vec3::new(place(i), -place(i), 7.0)).collect();
            let extent = Extent::of(&points);
            let (first, last) = ((count / 10) as f32, (count - 1 - count / 10) as f32);
            assert_eq!(extent.spread, Vec3::new(last - first, last - first, 0.0));
            let (from, to) = extent.table;
            let all = (count - 1) as f32;
            assert!(from.x <= 0.0 && to.x >= all && to.x - from.x <= 1.1 * all, "{extent:?}");
            assert!(from.y <= -all && to.y >= 0.0 && to.y - from.y <= 1.1 * all, "{extent:?}");
            assert_eq!((from.z, to.z), (7.0, 7.0));
        }
        let nowhere = Extent { spread: Vec3::ZERO, table: (Vec3::ZERO, Vec3::ZERO) };
        assert_eq!(Extent::of(&[]), nowhere);
    }

    #[test]
    fn table_leaves_out_stragglers() {
        let mut points: Vec<Vec3> = (0..=100).map(|i| Vec3::splat(i as f32)).collect();
        points.extend([Vec3::splat(1e6), Vec3::splat(-1e30)]);
        let (from, to) = Extent::of(&points).table;
        assert!(from.cmpgt(Vec3::splat(-60.0)).all() && to.cmplt(Vec3::splat(160.0)).all());
        assert!(from.cmple(Vec3::ZERO).all() && to.cmpge(Vec3::splat(100.0)).all());
    }

    #[test]
    fn roomy_cell_holds_the_requested_number() {
        // The middle 80 % of crowds that fill 100 units each way: 0.1 points per square unit, 0.001
        // per cubic unit.
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
