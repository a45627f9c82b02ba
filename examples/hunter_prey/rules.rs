//! The rules of the game: when hunters and prey switch their behaviours.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::{AgentId, NeighborQuery, ObstacleIndex, Velocity, prelude::*};

use super::{
    game::{Caught, Dice, HUNTER, Hunter, PREY, Prey, RESTING, Score},
    spawn::random_place,
};

/// Whether a hunter that pursues like this is after prey at the moment.
pub(super) fn chases(pursue: &Pursue) -> bool {
    pursue.is_enabled() && pursue.memory.current.is_some()
}

/// A hunter that touches prey catches it; the prey starts again elsewhere.
pub(super) fn catch_prey(
    mut hunters: Query<(&AgentId, &Transform, &mut Pursue), (With<Hunter>, Without<Prey>)>,
    mut prey: Query<(&mut Transform, &mut Velocity), With<Prey>>,
    neighbors: Neighbors,
    obstacles: Res<ObstacleIndex>,
    mut dice: ResMut<Dice>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    const REACH: f32 = Hunter::RADIUS + Prey::RADIUS;
    let mut caught_prey = Vec::new();
    // By id, as a rollback may change the order of entities: the first hunter gets the prey and the
    // next random numbers.
    for (_, hunter, mut pursue) in hunters.iter_mut().sort::<&AgentId>() {
        if !pursue.is_enabled() {
            continue;
        }
        let here = NeighborQuery::at(hunter.translation).with_layers(PREY);
        let Some(caught) = neighbors.nearest(here, REACH) else { continue };
        if caught_prey.contains(&caught.entity) {
            // Another hunter has caught it in this tick.
            continue;
        }
        caught_prey.push(caught.entity);
        let Ok((mut transform, mut velocity)) = prey.get_mut(caught.entity) else { continue };
        commands.trigger(Caught { place: transform.translation });
        let is_safe = |place: &Vec3| {
            let hunters = NeighborQuery::at(*place).with_layers(HUNTER.or(RESTING));
            neighbors.nearest(hunters, 2.0 * Prey::FEAR).is_none()
                && obstacles.around(*place, 60.0).next().is_none()
        };
        let place = (0..50).map(|_| random_place(&mut dice.0, 20.0)).find(is_safe);
        transform.translation = place.unwrap_or_else(|| random_place(&mut dice.0, 20.0));
        velocity.0 = Vec3::ZERO;
        // Without a target there is no `TargetLost`, which would count as an escape.
        pursue.memory = default();
        score.catches += 1;
    }
}

/// Hunters chase prey in sight until their stamina is used up, then rest until it is restored.
pub(super) fn hunt_and_rest(
    mut hunters: Query<(&mut Hunter, &mut Pursue, &mut Wander, &mut Vehicle, &mut SteeringLayers)>,
    time: Res<Time>,
    mut score: ResMut<Score>,
) {
    let dt = time.delta_secs();
    let mut all = Tally::default();
    let mut trios = HashMap::<u32, Tally>::new();
    for (hunter, pursue, ..) in &hunters {
        for tally in [&mut all, trios.entry(hunter.trio).or_default()] {
            tally.hunters += 1;
            tally.chasing += u32::from(chases(pursue));
        }
    }
    for (mut hunter, mut pursue, mut wander, mut vehicle, mut layers) in &mut hunters {
        let chasing = chases(&pursue);
        if chasing {
            hunter.stamina -= dt;
        } else {
            let own = &trios[&hunter.trio];
            let others =
                Tally { hunters: all.hunters - own.hunters, chasing: all.chasing - own.chasing };
            let rest = Hunter::REST * eagerness(&others).recip();
            hunter.stamina += dt * (Hunter::STAMINA / rest);
        }
        if hunter.stamina <= 0.0 {
            score.escapes += u32::from(chasing);
            pursue.set_enabled(false);
            pursue.memory = default();
        } else if hunter.stamina >= Hunter::STAMINA {
            hunter.stamina = Hunter::STAMINA;
            pursue.set_enabled(true);
        }
        let chasing = chases(&pursue);
        wander.set_enabled(!chasing);
        layers.set_if_neq(if pursue.is_enabled() { HUNTER } else { RESTING });
        vehicle.max_speed = if chasing { Hunter::CHASE } else { Hunter::STROLL };
    }
}

/// A number of hunters, and how many of them chase.
#[derive(Default)]
struct Tally {
    hunters: u32,
    chasing: u32,
}

/// How fast the hunters of a trio recover: the fewer of the other trios hunt, the faster. So the
/// trios hunt in turn, whatever disturbs them: without it sooner or later all rest together.
fn eagerness(others: &Tally) -> f32 {
    if others.hunters == 0 {
        return 1.0;
    }
    let share = others.chasing as f32 / others.hunters as f32;
    1.0 / (0.25 + 1.5 * share)
}

/// Flankers stay beside the leader of their trio, until prey is so near that they can strike: a
/// school between them has hunters on three sides. They are a little faster than the leader, or
/// they would never get beside it. Those that hunt leave a leader that rests.
pub(super) fn take_flanks(
    mut flankers: Query<(&Transform, &Pursue, &mut OffsetPursue, &mut Vehicle), With<Hunter>>,
    leaders: Query<&Pursue, With<Hunter>>,
    prey: Query<&Transform, With<Prey>>,
    bounds: Res<WorldBounds>,
) {
    for (here, pursue, mut flank, mut vehicle) in &mut flankers {
        let leader =
            flank.target.entity(&flank.memory.target).and_then(|leader| leaders.get(leader).ok());
        let is_together = leader.is_some_and(|leader| chases(leader) == chases(pursue));
        let hunted = pursue.memory.current.and_then(|hunted| prey.get(hunted).ok());
        let strikes = hunted.is_some_and(|prey| {
            let offset = bounds.shortest(prey.translation - here.translation);
            offset.length() < Hunter::STRIKE
        });
        flank.set_enabled(is_together && !strikes);
        if flank.is_enabled() {
            vehicle.max_speed *= Hunter::CATCH_UP;
        }
    }
}

/// Prey evade hunters that are near, else follow the pointer or a lure, else wander.
pub(super) fn fear_and_follow(
    mut prey: Query<(&Evade, &mut Arrive, &mut Wander, &mut Vehicle), With<Prey>>,
) {
    for (evade, mut arrive, mut wander, mut vehicle) in &mut prey {
        let afraid = evade.is_afraid();
        let lured = arrive.memory.target.current.is_some();
        arrive.set_enabled(!afraid);
        wander.set_enabled(!afraid && !lured);
        vehicle.max_speed = if afraid { Prey::RUN } else { Prey::STROLL };
    }
}

/// A chase has ended without a catch if its target is out of sight.
pub(super) fn count_escapes(
    lost: On<TargetLost>,
    hunters: Query<(), With<Hunter>>,
    mut score: ResMut<Score>,
) {
    score.escapes += u32::from(hunters.contains(lost.entity));
}

/// Obstacles collide elastically, with masses proportional to their areas.
pub(crate) fn bounce_obstacles(
    mut obstacles: Query<(&Transform, &Vehicle, &mut Velocity), With<Obstacle>>,
) {
    let mut pairs = obstacles.iter_combinations_mut();
    while let Some([(at_a, a, mut velocity_a), (at_b, b, mut velocity_b)]) = pairs.fetch_next() {
        let (from_a, distance) = {
            let offset = at_b.translation - at_a.translation;
            (offset.normalize_or_zero(), offset.length())
        };
        let closing = (velocity_a.0 - velocity_b.0).dot(from_a);
        if distance > a.radius + b.radius || closing <= 0.0 {
            continue;
        }
        let (mass_a, mass_b) = (a.radius * a.radius, b.radius * b.radius);
        let exchanged = from_a * (2.0 * closing / (mass_a + mass_b));
        velocity_a.0 -= exchanged * mass_b;
        velocity_b.0 += exchanged * mass_a;
    }
}
