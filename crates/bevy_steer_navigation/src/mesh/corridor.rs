//! The search for the polygons that a path leads through.

use bevy::prelude::*;
use pathfinding::prelude::astar;

use crate::{
    mesh::polygon_mesh::{MeshPlace, PolygonMesh, Portal},
    planar::nearest_on_segment,
};

/// An edge that a path crosses, with left and right in the direction of the crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gate {
    /// The vertices to the left and right.
    pub(super) vertices: [usize; 2],
    /// Where a body may pass: closer together than the vertices by its radius, where these are on
    /// the border.
    pub(super) left: Vec2,
    pub(super) right: Vec2,
}

/// A step of the search: the polygon that is entered, and by which portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step {
    polygon: usize,
    entered_by: Option<usize>,
}

/// Units of cost for the size of the mesh: costs are whole numbers, so that they have an
/// order.
const RESOLUTION: f64 = (1_u64 << 32) as f64;

/// A body passes the vertex of a sharp corner at this many times its clearance at most.
const MOST_ROOM: f32 = 4.0;

impl PolygonMesh {
    /// The edges that a shortest way crosses, by A* (Hart, Nilsson and Raphael 1968) over the
    /// middles of edges. Each is wide enough for a body that keeps off the border by `clearance`.
    pub(super) fn corridor(
        &self,
        start: MeshPlace,
        goal: MeshPlace,
        clearance: f32,
    ) -> Option<Vec<Gate>> {
        // No polygon has a vertex that is not finite.
        let vertices = self.vertices.iter().filter(|vertex| vertex.is_finite());
        let size = vertices.fold(Vec3::ZERO, |most, vertex| most.max(vertex.abs()));
        let scale = RESOLUTION / f64::from(size.length().max(f32::MIN_POSITIVE));
        let cost = |from: Vec3, to: Vec3| (f64::from(from.distance(to)) * scale) as u64;
        let place = |step: &Step| match step.entered_by {
            Some(portal) => {
                let [a, b] = self.portals[portal].ends.map(|end| self.vertices[end]);
                a.midpoint(b)
            }
            None => start.position,
        };
        let successors = |step: &Step| {
            let (here, entered_by) = (place(step), step.entered_by);
            let polygon = step.polygon;
            let portals = self.polygons[polygon].portals.iter().flatten().copied();
            let others = portals.filter(move |&portal| Some(portal) != entered_by);
            let passable = others.filter(|&portal| {
                self.is_passable(portal, clearance)
                    && entered_by
                        .is_none_or(|entry| self.has_room(polygon, [entry, portal], clearance))
            });
            let next = passable.map(|portal| {
                let [a, b] = self.portals[portal].polygons;
                let other = if a == polygon { b } else { a };
                let next = Step { polygon: other, entered_by: Some(portal) };
                (next, cost(here, place(&next)))
            });
            next.collect::<Vec<_>>()
        };
        let first = Step { polygon: start.polygon, entered_by: None };
        let estimate = |step: &Step| cost(place(step), goal.position);
        let is_goal = |step: &Step| step.polygon == goal.polygon;
        let (steps, _) = astar(&first, successors, estimate, is_goal)?;
        let gates = steps.windows(2).filter_map(|pair| {
            pair[1].entered_by.map(|portal| self.gate(pair[0].polygon, portal, clearance))
        });
        Some(gates.collect())
    }

    /// How far from one of its ends, the first or the second, a body must pass a portal.
    fn room_at(&self, portal: usize, end: usize, clearance: f32) -> f32 {
        let Portal { ends, polygons } = self.portals[portal];
        let (vertex, other) = (ends[end], ends[1 - end]);
        if !self.is_border(vertex) {
            return 0.0;
        }
        // Where the border leads away at an acute angle it is nearer than the vertex.
        let along = self.flat(other) - self.flat(vertex);
        let away = polygons.into_iter().flat_map(|polygon| self.border_from(polygon, vertex));
        let cosine = away.fold(0.0_f32, |most, away| {
            most.max(along.dot(away) / (along.length() * away.length()).max(f32::MIN_POSITIVE))
        });
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        clearance / sine.max(1.0 / MOST_ROOM)
    }

    /// The ways from a vertex of a polygon along those of its edges that are on the border.
    fn border_from(&self, polygon: usize, vertex: usize) -> impl Iterator<Item = Vec2> + '_ {
        let edges = self.polygons[polygon].portals.iter().enumerate();
        let border = edges.filter(|(_, portal)| portal.is_none());
        border.filter_map(move |(edge, _)| {
            let [start, end] = self.edge(polygon, edge);
            let other = match vertex {
                _ if vertex == start => end,
                _ if vertex == end => start,
                _ => return None,
            };
            Some(self.flat(other) - self.flat(vertex))
        })
    }

    fn is_passable(&self, portal: usize, clearance: f32) -> bool {
        let [a, b] = self.portals[portal].ends.map(|end| self.flat(end));
        let [room_a, room_b] = [0, 1].map(|end| self.room_at(portal, end, clearance));
        a.distance(b) >= room_a + room_b
    }

    /// Whether a body that crosses a polygon from one portal to another has room between what is
    /// border to its left and to its right.
    ///
    /// With triangles this is the local clearance of Kallmann (2014), "Dynamic and robust local
    /// clearance triangulations", without the search beyond the third edge.
    fn has_room(&self, polygon: usize, portals: [usize; 2], clearance: f32) -> bool {
        let edges = &self.polygons[polygon].portals;
        let edge_of = |portal| edges.iter().position(|&edge| edge == Some(portal));
        let [Some(entry), Some(exit)] = portals.map(edge_of) else { return true };
        // The polygon is counterclockwise: its corners from the end of one edge to the start of the
        // next one crossed are to the right of the body, those back to the first one to its left.
        let corners = |from: usize, to: usize| {
            let last = if to > from { to } else { to + edges.len() };
            (from + 1..=last).map(|corner| corner % edges.len())
        };
        let is_far = |from: usize, to: usize| {
            // The last corner begins the edge that is crossed.
            let border = corners(from, to).filter(|&edge| edge != to && edges[edge].is_none());
            let opposite = corners(to, from).map(|corner| self.polygons[polygon].corners[corner]);
            let places = opposite.filter(|&vertex| self.is_border(vertex));
            let places: Vec<Vec2> = places.map(|vertex| self.flat(vertex)).collect();
            let mut borders =
                border.map(|edge| self.edge(polygon, edge).map(|corner| self.flat(corner)));
            borders.all(|[start, end]| {
                let gap = |place| nearest_on_segment(place, start, end).distance(place);
                places.iter().all(|&place| gap(place) >= 2.0 * clearance)
            })
        };
        is_far(entry, exit) && is_far(exit, entry)
    }

    /// A portal as seen by who leaves a polygon by it.
    fn gate(&self, polygon: usize, portal: usize, clearance: f32) -> Gate {
        let ends = self.portals[portal].ends;
        let edges = 0..self.polygons[polygon].portals.len();
        let mut own = edges.filter(|&edge| self.polygons[polygon].portals[edge] == Some(portal));
        // The polygon is counterclockwise: who leaves it has the end of the edge to the left.
        let right = own.next().map_or(ends[0], |edge| self.edge(polygon, edge)[0]);
        let right_end = usize::from(right == ends[1]);
        let left = ends[1 - right_end];
        let [right_place, left_place] = [right, left].map(|end| self.flat(end));
        let along = (left_place - right_place).normalize_or_zero();
        Gate {
            vertices: [left, right],
            left: left_place - along * self.room_at(portal, 1 - right_end, clearance),
            right: right_place + along * self.room_at(portal, right_end, clearance),
        }
    }
}
