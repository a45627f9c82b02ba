//! Following a path inside a corridor.

use bevy::{math::ops, prelude::*};

use crate::{
    behavior::braking::resolution,
    behaviors::path_follow::{PathEnd, walk::Walk},
    space::direction,
};

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

impl Walk<'_> {
    pub(super) fn along_corridor(&mut self, predict: f32) -> Vec3 {
        let (agent, line, closed, radius) = (self.agent, self.line, self.is_closed(), self.radius);
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
    fn is_led_back_from_three_quarters_of_the_radius_to_its_edge() {
        let shares = [0.0, 1.5, 1.75, 2.0, 9.0].map(|off| led_back(off, 2.0));
        assert_eq!(shares, [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!(led_back(0.0, 0.0), 1.0);
    }
}
