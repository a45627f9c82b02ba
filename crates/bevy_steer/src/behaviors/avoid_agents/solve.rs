//! Many limits on one velocity.

use bevy::prelude::*;

use crate::space::vector::truncate;

/// A bound on a change of velocity: it must have at least the length `missing` along a unit vector.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limit {
    pub(super) normal: Vec3,
    /// In units a second.
    pub(super) missing: f32,
    /// Decides between limits that are equally far from being kept.
    pub(super) id: u64,
}

/// The limits that are farthest from being kept, these first.
#[derive(Default)]
pub(super) struct Limits {
    kept: [Limit; Self::MOST],
    count: usize,
}

impl Limits {
    /// In a plane no more than six others of its size can be right beside an agent.
    const MOST: usize = 12;

    pub(super) fn add(&mut self, limit: Limit) {
        let after = |other: &Limit| {
            let by_missing = limit.missing.total_cmp(&other.missing);
            by_missing.then(other.id.cmp(&limit.id)).is_gt()
        };
        let place = self.kept[..self.count].partition_point(|other| !after(other));
        if place < Self::MOST {
            self.count = (self.count + 1).min(Self::MOST);
            self.kept[place..self.count].rotate_right(1);
            self.kept[place] = limit;
        }
    }

    /// Whether a velocity that does not change keeps all of them.
    pub(super) fn are_kept(&self) -> bool {
        self.kept[..self.count].first().is_none_or(|limit| limit.missing <= 0.0)
    }

    /// Makes a change keep these limits, each by a share of what it lacks; last the one that was
    /// farthest from being kept.
    fn impose(&self, change: &mut Vec3, share: f32) {
        for limit in self.kept[..self.count].iter().rev() {
            let lacks = limit.missing - change.dot(limit.normal);
            *change += limit.normal * (lacks.max(0.0) * share);
        }
    }
}

/// A small change of velocity that keeps the limits of others as well as it can, and those of
/// surfaces for certain, for an agent no faster than `max_speed`.
///
/// It projects onto one limit after the other (Kaczmarz 1937): that is quick, the same in two and
/// three dimensions, and where not all limits can be kept the result lies between them. Half steps
/// make it change little where a limit changes little.
pub(super) fn solve(others: &Limits, surfaces: &Limits, velocity: Vec3, max_speed: f32) -> Vec3 {
    const ROUNDS: usize = 6;
    const STEP: f32 = 0.5;
    let mut change = Vec3::ZERO;
    for _ in 0..ROUNDS {
        others.impose(&mut change, STEP);
        surfaces.impose(&mut change, 1.0);
        change = truncate(velocity + change, max_speed) - velocity;
    }
    change
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(all: &[(Vec3, f32)]) -> Limits {
        let mut limits = Limits::default();
        for (id, &(normal, missing)) in all.iter().enumerate() {
            limits.add(Limit { normal, missing, id: id as u64 });
        }
        limits
    }

    #[test]
    fn one_limit_is_met_straight() {
        let change = solve(&limits(&[(Vec3::Y, 2.0)]), &Limits::default(), Vec3::X, 9.0);
        assert!((change - Vec3::Y * 2.0).length() < 0.05, "{change}");
    }

    #[test]
    fn two_limits_are_met_together_and_a_surface_before_both() {
        let others = limits(&[(Vec3::Y, 2.0), (Vec3::X, 1.0)]);
        let change = solve(&others, &Limits::default(), Vec3::ZERO, 9.0);
        assert!((change - Vec3::new(1.0, 2.0, 0.0)).length() < 0.05, "{change}");
        let change = solve(&others, &limits(&[(Vec3::NEG_Y, 0.0)]), Vec3::ZERO, 9.0);
        assert!(change.y <= 0.0 && (change.x - 1.0).abs() < 0.05, "{change}");
    }

    #[test]
    fn the_order_does_not_matter_and_the_weakest_are_dropped() {
        let all: Vec<_> = (0..30)
            .map(|i| {
                (
                    Vec3::new((i * 7 % 5) as f32, (i * 3 % 4) as f32, 0.0).normalize_or(Vec3::X),
                    (i % 7) as f32,
                )
            })
            .collect();
        let numbered = |order: &mut dyn Iterator<Item = usize>| {
            let mut limits = Limits::default();
            for i in order {
                limits.add(Limit { normal: all[i].0, missing: all[i].1, id: i as u64 });
            }
            limits
        };
        let (one, other) = (numbered(&mut (0..30)), numbered(&mut (0..30).rev()));
        assert_eq!(one.kept.map(|limit| limit.id), other.kept.map(|limit| limit.id));
        assert_eq!(one.kept.map(|limit| limit.missing)[..4], [6.0; 4]);
        assert!(!one.are_kept() && limits(&[(Vec3::X, -1.0)]).are_kept());
    }
}
