//! Follow a path: from point to point, or along a corridor.

use bevy::{ecs::system::SystemParamItem, math::ops, prelude::*};

use super::{ArriveProfile, arrive::arrive_in_time, blend_field, seek::seek};
use crate::{
    behavior::{Agent, Steering, SteeringBehavior},
    blend::{Blend, Priority},
    events::SteeringEvent,
    obstacles::nearest_on_segment,
    path::Path,
    vector::direction,
};

/// How closely an agent keeps to its path.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum PathStyle {
    /// From point to point: heads for the next until it has passed within `radius` (units) of it. Buckland (2005),
    /// chapter 3, "Path Following".
    ///
    /// The way since the last tick counts, so no point is jumped over; and a point that the agent is too fast to turn to is
    /// passed when it is beside it, so none is circled for ever.
    Waypoints {
        /// How near is there, in units.
        radius: f32,
    },
    /// Along the line, free within `radius` (units) of it: looks `predict` seconds ahead and corrects only when it would
    /// leave the corridor, or is too slow. Reynolds (1999), "Path Following".
    Corridor {
        /// Half the corridor's width, in units.
        radius: f32,
        /// How far it looks ahead, in seconds.
        predict: f32,
    },
}

impl Default for PathStyle {
    fn default() -> Self {
        Self::Waypoints { radius: 1.0 }
    }
}

/// What comes after the last point.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum PathEnd {
    /// Rest: it arrives at the last point.
    #[default]
    Stop,
    /// The first point again: the path is closed.
    Loop,
    /// Back the same way, and so on.
    PingPong,
}

/// How far along its path an agent is. Set it to send it somewhere else on the path.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct PathProgress {
    /// The index of the point that comes next.
    pub next: usize,
    /// The length of the path up to where the agent is, in units. Kept by [`PathStyle::Corridor`].
    pub distance: f32,
    /// Whether it goes back towards the first point.
    pub backward: bool,
    /// Whether it has reached the end of a path that ends.
    pub finished: bool,
    /// Whether a corridor has been entered: before, the nearest place on all the path is looked for.
    pub entered: bool,
}

/// Follows a [`Path`].
///
/// Observers of the agent get [`WaypointReached`](crate::WaypointReached) for each point and, at the end of a path that
/// ends, [`PathFinished`](crate::PathFinished). An empty path is not followed; on a path of one point the agent arrives.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// let patrol = Path::new([Vec2::ZERO, Vec2::new(9.0, 0.0), Vec2::new(9.0, 6.0)]);
/// commands.spawn((Vehicle::default(), PathFollow::new(patrol).with_end(PathEnd::Loop)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct PathFollow {
    /// Which. Clones share the points.
    pub path: Path,
    /// How closely. Default from point to point, each within a unit.
    pub style: PathStyle,
    /// What comes after the last point. Default it stops.
    pub end: PathEnd,
    /// How far along it is.
    pub progress: PathProgress,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl PathFollow {
    /// Faster than this share of its top speed along the path an agent in its corridor is left alone.
    const FAST_ENOUGH: f32 = 0.9;

    /// Follows this path.
    pub fn new(path: impl Into<Path>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// From point to point, each within this radius (units).
    #[must_use]
    pub fn by_waypoints(mut self, radius: f32) -> Self {
        self.style = PathStyle::Waypoints { radius };
        self
    }

    /// Along a corridor of this half width (units), looking this far ahead (seconds).
    #[must_use]
    pub fn along_corridor(mut self, radius: f32, predict: f32) -> Self {
        self.style = PathStyle::Corridor { radius, predict };
        self
    }

    /// With this after the last point.
    #[must_use]
    pub fn with_end(mut self, end: PathEnd) -> Self {
        self.end = end;
        self
    }

    fn is_closed(&self) -> bool {
        self.end == PathEnd::Loop
    }

    /// Whether the agent comes to rest at this point.
    fn rests_at(&self, index: usize) -> bool {
        let is_a_point = self.path.length(false) <= 0.0;
        is_a_point || (self.end == PathEnd::Stop && index + 1 >= self.path.len())
    }

    /// The point after this one, turning round at the ends where it must.
    fn advance(&mut self) {
        let last = self.path.len() - 1;
        let PathProgress { next, backward, .. } = &mut self.progress;
        match self.end {
            PathEnd::Loop => *next = if *next >= last { 0 } else { *next + 1 },
            PathEnd::Stop => *next = (*next + 1).min(last),
            PathEnd::PingPong => {
                if *next >= last {
                    *backward = true;
                } else if *next == 0 {
                    *backward = false;
                }
                *next = if *backward { next.saturating_sub(1) } else { *next + 1 };
            }
        }
    }

    /// Arrives at the point where the path ends, and says so once it is within `radius`.
    fn rest(&mut self, agent: &Agent, index: usize, radius: f32) -> Vec3 {
        let offset = agent.towards(self.path.points()[index]);
        let is_there = offset.length() <= radius;
        if is_there && !self.progress.finished {
            self.progress.finished = true;
            agent.emit(SteeringEvent::WaypointReached(index));
            if self.end == PathEnd::Stop {
                agent.emit(SteeringEvent::PathFinished);
            }
        }
        arrive_in_time(agent, offset, agent.velocity, ArriveProfile::FAST, radius * 0.1)
    }

    fn follow_waypoints(&mut self, agent: &Agent, radius: f32) -> Vec3 {
        let count = self.path.len();
        self.progress.next = self.progress.next.min(count - 1);
        for _ in 0..count {
            let index = self.progress.next;
            if self.rests_at(index) {
                return self.rest(agent, index, radius);
            }
            let offset = agent.towards(self.path.points()[index]);
            if !has_passed(agent, offset, self.incoming(index), radius) {
                break;
            }
            agent.emit(SteeringEvent::WaypointReached(index));
            self.advance();
        }
        let offset = agent.towards(self.path.points()[self.progress.next]);
        seek(Vec3::ZERO, agent.velocity, offset, agent.vehicle.max_speed)
    }

    /// The direction in which the path comes to this point.
    fn incoming(&self, index: usize) -> Vec3 {
        let points = self.path.points();
        let before = if self.progress.backward {
            index + 1
        } else {
            (index + points.len() - 1) % points.len()
        };
        points.get(before).map_or(Vec3::ZERO, |&before| direction(points[index] - before))
    }

    fn follow_corridor(&mut self, agent: &Agent, radius: f32, predict: f32) -> Vec3 {
        let closed = self.is_closed();
        let speed = agent.velocity.length();
        let step = agent.vehicle.max_speed * agent.dt;
        // The image of the agent that is nearest to its place on the path, in a world that wraps.
        let last_place = self.path.point_at(self.progress.distance, closed);
        let here = last_place - agent.towards(last_place);
        let reach = if self.progress.entered { 4.0 * (radius + step) } else { f32::INFINITY };
        let heads = |backward| if backward { -1.0 } else { 1.0 };
        let forward = heads(self.progress.backward);
        let last = self.progress.distance;
        let distance = self.path.project_ahead(here, last, reach, closed, forward);
        self.enter_or_pass(agent, distance, radius);

        let forward = heads(self.progress.backward);
        let left = self.path.length(false) - distance;
        let braking =
            speed * speed / (2.0 * agent.vehicle.max_acceleration()) + speed * agent.response();
        if self.end == PathEnd::Stop && left <= radius.max(1.5 * braking) {
            return self.rest(agent, self.path.len() - 1, radius);
        }

        let future = here + agent.velocity * predict;
        let reach_ahead = 2.0 * (speed * predict + radius);
        let ahead = self.path.project_ahead(future, distance, reach_ahead, closed, forward);
        let strays =
            agent.plane.flatten(future - self.path.point_at(ahead, closed)).length() > radius;
        let stride = forward * step.max(radius * 0.1);
        let tangent = direction(agent.plane.flatten(
            self.path.point_at(distance + stride, closed) - self.path.point_at(distance, closed),
        ));
        let is_fast = agent.velocity.dot(tangent) >= Self::FAST_ENOUGH * agent.vehicle.max_speed;
        if !strays {
            let along = tangent * agent.vehicle.max_speed;
            return if is_fast { Vec3::ZERO } else { along - agent.velocity };
        }
        let carrot = ahead + forward * (speed * predict * 0.5).max(radius);
        let offset = agent.towards(self.path.point_at(carrot, closed));
        seek(Vec3::ZERO, agent.velocity, offset, agent.vehicle.max_speed)
    }

    /// Notes the place along a corridor, and tells of the points that lie behind it now.
    fn enter_or_pass(&mut self, agent: &Agent, distance: f32, radius: f32) {
        let entered = self.progress.entered;
        self.progress.distance = distance;
        self.progress.entered = true;
        let count = self.path.len();
        if !entered {
            let ahead = (0..count).find(|&index| self.path.distance_of(index) >= distance);
            self.progress.next = ahead.unwrap_or(if self.is_closed() { 0 } else { count - 1 });
        }
        self.progress.next = self.progress.next.min(count - 1);
        for _ in 0..count {
            let index = self.progress.next;
            if self.rests_at(index) || !self.is_behind(index, distance, radius) {
                break;
            }
            agent.emit(SteeringEvent::WaypointReached(index));
            self.advance();
        }
    }

    /// Whether a point of the path lies behind a place on it. Where the agent turns round, near it is enough.
    fn is_behind(&self, index: usize, distance: f32, radius: f32) -> bool {
        let mut ahead = self.path.distance_of(index) - distance;
        if self.is_closed() {
            let length = self.path.length(true);
            // Less than half of the way round, as the next of two points is just half of it ahead.
            let behind = 0.4 * length;
            ahead = ops::rem_euclid(ahead + behind, length) - behind;
        }
        if self.progress.backward {
            ahead = -ahead;
        }
        let turns_round =
            self.end == PathEnd::PingPong && (index == 0 || index + 1 == self.path.len());
        ahead <= if turns_round { radius } else { 0.0 }
    }
}

/// Whether an agent that came this way has passed a point at `offset`.
fn has_passed(agent: &Agent, offset: Vec3, incoming: Vec3, radius: f32) -> bool {
    let here = -offset;
    let before = here - agent.velocity * agent.dt;
    if nearest_on_segment(Vec3::ZERO, before, here).length() <= radius {
        return true;
    }
    // Too fast to turn to it: it is beside or behind, and inside the circle that the agent can turn on.
    let turning_circle = agent.velocity.length_squared() / agent.vehicle.max_acceleration();
    let recedes = agent.velocity.dot(here) > 0.0;
    recedes && here.dot(incoming) > 0.0 && here.length() <= radius + turning_circle
}

impl SteeringBehavior for PathFollow {
    type World = ();
    const PRIORITY: Priority = Priority::Normal;
    blend_field!();

    fn steer(&mut self, agent: &Agent, (): &SystemParamItem<Self::World>) -> Steering {
        if self.path.is_empty() || !self.path.is_finite() {
            return Steering::NONE;
        }
        Steering::linear(match self.style {
            PathStyle::Waypoints { radius } => self.follow_waypoints(agent, radius.max(0.0)),
            PathStyle::Corridor { radius, predict } if self.path.length(false) > 0.0 => {
                self.follow_corridor(agent, radius.max(0.0), predict.max(0.0))
            }
            PathStyle::Corridor { radius, .. } => self.rest(agent, 0, radius.max(0.0)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(end: PathEnd, points: usize) -> Vec<usize> {
        let path = Path::new((0..points).map(|i| Vec2::X * i as f32));
        let mut follow = PathFollow::new(path).with_end(end);
        (0..6)
            .map(|_| {
                follow.advance();
                follow.progress.next
            })
            .collect()
    }

    #[test]
    fn the_order_of_points_at_each_end() {
        assert_eq!(follow(PathEnd::Stop, 3), [1, 2, 2, 2, 2, 2]);
        assert_eq!(follow(PathEnd::Loop, 3), [1, 2, 0, 1, 2, 0]);
        assert_eq!(follow(PathEnd::PingPong, 3), [1, 2, 1, 0, 1, 2]);
        assert_eq!(follow(PathEnd::PingPong, 2), [1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn rests_where_the_path_ends() {
        let follow = PathFollow::new(Path::new([Vec2::ZERO, Vec2::X]));
        assert!(!follow.rests_at(0) && follow.rests_at(1));
        assert!(!follow.clone().with_end(PathEnd::Loop).rests_at(1));
        let point = PathFollow::new(Path::new([Vec2::ONE, Vec2::ONE])).with_end(PathEnd::Loop);
        assert!(point.rests_at(0));
    }
}
