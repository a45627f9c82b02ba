//! The border of a mesh as walls.

use std::collections::HashMap;

use bevy::prelude::*;

use crate::{
    mesh::polygon_mesh::PolygonMesh,
    planar::{height, lift},
    planner::Border,
};

/// A straight piece of the border, with the mesh to its left.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
}

/// Below this sine two edges are in line.
const IN_LINE: f32 = 1e-3;
/// Sharper corners than this, by one plus the cosine between their normals, are cut off.
const SHARP: f32 = 0.3;

impl PolygonMesh {
    /// The walls along the border, as far outside of it as the mesh is smaller than the floor.
    pub(super) fn borders(&self) -> Vec<Border> {
        let pieces = self.pieces();
        // A corner where two floors touch has several pieces: there, ends are not joined.
        let mut into: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut out_of: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, piece) in pieces.iter().enumerate() {
            out_of.entry(piece.start).or_default().push(i);
            into.entry(piece.end).or_default().push(i);
        }
        let only =
            |at: &HashMap<usize, Vec<usize>>, vertex: usize| match at.get(&vertex)?.as_slice() {
                [one] => Some(pieces[*one]),
                _ => None,
            };
        let mut borders = Vec::new();
        for &piece in &pieces {
            let before = only(&into, piece.start);
            let after = only(&out_of, piece.end);
            let start = self.outside(piece.start, before.unwrap_or(piece), piece);
            let end = self.outside(piece.end, piece, after.unwrap_or(piece));
            borders.push(Border { start: start.out, end: end.into });
            if end.into != end.out {
                borders.push(Border { start: end.into, end: end.out });
            }
        }
        borders
    }

    /// The edges of the border; those in line that follow each other are one.
    fn pieces(&self) -> Vec<Piece> {
        let edges = self.border_edges();
        let mut starts: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut ends: HashMap<usize, Vec<usize>> = HashMap::new();
        for &[start, end] in &edges {
            starts.entry(start).or_default().push(end);
            ends.entry(end).or_default().push(start);
        }
        let next = |start: usize, end: usize| {
            let ([after], [before]) = (starts.get(&end)?.as_slice(), ends.get(&end)?.as_slice())
            else {
                return None;
            };
            let along = |from: usize, to: usize| {
                (self.vertices[to] - self.vertices[from]).normalize_or_zero()
            };
            let (here, there) = (along(start, end), along(end, *after));
            let goes_on = here.cross(there).length() < IN_LINE && here.dot(there) > 0.0;
            (*before == start && goes_on).then_some(*after)
        };
        let previous = |start: usize, end: usize| {
            let [before] = ends.get(&start)?.as_slice() else { return None };
            next(*before, start).filter(|&after| after == end)
        };
        let firsts = edges.iter().filter(|[start, end]| previous(*start, *end).is_none());
        let pieces = firsts.map(|&[start, end]| {
            let (mut last, mut here) = (start, end);
            while let Some(after) = next(last, here) {
                (last, here) = (here, after);
            }
            Piece { start, end: here }
        });
        pieces.collect()
    }

    /// Where walls along two pieces, the second of which begins at the vertex where the first one
    /// ends, meet outside of the mesh.
    fn outside(&self, vertex: usize, first: Piece, second: Piece) -> Joint {
        let normal = |piece: Piece| {
            let along = self.flat(piece.end) - self.flat(piece.start);
            -along.normalize_or_zero().perp()
        };
        let [a, b] = [normal(first), normal(second)];
        let at = |offset: Vec2| {
            let level = height(self.plane(), self.vertices[vertex]);
            lift(self.plane(), self.flat(vertex) + offset * self.inset(), level)
        };
        let opening = 1.0 + a.dot(b);
        if opening < SHARP {
            return Joint { into: at(a), out: at(b) };
        }
        let corner = at((a + b) / opening);
        Joint { into: corner, out: corner }
    }
}

/// Where a wall ends, and where the next one begins.
struct Joint {
    into: Vec3,
    out: Vec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A floor of 3 by 3 squares without the middle one, in the coordinates of the ground.
    fn ring() -> PolygonMesh {
        let vertices = (0..16).map(|i| Vec3::new((i % 4) as f32, 2.0, (i / 4) as f32));
        let cells = (0..9).filter(|&cell| cell != 4);
        let polygons = cells.map(|cell| {
            let first = cell / 3 * 4 + cell % 3;
            [first, first + 1, first + 5, first + 4]
        });
        PolygonMesh::new(vertices, polygons)
    }

    fn ends(mesh: &PolygonMesh) -> Vec<[f32; 4]> {
        let borders = mesh.borders().into_iter();
        let mut ends: Vec<_> = borders
            .map(|Border { start, end }| {
                assert!(start.y == 2.0 && end.y == 2.0);
                let low = Vec2::new(start.x, start.z).min(Vec2::new(end.x, end.z));
                let high = Vec2::new(start.x, start.z).max(Vec2::new(end.x, end.z));
                [low.x, low.y, high.x, high.y]
            })
            .collect();
        ends.sort_by(|a, b| a.partial_cmp(b).unwrap());
        ends
    }

    #[test]
    fn edges_in_line_are_one_wall() {
        let expected = [
            [0.0, 0.0, 0.0, 3.0],
            [0.0, 0.0, 3.0, 0.0],
            [0.0, 3.0, 3.0, 3.0],
            [1.0, 1.0, 1.0, 2.0],
            [1.0, 1.0, 2.0, 1.0],
            [1.0, 2.0, 2.0, 2.0],
            [2.0, 1.0, 2.0, 2.0],
            [3.0, 0.0, 3.0, 3.0],
        ];
        assert_eq!(ends(&ring()), expected);
    }

    #[test]
    fn walls_are_outside_of_a_smaller_mesh() {
        let walls = ends(&ring().with_inset(0.25));
        assert_eq!(walls.len(), 8);
        assert!(walls.contains(&[-0.25, -0.25, 3.25, -0.25]), "{walls:?}");
        // The hole is smaller.
        assert!(walls.contains(&[1.25, 1.25, 1.75, 1.25]), "{walls:?}");
    }

    #[test]
    fn sharp_corners_are_cut_off() {
        let vertices = [Vec3::ZERO, Vec3::new(10.0, 0.0, 0.5), Vec3::new(10.0, 0.0, -0.5)];
        let mesh = PolygonMesh::new(vertices, [[0, 1, 2]]).with_inset(1.0);
        let borders = mesh.borders();
        assert_eq!(borders.len(), 4);
        let ends = borders.iter().flat_map(|border| [border.start, border.end]);
        assert!(ends.clone().all(|end| end.x > -1.5 && end.is_finite()), "{borders:?}");
    }
}
