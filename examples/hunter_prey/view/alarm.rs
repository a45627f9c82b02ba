//! Alarm: how frightened a prey looks. It spreads through the school faster than the hunters come.

use bevy::prelude::*;
use bevy_steer::{NeighborQuery, prelude::*};

use crate::hunter_prey::game::{PREY, Prey};

/// How frightened a prey looks, from 0 to 1. Only its colour depends on it: the rules go by
/// [`Evade`].
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct Alarm(pub(super) f32);

/// Prey look at others within this distance, in units.
const SEEN: f32 = 40.0;
/// What is lost of the alarm from one to the next.
const LOSS: f32 = 0.14;
/// How fast alarm rises, and how fast it falls: shares a second.
const RISE: f32 = 9.0;
const FALL: f32 = 1.6;

/// A prey that evades is alarmed, and those around it a little less: a wave of colour.
pub(super) fn spread(
    mut prey: Query<(Entity, &Transform, &Evade, &mut Alarm), With<Prey>>,
    new: Query<Entity, (With<Prey>, Without<Alarm>)>,
    neighbors: Neighbors,
    time: Res<Time>,
    mut commands: Commands,
) {
    for prey in &new {
        commands.entity(prey).insert(Alarm::default());
    }
    // All look at what the others were in the last tick, so that the order does not matter.
    let before: Vec<f32> = prey
        .iter()
        .map(|(prey_id, here, evade, _)| {
            if evade.is_afraid() {
                return 1.0;
            }
            let query = NeighborQuery::at(here.translation).with_layers(PREY).except(prey_id);
            let seen = neighbors.within(query, SEEN);
            let alarms =
                seen.filter_map(|one| prey.get(one.entity).ok().map(|(.., alarm)| alarm.0));
            (alarms.fold(0.0, f32::max) - LOSS).max(0.0)
        })
        .collect();
    for ((.., mut alarm), cause) in prey.iter_mut().zip(before) {
        let rate = if cause > alarm.0 { RISE } else { FALL };
        alarm.0 += (cause - alarm.0) * (rate * time.delta_secs()).min(1.0);
    }
}
