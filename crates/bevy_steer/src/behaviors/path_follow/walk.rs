//! [`Walk`]: one tick of one agent on its path: where on the path it is, and how it goes on from
//! point to point, or inside a corridor.

use bevy::{math::ops, prelude::*};

use crate::{
    agent::{PathFinished, WaypointReached},
    behavior::{Agent, braking::resolution},
    behaviors::{
        arrival::{ArriveProfile, Hold},
        path_follow::{PathEnd, PathProgress},
    },
    path::Polyline,
    sensing::Surroundings,
    space::{direction, nearest_on_segment},
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

/// An agent that was pushed past a point counts as past it up to this many radii of the point.
const PUSHED: f32 = 4.0;
/// It is at a point within this share of the radius.
const MIDDLE: f32 = 0.1;

/// An agent in its corridor that moves faster along the path than this fraction of its top speed is
/// not accelerated.
const FAST_ENOUGH: f32 = 0.9;

/// An agent slower than this is accelerated fully, between the two values partly: switching on and
/// off would make it tremble.
const TOO_SLOW: f32 = 0.8;

/// The maximum number of steps, of a radius or more, that it looks along the path for a place
/// behind what stands on it.
const BEHIND: usize = 16;

/// Beyond this fraction of the corridor's radius it is led back, increasingly, and fully at the
/// edge.
const LED_BACK: f32 = 0.75;

/// Whether an agent comes to rest at this point of a path.
fn rests_at(line: &Polyline, end: PathEnd, index: usize) -> bool {
    let is_a_point = line.length(false) <= 0.0;
    is_a_point || (end == PathEnd::Stop && index + 1 >= line.points().len())
}

impl Walk<'_> {
    fn count(&self) -> usize {
        self.line.points().len()
    }

    fn rests_at(&self, index: usize) -> bool {
        rests_at(self.line, self.end, index)
    }

    /// Reports a point that has been passed, and advances to the next.
    fn pass(&mut self, index: usize) {
        self.agent.emit(WaypointReached { entity: self.agent.entity, index });
        self.progress.advance(self.end, self.count());
    }

    fn seek(&mut self, point: Vec3) -> Vec3 {
        let goal = self.agent.towards(point);
        let detour = &mut self.progress.detour;
        self.surroundings.course_to_point(self.agent, goal, detour).seek(self.agent)
    }

    /// Arrives at the point where the path ends. Reports the point once it is within the radius,
    /// and the end of the path once it is at rest there.
    fn rest(&mut self, index: usize) -> Vec3 {
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

    fn is_closed(&self) -> bool {
        self.end == PathEnd::Loop
    }

    /// 1 towards the end, −1 towards the beginning.
    fn forward(&self) -> f32 {
        if self.progress.backward { -1.0 } else { 1.0 }
    }

    /// Where the agent is; in a world that wraps, its image nearest to its last place on the path.
    fn here(&self) -> Vec3 {
        let last = self.line.point_at(self.progress.distance, self.is_closed());
        last - self.agent.towards(last)
    }

    /// The distance along the whole path of the agent's place: about where it was, unless another
    /// is nearer by more than the radius.
    fn find_place(&self) -> f32 {
        let closed = self.is_closed();
        let project = |here: Vec3, reach| {
            let near = self.progress.distance;
            let distance = self.line.project(here, near, reach, closed, self.forward());
            (here.distance(self.line.point_at(distance, closed)), distance)
        };
        let reach = 4.0 * (self.radius + self.agent.vehicle.max_speed * self.agent.dt);
        let (off, kept) = project(self.here(), reach);
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
    fn enter(&mut self, distance: f32) {
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
    fn note_distance(&mut self, index: usize) {
        let (line, way) = (self.line, self.agent.towards(self.line.points()[index]).length());
        self.progress.distance = if self.progress.backward {
            (line.distance_of(index) + way).min(line.distance_of((index + 1).min(self.count() - 1)))
        } else {
            let comes_round = self.is_closed() && index == 0;
            let end = if comes_round { self.count() } else { index };
            (line.distance_of(end) - way).max(line.distance_of(end.saturating_sub(1)))
        };
    }

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

    pub(super) fn along_corridor(&mut self, predict: f32) -> Vec3 {
        let (agent, line, closed, radius) = (self.agent, self.line, self.is_closed(), self.radius);
        if line.length(false) <= 0.0 {
            return self.rest(0);
        }
        let (speed, max_speed) = (agent.velocity.length(), agent.vehicle.max_speed);
        let step = max_speed * agent.dt;
        if !self.progress.entered {
            self.progress.distance = self.find_place();
        }
        let here = self.here();
        let distance = self.advance(here);
        self.enter_or_pass(distance);

        let left = line.length(false) - distance;
        let braking =
            speed * speed / (2.0 * agent.vehicle.max_acceleration()) + speed * agent.response();
        if self.end == PathEnd::Stop && left <= radius.max(1.5 * braking) {
            return self.rest(self.count() - 1);
        }

        let forward = self.forward();
        let future = here + agent.velocity * predict;
        let reach_ahead = speed * predict + radius;
        let ahead = line.project(future, distance, reach_ahead, closed, forward);
        let mut astray = led_back(future.distance(line.point_at(ahead, closed)), radius);
        let is_near = self.surroundings.are_near(agent);
        let back = if astray > 0.0 || is_near {
            // As far along the path as it is away from it, so that it returns at an angle: an agent
            // that an obstacle has pushed aside and slowed down would otherwise move straight back
            // into it.
            let off = here.distance(line.point_at(distance, closed));
            let aside = off.min(0.25 * line.length(closed));
            let lead = (speed * predict * 0.5).max(radius).max(aside);
            let mut carrot = self.short_cut(here, distance, ahead, lead);
            let mut point = line.point_at(carrot, closed);
            // What stands on the path is passed: it heads for the path behind that.
            for _ in 0..BEHIND {
                if !is_near || self.surroundings.have_room(agent, agent.towards(point)) {
                    break;
                }
                carrot += forward * agent.vehicle.size().max(step);
                point = line.point_at(carrot, closed);
            }
            if is_near && !self.surroundings.is_free(agent, agent.towards(point)) {
                // Round what is in the way, even inside of the corridor, but not past the next
                // point of the path: so it goes through the middle of a door.
                astray = 1.0;
                let next = line.points()[self.progress.next];
                if self.is_behind(self.progress.next, carrot)
                    && self.surroundings.have_room(agent, agent.towards(next))
                {
                    point = next;
                }
            }
            self.seek(point)
        } else {
            Vec3::ZERO
        };
        if astray >= 1.0 {
            return back;
        }
        let stride = forward * step.max(radius * 0.1).max(2.0 * resolution(here));
        let tangent =
            direction(line.point_at(distance + stride, closed) - line.point_at(distance, closed));
        let along = agent.velocity.dot(tangent) / max_speed.max(f32::MIN_POSITIVE);
        let hurry = ((FAST_ENOUGH - along) / (FAST_ENOUGH - TOO_SLOW)).clamp(0.0, 1.0);
        let on = (tangent * max_speed - agent.velocity) * hurry;
        on + (back - on) * astray
    }

    /// The distance along the path of the agent's place, ahead of the last one by no more than the
    /// agent moved plus the radius, unless something has put it elsewhere. It goes back only to a
    /// position that is closer by more than the radius: an agent that turns round with the path is
    /// not taken for one that is pushed back.
    fn advance(&self, here: Vec3) -> f32 {
        let (line, closed, forward) = (self.line, self.is_closed(), self.forward());
        let near = self.progress.distance;
        let off = |distance| here.distance(line.point_at(distance, closed));
        let usual = self.radius + self.agent.velocity.length() * self.agent.dt;
        let is_elsewhere = off(near) > self.radius + usual;
        let reach = if is_elsewhere { off(near) } else { usual };
        let middle = near + forward * 0.5 * reach;
        let on = line.project(here, middle, 0.5 * reach, closed, forward);
        // At the end of the path the range is shorter, and would otherwise begin before `near`.
        let on = if closed || (on - near) * forward >= 0.0 { on } else { near };
        // Nothing is closer than zero.
        if off(on) <= self.radius {
            return on;
        }
        let anywhere = line.project(here, near, reach, closed, forward);
        if off(on) > off(anywhere) + self.radius { anywhere } else { on }
    }

    /// The distance along the path of what the agent at `here` heads for: `lead` beyond `ahead`,
    /// but no farther than where the path from its place is longer by the radius than straight
    /// ahead. So it cuts bends, but no legs.
    fn short_cut(&self, here: Vec3, place: f32, ahead: f32, lead: f32) -> f32 {
        let (line, closed, forward) = (self.line, self.is_closed(), self.forward());
        let mut on = (ahead - place) * forward;
        if closed {
            let length = line.length(true);
            on = ops::rem_euclid(on + 0.5 * length, length) - 0.5 * length;
        }
        let at = |on: f32| place + forward * on;
        let cut = |on: f32| on - here.distance(line.point_at(at(on), closed));
        let wanted = on + lead;
        if cut(wanted) <= self.radius {
            return at(wanted);
        }
        // The cut never gets less along the path.
        let (mut low, mut high) = (0.0, wanted);
        for _ in 0..16 {
            let middle = f32::midpoint(low, high);
            if cut(middle) <= self.radius {
                low = middle;
            } else {
                high = middle;
            }
        }
        at(low)
    }

    /// Updates the distance along the corridor, and reports the points that it has passed.
    fn enter_or_pass(&mut self, distance: f32) {
        let count = self.count();
        if !self.progress.entered {
            self.enter(distance);
        }
        self.progress.entered = true;
        self.progress.distance = distance;
        self.progress.next = self.progress.next.min(count - 1);
        for _ in 0..count {
            let index = self.progress.next;
            if self.rests_at(index) || !self.is_behind(index, distance) {
                break;
            }
            self.pass(index);
        }
    }

    /// Whether a point of the path has been passed at a distance along it. Where the agent turns
    /// around, close to the point is enough.
    fn is_behind(&self, index: usize, distance: f32) -> bool {
        let mut ahead = self.line.distance_of(index) - distance;
        if self.is_closed() {
            let length = self.line.length(true);
            // Less than half of the way round, as the next of two points is just half of it ahead.
            let behind = 0.4 * length;
            ahead = ops::rem_euclid(ahead + behind, length) - behind;
        }
        let turns_round =
            self.end == PathEnd::PingPong && (index == 0 || index + 1 == self.count());
        ahead * self.forward() <= if turns_round { self.radius } else { 0.0 }
    }
}

/// How strongly an agent that will be at this distance from its path is led back, 0 to 1.
fn led_back(off: f32, radius: f32) -> f32 {
    if off >= radius { 1.0 } else { ((off / radius - LED_BACK) / (1.0 - LED_BACK)).max(0.0) }
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

    #[test]
    fn is_led_back_from_three_quarters_of_the_radius_to_its_edge() {
        let shares = [0.0, 1.5, 1.75, 2.0, 9.0].map(|off| led_back(off, 2.0));
        assert_eq!(shares, [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!(led_back(0.0, 0.0), 1.0);
    }
}
