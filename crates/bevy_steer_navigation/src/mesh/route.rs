//! [`Route`]: the points of a path through a row of gates, for a body with a radius.

use bevy::prelude::*;

use crate::{
    mesh::{
        corners::{Corner, Turn, corners, round},
        corridor::Gate,
        funnel::bends,
        polygon_mesh::PolygonMesh,
    },
    planar::{height, lift, nearest_on_segment},
};

/// A way through a row of gates.
pub(super) struct Route<'a> {
    pub(super) mesh: &'a PolygonMesh,
    pub(super) gates: Vec<Gate>,
    /// Where it begins and ends.
    pub(super) ends: [Vec2; 2],
    /// How far it keeps off the vertices of the border.
    pub(super) clearance: f32,
}

/// The maximum number of corners that are added.
const MAX_ADDED: usize = 32;
/// A share of the clearance: rounding.
const SLACK: f32 = 1e-3;

impl Route<'_> {
    /// The points between the ends.
    ///
    /// The shortest line through the gates bends around some vertices, and may pass others at a
    /// slant, nearer than the clearance: these become corners too.
    pub(super) fn points(&self) -> Vec<Vec3> {
        let mut corners = corners(&bends(self.ends[0], self.ends[1], &self.gates));
        let mut points = self.lay(&corners);
        for _ in 0..MAX_ADDED {
            let Some((index, corner)) = self.tightest(&corners, &points) else { break };
            corners.insert(index, corner);
            points = self.lay(&corners);
        }
        let on_mesh = |(corner, points): (&Corner, Vec<Vec2>)| {
            let level = height(self.mesh.plane(), self.mesh.vertices[corner.vertex]);
            let positions = points.into_iter().map(move |point| {
                let position = lift(self.mesh.plane(), point, level);
                let place = self.mesh.place_near(position, self.clearance);
                place.map_or(position, |place| place.position)
            });
            positions.collect::<Vec<Vec3>>()
        };
        corners.iter().zip(points).flat_map(on_mesh).collect()
    }

    /// The points of the path at each corner.
    fn lay(&self, corners: &[Corner]) -> Vec<Vec<Vec2>> {
        let mut laid: Vec<Vec<Vec2>> = Vec::with_capacity(corners.len());
        let mut from = self.ends[0];
        for (i, corner) in corners.iter().enumerate() {
            let to = corners.get(i + 1).map_or(self.ends[1], |next| next.first.place);
            let points = self.round(corner, from, to);
            from = points.last().copied().unwrap_or(from);
            laid.push(points);
        }
        laid
    }

    /// The points of the path round a corner; it comes from one place and goes on to another.
    fn round(&self, corner: &Corner, from: Vec2, to: Vec2) -> Vec<Vec2> {
        let [first, last] = [corner.first.place, corner.last.place];
        let gates = || if first == last { vec![first] } else { vec![first, last] };
        if self.clearance <= 0.0 || !self.mesh.is_border(corner.vertex) {
            return gates();
        }
        let comes = (first - from).normalize_or_zero();
        let goes = (to - last).normalize_or_zero();
        let vertex = self.mesh.flat(corner.vertex);
        let points = round(vertex, corner.is_left, comes, goes, self.clearance);
        // Where the mesh is too narrow for that it keeps to the gates.
        let level = height(self.mesh.plane(), self.mesh.vertices[corner.vertex]);
        let is_on_mesh = |&point: &Vec2| {
            let position = lift(self.mesh.plane(), point, level);
            self.mesh.place_near(position, SLACK * self.clearance).is_some()
        };
        if points.iter().all(is_on_mesh) { points } else { gates() }
    }

    /// The vertex that the path passes at the smallest distance, if that is less than the
    /// clearance, as a corner, and its index among the corners.
    fn tightest(&self, corners: &[Corner], points: &[Vec<Vec2>]) -> Option<(usize, Corner)> {
        let mut tightest: Option<(usize, Corner)> = None;
        let mut nearest = self.clearance * (1.0 - SLACK);
        for leg in 0..=corners.len() {
            let before = leg.checked_sub(1).map(|i| (&corners[i], &points[i]));
            let after = corners.get(leg).zip(points.get(leg));
            let start = before.and_then(|(_, points)| points.last()).copied();
            let end = after.and_then(|(_, points)| points.first()).copied();
            let [from, to] = [start.unwrap_or(self.ends[0]), end.unwrap_or(self.ends[1])];
            let first = before.map_or(0, |(corner, _)| corner.last.gate);
            let last = after.map_or(self.gates.len(), |(corner, _)| corner.first.gate + 1);
            for gate in first..last {
                for (vertex, is_left) in self.gates[gate].vertices.into_iter().zip([true, false]) {
                    let is_corner = [before, after]
                        .into_iter()
                        .flatten()
                        .any(|(corner, _)| corner.vertex == vertex);
                    if is_corner || !self.mesh.is_border(vertex) {
                        continue;
                    }
                    let place = nearest_on_segment(self.mesh.flat(vertex), from, to);
                    // No corner makes room at the ends of the path.
                    let is_end = place == self.ends[0] || place == self.ends[1];
                    let distance = place.distance(self.mesh.flat(vertex));
                    if distance < nearest && !is_end {
                        nearest = distance;
                        let turn = Turn { gate, place };
                        let corner = Corner { vertex, is_left, first: turn, last: turn };
                        tightest = Some((leg, corner));
                    }
                }
            }
        }
        tightest
    }
}
