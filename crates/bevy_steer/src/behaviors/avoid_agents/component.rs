//! [`AvoidAgents`]: the component and its implementation. A [`Limiter`] adds the limits that others
//! put on the velocity of an agent.

use bevy::prelude::*;

use crate::{
    agent::{
        Blend, Claim, EncounterRequest, HalfSpace, LimitRow, Memory, NotedLimit, ParameterRange,
        Priority, SolidSurfaces, SteeringLayers, SurfaceReach, SurfaceSlot, Unit, VelocityLimits,
        builders,
    },
    behavior::{Agent, DebugDraw, DebugLayer, NearSurfaces, ParamOf, Steering, SteeringBehavior},
    behaviors::avoid_agents::{
        avoidance::Avoidance, standing_place::StandingPlace, velocity_obstacle::closest_approach,
    },
    sensing::{Encounter, EncounterBlock, EncounterView, Encounters, GoalsOf, Pursuit},
    simd::{Kernel, Lanes, Vector, WIDTH, at, dispatch, dot, unpacked, unset_lanes},
};

/// Keeps out of the way of other agents: it limits the velocity so that the agent goes aside or
/// brakes in time, and backs out of overlaps. These limits are soft: where not all can be kept, as
/// in a dense crowd, bodies may touch.
///
/// It regards every agent in the given layers, and whatever else has layers and a
/// [`Velocity`](crate::Velocity), as a player moved by scripts may: that counts as large as the
/// agent itself. Two that both avoid share it: each does half of what it takes, or less if it has
/// the right of way. The agent that more strongly wants to move has it: by the speed that its
/// behaviours want, and by [`pushiness`](Self::pushiness); of two that want it as much the larger
/// one; where two block each other they take turns. Whoever gives way does so to the velocity that
/// the other one wants, also where that is held up, and leaves it the room that it wants. What does
/// not avoid is avoided by the agent alone. It does not dodge into an [`Obstacle`](crate::Obstacle)
/// or a [`Wall`](crate::Wall).
///
/// The target of [`Seek`](crate::Seek) and [`Pursue`](crate::Pursue) is not avoided, that of
/// [`Arrive`](crate::Arrive) and [`OffsetPursue`](crate::OffsetPursue) only where the bodies would
/// touch, unless [`avoid_targets`](Self::avoid_targets) is set. An agent does not give way to
/// others that have it as their target: only they avoid it, if at all.
///
/// An agent that no behaviour moves, and that brakes, steps aside for others, by up to two radii of
/// the largest one, and comes back to where it stood, unless it was pushed farther than twice that.
/// Where the game puts it is its place.
///
/// After van den Berg, Guy, Lin and Manocha (2011), "Reciprocal n-body Collision Avoidance"; see
/// [`velocity_obstacle`](crate::formulas::velocity_obstacle).
///
/// It regards the nearest 16 of those that it may collide with within
/// [`look_ahead`](Self::look_ahead), and whatever is much faster or larger than most. Where dozens
/// overlap it regards some of these.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(VelocityLimits, SurfaceSlot)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AvoidAgents {
    /// Layers of the agents to avoid. Default: all.
    pub layers: SteeringLayers,
    /// Layers of the [`Obstacle`](crate::Obstacle)s and [`Wall`](crate::Wall)s into which it does
    /// not dodge. Default: all.
    pub surfaces: SteeringLayers,
    /// How far it keeps clear, in multiples of the vehicle's radius. Default 0.25.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(10.0))]
    #[doc(alias = "radius")]
    pub margin: f32,
    /// How far ahead it looks, in seconds. Default 1.5. Its cost grows with the number of agents
    /// that can be met in that time.
    #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
    #[doc(alias = "horizon")]
    pub look_ahead: f32,
    /// Which one gives way: of two agents the one with more goes ahead, and the other avoids more.
    /// That an agent wants to go at top speed counts as 1, so -1 to 1 are useful. Default 0.
    #[reflect(@ParameterRange::between(-1.0, 1.0))]
    pub pushiness: f32,
    /// Whether it avoids the targets of its own behaviours like others. Default false: a hunter
    /// touches its prey.
    pub avoid_targets: bool,
    /// Its part in arbitration; its own tier is [`Priority::Critical`].
    pub blend: Blend,
    /// What it keeps from tick to tick.
    pub memory: Memory<AvoidAgentsMemory>,
}

/// What [`AvoidAgents`] keeps from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AvoidAgentsMemory {
    /// The velocity that its behaviours wanted in the last tick, in units a second: zero where it
    /// is idle or has arrived.
    pub desired: Vec3,
    /// Where it stands while it has nothing to do.
    pub place: Option<StandingPlace>,
    /// Where it was when it last thought: from there it was moved by the game, if it did not move
    /// itself.
    pub seen_at: Vec3,
}

impl Default for AvoidAgents {
    fn default() -> Self {
        Self {
            layers: SteeringLayers::ALL,
            surfaces: SteeringLayers::ALL,
            margin: 0.25,
            look_ahead: 1.5,
            pushiness: 0.0,
            avoid_targets: false,
            blend: Blend::default(),
            memory: default(),
        }
    }
}

impl AvoidAgents {
    builders! {
        /// Sets the layers of the agents that it avoids.
        with_layers(layers: SteeringLayers);
        /// Sets the layers of the obstacles and walls that it does not dodge into.
        with_surfaces(surfaces: SteeringLayers);
        /// Sets how far it keeps clear, in multiples of the vehicle's radius.
        with_margin(margin: f32);
        /// Sets how far it looks ahead, in seconds.
        with_look_ahead(look_ahead: f32);
        /// Sets whether it gives way to others less (above zero) or more (below zero).
        with_pushiness(pushiness: f32);
        /// Sets whether it avoids the targets of its own behaviours, too.
        with_avoid_targets(avoid_targets: bool);
    }

    /// The radius of the room that the agent wants, in units.
    fn own_room(&self, agent: &Agent) -> f32 {
        agent.vehicle.radius * (1.0 + self.margin).max(0.0)
    }

    /// Adds the limits of the encounters that matter in this tick, see [`Limiter`].
    #[inline(always)]
    fn add_limits(
        &self,
        agent: &Agent,
        desired: Vec3,
        encounters: &Encounters,
        limits: &mut VelocityLimits,
    ) {
        let slots = encounters.slots(agent);
        if slots.is_empty() {
            return;
        }
        let claim = encounters.claim(agent).unwrap_or_default();
        dispatch(Limiter {
            own: self.avoidance(agent).with_intent(claim, desired),
            layers: Some(self.layers).filter(|&layers| layers != encounters.layers(agent)),
            goals: encounters.goals(agent),
            avoid_targets: self.avoid_targets,
            view: encounters.view(agent),
            slots,
            limits,
        });
    }

    fn avoidance(&self, agent: &Agent) -> Avoidance {
        Avoidance::new(agent, self.own_room(agent), self.look_ahead)
    }

    /// It must not be pushed into surfaces. One that is in one already need not come out: that is
    /// up to other behaviours.
    fn keep_off_surfaces(
        &self,
        agent: &Agent,
        surfaces: &NearSurfaces,
        limits: &mut VelocityLimits,
    ) {
        for surface in surfaces.of(agent, self.surfaces) {
            let reach = agent.approach_reach();
            let Some(mut limit) = agent.limit_before(&surface, reach) else { continue };
            limit.bound = limit.bound.min(agent.velocity.dot(limit.normal).max(0.0));
            limits.add_half_space(limit, true, Some(surface.obstacle.entity));
        }
    }
}

impl SteeringBehavior for AvoidAgents {
    type Param = (Encounters<'static>, NearSurfaces<'static>);
    const PRIORITY: Priority = Priority::Critical;
    const DRIVES: bool = false;
    const ENCOUNTERS: bool = true;
    const LIMITS: bool = true;
    const SURFACES: bool = true;
    crate::blend_field!();

    fn encounter_request(&self, agent: &Agent) -> Option<EncounterRequest> {
        let urge = self.memory.place.map_or(0.0, |place| place.urge_to_return(agent));
        let claim = agent.claim(self.memory.desired, self.pushiness + urge);
        let claim = Some(Claim { room: self.own_room(agent), ..claim });
        Some(EncounterRequest { layers: self.layers, claim, ..self.avoidance(agent).request() })
    }

    /// Those that limit its speed.
    #[inline(always)]
    fn surface_reach(&self, _: &Agent) -> SurfaceReach {
        SurfaceReach::default().with_layers(self.surfaces).with_solid(SolidSurfaces::All)
    }

    /// Back to where it stood, if it stepped aside.
    #[inline(always)]
    fn steer(&mut self, agent: &Agent, _: &ParamOf<Self>) -> Steering {
        self.memory.notice_move(agent);
        self.memory.place.map_or(Steering::NONE, |place| place.come_back(agent))
    }

    #[inline(always)]
    fn limits(
        &mut self,
        agent: &Agent,
        (encounters, surfaces): &ParamOf<Self>,
        limits: &mut VelocityLimits,
    ) {
        self.memory.note_place(agent, limits.stands());
        let place = self.memory.place.as_mut();
        if let Some(limit) = place.and_then(|place| place.limit(agent, encounters)) {
            limits.add(limit);
        }
        let desired = limits.desired();
        self.memory.desired = desired.clamp_length_max(agent.vehicle.max_speed);
        self.add_limits(agent, desired, encounters, limits);
        if !limits.are_kept() {
            self.keep_off_surfaces(agent, surfaces, limits);
        }
    }

    fn debug_draw(&self, agent: &Agent, (encounters, _): &ParamOf<Self>, draw: &mut DebugDraw) {
        draw.circle(DebugLayer::Range, agent.position, self.own_room(agent));
        let mut limits = VelocityLimits::default();
        limits.begin_notes();
        self.add_limits(agent, agent.velocity, encounters, &mut limits);
        let mut first: Option<(f32, Encounter)> = None;
        for NotedLimit { limit, .. } in limits.take_notes() {
            let slack = limit.normal.dot(agent.velocity) - limit.bound;
            let is_source = |other: &Encounter| limit.source == Some(other.entity);
            let Some(other) = encounters.of(agent).find(is_source) else { continue };
            if slack >= 0.0 {
                continue;
            }
            draw.line(DebugLayer::Link, agent.position, agent.position + other.offset);
            if first.is_none_or(|(first, _)| slack < first) {
                first = Some((slack, other));
            }
        }
        let Some((_, other)) = first else { return };
        let velocity = agent.plane.flatten(other.velocity);
        let time = closest_approach(-other.offset, agent.velocity - velocity).unwrap_or(0.0);
        let time = time.min(self.look_ahead.max(0.0));
        let here = agent.position + agent.velocity * time;
        let there = agent.position + other.offset + velocity * time;
        draw.line(DebugLayer::Guess, agent.position, here)
            .circle(DebugLayer::Guess, here, agent.vehicle.radius)
            .circle(DebugLayer::Guess, there, other.radius.unwrap_or_default());
    }
}

/// Adds the limits that matter in this tick: of the change from the present velocity, the part that
/// is made in it.
struct Limiter<'a> {
    pub own: Avoidance,
    /// The layers that it avoids, if it has encounters in others too.
    pub layers: Option<SteeringLayers>,
    /// The goals of the agent, and the agents that have it as their goal.
    pub goals: GoalsOf<'a>,
    /// Whether it avoids those that it goes for too.
    pub avoid_targets: bool,
    pub view: EncounterView<'a>,
    /// Its encounters.
    pub slots: &'a [u32],
    pub limits: &'a mut VelocityLimits,
}

impl Kernel for Limiter<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        for slots in self.slots.chunks(WIDTH) {
            let mut block = self.view.block(l, slots);
            if let Some(layers) = self.layers {
                for (lane, &slot) in slots.iter().enumerate() {
                    let counts = self.view.layers(slot as usize).overlaps(layers);
                    block.lanes &= !(u8::from(!counts) << lane);
                }
            }
            let close = if self.goals.are_empty() { 0 } else { self.apply_goals(l, &mut block) };
            self.limit(l, &block, close);
        }
    }
}

impl Limiter<'_> {
    /// Leaves out those that the agent goes for, and those that go for it. Where only one of a pair
    /// goes for the other, that one alone avoids the collision, if it does at all. Returns those to
    /// which the agent comes close, one bit each: it wants no room beside their bodies.
    #[cold]
    #[inline(never)]
    fn apply_goals<L: Lanes>(&self, l: L, block: &mut EncounterBlock<L>) -> u8 {
        let mut eagerness = l.unpack(block.others.claim.eagerness);
        let [velocities, mut desired] =
            [block.others.velocity, block.others.claim.desired].map(|v| unpacked(l, v));
        let mut close = 0;
        for lane in unset_lanes(!block.lanes) {
            let other = block.view.entity(block.slots[lane]);
            let Pursuit { reaches, pursues, is_pursued } = self.goals.pursuit(other);
            let is_close = pursues && !self.avoid_targets;
            let leaves_out = if pursues { reaches && is_close } else { is_pursued };
            block.lanes &= !(u8::from(leaves_out) << lane);
            close |= u8::from(is_close) << lane;
            if pursues && !is_pursued {
                eagerness[lane] = f32::NAN;
            }
            // Each of two that are bound for each other answers to what the other one does.
            if pursues || is_pursued {
                for (desired, velocity) in desired.iter_mut().zip(&velocities) {
                    desired[lane] = velocity[lane];
                }
            }
        }
        block.others.claim.eagerness = l.pack(eagerness);
        block.others.claim.desired = desired.map(|column| l.pack(column));
        close
    }

    #[inline(always)]
    fn limit<L: Lanes>(&mut self, l: L, block: &EncounterBlock<L>, close: u8) {
        let wants_room = l.bits_to_mask(!close);
        let [mut comfort, firm] = self.own.limits_in_lanes(l, &block.others, wants_room);
        let directed = l.lt(l.splat(0.0), dot(l, comfort.normal, comfort.normal));
        let in_place = block.lanes & !l.bits(directed);
        if in_place != 0 {
            comfort.normal = self.parting(l, block, comfort.normal, in_place);
        }
        for limit in [comfort, firm] {
            let (limit, matters) = self.own.row(l, limit);
            let lanes = block.lanes & l.bits(matters);
            if lanes == 0 {
                continue;
            }
            if self.limits.are_noted() {
                for (lane, one) in unpack(l, limit, lanes) {
                    self.limits.note(one, false, Some(block.view.entity(block.slots[lane])));
                }
            }
            self.limits.add_block(l, limit, lanes);
        }
    }

    /// These normals; of those that are in the same place, the direction in which they part.
    #[cold]
    #[inline(never)]
    fn parting<L: Lanes>(
        &self,
        l: L,
        block: &EncounterBlock<L>,
        normal: Vector<L>,
        in_place: u8,
    ) -> Vector<L> {
        let mut normals = unpacked(l, normal);
        for lane in unset_lanes(!in_place) {
            let normal = self.own.parting(block.view.id(block.slots[lane]));
            normals.iter_mut().zip(normal.to_array()).for_each(|(column, x)| column[lane] = x);
        }
        normals.map(|column| l.pack(column))
    }
}

/// Each limit with a bit set, and its lane.
fn unpack<L: Lanes>(
    l: L,
    (normal, bound, weight): LimitRow<L>,
    lanes: u8,
) -> impl Iterator<Item = (usize, HalfSpace)> {
    let normals = unpacked(l, normal);
    let [bounds, weights] = [bound, weight].map(|column| l.unpack(column));
    unset_lanes(!lanes).map(move |lane| {
        let (bound, weight) = (bounds[lane], weights[lane]);
        (lane, HalfSpace { normal: at(&normals, lane), bound, weight })
    })
}
