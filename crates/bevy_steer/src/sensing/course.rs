//! [`Surroundings`]: all that an agent that moves somewhere has to know of; and its [`Course`] to a
//! goal, or to the nearest place where its body fits, round what stands in between.

use bevy::{ecs::system::SystemParam, prelude::*};
use smallvec::SmallVec;

use crate::{
    agent::CourseNote,
    behavior::{Agent, AgentBlock, Detour, NearSurfaces, braking::BODY},
    obstacles::{
        PlacedObstacle,
        field::{Field, Outline, SLACK, Way},
        near::MAX_SURFACES,
    },
    sensing::encounters::{Encounter, Encounters, STANDS},
    space::{direction, perpendicular, split},
};

/// What is near the agents in this tick, as the `Param` of a behaviour or a part of it: obstacles
/// and walls, and other agents. It knows the [`course`](Self::course) to a goal.
///
/// It tells of what the agent's behaviours have asked for: those that avoid do.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{Detour, ParamOf, Surroundings, prelude::*};
///
/// /// Goes home.
/// #[derive(Component, Reflect, Default)]
/// #[reflect(Component, Default)]
/// struct GoHome {
///     home: Vec3,
///     detour: Detour,
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for GoHome {
///     type Param = Surroundings<'static>;
///     const PRIORITY: Priority = Priority::Normal;
///     bevy_steer::blend_field!();
///
///     fn steer(&mut self, agent: &Agent, surroundings: &ParamOf<Self>) -> Steering {
///         let home = agent.displacement(agent.position, self.home);
///         let way = surroundings.course(agent, home, &mut self.detour).offset;
///         let speed = agent.vehicle.max_speed.min(way.length());
///         Steering::linear(way.normalize_or_zero() * speed - agent.velocity)
///     }
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_steering_behavior::<GoHome>();
/// ```
#[derive(SystemParam)]
pub struct Surroundings<'w> {
    /// Obstacles and walls.
    pub surfaces: NearSurfaces<'w>,
    /// Other agents that it may collide with.
    pub encounters: Encounters<'w>,
}

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

/// A way with room for the margin may be longer than the one without by this multiple of that room:
/// about half a circle round something.
const LONGER: f32 = core::f32::consts::PI;
/// In free space a way past something is left for one that is perpendicular to it if that takes
/// less than this share of the detour.
const CHANGES: f32 = 0.5;
/// The maximum number of corners, one after the other, that an agent looks round before it turns
/// off.
const LOOKS: usize = 8;
/// All that an agent knows has a bit in a number.
const MAX_KNOWN: usize = u64::BITS as usize;

type Surfaces<'a> = SmallVec<[&'a PlacedObstacle; MAX_SURFACES]>;

impl Surroundings<'_> {
    /// Whether any obstacle or wall is near the agent, or a body that stands and avoids nobody.
    #[inline(always)]
    pub(crate) fn are_near(&self, agent: &Agent) -> bool {
        agent.surfaces.is_some_and(|slot| self.surfaces.has_any(slot))
            || self.encounters.standing(agent).next().is_some()
    }

    /// Which of eight agents have any of that near them, one bit each.
    #[inline(always)]
    pub(crate) fn near_block(&self, agents: &AgentBlock) -> u8 {
        let others = self.encounters.passive_block(agents.plane, agents.entries());
        self.surfaces.near_block(agents) | others
    }

    /// The way to a goal at `offset`, round all that stops the agent's body on the straight way to
    /// it: see [`SurfaceReach::solid`](crate::SurfaceReach::solid). Only what is near is known, and
    /// before it turns off to a side also what is round the corner there.
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
        let bodies = self.bodies(agent);
        let surfaces = self.standing(agent, &bodies);
        let is_free = |frame: Frame| {
            let outlines = frame.outlines(agent, &surfaces);
            frame.field(agent, &outlines).is_straight()
        };
        let (frame, other) = Frame::pair(agent, offset, &surfaces, Vec3::ZERO);
        is_free(frame) || other.is_some_and(is_free)
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
        let surfaces = agent.surfaces.into_iter().flat_map(|slot| self.surfaces.solid(slot));
        let obstacles = surfaces.map(|surface| surface.obstacle);
        let standing = obstacles.filter(|obstacle| stands(agent, obstacle));
        standing.chain(bodies).take(MAX_KNOWN).collect()
    }

    /// Adds to `known` what stands at a corner where the agent's way turns and was out of sight
    /// yet. Returns whether there is any.
    fn look_round<'a>(&'a self, agent: &Agent, corner: Vec3, known: &mut Surfaces<'a>) -> bool {
        let before = known.len();
        let body = 2.0 * BODY * agent.vehicle.radius;
        let slots = agent.surfaces.into_iter();
        for obstacle in slots.flat_map(|slot| self.surfaces.solid_at(slot, agent, corner, body)) {
            let is_new = !known.iter().any(|other| core::ptr::eq(*other, obstacle));
            if is_new && stands(agent, obstacle) && known.len() < MAX_KNOWN {
                known.push(obstacle);
            }
        }
        known.len() > before
    }

    /// The way in a frame, with this room if that is no long way round. What is round the corner
    /// where it turns off gets known, too, as long as the way is shorter than `most`.
    fn choose<'a>(
        &'a self,
        agent: &Agent,
        frame: Frame,
        room: f32,
        most: f32,
        known: &mut Surfaces<'a>,
        detour: &Detour,
    ) -> Choice {
        let mut outlines = frame.outlines(agent, known);
        let mut choice = choose(frame, frame.field(agent, &outlines), room, detour);
        for _ in 0..LOOKS {
            // Only before it turns off to a side: that way may be much longer than it seems.
            let before = detour.axis.dot(frame.axis());
            let turns = choice.way.filter(|way| before * way.side <= 0.0 && way.length < most);
            let corner = turns.map(|way| frame.unproject(way.heading * way.straight));
            if !corner.is_some_and(|corner| self.look_round(agent, corner, known)) {
                break;
            }
            outlines.extend(frame.outlines(agent, &known[outlines.len()..]));
            choice = choose(frame, frame.field(agent, &outlines), room, detour);
        }
        choice
    }

    #[inline(never)]
    fn find_course(&self, agent: &Agent, offset: Vec3, detour: &mut Detour) -> Course {
        let bodies = self.bodies(agent);
        let mut surfaces = self.standing(agent, &bodies);
        // The nearest place where the body fits.
        let place = free_place(agent, &surfaces, offset);
        let is_blocked = place.distance(offset) > 0.0 && !fits(agent, &surfaces, offset);
        // As far clear as the agent wants to be if that is no long way round, else as far as it
        // must.
        let asked = agent.surfaces.and_then(|slot| slot.asked(self.surfaces.tick()));
        let off_surfaces = asked.filter(|_| surfaces.len() > bodies.len());
        let off_bodies = self.encounters.claim(agent).filter(|_| !bodies.is_empty());
        let clearance = off_surfaces.map_or(0.0, |reach| reach.clearance);
        let clearance = off_bodies.map_or(clearance, |claim| claim.room.max(clearance));
        let room = BODY * clearance;
        let (frame, other) = Frame::pair(agent, place, &surfaces, detour.axis);
        let mut best = self.choose(agent, frame, room, f32::INFINITY, &mut surfaces, detour);
        if let Some(frame) = other {
            let share = if detour.axis == Vec3::ZERO { 1.0 } else { CHANGES };
            let straight = place.length();
            let most = straight + share * (best.length - straight);
            let choice = self.choose(agent, frame, room, most, &mut surfaces, detour);
            best = if choice.length < most { choice } else { best };
        }
        let Choice { way, room, is_narrow, .. } = best;
        detour.is_narrow = is_narrow;
        match way {
            Some(Way { side, .. }) => {
                (detour.axis, detour.free_for) = (best.frame.axis() * side, 0.0);
            }
            None => detour.note_free(agent.dt),
        }
        let heading = way.map_or(Vec3::ZERO, |way| best.frame.unproject(way.heading));
        if let Some(slot) = agent.surfaces {
            let edge = heading * way.map_or(0.0, |way| way.straight);
            slot.note_course(CourseNote { goal: place, edge, room });
        }
        let way = way.map_or(place, |way| heading * way.length);
        Course { offset: way, goal: offset, place, is_blocked }
    }
}

/// A way as it was chosen in a frame.
#[derive(Clone, Copy)]
struct Choice {
    frame: Frame,
    /// `None` for straight on.
    way: Option<Way>,
    /// Its length, in units; infinite if there is no way.
    length: f32,
    /// The room that it has.
    room: f32,
    is_narrow: bool,
}

/// The way with this room, unless that is much longer than with as much as the body needs. Once it
/// has turned off to a side it goes on so until there is room enough, and once it goes where there
/// is less it goes on so.
fn choose(frame: Frame, narrow: Field, room: f32, detour: &Detour) -> Choice {
    let before = detour.axis.dot(frame.axis());
    let first = narrow.first_in_the_way();
    let is_straight = first.is_none();
    let short = first.and_then(|first| narrow.way_past(first, before));
    let straight = if is_straight { narrow.goal.x } else { f32::INFINITY };
    let choice = |way: Option<Way>, room| {
        let length = way.map_or(straight, |way| way.length);
        Choice { frame, way, length, room, is_narrow: false }
    };
    if detour.is_narrow {
        return Choice { is_narrow: true, ..choice(short, narrow.room) };
    } else if room <= narrow.room {
        return choice(short, f32::INFINITY);
    }
    let wide = Field { room, ..narrow };
    let Some(first) = wide.first_in_the_way() else { return choice(None, room) };
    let short = choice(short, narrow.room);
    let most = short.length + LONGER * (room - narrow.room);
    let way = wide.way_past(first, before).filter(|way| way.length <= most);
    if is_straight && before == 0.0 {
        // What is beside the straight way is left to avoidance.
        return choice(None, if way.is_some() { room } else { narrow.room });
    }
    way.map_or(Choice { is_narrow: true, ..short }, |way| choice(Some(way), room))
}

/// Whether an obstacle moves so slowly that there is a way round it.
fn stands(agent: &Agent, obstacle: &PlacedObstacle) -> bool {
    let velocity = agent.plane.flatten(obstacle.velocity);
    velocity.length() + obstacle.swing() <= STANDS * agent.vehicle.max_speed
}

/// The plane in which a way to a goal goes round something, seen from the agent.
#[derive(Clone, Copy)]
struct Frame {
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
    fn pair(
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
    fn axis(&self) -> Vec3 {
        direction(self.heading.cross(self.aside))
    }

    fn project(&self, v: Vec3) -> Vec2 {
        Vec2::new(v.dot(self.heading), v.dot(self.aside))
    }

    fn unproject(&self, v: Vec2) -> Vec3 {
        self.heading * v.x + self.aside * v.y
    }

    /// What surfaces look like in this plane.
    fn outlines(
        &self,
        agent: &Agent,
        surfaces: &[&PlacedObstacle],
    ) -> SmallVec<[Outline; MAX_SURFACES]> {
        let outlines = surfaces.iter().map(|obstacle| {
            let seen = obstacle.plane(agent.plane);
            let place = agent.towards(obstacle.position);
            let project = |corner: Vec3| self.project(seen.flatten(place + corner));
            Outline::of(&obstacle.shape, &obstacle.axes, seen, project)
        });
        outlines.collect()
    }

    /// What stands between the agent and the goal.
    fn field<'a>(&self, agent: &Agent, outlines: &'a [Outline]) -> Field<'a> {
        Field { outlines, goal: Vec2::X * self.length, room: BODY * agent.vehicle.radius }
    }
}

/// The maximum number of times that a goal is moved out of what it is in.
const MOVES: usize = 4;
/// A goal in the middle of something is moved out on the side of the agent: as if it were this
/// share of the way nearer to it, or this part of a radius if that is more. Else the agent might
/// change its mind on the way.
const NEARER: f32 = 0.02;
const NEARER_RADII: f32 = 0.1;

/// Whether the agent's body fits at `offset` from where it is.
fn fits(agent: &Agent, surfaces: &[&PlacedObstacle], offset: Vec3) -> bool {
    let radius = agent.vehicle.radius * (1.0 - SLACK);
    surfaces.iter().all(|obstacle| gap(agent, obstacle, offset).0 >= radius)
}

/// The distance of a place from a surface, and the direction away from that.
fn gap(agent: &Agent, obstacle: &PlacedObstacle, offset: Vec3) -> (f32, Vec3) {
    let seen = obstacle.plane(agent.plane);
    let from = seen.flatten(offset - agent.towards(obstacle.position));
    let (distance, normal) = obstacle.shape.distance(from, &obstacle.axes, seen);
    (distance, direction(agent.plane.flatten(normal)))
}

/// How far off an obstacle the agent's goal is.
pub(crate) fn goal_distance(agent: &Agent, goal: Vec3, obstacle: &PlacedObstacle) -> f32 {
    gap(agent, obstacle, goal).0
}

/// The place nearest to `offset` at which the body keeps clear of these surfaces.
fn free_place(agent: &Agent, surfaces: &[&PlacedObstacle], offset: Vec3) -> Vec3 {
    let room = agent.vehicle.radius * BODY;
    let mut place = offset;
    for turn in 0..MOVES {
        let mut is_moved = false;
        for obstacle in surfaces {
            let (distance, _) = gap(agent, obstacle, place);
            if distance >= room * (1.0 - f32::EPSILON * 8.0) {
                continue;
            }
            // Of two ways out that are about as short the one nearer to the agent.
            let (to_place, length) = split(place);
            let depth = if turn == 0 { room - distance } else { 0.0 };
            let shift = (NEARER * length).max(NEARER_RADII * room).min(depth).min(length);
            let nearer = place - to_place * shift;
            let (out, normal) = gap(agent, obstacle, nearer);
            let normal = if normal == Vec3::ZERO { -direction(place) } else { normal };
            let (from, distance) = if out < room { (nearer, out) } else { (place, distance) };
            place = from + normal * (room - distance);
            is_moved = true;
        }
        if !is_moved {
            break;
        }
    }
    place
}
