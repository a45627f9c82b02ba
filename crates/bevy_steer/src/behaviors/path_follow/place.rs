//! Where on its path an agent is.

use bevy::prelude::*;

use crate::behaviors::path_follow::{PathEnd, walk::Walk};

impl Walk<'_> {
    pub(super) fn is_closed(&self) -> bool {
        self.end == PathEnd::Loop
    }

    /// 1 towards the end, −1 towards the beginning.
    pub(super) fn forward(&self) -> f32 {
        if self.progress.backward { -1.0 } else { 1.0 }
    }

    /// How far from its last place on the path it may be, along the path, in units.
    pub(super) fn reach(&self) -> f32 {
        4.0 * (self.radius + self.agent.vehicle.max_speed * self.agent.dt)
    }

    /// Where the agent is; in a world that wraps, its image nearest to its last place on the path.
    pub(super) fn here(&self) -> Vec3 {
        let last = self.line.point_at(self.progress.distance, self.is_closed());
        last - self.agent.towards(last)
    }

    /// The distance along the whole path of the agent's place: about where it was, unless another
    /// is nearer by more than the radius.
    pub(super) fn find_place(&self) -> f32 {
        let closed = self.is_closed();
        let project = |here: Vec3, reach| {
            let near = self.progress.distance;
            let distance = self.line.project(here, near, reach, closed, self.forward());
            (here.distance(self.line.point_at(distance, closed)), distance)
        };
        let (off, kept) = project(self.here(), self.reach());
        let all = self.images().into_iter().map(|here| project(here, f32::INFINITY));
        let nearest = all.min_by(|(off, _), (other, _)| off.total_cmp(other));
        nearest.filter(|(nearest, _)| off > nearest + self.radius).map_or(kept, |(_, it)| it)
    }

    /// The images of the agent around the path, which are several in a world that wraps.
    fn images(&self) -> Vec<Vec3> {
        /// The maximum number on each axis: no path goes round the world more often.
        const MOST: usize = 8;
        let (points, periods) = (self.line.points(), self.agent.bounds.periods());
        let Some(&first) = points.first() else { return Vec::new() };
        let image = first - self.agent.towards(first);
        let mut images = vec![image];
        for axis in (0..3).filter(|&axis| periods[axis].is_finite()) {
            let (at, period) = (image[axis], periods[axis]);
            let along = points.iter().map(|point| point[axis]);
            let min = along.clone().fold(f32::INFINITY, f32::min);
            let max = along.fold(f32::NEG_INFINITY, f32::max);
            let first = ((min - at) / period - 0.5).ceil();
            let count = ((max - at) / period + 0.5).floor() - first;
            let turns = (0..=(count as usize).min(MOST)).map(|turn| first + turn as f32);
            let turned = |image: Vec3| {
                turns.clone().map(move |turn| {
                    let mut image = image;
                    image[axis] = at + period * turn;
                    image
                })
            };
            images = images.into_iter().flat_map(turned).collect();
        }
        images
    }

    /// The next point is the first ahead of this distance along the path.
    pub(super) fn enter(&mut self, distance: f32) {
        let (ahead, count) = (self.line.first_from(distance), self.count());
        self.progress.next = if ahead < count && self.line.distance_of(ahead) <= distance {
            ahead
        } else if self.progress.backward {
            ahead.saturating_sub(1)
        } else if ahead == count && self.is_closed() {
            0
        } else {
            ahead.min(count - 1)
        };
    }

    /// Updates the distance along the path of an agent that goes straight to a point of it.
    pub(super) fn note_distance(&mut self, index: usize) {
        let (line, way) = (self.line, self.agent.towards(self.line.points()[index]).length());
        self.progress.distance = if self.progress.backward {
            (line.distance_of(index) + way).min(line.distance_of((index + 1).min(self.count() - 1)))
        } else {
            let comes_round = self.is_closed() && index == 0;
            let end = if comes_round { self.count() } else { index };
            (line.distance_of(end) - way).max(line.distance_of(end.saturating_sub(1)))
        };
    }
}
