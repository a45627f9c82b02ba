//! [`PolygonMesh`]: convex polygons, which neighbour each has at each edge, and where they are.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::SteeringPlane;

use crate::{
    mesh::buckets::{Buckets, bounds_of},
    planar::{flat, height, lift, nearest_on_segment},
};

/// A navigation mesh: convex polygons that agents walk on. Polygons that share an edge are
/// connected; an edge of one polygon only is a border.
///
/// Floors may lie above each other, and polygons may slope. Vertices at exactly the same position
/// count as one.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer_navigation::PolygonMesh;
/// // Two squares beside each other on the ground.
/// let corner = |x, z| Vec3::new(x, 0.0, z);
/// let vertices = [
///     corner(0.0, 0.0), corner(4.0, 0.0), corner(8.0, 0.0),
///     corner(0.0, 4.0), corner(4.0, 4.0), corner(8.0, 4.0),
/// ];
/// let mesh = PolygonMesh::new(vertices, [[0, 1, 4, 3], [1, 2, 5, 4]]);
/// assert_eq!((mesh.polygon_count(), mesh.portal_count()), (2, 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PolygonMesh {
    plane: SteeringPlane,
    pub(super) vertices: Vec<Vec3>,
    pub(super) polygons: Vec<Polygon>,
    pub(super) portals: Vec<Portal>,
    /// For each vertex whether it is on the border.
    is_border: Vec<bool>,
    index: Buckets,
    inset: f32,
}

/// A convex polygon. Its vertices are counterclockwise in the coordinates of the plane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polygon {
    pub(super) corners: Vec<usize>,
    /// For each edge, from the corner with its index to the next, the portal through it.
    pub(super) portals: Vec<Option<usize>>,
}

/// An edge that two polygons share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Portal {
    pub(super) ends: [usize; 2],
    pub(super) polygons: [usize; 2],
}

/// A place on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MeshPlace {
    pub(super) polygon: usize,
    pub(super) position: Vec3,
}

impl PolygonMesh {
    /// A mesh on the ground of a 3D world, with `y` up. Each polygon is a list of at least three
    /// indices of vertices, in any direction of rotation.
    ///
    /// Polygons with an index that does not exist, a vertex that is not finite, or no area are left
    /// out.
    pub fn new<P: IntoIterator<Item = usize>>(
        vertices: impl IntoIterator<Item = Vec3>,
        polygons: impl IntoIterator<Item = P>,
    ) -> Self {
        Self::in_plane(SteeringPlane::Xz, vertices, polygons)
    }

    /// The same in the plane that agents walk in: [`SteeringPlane::Xy`] for a 2D game.
    pub fn in_plane<P: IntoIterator<Item = usize>>(
        plane: SteeringPlane,
        vertices: impl IntoIterator<Item = Vec3>,
        polygons: impl IntoIterator<Item = P>,
    ) -> Self {
        let (vertices, numbers) = welded(vertices);
        let sound = |polygon: P| {
            let corners = polygon.into_iter().map(|index| numbers.get(index).copied());
            let mut corners = corners.collect::<Option<Vec<usize>>>()?;
            corners.dedup();
            if corners.len() > 1 && corners.first() == corners.last() {
                corners.pop();
            }
            let places: Vec<Vec2> =
                corners.iter().map(|&corner| flat(plane, vertices[corner])).collect();
            let area = doubled_area(&places);
            let is_finite = corners.iter().all(|&corner| vertices[corner].is_finite());
            if area < 0.0 {
                corners.reverse();
            }
            (corners.len() > 2 && is_finite && area != 0.0).then_some(corners)
        };
        let polygons: Vec<Vec<usize>> = polygons.into_iter().filter_map(sound).collect();
        let index = Buckets::new(polygons.iter().map(|corners| {
            let places = corners.iter().map(|&corner| flat(plane, vertices[corner]));
            bounds_of(places)
        }));
        let polygons = polygons.into_iter().map(|corners| {
            let portals = vec![None; corners.len()];
            Polygon { corners, portals }
        });
        let polygons: Vec<Polygon> = polygons.collect();
        let is_border = vec![false; vertices.len()];
        let portals = Vec::new();
        let mut mesh = Self { plane, vertices, polygons, portals, is_border, index, inset: 0.0 };
        mesh.connect();
        mesh
    }

    /// Sets by how much the mesh is smaller than the floor, in units: generators of navigation
    /// meshes keep the mesh off walls by the radius of an agent. Paths of agents of this radius may
    /// touch the border of the mesh, and the walls along the border are this far outside of it.
    /// Default 0.
    #[must_use]
    pub fn with_inset(mut self, inset: f32) -> Self {
        self.inset = if inset.is_finite() { inset.max(0.0) } else { 0.0 };
        self
    }

    /// The number of polygons.
    pub fn polygon_count(&self) -> usize {
        self.polygons.len()
    }

    /// The number of edges that connect two polygons.
    pub fn portal_count(&self) -> usize {
        self.portals.len()
    }

    /// Finds the edges that two polygons share, and the vertices on the border.
    fn connect(&mut self) {
        let mut open: HashMap<[usize; 2], (usize, usize)> = HashMap::new();
        for polygon in 0..self.polygons.len() {
            for edge in 0..self.polygons[polygon].corners.len() {
                let ends = self.edge(polygon, edge);
                let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                match open.remove(&key) {
                    Some((other, other_edge)) => {
                        let portal = self.portals.len();
                        self.portals.push(Portal { ends, polygons: [other, polygon] });
                        self.polygons[other].portals[other_edge] = Some(portal);
                        self.polygons[polygon].portals[edge] = Some(portal);
                    }
                    None => _ = open.insert(key, (polygon, edge)),
                }
            }
        }
        for [start, end] in self.border_edges() {
            (self.is_border[start], self.is_border[end]) = (true, true);
        }
    }

    /// The two corners of an edge, in the polygon's order.
    pub(super) fn edge(&self, polygon: usize, edge: usize) -> [usize; 2] {
        let corners = &self.polygons[polygon].corners;
        [corners[edge], corners[(edge + 1) % corners.len()]]
    }

    /// The edges of one polygon only, with the mesh to their left.
    pub(super) fn border_edges(&self) -> Vec<[usize; 2]> {
        let all = self.polygons.iter().enumerate().flat_map(|(polygon, it)| {
            let open = it.portals.iter().enumerate().filter(|(_, portal)| portal.is_none());
            open.map(move |(edge, _)| (polygon, edge))
        });
        all.map(|(polygon, edge)| self.edge(polygon, edge)).collect()
    }

    pub(super) fn plane(&self) -> SteeringPlane {
        self.plane
    }

    pub(super) fn inset(&self) -> f32 {
        self.inset
    }

    pub(super) fn is_border(&self, vertex: usize) -> bool {
        self.is_border[vertex]
    }

    /// The coordinates of a vertex in the plane.
    pub(super) fn flat(&self, vertex: usize) -> Vec2 {
        flat(self.plane, self.vertices[vertex])
    }

    /// The place on the mesh that is nearest to a position, no farther than `within` beside it.
    pub(super) fn place_near(&self, position: Vec3, within: f32) -> Option<MeshPlace> {
        let (here, level) = (flat(self.plane, position), height(self.plane, position));
        let around = Rect::from_center_half_size(here, Vec2::splat(within.max(0.0)));
        let places = self.index.find(around).into_iter().filter_map(|polygon| {
            let nearest = self.nearest_on(polygon, here);
            if nearest.distance(here) > within {
                return None;
            }
            let position = self.on_surface(polygon, nearest);
            let up = height(self.plane, position) - level;
            let squared = nearest.distance_squared(here) + up * up;
            Some((squared, MeshPlace { polygon, position }))
        });
        places.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
    }

    /// The point of a polygon that is nearest to coordinates in the plane.
    fn nearest_on(&self, polygon: usize, here: Vec2) -> Vec2 {
        let corners = &self.polygons[polygon].corners;
        let edges =
            (0..corners.len()).map(|edge| self.edge(polygon, edge).map(|end| self.flat(end)));
        if edges.clone().all(|[start, end]| (end - start).perp_dot(here - start) >= 0.0) {
            return here;
        }
        let nearest = edges.map(|[start, end]| nearest_on_segment(here, start, end));
        let squared = |place: &Vec2| place.distance_squared(here);
        nearest.min_by(|a, b| squared(a).total_cmp(&squared(b))).unwrap_or(here)
    }

    /// The position on a polygon above coordinates in the plane.
    pub(super) fn on_surface(&self, polygon: usize, here: Vec2) -> Vec3 {
        let corners = &self.polygons[polygon].corners;
        let first = corners[0];
        let mut best: Option<(f32, f32)> = None;
        for pair in corners[1..].windows(2) {
            let triangle = [first, pair[0], pair[1]];
            let [a, b, c] = triangle.map(|corner| self.flat(corner));
            let area = (b - a).perp_dot(c - a);
            if area == 0.0 {
                continue;
            }
            let shares = [
                (c - b).perp_dot(here - b),
                (a - c).perp_dot(here - c),
                (b - a).perp_dot(here - a),
            ];
            let shares = shares.map(|share| share / area);
            // In its own triangle no share is negative; rounding may leave a point just outside.
            let least = shares.into_iter().fold(f32::INFINITY, f32::min);
            let levels = triangle.map(|corner| height(self.plane, self.vertices[corner]));
            let level = shares.iter().zip(levels).map(|(share, level)| share * level).sum();
            if best.is_none_or(|(most, _)| least > most) {
                best = Some((least, level));
            }
        }
        let level = best.map_or(0.0, |(_, level)| level);
        lift(self.plane, here, level)
    }
}

/// The vertices, each position once, and the new number of each given one.
fn welded(given: impl IntoIterator<Item = Vec3>) -> (Vec<Vec3>, Vec<usize>) {
    let mut seen: HashMap<[u32; 3], usize> = HashMap::new();
    let mut vertices = Vec::new();
    let numbers = given.into_iter().map(|position| {
        // Zero has two signs.
        let key = (position + 0.0).to_array().map(f32::to_bits);
        *seen.entry(key).or_insert_with(|| {
            vertices.push(position);
            vertices.len() - 1
        })
    });
    let numbers = numbers.collect();
    (vertices, numbers)
}

/// Twice the area of a polygon; negative if it is clockwise.
fn doubled_area(corners: &[Vec2]) -> f32 {
    let Some(&origin) = corners.first() else { return 0.0 };
    corners.windows(2).map(|pair| (pair[0] - origin).perp_dot(pair[1] - origin)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3::new(x, y, z)
    }

    /// A ground floor, a ramp up from it, and an upper floor above the ground floor.
    fn house() -> PolygonMesh {
        let vertices = [
            at(0.0, 0.0, 0.0),
            at(10.0, 0.0, 0.0),
            at(10.0, 0.0, 4.0),
            at(0.0, 0.0, 4.0),
            // The upper end of the ramp, which goes back above the floor's side.
            at(10.0, 3.0, 14.0),
            at(0.0, 3.0, 14.0),
        ];
        PolygonMesh::new(vertices, [vec![0, 1, 2, 3], vec![2, 3, 5, 4]])
    }

    #[test]
    fn polygons_that_share_an_edge_are_connected() {
        let mesh = house();
        assert_eq!((mesh.polygon_count(), mesh.portal_count()), (2, 1));
        assert_eq!(mesh.border_edges().len(), 6);
        assert!((0..6).all(|vertex| mesh.is_border(vertex)));
    }

    #[test]
    fn a_mesh_in_two_dimensions_has_its_polygons() {
        let vertices = [at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0), at(4.0, 3.0, 0.0), at(0.0, 3.0, 0.0)];
        let halves = [[0, 1, 2], [0, 2, 3]];
        let mesh = PolygonMesh::in_plane(SteeringPlane::Xy, vertices, halves);
        assert_eq!((mesh.polygon_count(), mesh.portal_count()), (2, 1));
        let place = mesh.place_near(at(1.0, 2.0, 0.5), 0.1).expect("a place");
        assert_eq!(place.position, at(1.0, 2.0, 0.0));
        // Seen from above it is a line.
        assert_eq!(PolygonMesh::new(vertices, halves).polygon_count(), 0);
    }

    #[test]
    fn places_are_on_the_surface_and_on_the_nearest_floor() {
        let mesh = house();
        let ramp = mesh.place_near(at(5.0, 1.0, 9.0), 0.1).unwrap();
        assert!((ramp.position - at(5.0, 1.5, 9.0)).length() < 1e-5, "{ramp:?}");
        assert_eq!(mesh.place_near(at(-3.0, 0.0, 2.0), 1.0), None);
        let beside = mesh.place_near(at(-0.5, 0.0, 2.0), 1.0).unwrap();
        assert_eq!(beside.position, at(0.0, 0.0, 2.0));

        let level = |y: f32| [at(0.0, y, 0.0), at(9.0, y, 0.0), at(9.0, y, 9.0), at(0.0, y, 9.0)];
        let floors = PolygonMesh::new(
            [level(0.0), level(3.0), level(6.0)].concat(),
            [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]],
        );
        for (y, floor) in [(-9.0, 0), (1.0, 0), (2.0, 1), (4.0, 1), (5.0, 2), (99.0, 2)] {
            assert_eq!(floors.place_near(at(4.0, y, 4.0), 1.0).unwrap().polygon, floor, "{y}");
        }
    }

    #[test]
    fn equal_positions_are_one_vertex_and_bad_polygons_are_left_out() {
        let square = |x: f32| {
            [at(x, 0.0, 0.0), at(x + 1.0, 0.0, 0.0), at(x + 1.0, 0.0, 1.0), at(x, 0.0, 1.0)]
        };
        let vertices = [square(0.0), square(1.0), square(f32::NAN)].concat();
        let polygons = [
            vec![0, 1, 2, 3],
            vec![7, 6, 5, 4],
            vec![8, 9, 10, 11],
            vec![0, 1, 99],
            vec![0, 1],
            vec![0, 1, 5],
        ];
        let mesh = PolygonMesh::new(vertices, polygons);
        assert_eq!((mesh.polygon_count(), mesh.portal_count()), (2, 1));
        let nothing = PolygonMesh::new([], [[0, 1, 2]]);
        assert_eq!(nothing.place_near(Vec3::ZERO, 9.0), None);
    }

    #[test]
    fn all_polygons_around_are_found() {
        let rows = 40;
        let vertex = |x: usize, z: usize| z * (rows + 1) + x;
        let vertices =
            (0..=rows).flat_map(|z| (0..=rows).map(move |x| at(x as f32, 0.0, z as f32)));
        let cells = (0..rows * rows).map(|i| (i % rows, i / rows));
        let polygons = cells
            .map(|(x, z)| [vertex(x, z), vertex(x + 1, z), vertex(x + 1, z + 1), vertex(x, z + 1)]);
        let mesh = PolygonMesh::new(vertices, polygons);
        for i in 0..rows * rows {
            let (x, z) = (i % rows, i / rows);
            let place = mesh.place_near(at(x as f32 + 0.5, 0.2, z as f32 + 0.5), 0.1).unwrap();
            assert_eq!(place.polygon, i);
        }
        assert_eq!(mesh.index.find(Rect::new(-9.0, -9.0, 99.0, 99.0)).len(), rows * rows);
    }
}
