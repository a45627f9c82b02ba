//! [`Agent`]: a behaviour's view of the agent that it steers; [`AgentBlock`]: eight of them, as a
//! [`SimdBehavior`](super::SimdBehavior) sees them.

use bevy::prelude::*;
use rand_pcg::Pcg32;

use crate::{
    agent::{
        AgentColumns, AgentId, AgentParts, AngularLimits, Claim, CourseNote, EventQueue,
        HeightSpan, IndexSlot, RandomStream, SteeringHeight, SteeringLayers, SurfaceSlot, TickRef,
        Vehicle, VehicleBlock, turn,
    },
    behavior::braking::{Agility, approach_reach, resolution},
    ecs::aligned,
    neighbors::NeighborQuery,
    simd::{
        Lanes, Vector, WIDTH, each, every, flattened, is_valid, length, pack, positions,
        side_by_side, vector,
    },
    space::{Bounds, Point, SteeringPlane, direction, shortest, shortest_on_axis, unit_heading},
};

/// The agent that a behaviour steers, as it was at the beginning of the tick.
#[derive(Clone, Copy)]
pub struct Agent<'a> {
    /// The entity.
    pub entity: Entity,
    /// Its stable identity.
    pub id: AgentId,
    /// Its position.
    pub position: Vec3,
    /// Its velocity, in its plane.
    pub velocity: Vec3,
    /// Its angular velocity, in radians a second.
    pub angular_velocity: Vec3,
    /// Its body. Every field has been validated.
    pub vehicle: &'a Vehicle,
    /// The space in which it steers.
    pub plane: SteeringPlane,
    /// The edges of its world.
    pub bounds: &'a Bounds,
    /// The time step, in seconds; above zero.
    pub dt: f32,
    /// Whether avoidance must not deflect it in this tick, only slow it down; see
    /// [`Wish::straight`](crate::Wish::straight).
    pub goes_straight: bool,
    /// The time step of the tick, which is shorter than `dt` if the agent does not think in every
    /// tick.
    pub(crate) tick_dt: f32,
    /// How many ticks there have been before this one.
    tick: u64,
    pub(crate) limits: Option<&'a AngularLimits>,
    height: Option<&'a SteeringHeight>,
    pub(crate) periods: Vec3,
    raw_heading: Vec3,
    rotation: &'a Quat,
    pub(crate) entry: &'a IndexSlot,
    pub(crate) surfaces: Option<&'a SurfaceSlot>,
    seed: u64,
    behavior: usize,
    /// The index of the behaviour among [`Several`](crate::Several).
    pub(crate) place: Option<usize>,
    events: &'a EventQueue,
}

impl<'a> Agent<'a> {
    /// As behaviour number `behavior` sees it.
    #[inline(always)]
    pub(crate) fn new(parts: &AgentParts<'a>, behavior: usize, tick: TickRef<'a>) -> Self {
        let plane = parts.plane(tick);
        Self {
            entity: parts.entity,
            id: *parts.id,
            position: parts.transform.translation,
            velocity: plane.flatten(parts.velocity.0),
            angular_velocity: parts.spin.map_or(Vec3::ZERO, |spin| spin.0),
            vehicle: parts.vehicle,
            plane,
            bounds: parts.bounds.unwrap_or(tick.bounds),
            limits: parts.limits,
            height: parts.height,
            periods: parts.bounds.map_or(tick.periods, Bounds::periods),
            dt: parts.decision_time(tick),
            goes_straight: false,
            tick_dt: tick.dt,
            tick: tick.count,
            raw_heading: parts.heading.0,
            rotation: &parts.transform.rotation,
            entry: parts.entry,
            surfaces: parts.surfaces,
            seed: tick.settings.seed,
            behavior,
            place: None,
            events: tick.events,
        }
    }

    /// The offset from the agent to `point`: in the agent's plane, and in a wrapping world the
    /// shortest one.
    #[inline]
    pub fn towards(&self, point: Vec3) -> Vec3 {
        self.displacement(self.position, point)
    }

    /// From one point to another: in the agent's plane, and the short way round in a wrapping
    /// world.
    #[inline]
    pub fn displacement(&self, from: Vec3, to: Vec3) -> Vec3 {
        shortest(self.plane.flatten(to - from), self.periods)
    }

    /// The direction that it faces: a unit vector in its plane.
    #[inline]
    pub fn heading(&self) -> Vec3 {
        unit_heading(self.plane, self.raw_heading, *self.rotation)
    }

    /// The unit vector along its velocity, or its heading at rest.
    #[inline]
    pub fn direction(&self) -> Vec3 {
        let direction = direction(self.velocity);
        if direction == Vec3::ZERO { self.heading() } else { direction }
    }

    /// How long a requested change of velocity takes, at least the time step, in seconds.
    #[inline]
    pub fn response(&self) -> f32 {
        self.vehicle.response.max(self.dt)
    }

    /// A tie-break direction: left of `along` for even ids, right for odd ones.
    pub fn own_side(&self, along: Vec3) -> Vec3 {
        let left = direction(self.plane.left(along));
        if self.id.0.is_multiple_of(2) { left } else { -left }
    }

    /// A tie-break direction away from an entity at its own position.
    pub fn own_way_out(&self) -> Vec3 {
        self.plane.parting(self.id.0, u64::MAX)
    }

    /// A query for the neighbours of this agent, without itself.
    pub fn around(&self, layers: SteeringLayers) -> NeighborQuery {
        NeighborQuery {
            center: self.position.into(),
            layers,
            plane: Some(self.plane),
            except: Some(self.entity),
            span: None,
        }
    }

    /// A query for the neighbours of this agent that overlap its height range, see
    /// [`SteeringHeight`].
    pub fn beside(&self, layers: SteeringLayers) -> NeighborQuery {
        let span = self.plane.is_planar().then(|| self.span());
        NeighborQuery { span, ..self.around(layers) }
    }

    /// Its height range along the normal of its plane.
    #[inline]
    pub fn span(&self) -> HeightSpan {
        let half = SteeringHeight::half(self.height, self.plane, Some(self.vehicle));
        SteeringHeight::span(self.plane, self.position, half)
    }

    /// Where its behaviours move it in this tick, as far as they have said so. Avoidance runs after
    /// them.
    pub(crate) fn course(&self) -> Option<CourseNote> {
        self.surfaces?.course()
    }

    /// Its claim to the right of way over others, which [`Encounters`](crate::Encounters) tells
    /// them: its behaviours want the velocity `desired`, in units a second, and it gives way to
    /// others less (`pushiness` above zero) or more (below).
    #[inline]
    pub fn claim(&self, desired: Vec3, pushiness: f32) -> Claim {
        let per_speed = 1.0 / self.vehicle.max_speed.max(f32::MIN_POSITIVE);
        let [drive, speed] = [desired, self.velocity].map(|v| v.length() * per_speed);
        let drive = drive.min(1.0);
        let stuck = ((drive - speed) / drive.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let turn = if stuck > 0.0 { turn(self.id, self.tick, self.tick_dt) } else { 0.0 };
        let (desired, room) = (desired.to_array(), self.vehicle.radius);
        Claim { eagerness: drive + pushiness, stuck, turn, desired, room }
    }

    /// Triggers an event for observers of the agent's entity, once the tick is done.
    ///
    /// Any entity event will do, also a game's own:
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steer::prelude::*;
    /// #[derive(EntityEvent)]
    /// struct Landed {
    ///     entity: Entity,
    /// }
    ///
    /// fn tell(agent: &Agent) {
    ///     agent.emit(Landed { entity: agent.entity });
    /// }
    /// ```
    pub fn emit<E>(&self, event: E)
    where
        E: EntityEvent + for<'t> Event<Trigger<'t>: Default>,
    {
        self.events.push(self.id, (self.behavior, self.place), event);
    }

    /// The generator of a stream in the behaviour's component, seeded for this agent on first use.
    pub fn random<'s>(&self, stream: &'s mut RandomStream, salt: u64) -> &'s mut Pcg32 {
        // So that several behaviours of one kind have different streams.
        let place = self.place.unwrap_or_default() as u64;
        stream.generator(self.seed, self.id, salt.wrapping_add(place << 32))
    }
}

/// Eight agents without rare components.
pub(crate) struct AgentBlock<'a> {
    pub plane: SteeringPlane,
    /// One for the coordinates in the plane, zero for the others.
    pub has: Vec3,
    pub tick: &'a TickRef<'a>,
    pub agents: &'a AgentColumns<'a>,
    /// The row of the first agent.
    pub first: usize,
}

impl<'a> AgentBlock<'a> {
    #[inline(always)]
    pub(crate) fn new(tick: &'a TickRef<'a>, agents: &'a AgentColumns<'a>, first: usize) -> Self {
        let plane = tick.settings.plane;
        Self { plane, has: plane.flatten(Vec3::ONE), tick, agents, first }
    }

    pub(crate) fn id(&self, i: usize) -> AgentId {
        self.agents.id[self.first + i]
    }

    #[inline]
    pub(crate) fn entries(&self) -> &[IndexSlot; WIDTH] {
        aligned(self.agents.entry, self.first)
    }

    #[inline(always)]
    pub(crate) fn velocity<L: Lanes>(&self, l: L) -> Vector<L> {
        flattened(l, side_by_side(l, aligned(self.agents.velocity, self.first)), self.has)
    }

    #[inline(always)]
    pub(crate) fn position<L: Lanes>(&self, l: L) -> Vector<L> {
        flattened(l, positions(l, aligned(self.agents.transform, self.first)), self.has)
    }

    #[inline]
    pub(crate) fn vehicles(&self) -> &[Vehicle; WIDTH] {
        aligned(self.agents.vehicle, self.first)
    }

    #[inline(always)]
    pub(crate) fn vehicle<L: Lanes>(&self, l: L) -> VehicleBlock<L> {
        VehicleBlock::new(l, self.vehicles())
    }

    /// The time until their next decisions, in seconds.
    #[inline(always)]
    pub(crate) fn dt<L: Lanes>(&self, l: L) -> L::F {
        let Some(thinks) = self.agents.think else { return l.splat(self.tick.dt) };
        let thinks = aligned(thinks, self.first);
        l.pack(every!(i => self.tick.dt * thinks[i].ticks() as f32))
    }

    /// Which of them are due to think, one bit each.
    #[inline(always)]
    pub(crate) fn due(&self) -> u8 {
        let Some(thinks) = self.agents.think else { return u8::MAX };
        let (thinks, ids) = (aligned(thinks, self.first), aligned(self.agents.id, self.first));
        let agents = thinks.iter().zip(ids).enumerate();
        let count = self.tick.count;
        agents.fold(0, |due, (i, (think, &id))| due | u8::from(think.is_due(id, count)) << i)
    }

    #[inline(always)]
    pub(crate) fn agility<L: Lanes>(&self, l: L) -> Agility<L> {
        let resolution = pack!(l, i => {
            resolution(self.plane.flatten(self.agents.transform[self.first + i].translation))
        });
        Agility::new(l, self.vehicle(l), self.dt(l), l.div(resolution, l.splat(self.tick.dt)))
    }

    /// The distance at which a surface begins to limit their speeds, in units.
    #[inline(always)]
    pub(crate) fn approach_reach<L: Lanes>(&self, l: L) -> L::F {
        let VehicleBlock { mass, max_force, radius, .. } = self.vehicle(l);
        let speed = length(l, self.velocity(l));
        approach_reach(l, [radius, speed, l.div(max_force, mass), self.dt(l)])
    }

    /// The way from each of them to its point, and whether that is a valid point in its plane.
    #[inline(always)]
    pub(crate) fn towards<L: Lanes>(&self, l: L, points: &[Point; WIDTH]) -> (Vector<L>, L::M) {
        let point = flattened(l, vector!(l, i => points[i].in_plane(self.plane)), self.has);
        let position = self.position(l);
        let offset = each!(d => {
            let straight = l.sub(point[d], position[d]);
            if self.has[d] == 0.0 {
                straight
            } else {
                shortest_on_axis(l, straight, self.tick.periods[d])
            }
        });
        (offset, is_valid(l, point))
    }
}
