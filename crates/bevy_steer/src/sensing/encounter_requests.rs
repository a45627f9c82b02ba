//! [`EncounterRequests`]: what all behaviours ask of the search, and what agents tell each other;
//! [`EncounterRange`]: which others an agent may collide with.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::{ecs::component::StorageType, prelude::*};
use bytemuck::{Pod, Zeroable};

use crate::{
    agent::{
        AgentColumns, AgentData, AgentParts, Claim, EncounterRequest, SteeringLayers, Tick,
        TickRef, Vehicle, VehicleBlock,
    },
    behavior::{Agent, Several, SteeringBehavior},
    ecs::for_each_piece,
    neighbors::{AgentDemand, CurrentIndex},
    simd::{Arithmetic, One},
    space::SteeringPlane,
};

/// What an agent looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookout {
    pub layers: SteeringLayers,
    pub range: EncounterRange,
}

/// The requests of this tick, by the entries of the neighbour index. As bits, so that threads can
/// share them.
#[derive(Resource, Debug, Default)]
pub(crate) struct EncounterRequests(Vec<[AtomicU32; WORDS]>);

const WORDS: usize = size_of::<Words>() / 4;

/// A [`Lookout`] and a [`Claim`] as bits. All zero for an entry that asks for nothing.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Words {
    range: [f32; 5],
    claim: [f32; 4],
    desired: [f32; 3],
    /// The goal that the agent has almost reached.
    near_goal: [f32; 3],
    layers: u32,
    /// Those of them that the agent avoids.
    avoids: u32,
    /// [`HAS_CLAIM`], [`NEAR_GOAL`], and one more than the number of the plane in which the agent
    /// looks.
    state: u32,
}

const HAS_CLAIM: u32 = 1 << 8;
const NEAR_GOAL: u32 = 1 << 9;
const FLAGS: u32 = HAS_CLAIM | NEAR_GOAL;

impl EncounterRequests {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn words(&self, entry: usize) -> Option<Words> {
        let words = self.0.get(entry)?.each_ref().map(|word| word.load(Relaxed));
        Some(bytemuck::cast(words))
    }

    fn set(&self, entry: usize, words: Words) {
        let words: [u32; WORDS] = bytemuck::cast(words);
        self.0[entry].iter().zip(words).for_each(|(place, word)| place.store(word, Relaxed));
    }

    /// What an entry that avoids others tells them.
    #[inline(always)]
    pub(crate) fn claim(&self, entry: usize) -> Option<Claim> {
        let words = self.words(entry).filter(|words| words.state & HAS_CLAIM != 0)?;
        let [eagerness, stuck, turn, room] = words.claim;
        Some(Claim { eagerness, stuck, turn, desired: words.desired, room })
    }

    /// The goal that the agent of an entry has almost reached.
    #[inline(always)]
    pub(super) fn near_goal(&self, entry: usize) -> Option<Vec3> {
        let words = self.words(entry).filter(|words| words.state & NEAR_GOAL != 0)?;
        Some(words.near_goal.into())
    }

    /// The agent of an entry has almost reached this goal.
    pub(super) fn note_near_goal(&self, entry: usize, place: Vec3) {
        if let Some(mut words) = self.words(entry) {
            words.near_goal = place.to_array();
            words.state |= NEAR_GOAL;
            self.set(entry, words);
        }
    }

    /// What the agent of an entry looks for in this plane.
    #[inline(always)]
    pub(super) fn lookout(&self, entry: usize, plane: SteeringPlane) -> Option<Lookout> {
        let words = self.words(entry)?;
        if words.state & !FLAGS != plane as u32 + 1 {
            return None;
        }
        let range = EncounterRange::from_array(words.range);
        Some(Lookout { layers: SteeringLayers(words.layers), range })
    }

    /// The layers that the agent of an entry looks for.
    #[inline(always)]
    pub(crate) fn layers(&self, entry: usize) -> SteeringLayers {
        SteeringLayers(self.words(entry).map_or(0, |words| words.layers))
    }

    /// The layers that the agent of an entry avoids.
    #[inline(always)]
    pub(super) fn avoids(&self, entry: usize) -> SteeringLayers {
        SteeringLayers(self.words(entry).map_or(0, |words| words.avoids))
    }

    /// Adds what a behaviour of an agent asks for.
    #[inline(always)]
    fn add<B: SteeringBehavior>(&self, parts: &AgentParts, behavior: &B, tick: TickRef) {
        let entry = parts.entry.get();
        if !behavior.blend().enabled
            || entry >= self.0.len()
            || !VehicleBlock::from(parts.vehicle).is_valid(One)
        {
            return;
        }
        let agent = Agent::new(parts, 0, tick);
        let (Some(request), Some(mut words)) =
            (behavior.encounter_request(&agent), self.words(entry))
        else {
            return;
        };
        if let Some(Claim { eagerness, stuck, turn, desired, room }) = request.claim
            && words.state & HAS_CLAIM == 0
        {
            words.claim = [eagerness, stuck, turn, room];
            words.desired = desired;
            words.avoids = request.layers.0;
            words.state |= HAS_CLAIM;
        }
        if parts.think.is_none_or(|think| think.is_due(*parts.id, tick.count)) {
            let mut range = EncounterRange::new(&request, parts.vehicle, agent.velocity.length());
            if words.state & !FLAGS != 0 {
                range = range.with(EncounterRange::from_array(words.range));
            }
            words.range = range.to_array();
            words.layers |= request.layers.0;
            words.state = words.state & FLAGS | (agent.plane as u32 + 1);
        }
        self.set(entry, words);
    }
}

/// The demand of a behaviour for the neighbour index: there is one as soon as an agent has it.
pub(crate) fn demand_encounters<B: SteeringBehavior>(
    single: Query<(), With<B>>,
    several: Query<(), With<Several<B>>>,
    mut demand: ResMut<AgentDemand>,
) {
    if !(single.is_empty() && several.is_empty()) {
        demand.want_classes();
    }
}

/// Forgets the requests of the last tick.
pub(crate) fn clear_requests(mut requests: ResMut<EncounterRequests>) {
    requests.0.clear();
}

/// Notes what one behaviour asks for, on all agents that have it, once or several times.
pub(crate) fn request_encounters<B: SteeringBehavior>(
    single: Query<(AgentData, &B)>,
    several: Query<(AgentData, &Several<B>)>,
    index: Res<CurrentIndex>,
    mut requests: ResMut<EncounterRequests>,
    tick: Tick,
) {
    if single.is_empty() && several.is_empty() {
        return;
    }
    if requests.0.is_empty() {
        requests.0.resize_with(index.0.entries, Default::default);
    }
    let (requests, tick) = (&*requests, tick.borrow());
    if B::STORAGE_TYPE == StorageType::Table {
        let tables = single.contiguous_iter().into_iter().flatten().map(|(agents, behaviors)| {
            let agents = AgentColumns::from(agents);
            (agents.len(), (agents, behaviors))
        });
        for_each_piece(tables.collect(), |count, (agents, behaviors)| {
            for (row, behavior) in behaviors.iter().enumerate().take(count) {
                requests.add(&agents.row::<false>(row), behavior, tick);
            }
        });
    } else {
        for (parts, behavior) in &single {
            requests.add(&parts.into(), behavior, tick);
        }
    }
    for (parts, several) in &several {
        let parts = parts.into();
        several.iter().for_each(|behavior| requests.add(&parts, behavior, tick));
    }
}

/// An agent may collide with whatever comes as near as `room` and its own radius within
/// `look_ahead` seconds, if both go on as they do or the one comes to close in, or to turn towards
/// it, faster by `spare`. But not with what is beyond the distance that both
/// [travel](Self::travel).
#[derive(Clone, Copy, Debug)]
pub(super) struct EncounterRange<L: Arithmetic = One> {
    pub room: L::F,
    /// The radius of what has none of its own.
    pub body: L::F,
    pub spare: L::F,
    pub look_ahead: L::F,
    /// How far the agent may go in that time, in units.
    pub travel: L::F,
}

/// For rounding.
const SLACK: f32 = 1.000_01;

/// Which side two agents pass on is open if the one moves sideways, as seen from the other, at less
/// than this share of the speed: the square of that.
const UNDECIDED: f32 = 0.01;

/// The motion of two agents relative to each other; several in lanes.
#[derive(Clone, Copy)]
pub(super) struct Passing<L: Arithmetic> {
    /// The square of their distance.
    pub squared: L::F,
    /// The speed with which they come nearer to each other, times their distance.
    closing: L::F,
    /// The square of their relative speed.
    relative: L::F,
    /// The square of the speed of the other one.
    speed: L::F,
}

impl<L: Arithmetic> Passing<L> {
    /// At rest in the same place.
    #[inline(always)]
    pub(super) fn at_rest(l: L) -> Self {
        let zero = l.splat(0.0);
        Self { squared: zero, closing: zero, relative: zero, speed: zero }
    }

    /// Adds the part along one axis: the offset of the other one, and the velocities of both.
    #[inline(always)]
    pub(super) fn add(&mut self, l: L, along: L::F, own: L::F, other: L::F) {
        let relative = l.sub(own, other);
        self.squared = l.add(self.squared, l.mul(along, along));
        self.closing = l.add(self.closing, l.mul(relative, along));
        self.relative = l.add(self.relative, l.mul(relative, relative));
        self.speed = l.add(self.speed, l.mul(other, other));
    }
}

impl EncounterRange {
    fn new(request: &EncounterRequest, vehicle: &Vehicle, speed: f32) -> Self {
        let EncounterRequest { room, look_ahead, spare, .. } = *request;
        let (room, look_ahead, spare) = (room.max(0.0), look_ahead.max(0.0), spare.max(0.0));
        let soon = (speed + spare).min(vehicle.max_speed).max(speed);
        // Zero, not a NaN, where it stands and looks ahead for ever.
        let travel = (soon * look_ahead).max(0.0);
        Self { room, body: vehicle.radius, spare, look_ahead, travel }
    }

    /// As wide as both.
    fn with(self, other: Self) -> Self {
        let (own, other) = (self.to_array(), other.to_array());
        Self::from_array(core::array::from_fn(|i| own[i].max(other[i])))
    }

    /// The distance that it wants to keep from what is not larger.
    pub(super) fn touch(&self, largest: f32) -> f32 {
        self.room + largest.max(self.body)
    }

    /// Everything that it may collide with is as near, if nothing is faster or larger.
    pub(super) fn reach(&self, fastest: f32, largest: f32) -> f32 {
        self.touch(largest) + (self.travel + (fastest * self.look_ahead).max(0.0)) * SLACK
    }
}

impl<L: Arithmetic> EncounterRange<L> {
    /// As numbers, and back.
    #[inline(always)]
    pub(super) fn to_array(self) -> [L::F; 5] {
        let Self { room, body, spare, look_ahead, travel } = self;
        [room, body, spare, look_ahead, travel]
    }

    #[inline(always)]
    pub(super) fn from_array([room, body, spare, look_ahead, travel]: [L::F; 5]) -> Self {
        Self { room, body, spare, look_ahead, travel }
    }

    /// Which of these it may collide with; `room` is the distance that it wants to keep from each.
    /// Those that pass beside it are told by the cone of velocities that lead to a collision, see
    /// [`velocity_obstacle`](crate::formulas::velocity_obstacle).
    #[inline(always)]
    pub(super) fn may_collide(&self, l: L, pass: Passing<L>, room: L::F) -> L::M {
        let Passing { squared, closing, relative, speed } = pass;
        let Self { spare, look_ahead, travel, .. } = *self;
        let zero = l.splat(0.0);
        let distance = l.sqrt(squared);
        let gap = l.sub(distance, room);
        let spare = l.mul(spare, distance);
        let comes_near = l.le(l.mul(distance, gap), l.mul(l.add(closing, spare), look_ahead));
        let rest = l.sub(gap, travel);
        let its_travel = l.mul(speed, l.mul(look_ahead, look_ahead));
        let is_in_reach = l.or(l.le(rest, zero), l.le(l.mul(rest, rest), its_travel));
        // All multiplied by the square of the distance.
        let turns = l.add(l.mul(closing, room), l.mul(spare, distance));
        let whole = l.mul(relative, squared);
        let ahead = l.mul(closing, closing);
        let beside = l.mul(l.sub(whole, ahead), l.sub(squared, l.mul(room, room)));
        let is_ahead = l.le(l.mul(whole, l.splat(1.0 - UNDECIDED)), ahead);
        let crosses = l.and(l.le(zero, turns), l.le(beside, l.mul(turns, turns)));
        let comes = l.and(l.and(comes_near, is_in_reach), l.or(is_ahead, crosses));
        l.or(comes, l.le(gap, zero))
    }
}
