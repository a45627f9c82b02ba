//! [`Frame`]: the plane in which a way goes round something.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    behavior::{Agent, braking::BODY},
    obstacles::{PlacedObstacle, field::Field, near::MAX_SURFACES, outline::Outline},
    space::vector::{direction, perpendicular, split},
};

/// What surfaces look like in a plane.
type Outlines = SmallVec<[Outline; MAX_SURFACES]>;

/// The plane in which a way to a goal goes round something, seen from the agent.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The unit vector to the goal.
    heading: Vec3,
    /// The distance of the goal, in units.
    length: f32,
    /// Perpendicular to the heading.
    aside: Vec3,
}

impl Frame {
    /// That of a planar agent is its own. In free space there are two that are perpendicular to
    /// each other: the first one has the axis that was chosen before, else it leads past the first
    /// surface the short way.
    pub(super) fn pair(
        agent: &Agent,
        goal: Vec3,
        surfaces: &[&PlacedObstacle],
        axis: Vec3,
    ) -> (Self, Option<Self>) {
        let (heading, length) = split(goal);
        let along = |aside: Vec3| Self { heading, length, aside: direction(aside) };
        if agent.plane.is_planar() {
            return (along(agent.plane.left(heading)), None);
        }
        let across = |v: Vec3| direction(perpendicular(v, heading));
        let before = across(axis.cross(heading));
        let past = surfaces.first().map_or(Vec3::ZERO, |obstacle| {
            let center = obstacle.position + obstacle.shape.center(&obstacle.axes);
            across(obstacle.plane(agent.plane).flatten(-agent.towards(center)))
        });
        let asides = [before, past, agent.plane.left(heading)];
        let aside = asides.into_iter().find(|aside| *aside != Vec3::ZERO).unwrap_or_default();
        (along(aside), Some(along(heading.cross(aside))))
    }

    /// The axis of a turn to the left.
    pub(super) fn axis(&self) -> Vec3 {
        direction(self.heading.cross(self.aside))
    }

    fn project(&self, v: Vec3) -> Vec2 {
        Vec2::new(v.dot(self.heading), v.dot(self.aside))
    }

    pub(super) fn unproject(&self, v: Vec2) -> Vec3 {
        self.heading * v.x + self.aside * v.y
    }

    /// What surfaces look like in this plane.
    pub(super) fn outlines(&self, agent: &Agent, surfaces: &[&PlacedObstacle]) -> Outlines {
        let outlines = surfaces.iter().map(|obstacle| {
            let seen = obstacle.plane(agent.plane);
            let place = agent.towards(obstacle.position);
            let project = |corner: Vec3| self.project(seen.flatten(place + corner));
            Outline::of(&obstacle.shape, &obstacle.axes, seen, project)
        });
        outlines.collect()
    }

    /// What stands between the agent and the goal.
    pub(super) fn field<'a>(&self, agent: &Agent, outlines: &'a [Outline]) -> Field<'a> {
        Field { outlines, goal: Vec2::X * self.length, room: BODY * agent.vehicle.radius }
    }
}
