//! [`Lookouts`]: the agents that look for those that they may meet, and what others know of them.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use crate::{agent::layers::SteeringLayers, neighbors::Approach, space::plane::SteeringPlane};

/// What an agent tells the index before all look around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookout {
    /// Where it looks for those that it may meet, if it does.
    pub(crate) plane: Option<SteeringPlane>,
    pub(crate) layers: SteeringLayers,
    pub(crate) approach: Approach,
    /// What its behaviours tell those that meet it.
    pub(crate) told: [f32; 3],
}

/// By entries. As bits, so that threads can share it.
#[derive(Resource, Debug, Default)]
pub(crate) struct Lookouts(Vec<[AtomicU32; WORDS]>);

const WORDS: usize = size_of::<Words>() / 4;

/// A [`Lookout`] as bits. All zero for an entry that tells nothing.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Words {
    approach: [f32; 5],
    told: [f32; 3],
    layers: u32,
    /// [`TELLS`], and one more than the number of the plane in which it looks.
    state: u32,
}

const TELLS: u32 = 1 << 8;

impl Lookouts {
    /// Begins a tick with so many entries.
    pub(crate) fn begin(&mut self, entries: usize) {
        self.0.clear();
        self.0.resize_with(entries, Default::default);
    }

    /// Notes the lookout of an entry, if there is one.
    #[inline(always)]
    pub(crate) fn set(&self, entry: usize, lookout: Lookout) {
        let Some(place) = self.0.get(entry) else { return };
        let Lookout { plane, layers, approach, told } = lookout;
        let Approach { room, body, spare, horizon, way } = approach;
        let words = Words {
            approach: [room, body, spare, horizon, way],
            told,
            layers: layers.0,
            state: TELLS + plane.map_or(0, |plane| plane as u32 + 1),
        };
        let words: [u32; WORDS] = bytemuck::cast(words);
        place.iter().zip(words).for_each(|(place, word)| place.store(word, Relaxed));
    }

    #[inline(always)]
    fn words(&self, entry: usize) -> Option<Words> {
        let words = self.0.get(entry)?.each_ref().map(|word| word.load(Relaxed));
        Some(bytemuck::cast(words)).filter(|words: &Words| words.state & TELLS != 0)
    }

    /// What an entry tells, if it tells anything.
    #[inline(always)]
    pub(crate) fn told(&self, entry: usize) -> Option<[f32; 3]> {
        self.words(entry).map(|words| words.told)
    }

    /// The lookout of an entry that looks in this plane.
    #[inline(always)]
    pub(super) fn in_plane(&self, entry: usize, plane: SteeringPlane) -> Option<Lookout> {
        let words = self.words(entry)?;
        if words.state != TELLS + plane as u32 + 1 {
            return None;
        }
        let [room, body, spare, horizon, way] = words.approach;
        Some(Lookout {
            plane: Some(plane),
            layers: SteeringLayers(words.layers),
            approach: Approach { room, body, spare, horizon, way },
            told: words.told,
        })
    }
}
