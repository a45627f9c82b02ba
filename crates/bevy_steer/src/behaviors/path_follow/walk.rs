//! [`Walk`]: one tick of one agent on its path.

use bevy::prelude::*;

use crate::{
    agent::events::{PathFinished, WaypointReached},
    behavior::Agent,
    behaviors::{
        arrival::{ArriveProfile, Hold},
        path_follow::{PathEnd, PathProgress},
    },
    path::Polyline,
    sensing::Surroundings,
};

/// One tick of one agent on its path.
pub(super) struct Walk<'a> {
    pub agent: &'a Agent<'a>,
    pub surroundings: &'a Surroundings<'a>,
    pub line: &'a Polyline,
    pub end: PathEnd,
    pub progress: &'a mut PathProgress,
    pub radius: f32,
}

/// Whether an agent comes to rest at this point of a path.
fn rests_at(line: &Polyline, end: PathEnd, index: usize) -> bool {
    let is_a_point = line.length(false) <= 0.0;
    is_a_point || (end == PathEnd::Stop && index + 1 >= line.points().len())
}

impl Walk<'_> {
    pub(super) fn count(&self) -> usize {
        self.line.points().len()
    }

    pub(super) fn rests_at(&self, index: usize) -> bool {
        rests_at(self.line, self.end, index)
    }

    /// Reports a point that has been passed, and advances to the next.
    pub(super) fn pass(&mut self, index: usize) {
        self.agent.emit(WaypointReached { entity: self.agent.entity, index });
        self.progress.advance(self.end, self.line.points().len());
    }

    pub(super) fn seek(&mut self, point: Vec3) -> Vec3 {
        let goal = self.agent.towards(point);
        let detour = &mut self.progress.detour;
        self.surroundings.course_to_point(self.agent, goal, detour).seek(self.agent)
    }

    /// Arrives at the point where the path ends. Reports the point once it is within the radius,
    /// and the end of the path once it is at rest there.
    pub(super) fn rest(&mut self, index: usize) -> Vec3 {
        let (agent, point) = (self.agent, self.line.points()[index]);
        let PathProgress { detour, held, .. } = &mut *self.progress;
        let course = self.surroundings.course(agent, agent.towards(point), detour);
        let stop_radius = agent.reachable(self.radius * 0.1);
        let encounters = &self.surroundings.encounters;
        let hold = agent.hold_before(held, encounters, &course, Vec3::ZERO, stop_radius);
        let is_there = course.offset.length() <= self.radius || hold == Hold::Rests;
        if is_there && !self.progress.at_end {
            // Points closer to the end than the radius are passed with it.
            for before in self.progress.next..index {
                self.pass(before);
            }
            self.progress.at_end = true;
            self.agent.emit(WaypointReached { entity: self.agent.entity, index });
        }
        if is_there && !self.progress.finished && self.agent.is_at_rest() {
            self.progress.finished = true;
            if self.end == PathEnd::Stop {
                self.agent.emit(PathFinished { entity: self.agent.entity });
            }
        }
        let waits = hold != Hold::Free;
        let is_near = waits || self.progress.finished || agent.is_near_goal(&course, Vec3::ZERO);
        self.progress.near_goal = is_near.then_some(point);
        if waits {
            return -agent.velocity;
        }
        agent.arrive(course.offset, Vec3::ZERO, ArriveProfile::FAST, stop_radius, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_where_the_path_ends() {
        let line = Polyline::new(vec![Vec3::ZERO, Vec3::X]);
        assert!(!rests_at(&line, PathEnd::Stop, 0) && rests_at(&line, PathEnd::Stop, 1));
        assert!(!rests_at(&line, PathEnd::Loop, 1));
        let point = Polyline::new(vec![Vec3::ONE, Vec3::ONE]);
        assert!(rests_at(&point, PathEnd::Loop, 0));
    }
}
