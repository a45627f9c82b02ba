//! What there is to know of everybody before they are sorted.

use bevy::prelude::*;

use super::{
    gather::{Table, body_radius, pieces},
    index::Who,
};
use crate::{
    lanes::{Kernel, Lanes, dispatch},
    number::AgentNumber,
    rows::in_pieces,
    share::run_all,
};

/// How many points are looked at to find out how densely they stand.
const SAMPLES: f32 = 128.0;

/// What there is to know of the entries before they are sorted.
#[derive(Default)]
pub(super) struct Survey {
    pub(super) largest: f32,
    /// Where some of them are: the same ones whatever the order of the tables.
    pub(super) sample: Vec<Vec3>,
    /// Whether they come in the order of their numbers.
    pub(super) in_order: bool,
    /// Whether somebody is there who was not in the last survey, or in another place.
    pub(super) has_moved: bool,
    first: Option<AgentNumber>,
    last: Option<AgentNumber>,
    /// Theirs, if all are in the same.
    pub(super) layers: Option<u32>,
    /// Theirs, if all have the same.
    pub(super) radius: Option<f32>,
    /// Theirs, if all are agents and have the same.
    pub(super) top_speed: Option<f32>,
}

/// Looks at all entries, notes `who` they are, and tells the agents among them which entry they are.
pub(super) fn survey(parts: &[Vec<Table>], who: &mut Vec<Who>) -> Survey {
    let total = parts.iter().flatten().map(Table::len).sum();
    let before = who.len();
    who.resize(total, Who::NOBODY);
    let mut first_entry = 0;
    let jobs = parts.iter().zip(pieces(parts, 1, who)).map(|(part, who)| {
        let kernel = Part { tables: part, total, first_entry, who };
        first_entry += kernel.who.len();
        move || dispatch(kernel)
    });
    let surveys = run_all(jobs.collect());
    let mut all = Survey {
        in_order: true,
        has_moved: before != total,
        layers: surveys.first().and_then(|survey| survey.layers),
        radius: surveys.first().and_then(|survey| survey.radius),
        top_speed: surveys.first().and_then(|survey| survey.top_speed),
        ..Survey::default()
    };
    let mut last = None;
    for survey in surveys {
        all.in_order &= survey.in_order && (last.is_none() || last < survey.first);
        last = survey.last;
        all.has_moved |= survey.has_moved;
        all.largest = all.largest.max(survey.largest);
        all.sample.extend(survey.sample);
        all.layers = all.layers.filter(|_| all.layers == survey.layers);
        all.radius = all.radius.filter(|_| all.radius == survey.radius);
        all.top_speed = all.top_speed.filter(|_| all.top_speed == survey.top_speed);
    }
    all
}

/// The entries of one thread.
struct Part<'a> {
    tables: &'a [Table<'a>],
    /// Of all parts.
    total: usize,
    first_entry: usize,
    who: &'a mut [Who],
}

impl Kernel for Part<'_> {
    type Output = Survey;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Survey {
        // The compiler finds the lanes of these loops by itself, with the instructions that a kernel may use.
        // The share of samples among the entries, as a number below which the hash of their number must be.
        let threshold = (SAMPLES / self.total as f32 * 4_294_967_296.0) as u32;
        let mut survey = Survey { in_order: true, ..Survey::default() };
        let mut first: Option<(u32, f32)> = None;
        let mut top_speed = None;
        let (mut same_layers, mut same_radius, mut same_speed) = (true, true, true);
        let (mut entry, mut rest) = (self.first_entry as u32, self.who);
        let glances = self.tables.iter().flat_map(|&table| in_pieces(table.len(), table, GLANCE));
        for (_, table) in glances {
            let who;
            (who, rest) = rest.split_at_mut(table.len());
            let now = || {
                let rows = table.numbers.iter().zip(table.entities);
                rows.map(|(&number, &entity)| Who { number, entity })
            };
            // What is not written need not be taken back to memory.
            let changes = who.iter().zip(now()).fold(0, |all, (before, now)| {
                all | (before.number.0 ^ now.number.0)
                    | (before.entity.to_bits() ^ now.entity.to_bits())
            });
            if changes != 0 {
                survey.has_moved = true;
                who.iter_mut().zip(now()).for_each(|(who, now)| *who = now);
            }
            for (entry, own) in (entry..).zip(table.entries.unwrap_or_default()) {
                own.set(entry);
            }
            entry += table.len() as u32;
            survey.in_order &= is_rising(table.numbers);
            survey.in_order &=
                survey.last.is_none() || survey.last < table.numbers.first().copied();
            survey.first = survey.first.or_else(|| table.numbers.first().copied());
            survey.last = table.numbers.last().copied();
            let like = *first.get_or_insert_with(|| (table.layers[0].0, table.radius(0)));
            same_layers &= differences(table.layers.iter().map(|layers| layers.0), like.0) == 0;
            same_radius &= table.vehicles.is_some() || table.radius(0) == like.1;
            let vehicles = table.vehicles.unwrap_or_default();
            let top_speed = *top_speed.get_or_insert(vehicles.first().map(|one| one.max_speed));
            let speeds = vehicles.iter().map(|vehicle| vehicle.max_speed.to_bits());
            same_speed &= table.vehicles.is_some()
                && top_speed.is_some_and(|speed| differences(speeds, speed.to_bits()) == 0);
            let radii = vehicles.iter().map(body_radius);
            if differences(radii.clone().map(f32::to_bits), like.1.to_bits()) != 0 {
                same_radius = false;
                survey.largest = radii.map(finite_or_zero).fold(survey.largest, f32::max);
            }
            for (row, number) in table.numbers.iter().enumerate() {
                let hash = (number.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32;
                if hash <= threshold && table.position(row).is_finite() {
                    survey.sample.push(table.position(row));
                }
            }
        }
        survey.largest = survey.largest.max(first.map_or(0.0, |first| finite_or_zero(first.1)));
        survey.layers = first.filter(|_| same_layers).map(|first| first.0);
        survey.top_speed = top_speed.flatten().filter(|_| same_speed);
        survey.radius = first.filter(|_| same_radius).map(|first| first.1);
        survey
    }
}

/// So many rows are gone over, column by column, while they are in the nearest cache.
const GLANCE: usize = 2048;

/// Zero if all these words are the same as one. To the end in any case, which is quicker where they are.
#[inline(always)]
fn differences(words: impl Iterator<Item = u32>, one: u32) -> u32 {
    words.fold(0, |all, word| all | (word ^ one))
}

#[inline(always)]
fn is_rising(numbers: &[AgentNumber]) -> bool {
    let pairs = numbers.iter().zip(numbers.get(1..).unwrap_or_default());
    pairs.fold(true, |so_far, (a, b)| so_far & (a.0 < b.0))
}

#[inline(always)]
fn finite_or_zero(radius: f32) -> f32 {
    if radius <= f32::MAX { radius } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::gather::Crowd;

    #[test]
    fn who_they_are_is_written_down_anew_where_it_has_changed() {
        let who_of =
            |crowd: &Crowd, who: &mut Vec<Who>| survey(&[vec![crowd.table()]], who).has_moved;
        let (crowd, other) = (Crowd::of(3 * GLANCE), Crowd::of(2 * GLANCE + 5));
        let [mut who, mut fresh] = [Vec::new(), Vec::new()];
        assert!(who_of(&crowd, &mut who));
        assert!(!who_of(&crowd, &mut who), "nobody has moved");
        assert_eq!(who[GLANCE + 1].number, AgentNumber(GLANCE as u64 + 1));
        who[GLANCE + 1].number = AgentNumber(7);
        who[0].entity = Entity::from_raw_u32(9).expect("an entity");
        assert!(who_of(&crowd, &mut who));
        assert!(who_of(&other, &mut who), "some have gone");
        who[GLANCE + 1].number = AgentNumber(7);
        assert!(who_of(&other, &mut who));
        who_of(&other, &mut fresh);
        assert_eq!(who, fresh);
    }

    #[test]
    fn the_sample_of_a_large_crowd_is_small_and_of_a_small_one_everybody() {
        let sampled =
            |size: usize| survey(&[vec![Crowd::of(size).table()]], &mut Vec::new()).sample.len();
        assert_eq!(sampled(100), 100);
        assert!((64..256).contains(&sampled(20_000)), "{}", sampled(20_000));
    }
}
