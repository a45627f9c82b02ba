//! Following a path from point to point.

use bevy::prelude::*;

use crate::{
    behavior::Agent,
    behaviors::path_follow::{PathProgress, walk::Walk},
    space::{segment::nearest_on_segment, vector::direction},
};

/// An agent that was pushed past a point counts as past it up to this many radii of the point.
const PUSHED: f32 = 4.0;
/// It is at a point within this share of the radius.
const MIDDLE: f32 = 0.1;

impl Walk<'_> {
    pub(super) fn by_waypoints(&mut self, is_new: bool, is_rerouted: bool) -> Vec3 {
        if is_new && self.is_past_the_first() {
            self.pass(0);
        }
        if is_rerouted {
            self.enter(self.find_place());
        }
        self.progress.next = self.progress.next.min(self.count() - 1);
        for _ in 0..self.count() {
            let index = self.progress.next;
            if self.rests_at(index) {
                self.note_distance(index);
                return self.rest(index);
            }
            if !self.has_passed(index) || !self.may_pass(index) {
                break;
            }
            self.pass(index);
        }
        self.note_distance(self.progress.next);
        self.seek(self.line.points()[self.progress.next])
    }

    /// Whether an agent with a new path has the first point behind it and is on its way to the
    /// second one: it moves that way, or is on the line between them. Planners that give a path
    /// again and again begin it in the middle of the cell that the agent is in.
    fn is_past_the_first(&self) -> bool {
        let progress = &self.progress;
        if progress.next != 0 || progress.backward || self.rests_at(0) {
            return false;
        }
        let velocity = self.agent.velocity;
        let [first, second] = [0, 1].map(|i| self.agent.towards(self.line.points()[i]));
        let goes_on = velocity.dot(second) > 0.0 && velocity.dot(first) < 0.0;
        goes_on || first.dot(second) < 0.0 && self.is_on_next(0)
    }

    /// Whether the agent has passed a point since the last tick.
    fn has_passed(&self, index: usize) -> bool {
        let Agent { velocity, vehicle, dt, .. } = *self.agent;
        // Where its body does not fit the nearest place counts.
        let to_point = self.agent.towards(self.line.points()[index]);
        let here = -self.surroundings.free_place(self.agent, to_point);
        let before = here - velocity * dt;
        if nearest_on_segment(Vec3::ZERO, before, here).length() <= self.radius {
            return true;
        }
        // Too fast to turn to it: it is beside or behind, inside the agent's turning circle.
        let turning_circle = velocity.length_squared() / vehicle.max_acceleration();
        let recedes = velocity.dot(here) > 0.0;
        let is_beyond = here.dot(self.incoming(index)) > 0.0;
        let is_pushed_past = here.length() <= PUSHED * self.radius && self.is_on_next(index);
        is_beyond && (recedes && here.length() <= self.radius + turning_circle || is_pushed_past)
    }

    /// Whether nothing is in the way to the point after this one, or the agent does not get nearer
    /// to this one: so it goes through the middle of a door and not for its post.
    fn may_pass(&self, index: usize) -> bool {
        let here = -self.agent.towards(self.line.points()[index]);
        let recedes = self.agent.velocity.dot(here) > 0.0;
        let is_there = here.length() <= MIDDLE * self.radius;
        recedes || is_there || {
            let next = self.line.points()[self.after(index)];
            self.surroundings.is_free(self.agent, self.agent.towards(next))
        }
    }

    /// The index of the point after this one.
    fn after(&self, index: usize) -> usize {
        let mut after = PathProgress { next: index, ..*self.progress };
        after.advance(self.end, self.count());
        after.next
    }

    /// Whether the agent is on the leg from this point to the next one: other agents may have
    /// pushed it past the point, and it should not turn back through a crowd.
    fn is_on_next(&self, index: usize) -> bool {
        let [from, to] =
            [index, self.after(index)].map(|i| self.agent.towards(self.line.points()[i]));
        nearest_on_segment(Vec3::ZERO, from, to).length() <= self.radius
    }

    /// The direction in which the path reaches this point.
    fn incoming(&self, index: usize) -> Vec3 {
        let points = self.line.points();
        let before = if self.progress.backward {
            index + 1
        } else {
            (index + points.len() - 1) % points.len()
        };
        points.get(before).map_or(Vec3::ZERO, |&before| direction(points[index] - before))
    }
}
