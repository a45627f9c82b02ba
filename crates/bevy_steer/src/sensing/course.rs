//! [`Course`]: the way of an agent to its goal, round what stands in between.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    agent::surface_slot::CourseNote,
    behavior::{Agent, Detour, braking::BODY},
    obstacles::{
        PlacedObstacle,
        field::{Field, SLACK, Way},
        near::MAX_SURFACES,
        outline::Outline,
    },
    sensing::{Encounter, Surroundings},
    space::vector::{direction, perpendicular, split},
};

/// The way of an agent to its goal, see [`Surroundings::course`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The way to go now, as long as the whole way is: straight to the goal where nothing stands in
    /// between, else round that. To the nearest place where the body fits if the goal is in an
    /// obstacle or wall.
    pub offset: Vec3,
    /// The offset to the goal, as asked for.
    pub goal: Vec3,
    /// The offset to the nearest place where the body fits: the goal, if it fits there.
    pub place: Vec3,
    /// Whether the body does not fit where the goal is.
    pub is_blocked: bool,
}

/// How far off an obstacle the agent's goal is.
pub(crate) fn goal_distance(agent: &Agent, goal: Vec3, obstacle: &PlacedObstacle) -> f32 {
    gap(agent, obstacle, goal).distance
}

/// So often a goal is moved out of what it is in.
const MOVES: usize = 4;
/// A goal in the middle of something is moved out on the side of the agent: as if it were this
/// share of the way nearer to it, or so many radii if that is more. Else the agent might change its
/// mind on the way.
const NEARER: f32 = 0.05;
const NEARER_RADII: f32 = 0.4;
/// A way with room for the margin is taken if it is no longer than the one without by so many times
/// that room: about half a circle round something.
const LONGER: f32 = core::f32::consts::PI;

type Surfaces<'a> = SmallVec<[&'a PlacedObstacle; MAX_SURFACES]>;

impl Surroundings<'_> {
    /// The way to a goal at `offset`, round all that stops the agent's body on the straight way to
    /// it: see [`SurfaceReach::solid`](crate::SurfaceReach::solid). Only what is near is known.
    ///
    /// It goes round each obstacle on the shorter side and keeps to that, unless the other way
    /// becomes half as long. Obstacles that leave no gap that is wide enough count as one. So do
    /// other agents that stand and avoid nobody, if the agent avoids others. What moves is left to
    /// avoidance.
    ///
    /// A behaviour that moves its agent to a goal calls it with what it keeps in its component, and
    /// goes along [`Course::offset`].
    #[inline(always)]
    pub fn course(&self, agent: &Agent, offset: Vec3, detour: &mut Detour) -> Course {
        let course = self.course_to_point(agent, offset, detour);
        detour.report(course.is_blocked, agent, offset);
        course
    }

    /// The same for a point on the way to a goal: it is not reported if that is blocked.
    #[inline(always)]
    pub(crate) fn course_to_point(
        &self,
        agent: &Agent,
        offset: Vec3,
        detour: &mut Detour,
    ) -> Course {
        if !self.are_near(agent) {
            detour.note_free(agent.dt);
            return Course { offset, goal: offset, place: offset, is_blocked: false };
        }
        self.find_course(&{ *agent }, offset, detour)
    }

    /// Whether nothing that stops the agent's body stands on the straight way to `offset`.
    pub(crate) fn is_free(&self, agent: &Agent, offset: Vec3) -> bool {
        if !self.are_near(agent) {
            return true;
        }
        let (heading, length) = split(offset);
        let bodies = self.bodies(agent);
        let surfaces = self.standing(agent, &bodies);
        let frame = Frame::new(agent, heading, &surfaces, Vec3::ZERO);
        let field = field_of(agent, frame, &surfaces, length);
        field.is_straight()
    }

    /// The place nearest to `offset` at which the agent's body fits, as far as is known.
    pub(crate) fn free_place(&self, agent: &Agent, offset: Vec3) -> Vec3 {
        if !self.are_near(agent) {
            return offset;
        }
        free_place(agent, &self.standing(agent, &self.bodies(agent)), offset)
    }

    /// Whether the agent's body fits at `offset`, as far as is known.
    pub(crate) fn have_room(&self, agent: &Agent, offset: Vec3) -> bool {
        !self.are_near(agent) || fits(agent, &self.standing(agent, &self.bodies(agent)), offset)
    }

    /// The bodies of others that stand in the way and avoid nobody.
    fn bodies(&self, agent: &Agent) -> SmallVec<[PlacedObstacle; 4]> {
        let standing = self.encounters.standing(agent);
        standing
            .map(|Encounter { entity, offset, radius, .. }| {
                PlacedObstacle::body(entity, agent.position + offset, radius.unwrap_or_default())
            })
            .collect()
    }

    /// What stops the agent's body and does not move: obstacles, walls, and these bodies.
    fn standing<'a>(&'a self, agent: &Agent, bodies: &'a [PlacedObstacle]) -> Surfaces<'a> {
        let stands = |obstacle: &&PlacedObstacle| {
            let velocity = agent.plane.flatten(obstacle.velocity);
            velocity.length() + obstacle.swing() <= 0.02 * agent.vehicle.max_speed
        };
        let surfaces = agent.surfaces.into_iter().flat_map(|slot| self.surfaces.solid(slot));
        surfaces.map(|surface| surface.obstacle).filter(stands).chain(bodies).collect()
    }

    #[inline(never)]
    fn find_course(&self, agent: &Agent, offset: Vec3, detour: &mut Detour) -> Course {
        let bodies = self.bodies(agent);
        let surfaces = self.standing(agent, &bodies);
        // The nearest place where the body fits.
        let place = free_place(agent, &surfaces, offset);
        let moved = place.distance(offset);
        let is_blocked = moved > 0.0 && !fits(agent, &surfaces, offset);
        let goal = place;
        let (heading, length) = split(goal);
        let frame = Frame::new(agent, heading, &surfaces, detour.axis);
        // As far clear as the agent wants to be if that is no long way round, else as far as it
        // must.
        let asked = agent.surfaces.and_then(|slot| slot.asked(self.surfaces.tick()));
        let off_surfaces = asked.filter(|_| surfaces.len() > bodies.len());
        let off_bodies = self.encounters.claim(agent).filter(|_| !bodies.is_empty());
        let clearance = off_surfaces.map_or(0.0, |reach| reach.clearance);
        let clearance = off_bodies.map_or(clearance, |claim| claim.room.max(clearance));
        let field = field_of(agent, frame, &surfaces, length);
        let (way, room) = choose(detour, &field, BODY * clearance, detour.axis.dot(frame.axis()));
        match way {
            Some(Way { side, .. }) => (detour.axis, detour.free_for) = (frame.axis() * side, 0.0),
            None => detour.note_free(agent.dt),
        }
        let heading = way.map_or(Vec3::ZERO, |way| frame.unproject(way.heading));
        if let Some(slot) = agent.surfaces {
            let edge = heading * way.map_or(0.0, |way| way.straight);
            slot.note_course(CourseNote { goal, edge, room });
        }
        let way = way.map_or(place, |way| heading * way.length);
        Course { offset: way, goal: offset, place, is_blocked }
    }
}

/// The way with this room, unless that is much longer than with as much as the body needs, and the
/// room that it has; `None` for straight on. Once it has turned off to a side (the sign of
/// `before`) it goes on so until there is room enough, and once it goes where there is less it goes
/// on so.
fn choose(detour: &mut Detour, narrow: &Field, room: f32, before: f32) -> (Option<Way>, f32) {
    let short = narrow.way(before);
    if detour.is_narrow {
        return (short, narrow.room);
    } else if room <= narrow.room {
        return (short, f32::INFINITY);
    }
    let wide = Field { outlines: narrow.outlines.clone(), room, ..*narrow };
    if wide.is_straight() {
        return (None, room);
    }
    let is_straight = narrow.is_straight();
    let least = if is_straight { Some(narrow.goal.x) } else { short.map(|way| way.length) };
    let most = least.map_or(f32::INFINITY, |least| least + LONGER * (room - narrow.room));
    let way = wide.way(before).filter(|way| way.length <= most);
    if is_straight && before == 0.0 {
        // What is beside the straight way is left to avoidance.
        return (None, if way.is_some() { room } else { narrow.room });
    }
    detour.is_narrow = way.is_none();
    if way.is_some() { (way, room) } else { (short, narrow.room) }
}

/// Whether the agent's body fits at `offset` from where it is.
fn fits(agent: &Agent, surfaces: &[&PlacedObstacle], offset: Vec3) -> bool {
    let radius = agent.vehicle.radius * (1.0 - SLACK);
    surfaces.iter().all(|obstacle| gap(agent, obstacle, offset).distance >= radius)
}

/// The distance of a place from a surface, and the direction away from that.
struct Gap {
    distance: f32,
    normal: Vec3,
}

fn gap(agent: &Agent, obstacle: &PlacedObstacle, offset: Vec3) -> Gap {
    let seen = obstacle.plane(agent.plane);
    let from = seen.flatten(offset - agent.towards(obstacle.position));
    let (distance, normal) = obstacle.shape.distance(from, &obstacle.axes, seen);
    Gap { distance, normal: direction(agent.plane.flatten(normal)) }
}

/// The place nearest to `offset` at which the body keeps clear of these surfaces.
fn free_place(agent: &Agent, surfaces: &[&PlacedObstacle], offset: Vec3) -> Vec3 {
    let room = agent.vehicle.radius * BODY;
    let mut place = offset;
    for turn in 0..MOVES {
        let mut is_moved = false;
        for obstacle in surfaces {
            let Gap { distance, .. } = gap(agent, obstacle, place);
            if distance >= room * (1.0 - f32::EPSILON * 8.0) {
                continue;
            }
            // Of two ways out that are about as short the one nearer to the agent.
            let (to_place, length) = split(place);
            let depth = if turn == 0 { room - distance } else { 0.0 };
            let shift = (NEARER * length).max(NEARER_RADII * room).min(depth).min(length);
            let nearer = place - to_place * shift;
            let Gap { normal, distance: out } = gap(agent, obstacle, nearer);
            let (normal, distance) = if out < room { (normal, out) } else { (normal, distance) };
            let normal = if normal == Vec3::ZERO { -direction(place) } else { normal };
            let from = if out < room { nearer } else { place };
            place = from + normal * (room - distance);
            is_moved = true;
        }
        if !is_moved {
            break;
        }
    }
    place
}

/// The plane in which a way goes round something, seen from the agent.
#[derive(Clone, Copy)]
struct Frame {
    heading: Vec3,
    /// Perpendicular to it.
    aside: Vec3,
}

impl Frame {
    /// That of a planar agent is its own. In free space it holds the axis that was chosen before,
    /// or leads past the first surface the short way.
    fn new(agent: &Agent, heading: Vec3, surfaces: &[&PlacedObstacle], axis: Vec3) -> Self {
        let aside = if agent.plane.is_planar() {
            agent.plane.left(heading)
        } else {
            let across = |v: Vec3| direction(perpendicular(v, heading));
            let past = surfaces.first().map_or(Vec3::ZERO, |obstacle| {
                let center = obstacle.position + obstacle.shape.center(&obstacle.axes);
                across(obstacle.plane(agent.plane).flatten(-agent.towards(center)))
            });
            let candidates = [across(axis.cross(heading)), past, agent.plane.left(heading)];
            candidates.into_iter().find(|v| *v != Vec3::ZERO).unwrap_or_default()
        };
        Self { heading, aside: direction(aside) }
    }

    /// The axis of a turn to the left.
    fn axis(&self) -> Vec3 {
        direction(self.heading.cross(self.aside))
    }

    fn project(&self, v: Vec3) -> Vec2 {
        Vec2::new(v.dot(self.heading), v.dot(self.aside))
    }

    fn unproject(&self, v: Vec2) -> Vec3 {
        self.heading * v.x + self.aside * v.y
    }
}

/// What stands between an agent and a goal so far ahead.
fn field_of(agent: &Agent, frame: Frame, surfaces: &[&PlacedObstacle], length: f32) -> Field {
    let outlines = surfaces.iter().map(|obstacle| {
        let seen = obstacle.plane(agent.plane);
        let place = agent.towards(obstacle.position);
        let project = |corner: Vec3| frame.project(seen.flatten(place + corner));
        Outline::of(&obstacle.shape, &obstacle.axes, seen, project)
    });
    Field {
        outlines: outlines.collect(),
        goal: Vec2::X * length,
        room: BODY * agent.vehicle.radius,
    }
}
