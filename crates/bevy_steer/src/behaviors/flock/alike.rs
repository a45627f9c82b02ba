//! Whether all flocks are alike, as they mostly are: found out while the index is built, and not again before they flock unless
//! something has changed in between.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use bevy::{
    ecs::{change_detection::Tick, system::SystemChangeTick},
    prelude::*,
};

use super::Flock;
use crate::{share::for_each_piece, vehicle::Vehicle};

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
    difference(a, b) == 0
}

#[inline(always)]
fn difference(a: &Key, b: &Key) -> u32 {
    a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b))
}

/// All flocks, at some time.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct AllFlocks {
    /// The largest radius of any that is enabled, in units.
    pub(crate) widest: f32,
    /// Any of them, if all are alike.
    pub(super) alike: Option<Flock>,
    /// When that was so.
    when: Tick,
}

impl AllFlocks {
    /// Looks at them.
    pub(crate) fn survey(flocks: &Query<&Flock>, now: &SystemChangeTick) -> Self {
        let tables = flocks.contiguous_iter().into_iter().flatten();
        let tables: Vec<_> = tables.map(|flocks| (flocks.len(), flocks)).collect();
        let Some(first) = tables.iter().find_map(|(_, flocks)| flocks.first()) else {
            return Self::default();
        };
        let first_key = key(first, 0.0);
        // The bits of floats above zero are in the order of the floats.
        let (widest, differences) = (AtomicU32::new(0), AtomicU32::new(0));
        for_each_piece(tables, |_, flocks| {
            let (mut widest_here, mut differences_here) = (0, 0);
            for flock in flocks {
                let radius = flock.radius.to_bits();
                // Neither below zero nor infinite nor no number.
                let counts = flock.blend.enabled & (radius <= f32::MAX.to_bits());
                widest_here = widest_here.max(if counts { radius } else { 0 });
                differences_here |= difference(&first_key, &key(flock, 0.0));
            }
            widest.fetch_max(widest_here, Relaxed);
            differences.fetch_or(differences_here, Relaxed);
        });
        Self {
            widest: f32::from_bits(widest.into_inner()),
            alike: (differences.into_inner() == 0).then_some(*first),
            when: now.this_run(),
        }
    }

    /// Whether no flock and no vehicle of one has changed since then. Who has come since counts as changed.
    pub(super) fn are_the_same(&self, changes: &Query<Changes>, now: &SystemChangeTick) -> bool {
        let Ok(tables) = changes.contiguous_iter() else { return false };
        let ticks = tables.map(|(flocks, vehicles)| {
            let ticks = (flocks.changed_ticks_slice(), vehicles.changed_ticks_slice());
            (ticks.0.len(), ticks)
        });
        let age = now.this_run().get().wrapping_sub(self.when.get());
        let is_newer = |&tick: &Tick| now.this_run().get().wrapping_sub(tick.get()) < age;
        let any = |ticks: &[Tick]| ticks.iter().fold(false, |any, tick| any | is_newer(tick));
        let changed = AtomicBool::new(false);
        for_each_piece(ticks.collect(), |_, (flocks, vehicles)| {
            if any(flocks) | any(vehicles) {
                changed.store(true, Relaxed);
            }
        });
        !changed.into_inner()
    }
}

/// When flocks and their vehicles have changed.
pub(super) type Changes = (Ref<'static, Flock>, Ref<'static, Vehicle>);
