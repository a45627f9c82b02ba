//! Hunters that go for the densest part of a group, and give up on stragglers.

use bevy::prelude::*;
use bevy_steer::{SteeringTick, prelude::*};

/// Makes a hunter pursue one of the prey in the densest part of the group. Prey is what has
/// [`Evade`].
#[derive(Component, Clone, Copy, Debug)]
pub struct Hunt {
    /// The distance within which prey keep company, in units.
    pub company: f32,
}

/// Ticks between two choices.
const EVERY: u64 = 16;
/// How much better another victim has to be than the one that is chased, as a factor and as a
/// number of companions: hunters that change their minds all the time catch nothing.
const BETTER: (f32, f32) = (1.5, 1.0);
/// Companions that make up for a way as long as the distance of company.
const FOR_THE_WAY: f32 = 0.5;

pub(super) fn choose_victims(
    mut hunters: Query<(&Hunt, &Transform, &mut Pursue)>,
    prey: Query<(Entity, &Transform), With<Evade>>,
    bounds: Res<WorldBounds>,
    tick: Res<SteeringTick>,
) {
    if hunters.is_empty() {
        return;
    }
    let mut herd = None;
    for (hunt, at, mut pursue) in &mut hunters {
        let current = match pursue.target {
            Target::Entity(victim) if prey.contains(victim) => Some(victim),
            _ => None,
        };
        if current.is_some() && !tick.0.is_multiple_of(EVERY) {
            continue;
        }
        let herd: &Vec<(Entity, Vec3)> =
            herd.get_or_insert_with(|| prey.iter().map(|(it, at)| (it, at.translation)).collect());
        let places: Vec<Vec3> = herd.iter().map(|(_, place)| *place).collect();
        let index = herd.iter().position(|(it, _)| Some(*it) == current);
        let choice = choose(&places, at.translation, index, hunt.company, |v| bounds.shortest(v));
        let victim = choice.map(|index| herd[index].0);
        if let Some(victim) = victim.filter(|victim| Some(*victim) != current) {
            pursue.target = Target::Entity(victim);
        }
    }
}

/// The index of the prey that a hunter pursues: where the most others are within `company`, less a
/// little for the way there. It keeps to the `current` one unless another one is clearly better.
/// `shortest` is the shortest equivalent of an offset in a world that wraps.
pub fn choose(
    prey: &[Vec3],
    hunter: Vec3,
    current: Option<usize>,
    company: f32,
    shortest: impl Fn(Vec3) -> Vec3,
) -> Option<usize> {
    let score = |index: usize| {
        let here = prey[index];
        let near = |there: &&Vec3| shortest(**there - here).length() < company;
        // Itself is one of them.
        let companions = prey.iter().filter(near).count() as f32 - 1.0;
        companions - FOR_THE_WAY * shortest(here - hunter).length() / company
    };
    let scores: Vec<f32> = (0..prey.len()).map(score).collect();
    let best = (0..prey.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]))?;
    let Some(current) = current else { return Some(best) };
    let (factor, more) = BETTER;
    let is_better = scores[best] > scores[current].max(0.0) * factor + more;
    Some(if is_better { best } else { current })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn herd_and_straggler() -> Vec<Vec3> {
        let herd = (0..9).map(|i| Vec3::new(50.0 + (i % 3) as f32, (i / 3) as f32, 0.0));
        herd.chain([Vec3::new(2.0, 0.0, 0.0)]).collect()
    }

    #[test]
    fn hunter_goes_past_a_straggler_for_the_middle_of_the_herd() {
        let prey = herd_and_straggler();
        let straggler = prey.len() - 1;
        for current in [None, Some(straggler)] {
            let choice = choose(&prey, Vec3::ZERO, current, 10.0, |v| v);
            assert!(choice.is_some_and(|index| index < straggler), "{current:?}: {choice:?}");
        }
    }

    #[test]
    fn hunter_keeps_to_its_victim_among_equals_and_takes_a_lone_one() {
        let prey = herd_and_straggler();
        for current in 0..9 {
            assert_eq!(choose(&prey, Vec3::ZERO, Some(current), 10.0, |v| v), Some(current));
        }
        assert_eq!(choose(&[Vec3::X], Vec3::ZERO, None, 10.0, |v| v), Some(0));
        assert_eq!(choose(&[], Vec3::ZERO, None, 10.0, |v| v), None);
    }

    #[test]
    fn the_way_is_measured_across_the_edge() {
        let bounds = Bounds::rect(Vec2::splat(-50.0), Vec2::splat(50.0), BoundsEdge::Wrap);
        let prey = [Vec3::new(-40.0, 0.0, 0.0), Vec3::new(48.0, 0.0, 0.0)];
        let hunter = Vec3::new(-45.0, 0.0, 0.0);
        let choice = choose(&prey, hunter, None, 3.0, |v| bounds.shortest(v));
        assert_eq!(choice, Some(0));
        let hunter = Vec3::new(-49.0, 0.0, 0.0);
        assert_eq!(choose(&prey, hunter, None, 3.0, |v| bounds.shortest(v)), Some(1));
    }
}
