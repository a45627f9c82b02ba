//! [`SummedArea`]: the number of points in a box of cells, in constant time.

use crate::grid::cell_grid::CellGrid;

/// The number of points before each corner of the cells of a grid, on all axes: a summed-area
/// table.
///
/// Any box then takes four of the sums on a plane, eight in space, and no branch that depends on
/// its content. After Crow (1984), "Summed-area tables for texture mapping", section 3.
#[derive(Debug, Default)]
pub(super) struct SummedArea {
    before: Vec<u32>,
    /// The axes of the grid: the one that has a single cell comes last, if there is one.
    axes: [usize; 3],
    /// From one corner to the next along the second and the third of them.
    strides: [usize; 2],
    is_flat: bool,
}

impl SummedArea {
    pub(super) fn of(grid: &CellGrid) -> Self {
        let axes = if grid.axes[1].buckets == 1 { [0, 2, 1] } else { [0, 1, 2] };
        let [columns, rows, layers] = axes.map(|axis| grid.axes[axis].buckets as usize);
        let is_flat = layers == 1;
        let strides = [columns + 1, (columns + 1) * (rows + 1)];
        // The corners before the first layer count nothing, so a single layer does without them.
        let first = usize::from(!is_flat);
        let mut before = vec![0; strides[1] * (layers + first)];
        for layer in 0..layers {
            for row in 0..rows {
                let points = (layer * rows + row) * columns;
                let starts = &grid.starts[points..=points + columns];
                let corner = (layer + first) * strides[1] + (row + 1) * strides[0];
                let (done, rest) = before.split_at_mut(corner);
                let row_at = |corner: usize| &done[corner..=corner + columns];
                let sums = &mut rest[..=columns];
                let last_row = row_at(corner - strides[0]);
                for ((sum, start), before) in sums.iter_mut().zip(starts).zip(last_row) {
                    *sum = start - starts[0] + before;
                }
                if layer > 0 {
                    let last_layer = row_at(corner - strides[1]);
                    let in_both = row_at(corner - strides[1] - strides[0]);
                    for ((sum, before), twice) in sums.iter_mut().zip(last_layer).zip(in_both) {
                        *sum += before - twice;
                    }
                }
            }
        }
        Self { before, axes, strides, is_flat }
    }

    /// The number of points in the cells from and to these, on each axis of the grid.
    #[inline(always)]
    pub(super) fn within(&self, cells: [(u32, u32); 3]) -> u32 {
        let [columns, rows, layers] = self.axes.map(|axis| cells[axis]);
        let rectangle = |layer: usize| {
            let row = |row: u32| layer * self.strides[1] + row as usize * self.strides[0];
            let along = |row: usize| {
                let (from, to) = (row + columns.0 as usize, row + columns.1 as usize + 1);
                self.before[to] - self.before[from]
            };
            along(row(rows.1 + 1)) - along(row(rows.0))
        };
        if self.is_flat {
            rectangle(0)
        } else {
            rectangle(layers.1 as usize + 1) - rectangle(layers.0 as usize)
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use super::*;
    use crate::space::{bounds::Bounds, plane::SteeringPlane};

    #[test]
    fn box_count_is_the_sum_of_its_cells() {
        for plane in SteeringPlane::ALL {
            let mut grid = CellGrid::default();
            let table = (Vec3::splat(-4.0), Vec3::new(4.0, 5.0, 6.0));
            grid.lay_out(500, plane, &Bounds::UNBOUNDED, Vec3::new(3.0, 2.5, 2.0), table);
            let place = |i: usize| {
                let along = |step: usize| (i * step % 97) as f32 / 97.0 * 10.0 - 4.0;
                Vec3::new(along(31), along(17), along(53))
            };
            grid.sort(200, place);
            let tally = SummedArea::of(&grid);
            let cell = |i: usize| {
                [0, 1, 2].map(|d| {
                    let axis = &grid.axes[d];
                    axis.fold(axis.cell_of(place(i)[d]))
                })
            };
            let spans = grid.axes.map(|axis| {
                let buckets = axis.buckets;
                (0..buckets).flat_map(move |from| (from..buckets).map(move |to| (from, to)))
            });
            let mut boxes = 0;
            let [x, y, z] = spans;
            for x in x {
                for y in y.clone() {
                    for z in z.clone() {
                        let is_in = |&i: &usize| {
                            cell(i)
                                .into_iter()
                                .zip([x, y, z])
                                .all(|(c, (from, to))| from <= c && c <= to)
                        };
                        let expected = (0..200).filter(is_in).count();
                        assert_eq!(
                            tally.within([x, y, z]) as usize,
                            expected,
                            "{plane:?} {x:?} {y:?} {z:?}"
                        );
                        boxes += 1;
                    }
                }
            }
            assert!(boxes >= 50, "{boxes}");
        }
    }
}
