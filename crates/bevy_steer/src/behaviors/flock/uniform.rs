//! Whether all flocks are alike, as they mostly are: found out while the index is built, and not again before something has
//! changed.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use bevy::{
    ecs::{
        change_detection::{ContiguousRef, Tick},
        system::SystemChangeTick,
    },
    prelude::*,
};

use crate::{
    agent::{blend::Blend, vehicle::Vehicle},
    behaviors::flock::Flock,
    ecs::parallel::for_each_piece,
};

pub(super) type Key = [u32; 10];

/// What makes agents of one kind.
#[inline(always)]
pub(super) fn key(flock: &Flock, max_speed: f32) -> Key {
    [
        flock.radius.to_bits(),
        flock.separation_radius.to_bits(),
        flock.view_angle.to_bits(),
        flock.separation.to_bits(),
        flock.alignment.to_bits(),
        flock.cohesion.to_bits(),
        max_speed.to_bits(),
        flock.max_neighbors,
        flock.layers.0,
        u32::from(flock.blend.enabled),
    ]
}

/// Without a call to compare memory, which takes longer than the comparison.
#[inline(always)]
pub(super) fn are_equal(a: &Key, b: &Key) -> bool {
    a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// What else a blend may have of its own.
#[inline(always)]
fn blend_key(blend: &Blend) -> [u32; 2] {
    [blend.weight.to_bits(), blend.priority.map_or(u32::MAX, |priority| priority as u32)]
}

/// Adds in which bits two differ, word by word: over many, wide registers do that.
#[inline(always)]
fn note_differences<const N: usize>(all: &mut [u32; N], a: [u32; N], b: &[u32; N]) {
    for i in 0..N {
        all[i] |= a[i] ^ b[i];
    }
}

/// All flocks, as they were when the index was built.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct UniformFlocks {
    /// The largest radius of any that is enabled, in units.
    pub(crate) widest: f32,
    /// Any of them, if all are alike but for their weights and priorities.
    alike: Option<Flock>,
    /// Whether these are the same too.
    share_blend: bool,
    /// When that was so.
    when: Tick,
    /// Whether it still is.
    holds: bool,
}

impl UniformFlocks {
    /// Looks at them, unless all were alike and none has changed since; who has gone leaves others that are alike. Who came need
    /// not have changed: it may have been there, but disabled.
    pub(crate) fn survey(
        &mut self,
        flocks: &Query<Ref<Flock>>,
        somebody_came: bool,
        now: &SystemChangeTick,
    ) {
        let tables = flocks.contiguous_iter().into_iter().flatten();
        let tables: Vec<_> = tables.filter(|flocks| !flocks.is_empty()).collect();
        let is_as_it_was = self.alike.is_some() && !somebody_came && !tables.is_empty() && {
            let ticks = tables.iter().map(ContiguousRef::changed_ticks_slice);
            !self.any_newer(ticks.map(|ticks| (ticks.len(), ticks)).collect(), now)
        };
        if !is_as_it_was {
            let tables = tables.into_iter().map(ContiguousRef::into_inner);
            *self = Self::of(tables.map(|flocks| (flocks.len(), flocks)).collect());
        }
        (self.when, self.holds) = (now.this_run(), false);
    }

    fn of(tables: Vec<(usize, &[Flock])>) -> Self {
        let Some(first) = tables.iter().find_map(|(_, flocks)| flocks.first()) else {
            return Self::default();
        };
        let (first_key, first_blend) = (key(first, 0.0), blend_key(&first.blend));
        // The bits of floats above zero are in the order of the floats.
        let widest = AtomicU32::new(0);
        let (alike, share_blend) = (AtomicBool::new(true), AtomicBool::new(true));
        for_each_piece(tables, |_, flocks| {
            let mut widest_here = 0;
            let (mut differences, mut of_blends) = ([0; 10], [0; 2]);
            for flock in flocks {
                let radius = flock.radius.to_bits();
                // Neither below zero nor infinite nor no number.
                let counts = flock.blend.enabled & (radius <= f32::MAX.to_bits());
                widest_here = widest_here.max(if counts { radius } else { 0 });
                note_differences(&mut differences, key(flock, 0.0), &first_key);
                note_differences(&mut of_blends, blend_key(&flock.blend), &first_blend);
            }
            widest.fetch_max(widest_here, Relaxed);
            alike.fetch_and(differences == [0; 10], Relaxed);
            share_blend.fetch_and(of_blends == [0; 2], Relaxed);
        });
        Self {
            widest: f32::from_bits(widest.into_inner()),
            alike: alike.into_inner().then_some(*first),
            share_blend: share_blend.into_inner(),
            ..Self::default()
        }
    }

    /// Finds out whether that is still so, now that they begin to flock.
    pub(super) fn check(&mut self, changes: &Query<Changes>, now: &SystemChangeTick) {
        self.holds = self.alike.is_some() && self.are_the_same(changes, now);
    }

    /// How they flock, if all do it in one way.
    pub(super) fn alike(&self) -> Option<Flock> {
        self.alike.filter(|_| self.holds)
    }

    /// How they are blended, if all are in one way.
    pub(super) fn blend(&self) -> Option<Blend> {
        self.alike().filter(|_| self.share_blend).map(|flock| flock.blend)
    }

    /// Whether no flock and no vehicle of one has changed since then.
    fn are_the_same(&self, changes: &Query<Changes>, now: &SystemChangeTick) -> bool {
        let Ok(tables) = changes.contiguous_iter() else { return false };
        let ticks = tables.flat_map(|(flocks, vehicles)| {
            [flocks.changed_ticks_slice(), vehicles.changed_ticks_slice()]
        });
        !self.any_newer(ticks.map(|ticks| (ticks.len(), ticks)).collect(), now)
    }

    /// Whether any of these ticks is after the last look at the flocks. What is changed behind the back of change detection is not
    /// seen.
    fn any_newer(&self, ticks: Vec<(usize, &[Tick])>, now: &SystemChangeTick) -> bool {
        let age = now.this_run().get().wrapping_sub(self.when.get());
        let is_newer = |&tick: &Tick| now.this_run().get().wrapping_sub(tick.get()) < age;
        let any_newer = AtomicBool::new(false);
        for_each_piece(ticks, |_, ticks| {
            if ticks.iter().fold(false, |any, tick| any | is_newer(tick)) {
                any_newer.store(true, Relaxed);
            }
        });
        any_newer.into_inner()
    }
}

/// When flocks and their vehicles have changed.
pub(super) type Changes = (Ref<'static, Flock>, Ref<'static, Vehicle>);
