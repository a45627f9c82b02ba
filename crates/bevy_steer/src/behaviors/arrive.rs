//! Arrive: stop at a target.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    agent::{Blend, Goal, Length, Memory, ParameterRange, Priority, Unit, WhenNone, builders},
    behavior::{
        Agent, AgentBlock, DebugDraw, DebugLayer, ParamOf, STargets, SimdBehavior, Steering,
        SteeringBehavior, Target, TargetMemory, TargetView,
    },
    behaviors::arrival::{Arrival, ArriveProfile, Hold, PUSHED, arrive_on},
    sensing::Surroundings,
    simd::{Lanes, Vector, WIDTH, every, length, pack, split},
};

/// Moves to a target and comes to rest there; at a target that moves, relative to it. A target that
/// has a body is reached where the bodies touch. Goes round obstacles and walls near it that stop
/// its body, see [`Surroundings::course`].
///
/// Triggers [`Arrived`](crate::Arrived) when the agent rests inside the stop radius, once for each
/// arrival, even if it is pushed around there; at a target that moves, when it moves as the target
/// does. If it has [`AvoidAgents`](crate::AvoidAgents) it also rests, and has arrived, where agents
/// at rest that occupy its goal have held it for a second. Whatever the profile, it requests no
/// speed from which the force cannot stop it in time.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// let arrive = Arrive::new(Vec2::new(3.0, 4.0)).with_profile(ArriveProfile::FAST);
/// commands.spawn((Vehicle::default(), arrive));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Arrive {
    /// The target.
    #[entities]
    pub target: Target,
    /// How it slows down. Default [`ArriveProfile::NORMAL`].
    pub profile: ArriveProfile,
    /// The distance at which it has arrived: from a point, or between the bodies. Default a fifth
    /// of the vehicle's radius. Far from the origin, where `f32` does not resolve that, the
    /// smallest distance that the agent can reach.
    pub stop_radius: Length,
    /// How fast it adopts the speed of the profile, in seconds. Default `None`: the vehicle's
    /// [`response`](crate::Vehicle::response).
    #[reflect(@Unit::Time, @ParameterRange::up_to(3.0), @WhenNone("the vehicle's response"))]
    pub time_to_target: Option<f32>,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
    /// What it keeps from tick to tick.
    #[entities]
    pub memory: Memory<ArriveMemory>,
}

/// What [`Arrive`] keeps from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct ArriveMemory {
    /// The memory of the target.
    #[entities]
    pub target: TargetMemory,
    /// Whether it has arrived and been reported.
    pub arrived: bool,
    /// The position of the target at that time.
    pub arrived_at: Vec3,
    /// For how long agents at rest have kept it from its goal, in seconds.
    pub held: f32,
    /// Its goal, while it is near it, waits or rests there.
    pub near_goal: Option<Vec3>,
}

impl Default for Arrive {
    fn default() -> Self {
        Self {
            target: Target::default(),
            profile: ArriveProfile::default(),
            stop_radius: Length::Radii(0.2),
            time_to_target: None,
            blend: Blend::default(),
            memory: default(),
        }
    }
}

impl Arrive {
    /// Arrives at a point (`Vec3`, `Vec2`), an entity or any other [`Target`].
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    builders! {
        /// Sets how it slows down.
        with_profile(profile: ArriveProfile);
        /// Sets the distance at which it has arrived, in world units or as a [`Length`].
        with_stop_radius(stop_radius: impl Into<Length>);
        /// Sets how fast it adopts the speed of the profile, in seconds.
        with_time_to_target(time_to_target: impl Into<Option<f32>>);
    }

    /// Whether it rests at its target.
    pub fn has_arrived(&self) -> bool {
        self.memory.arrived
    }

    fn report(&mut self, agent: &Agent, view: &TargetView, distance: f32, stop_radius: f32) {
        let target = agent.position + view.offset;
        let moved = || agent.displacement(self.memory.arrived_at, target).length();
        let arrival = Arrival {
            distance,
            stop_radius,
            rests: agent.moves_with(view.velocity),
            target_has_moved: self.memory.arrived && moved() > stop_radius,
        };
        if agent.report_arrival(&mut self.memory.arrived, arrival) {
            self.memory.arrived_at = target;
        }
    }
}

impl SteeringBehavior for Arrive {
    type Param = (STargets, Surroundings<'static>);
    const PRIORITY: Priority = Priority::Normal;
    const HAS_GOAL: bool = true;
    crate::blend_field!();

    fn goal(&self) -> Option<Goal> {
        self.target.entity(&self.memory.target).map(Goal::Accompany)
    }

    fn near_goal(&self) -> Option<Vec3> {
        self.memory.near_goal
    }

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (targets, surroundings): &ParamOf<Self>) -> Steering {
        let Some(view) = targets.find(agent, &self.target, &mut self.memory.target) else {
            return Steering::NONE;
        };
        let stop_radius = agent.reachable(self.stop_radius.in_units(agent.vehicle));
        let contact = agent.to_contact(&view);
        let course = surroundings.course(agent, contact, &mut self.memory.target.detour);
        let (velocity, encounters) = (view.velocity, &surroundings.encounters);
        let hold =
            agent.hold_before(&mut self.memory.held, encounters, &course, velocity, stop_radius);
        let distance = if hold == Hold::Rests { 0.0 } else { course.offset.length() };
        self.report(agent, &view, distance, stop_radius);
        let waits = hold != Hold::Free;
        let is_near = waits || self.memory.arrived || agent.is_near_goal(&course, velocity);
        self.memory.near_goal = is_near.then(|| agent.position + contact);
        if waits {
            return Steering::linear(velocity - agent.velocity);
        }
        let (way, profile, time_to_target) = (course.offset, self.profile, self.time_to_target);
        Steering::linear(agent.arrive(way, velocity, profile, stop_radius, time_to_target))
    }

    fn debug_draw(&self, agent: &Agent, (targets, _): &ParamOf<Self>, draw: &mut DebugDraw) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory.target) else {
            return;
        };
        let vehicle = agent.vehicle;
        let slows_within = match self.profile {
            ArriveProfile::SlowRadius(radius) => radius,
            ArriveProfile::Deceleration(seconds) => vehicle.max_speed * seconds,
            ArriveProfile::Braking => {
                vehicle.max_speed * vehicle.max_speed / (2.0 * vehicle.max_acceleration())
            }
        };
        let place = agent.position + view.offset;
        let stop_radius = agent.reachable(self.stop_radius.in_units(vehicle));
        draw.way(agent, view.offset).circle(DebugLayer::Range, place, slows_within);
        draw.circle(DebugLayer::Range, place, stop_radius);
    }
}

impl SimdBehavior for Arrive {
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        (_, surroundings): &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        let Some(points) = Target::points(every!(i => &behaviors[i].target)) else {
            return ([l.splat(0.0); 3], 0);
        };
        let mut at_will = 0;
        for (i, behavior) in behaviors.iter().enumerate() {
            let ArriveMemory { target, held, near_goal, .. } = *behavior.memory;
            let is_usual = behavior.time_to_target.is_none()
                && target.detour.is_empty()
                && held == 0.0
                && near_goal.is_none();
            at_will |= u8::from(is_usual) << i;
        }
        let (offset, has_target) = agents.towards(l, &points);
        let way = split(l, offset);
        let agility = agents.agility(l);
        let vehicles = agents.vehicles();
        let stop_radius = pack!(l, i => behaviors[i].stop_radius.in_units(&vehicles[i]));
        let stop_radius = agility.reachable(l, stop_radius);
        let distances = l.unpack(way.1);
        let accelerations = l.unpack(agility.max_acceleration);
        let speed = pack!(l, i => {
            behaviors[i].profile.speed(distances[i], vehicles[i].max_speed, accelerations[i])
        });
        let velocities = [agents.velocity(l), [l.splat(0.0); 3]];
        let change = arrive_on(l, &agility, velocities, way, speed, stop_radius, l.splat(1.0));
        let (speed, max_speed) = (length(l, agents.velocity(l)), agility.max_speed);
        let distance = length(l, offset);
        let radius = l.max(stop_radius, agents.vehicle(l).radius);
        // Those that move, and are not near their goal, certainly stay on their way.
        let moves = l.lt(l.mul(l.splat(PUSHED), max_speed), speed);
        let underway = l.bits(l.and(moves, l.lt(radius, distance)));
        let free = !surroundings.near_block(agents);
        let done = requested & at_will & underway & free & l.bits(has_target);
        TargetMemory::forget(behaviors.iter_mut().map(|arrive| &mut arrive.memory.target), done);
        (change, done)
    }
}
