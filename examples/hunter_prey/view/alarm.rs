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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock::{headless_app, start},
        hunter_prey::game::HUNTER,
    };

    /// Less than [`SEEN`], so that each prey looks at the next one only.
    const GAP: f32 = 30.0;
    /// Afraid at this distance from a hunter, in units: the first prey only.
    const FEAR: f32 = 1.5 * GAP;
    const COUNT: usize = 6;
    const TICKS_A_SECOND: usize = 64;

    /// A row of prey that hardly move, and a hunter before the first one.
    fn row() -> (App, Entity, Vec<Entity>) {
        let mut app = headless_app(None);
        app.add_plugins(SteeringPlugin::default())
            .add_systems(FixedUpdate, spread.after(RunSteering));
        start(&mut app);
        let slow = || Vehicle::new(0.01).with_radius(2.0);
        let hunter = (slow(), HUNTER, Transform::from_xyz(-GAP, 0.0, 0.0));
        let hunter = app.world_mut().spawn(hunter).id();
        let prey = (0..COUNT).map(|i| {
            let evade = Evade::new(Target::nearest(HUNTER, FEAR));
            (slow(), PREY, Prey, evade, Transform::from_xyz(GAP * i as f32, 0.0, 0.0))
        });
        let prey = app.world_mut().spawn_batch(prey.collect::<Vec<_>>()).collect();
        (app, hunter, prey)
    }

    fn alarms(app: &App, prey: &[Entity]) -> Vec<f32> {
        let alarm = |&one| app.world().get::<Alarm>(one).map_or(0.0, |alarm: &Alarm| alarm.0);
        prey.iter().map(alarm).collect()
    }

    #[test]
    fn fear_spreads_from_prey_to_prey_and_dies_down() {
        let (mut app, hunter, prey) = row();
        let mut reached = vec![None; COUNT];
        for tick in 0..4 * TICKS_A_SECOND {
            app.update();
            for (since, alarm) in reached.iter_mut().zip(alarms(&app, &prey)) {
                if alarm > 0.1 {
                    since.get_or_insert(tick);
                }
            }
        }
        let afraid: Vec<bool> = prey
            .iter()
            .map(|&one| app.world().get::<Evade>(one).is_some_and(Evade::is_afraid))
            .collect();
        assert!(afraid[0] && !afraid[1..].contains(&true), "{afraid:?}");
        // All are alarmed, one after the other, and each a little less than the one before.
        let all: Vec<usize> = reached.iter().flatten().copied().collect();
        assert_eq!(all.len(), COUNT, "{reached:?}");
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
        let high = alarms(&app, &prey);
        for (i, alarm) in high.iter().enumerate() {
            assert!((alarm - (1.0 - LOSS * i as f32)).abs() < 0.02, "{high:?}");
        }
        app.world_mut().despawn(hunter);
        (0..TICKS_A_SECOND / 2).for_each(|_| app.update());
        let falling = alarms(&app, &prey);
        assert!(falling.iter().zip(&high).all(|(now, before)| now < before), "{falling:?}");
        assert!(falling[1] > 0.2, "it takes its time: {falling:?}");
        (0..8 * TICKS_A_SECOND).for_each(|_| app.update());
        let calm = alarms(&app, &prey);
        assert!(calm.iter().all(|alarm| *alarm < 0.02), "{calm:?}");
    }

    #[test]
    fn prey_out_of_sight_of_the_school_stays_calm() {
        let (mut app, _, mut prey) = row();
        let alone = Transform::from_xyz(GAP * COUNT as f32 + 2.0 * SEEN, 0.0, 0.0);
        prey.push(
            app.world_mut().spawn((Vehicle::new(0.01), PREY, Prey, Evade::default(), alone)).id(),
        );
        (0..3 * TICKS_A_SECOND).for_each(|_| app.update());
        let alarms = alarms(&app, &prey);
        assert!(alarms[0] > 0.9 && alarms[COUNT] == 0.0, "{alarms:?}");
    }
}
