//! [`TracedLimit`]: what each limit took of a request.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::agent::{
    half_spaces::HalfSpace,
    velocity_limits::{NotedLimit, VelocityLimits},
};

/// A limit on an agent's velocity in a tick, and what it took of the request.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct TracedLimit {
    /// The index in the [`BehaviorRegistry`](crate::BehaviorRegistry) of the behaviour that gave
    /// it.
    pub behavior: usize,
    /// Which one of [`Several`](crate::Several) that was, if it was one of these.
    pub place: Option<usize>,
    /// What it keeps the agent from, if the behaviour says so.
    #[entities]
    pub source: Option<Entity>,
    /// The unit vector along which the velocity is bounded.
    pub normal: Vec3,
    /// The least speed along it at the end of the tick, in units a second; below zero if the agent
    /// may go so fast against it. Of a soft limit, as far as it is to be kept in one tick.
    pub bound: f32,
    /// Whether it is [hard](crate::VelocityLimit::hard).
    pub is_hard: bool,
    /// By how much it changed the requested velocity, along its normal, in units a second: zero if
    /// the request keeps it. These add up to the way from
    /// [`VelocityLimits::requested`](crate::VelocityLimits::requested) to
    /// [`permitted`](crate::VelocityLimits::permitted), but for what comes of top speed and
    /// `max_force` where the agent cannot do all that the limits ask for: then each has its share
    /// of what is done.
    pub taken: Vec3,
}

/// Limits at least as heavy as this are hardly violated: the violation says little about what they
/// took.
const FIRM: f32 = 100.0;
/// The agent goes along the edge of a limit that it keeps by less than this share of top speed.
const EDGE: f32 = 1e-4;
/// Less than this share of top speed is rounding.
const ROUNDING: f32 = 1e-5;
/// How often what firm limits took is shared among them again, at most: where two are nearly
/// opposed it takes many times.
const ROUNDS: usize = 1000;

/// All limits that count, hard ones first, and what they took. Without their behaviours and
/// sources, which the agent does not keep.
pub(crate) fn limit_parts(limits: &VelocityLimits, max_speed: f32) -> Vec<TracedLimit> {
    let (requested, permitted) = (limits.requested(), limits.permitted());
    let change = permitted - requested;
    let hard = limits.hard().iter().map(|&one| (one, true));
    let soft = limits.soft().iter().map(|one| (one, false));
    let all: Vec<(HalfSpace, bool)> = hard.chain(soft).collect();
    let is_firm = |i: usize| all[i].1 || all[i].0.weight >= FIRM;
    let (firm, soft): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|&i| is_firm(i));
    let mut taken = vec![0.0; all.len()];
    let mut rest = change;
    // At the permitted velocity, what the violated limits pull is as much as the request pulls
    // back.
    for i in soft {
        let one = all[i].0;
        taken[i] = one.weight * (-one.slack(permitted)).max(0.0);
        rest -= one.normal * taken[i];
    }
    // The others share the rest: each pushes only along its normal. By least squares.
    let tight = firm.into_iter().filter(|&i| all[i].0.slack(permitted) <= EDGE * max_speed);
    let tight: Vec<usize> = tight.collect();
    for _ in 0..ROUNDS {
        let before = rest;
        for &i in &tight {
            let normal = all[i].0.normal;
            let now = (taken[i] + normal.dot(rest)).max(0.0);
            rest -= normal * (now - taken[i]);
            taken[i] = now;
        }
        if rest.distance(before) <= 0.1 * ROUNDING * max_speed {
            break;
        }
    }
    let sum: Vec3 = taken.iter().zip(&all).map(|(&taken, (one, _))| one.normal * taken).sum();
    // Less than all of it is done where force or top speed do not allow that.
    let done = sum.dot(change) / sum.length_squared().max(f32::MIN_POSITIVE);
    let done = if done >= 0.0 { done.min(1.0) } else { 0.0 };
    let part = |(taken, (one, is_hard)): (f32, &(HalfSpace, bool))| {
        let taken = taken * done;
        let taken = if taken > ROUNDING * max_speed { one.normal * taken } else { Vec3::ZERO };
        let (behavior, is_hard) = (usize::MAX, *is_hard);
        TracedLimit { behavior, normal: one.normal, bound: one.bound, is_hard, taken, ..default() }
    };
    taken.into_iter().zip(&all).map(part).collect()
}

/// [`limit_parts`] with their behaviours and sources, those that took most first. Takes what the
/// agent has noted for it.
pub(crate) fn traced_limits(limits: &mut VelocityLimits, max_speed: f32) -> Vec<TracedLimit> {
    let mut noted = limits.take_notes();
    let mut parts = limit_parts(limits, max_speed);
    for part in &mut parts {
        let is_same = |NotedLimit { limit, .. }: &NotedLimit| {
            (limit.normal, limit.bound, limit.is_hard()) == (part.normal, part.bound, part.is_hard)
        };
        if let Some(place) = noted.iter().position(is_same) {
            let NotedLimit { limit, behavior, place } = noted.swap_remove(place);
            (part.behavior, part.place, part.source) = (behavior, place, limit.source);
        }
    }
    parts.sort_by(|a, b| b.taken.length_squared().total_cmp(&a.taken.length_squared()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agent::velocity_limits::Haste,
        pipeline::limit::solver::{Motion, permitted_velocity, softly_permitted},
        simd::one::One,
        space::plane::SteeringPlane,
    };

    const MAX_SPEED: f32 = 5.0;

    /// What limits (normal, bound, whether hard) take from this request, and what remains of it.
    fn taken(requested: Vec3, reach: f32, all: &[(Vec3, f32, bool)]) -> (Vec<Vec3>, Vec3) {
        let mut limits = VelocityLimits::default();
        let (plane, velocity) = (SteeringPlane::Xy, Vec3::ZERO);
        limits.open(plane, velocity, requested, Haste::default());
        for &(normal, bound, is_hard) in all {
            let normal = normal.normalize();
            let one = HalfSpace { normal, bound, weight: HalfSpace::WEIGHT };
            limits.add_half_space(one, is_hard, None);
        }
        let (velocity, requested) = (velocity.to_array(), requested.to_array());
        let motion = Motion { velocity, requested, max_speed: MAX_SPEED, reach };
        let soft = limits.soft().rows();
        let softly = softly_permitted(One, &motion, &soft).into();
        limits.permit(permitted_velocity(plane, &motion, softly, limits.hard(), &soft));
        let parts = limit_parts(&limits, MAX_SPEED);
        assert!(parts.iter().all(|part| part.taken.dot(part.normal) >= 0.0));
        let of = |&(normal, bound, is_hard): &(Vec3, f32, bool)| {
            let is_it = |part: &&TracedLimit| {
                part.normal == normal.normalize() && part.bound == bound && part.is_hard == is_hard
            };
            parts.iter().find(is_it).expect("it is kept").taken
        };
        (all.iter().map(of).collect(), limits.permitted())
    }

    #[test]
    fn each_limit_took_its_part_of_the_change() {
        let request = Vec3::new(3.0, 2.0, 0.0);
        let wall = (Vec3::NEG_X, -1.0, true);
        let other = (Vec3::NEG_Y, -1.5, true);
        let far = (Vec3::X, -4.0, true);
        let (parts, _) = taken(request, 50.0, &[wall, other, far]);
        for (part, expected) in parts.iter().zip([Vec3::NEG_X * 2.0, Vec3::NEG_Y * 0.5, Vec3::ZERO])
        {
            assert!(part.distance(expected) < 1e-3, "{parts:?}");
        }
    }

    #[test]
    fn parts_add_up_to_the_change_for_all_kinds_of_limits() {
        let mut seed = 7_u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let mut changed = 0;
        for _ in 0..200 {
            let mut limit =
                |is_hard: bool| (Vec3::new(next(), next() + 0.01, 0.0), next() - 1.0, is_hard);
            let all = [limit(true), limit(true), limit(false), limit(false), limit(false)];
            let request = Vec3::new(2.0 * next(), 2.0 * next(), 0.0);
            let (parts, permitted) = taken(request, 50.0, &all);
            let off = parts.iter().sum::<Vec3>().distance(permitted - request);
            assert!(off < 2e-3, "{off} of {request} → {permitted}: {parts:?} by {all:?}");
            changed += usize::from(permitted.distance(request) > 0.01);
        }
        assert!(changed > 50, "{changed}");
    }

    #[test]
    fn what_cannot_be_done_is_not_taken() {
        // It would have to change by 4 units a second, and can by 1.
        let (parts, permitted) = taken(Vec3::X, 1.0, &[(Vec3::NEG_X, 3.0, false)]);
        assert!(parts[0].distance(permitted - Vec3::X) < 1e-3, "{parts:?} {permitted}");
    }
}
