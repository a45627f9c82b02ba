//! Follow a path: from point to point, or along a corridor.

mod corridor;
mod drawing;
mod place;
mod progress;

use bevy::prelude::*;

use crate::{
    agent::{
        blend::{Blend, Priority},
        builders::builders,
        events::{PathFinished, WaypointReached},
        length::Length,
        parameter::{ParameterRange, Unit},
    },
    behavior::{Agent, DebugDraw, ParamOf, Steering, SteeringBehavior},
    behaviors::{
        ArriveProfile,
        arrival::{arrive_in_time, is_at_rest},
        seek::seek,
    },
    path::{Path, Polyline},
    space::{segment::nearest_on_segment, vector::direction},
};

pub use progress::{PathEnd, PathProgress};

/// How closely an agent keeps to its path.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum PathStyle {
    /// From point to point: heads for the next until it has passed within `radius` of it.
    /// Buckland (2005), chapter 3, "Path Following".
    ///
    /// The way since the last tick counts, so no point is jumped over; and a point that the agent
    /// is too fast to turn to is passed when it is beside it, so none is circled for ever.
    Waypoints {
        /// This near a point it is reached. Default two radii of the vehicle.
        radius: Length,
    },
    /// Along the line, free within `radius` of it: looks `predict` seconds ahead and
    /// corrects only when it would leave the corridor, or is too slow. Reynolds (1999), "Path
    /// Following".
    Corridor {
        /// Half the corridor's width.
        radius: Length,
        /// How far it looks ahead, in seconds.
        #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
        predict: f32,
    },
}

impl Default for PathStyle {
    fn default() -> Self {
        Self::Waypoints { radius: Length::Radii(2.0) }
    }
}

/// Follows a [`Path`].
///
/// Observers of the agent get [`WaypointReached`](crate::WaypointReached) for each point and, at
/// rest at the end of a path that ends, [`PathFinished`](crate::PathFinished). An empty path is not
/// followed; on a path of one point the agent arrives.
///
/// A new component begins at the first point. One that gets another path while under way, by
/// [`reroute`](Self::reroute) or by `follow.path = …`, goes on from its place.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::{Path, prelude::*};
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
    /// The path. Clones share the points.
    pub path: Path,
    /// How closely. Default: from point to point, each within two radii of the vehicle.
    pub style: PathStyle,
    /// What comes after the last point. Default: it stops.
    pub end: PathEnd,
    /// How far along it is.
    pub progress: PathProgress,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl PathFollow {
    /// Follows this path.
    pub fn new(path: impl Into<Path>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// From point to point, each within this radius (units or a [`Length`]).
    #[must_use]
    pub fn by_waypoints(mut self, radius: impl Into<Length>) -> Self {
        self.style = PathStyle::Waypoints { radius: radius.into() };
        self
    }

    /// Along a corridor of this half width (units or a [`Length`]), looking this far ahead
    /// (seconds).
    #[must_use]
    pub fn along_corridor(mut self, radius: impl Into<Length>, predict: f32) -> Self {
        self.style = PathStyle::Corridor { radius: radius.into(), predict };
        self
    }

    /// From the place on the path that is nearest to the agent, instead of from the first point:
    /// for a new component of an agent that is under way.
    #[must_use]
    pub fn from_nearest(mut self) -> Self {
        self.progress.path = u64::MAX;
        self
    }

    /// Follows another path from here on: from the place where the agent is on the old one, if the
    /// new one goes by there, else from its nearest place.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steer::{Path, prelude::*};
    /// fn build_a_tower(detour: Path, mut creeps: Query<&mut PathFollow>) {
    ///     for mut follow in &mut creeps {
    ///         follow.reroute(detour.clone());
    ///     }
    /// }
    /// ```
    pub fn reroute(&mut self, path: impl Into<Path>) {
        self.path = path.into();
    }

    builders! {
        /// With this after the last point.
        with_end(end: PathEnd);
    }
}

/// One tick of one agent on its path.
struct Walk<'a> {
    agent: &'a Agent<'a>,
    line: &'a Polyline,
    end: PathEnd,
    progress: &'a mut PathProgress,
    radius: f32,
}

/// Whether an agent comes to rest at this point of a path.
fn rests_at(line: &Polyline, end: PathEnd, index: usize) -> bool {
    let is_a_point = line.length(false) <= 0.0;
    is_a_point || (end == PathEnd::Stop && index + 1 >= line.points().len())
}

/// As far as this many radii of the point an agent may have been pushed past it.
const PUSHED: f32 = 4.0;

impl Walk<'_> {
    fn count(&self) -> usize {
        self.line.points().len()
    }

    fn rests_at(&self, index: usize) -> bool {
        rests_at(self.line, self.end, index)
    }

    /// Reports a point that has been passed, and goes on to the next.
    fn pass(&mut self, index: usize) {
        self.agent.emit(WaypointReached { entity: self.agent.entity, index });
        self.progress.advance(self.end, self.line.points().len());
    }

    /// Arrives at the point where the path ends. Reports the point once it is within the radius,
    /// and the end of the path once it is at rest there.
    fn rest(&mut self, index: usize) -> Vec3 {
        let offset = self.agent.towards(self.line.points()[index]);
        let is_there = offset.length() <= self.radius;
        if is_there && !self.progress.at_end {
            self.progress.at_end = true;
            self.agent.emit(WaypointReached { entity: self.agent.entity, index });
        }
        if is_there && !self.progress.finished && is_at_rest(self.agent, self.agent.velocity) {
            self.progress.finished = true;
            if self.end == PathEnd::Stop {
                self.agent.emit(PathFinished { entity: self.agent.entity });
            }
        }
        let stop_radius = self.agent.reachable(self.radius * 0.1);
        arrive_in_time(self.agent, offset, ArriveProfile::FAST, stop_radius)
    }

    fn by_waypoints(&mut self, is_rerouted: bool) -> Vec3 {
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
            if !self.has_passed(index) {
                break;
            }
            self.pass(index);
        }
        self.note_distance(self.progress.next);
        self.seek(self.line.points()[self.progress.next])
    }

    fn seek(&self, point: Vec3) -> Vec3 {
        let Agent { velocity, vehicle, .. } = *self.agent;
        seek(Vec3::ZERO, velocity, self.agent.towards(point), vehicle.max_speed)
    }

    /// Whether the agent has passed a point since the last tick.
    fn has_passed(&self, index: usize) -> bool {
        let Agent { velocity, vehicle, dt, .. } = *self.agent;
        let here = -self.agent.towards(self.line.points()[index]);
        let before = here - velocity * dt;
        if nearest_on_segment(Vec3::ZERO, before, here).length() <= self.radius {
            return true;
        }
        // Too fast to turn to it: it is beside or behind, and inside the circle that the agent can
        // turn on.
        let turning_circle = velocity.length_squared() / vehicle.max_acceleration();
        let recedes = velocity.dot(here) > 0.0;
        let is_beyond = here.dot(self.incoming(index)) > 0.0;
        let is_pushed_past = here.length() <= PUSHED * self.radius && self.is_on_next(index);
        is_beyond && (recedes && here.length() <= self.radius + turning_circle || is_pushed_past)
    }

    /// Whether the agent is on the way from this point to the next one: others may have pushed it
    /// past the point, and it should not go back through a crowd.
    fn is_on_next(&self, index: usize) -> bool {
        let mut after = PathProgress { next: index, ..*self.progress };
        after.advance(self.end, self.count());
        let [from, to] = [index, after.next].map(|i| self.agent.towards(self.line.points()[i]));
        nearest_on_segment(Vec3::ZERO, from, to).length() <= self.radius
    }

    /// The direction in which the path comes to this point.
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

impl SteeringBehavior for PathFollow {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        if self.path.is_empty() || !self.path.is_finite() {
            return Steering::NONE;
        }
        let is_rerouted = self.progress.is_rerouted(&self.path);
        let (PathStyle::Waypoints { radius } | PathStyle::Corridor { radius, .. }) = self.style;
        let mut walk = Walk {
            agent,
            line: self.path.seen_in(agent.plane),
            end: self.end,
            progress: &mut self.progress,
            radius: agent.reachable(radius.in_units(agent.vehicle).max(0.0)),
        };
        Steering::linear(match self.style {
            PathStyle::Waypoints { .. } => walk.by_waypoints(is_rerouted),
            PathStyle::Corridor { .. } if walk.line.length(false) <= 0.0 => walk.rest(0),
            PathStyle::Corridor { predict, .. } => walk.along_corridor(predict.max(0.0)),
        })
    }

    fn debug_draw(&self, agent: &Agent, (): &ParamOf<Self>, draw: &mut DebugDraw) {
        if self.path.is_finite() {
            self.draw(agent, draw);
        }
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
