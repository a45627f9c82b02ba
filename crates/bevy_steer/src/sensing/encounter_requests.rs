//! [`EncounterRequests`]: what all behaviours ask of the search, and what agents tell each other.

use core::{
    mem::offset_of,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use bevy::{ecs::component::StorageType, prelude::*};
use bytemuck::{Pod, Zeroable};

use crate::{
    agent::{
        AgentColumns, AgentData, AgentParts, Claim, SteeringLayers, Tick, TickRef, VehicleBlock,
    },
    behavior::{Agent, Several, SteeringBehavior},
    ecs::for_each_piece,
    neighbors::{AgentDemand, CurrentIndex},
    sensing::encounter_range::EncounterRange,
    simd::One,
    space::SteeringPlane,
};

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

    /// All words of an entry. Most readers need one of them only, see [`word`](Self::word).
    #[inline(always)]
    fn words(&self, entry: usize) -> Words {
        let mut words = [0; WORDS];
        words.iter_mut().zip(&self.0[entry]).for_each(|(word, own)| *word = own.load(Relaxed));
        bytemuck::cast(words)
    }

    /// The word of an entry at an offset in [`Words`]; zero for one that came after the requests.
    #[inline(always)]
    fn word(&self, entry: usize, offset: usize) -> u32 {
        self.0.get(entry).map_or(0, |words| words[offset / 4].load(Relaxed))
    }

    #[inline(always)]
    fn state(&self, entry: usize) -> u32 {
        self.word(entry, offset_of!(Words, state))
    }

    fn set(&self, entry: usize, words: Words) {
        let words: [u32; WORDS] = bytemuck::cast(words);
        self.0[entry].iter().zip(words).for_each(|(place, word)| place.store(word, Relaxed));
    }

    /// What an entry that avoids others tells them.
    #[inline(always)]
    pub(crate) fn claim(&self, entry: usize) -> Option<Claim> {
        if self.state(entry) & HAS_CLAIM == 0 {
            return None;
        }
        let Words { claim: [eagerness, stuck, turn, room], desired, .. } = self.words(entry);
        Some(Claim { eagerness, stuck, turn, desired, room })
    }

    /// The goal that the agent of an entry has almost reached.
    #[inline(always)]
    pub(super) fn near_goal(&self, entry: usize) -> Option<Vec3> {
        let is_near = self.state(entry) & NEAR_GOAL != 0;
        is_near.then(|| self.words(entry).near_goal.into())
    }

    /// The agent of an entry has almost reached this goal.
    pub(super) fn note_near_goal(&self, entry: usize, place: Vec3) {
        if entry < self.0.len() {
            let mut words = self.words(entry);
            words.near_goal = place.to_array();
            words.state |= NEAR_GOAL;
            self.set(entry, words);
        }
    }

    /// What the agent of an entry looks for in this plane.
    #[inline(always)]
    pub(super) fn lookout(&self, entry: usize, plane: SteeringPlane) -> Option<Lookout> {
        if self.state(entry) & !FLAGS != plane as u32 + 1 {
            return None;
        }
        let Words { range, layers, .. } = self.words(entry);
        let range = EncounterRange::from_array(range);
        Some(Lookout { layers: SteeringLayers(layers), range })
    }

    /// The layers that the agent of an entry looks for.
    #[inline(always)]
    pub(crate) fn layers(&self, entry: usize) -> SteeringLayers {
        SteeringLayers(self.word(entry, offset_of!(Words, layers)))
    }

    /// The layers that the agent of an entry avoids.
    #[inline(always)]
    pub(super) fn avoids(&self, entry: usize) -> SteeringLayers {
        SteeringLayers(self.word(entry, offset_of!(Words, avoids)))
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
        let Some(request) = behavior.encounter_request(&agent) else { return };
        let mut words = self.words(entry);
        if let Some(Claim { eagerness, stuck, turn, desired, room }) = request.claim
            && words.state & HAS_CLAIM == 0
        {
            words.claim = [eagerness, stuck, turn, room];
            words.desired = desired;
            words.avoids = request.layers.0;
            words.state |= HAS_CLAIM;
        }
        if parts.think.is_none_or(|think| think.is_due(*parts.id, tick.count)) {
            let speed = agent.velocity.length();
            let mut range = EncounterRange::new(&request, parts.vehicle, speed).to_array();
            if words.state & !FLAGS != 0 {
                // As wide as both.
                range = core::array::from_fn(|i| range[i].max(words.range[i]));
            }
            words.range = range;
            words.layers |= request.layers.0;
            words.state = words.state & FLAGS | (agent.plane as u32 + 1);
        }
        self.set(entry, words);
    }
}

/// What an agent looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookout {
    pub layers: SteeringLayers,
    pub range: EncounterRange,
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
