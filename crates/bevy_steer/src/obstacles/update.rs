//! The [`ObstacleIndex`] is kept up to date: most obstacles never move.

use core::cmp::Ordering;

use bevy::prelude::*;

use crate::{
    obstacles::{index::ObstacleIndex, placed::PlacedObstacle, size_class::SizeClass},
    space::{bounds::Bounds, plane::SteeringPlane},
};

impl ObstacleIndex {
    /// Builds the index of these as far as they are not the same as in the last tick: most
    /// obstacles never move. The result does not depend on what it was.
    pub(super) fn update(
        &mut self,
        found: Vec<PlacedObstacle>,
        plane: SteeringPlane,
        bounds: &Bounds,
    ) {
        let changes = self.changes(&found, plane, bounds);
        self.spare = core::mem::replace(&mut self.placed, found);
        match changes {
            Some(changes) if changes.is_empty() => {}
            Some(changes) => self.rebuild(&changes, plane, bounds),
            None => self.build(plane, bounds),
        }
    }

    /// Which obstacles have changed, if these are few.
    fn changes(
        &self,
        found: &[PlacedObstacle],
        plane: SteeringPlane,
        bounds: &Bounds,
    ) -> Option<Vec<u32>> {
        if self.built_for != Some((plane, *bounds)) || found.len() != self.placed.len() {
            return None;
        }
        let mut changes = Vec::new();
        for (i, (old, new)) in self.placed.iter().zip(found).enumerate() {
            if old != new {
                changes.push(i as u32);
                if old.entity != new.entity || changes.len() > found.len() / FEW {
                    return None;
                }
            }
        }
        Some(changes)
    }

    pub(super) fn build(&mut self, plane: SteeringPlane, bounds: &Bounds) {
        self.built_for = Some((plane, *bounds));
        self.order = (0..self.placed.len() as u32).collect();
        let Self { placed, order, sizes, .. } = self;
        order.sort_unstable_by(|&a, &b| in_order(placed, a, b));
        let key = |i: u32| SizeClass::key_of(&placed[i as usize], plane);
        let mut by_key: Vec<(u32, u32)> = order.iter().map(|&i| (key(i), i)).collect();
        by_key.sort_by_key(|&(key, _)| key);
        let classes = by_key.chunk_by(|a, b| a.0 == b.0).map(|some| {
            let members: Vec<u32> = some.iter().map(|&(_, i)| i).collect();
            SizeClass::build(some[0].0, &members, placed, plane, bounds)
        });
        *sizes = classes.collect();
        self.find_fastest();
    }

    /// Builds the classes anew in which something has changed.
    fn rebuild(&mut self, changes: &[u32], plane: SteeringPlane, bounds: &Bounds) {
        let Self { placed, order, sizes, spare: before, .. } = self;
        let mut moved: Vec<u32> = changes.to_vec();
        moved.sort_unstable_by(|&a, &b| in_order(placed, a, b));
        let mut has_changed = vec![false; placed.len()];
        changes.iter().for_each(|&i| has_changed[i as usize] = true);
        let mut moved = moved.into_iter().peekable();
        let mut merged = Vec::with_capacity(order.len());
        for &i in order.iter().filter(|&&i| !has_changed[i as usize]) {
            while let Some(one) = moved.next_if(|&one| in_order(placed, one, i).is_lt()) {
                merged.push(one);
            }
            merged.push(i);
        }
        merged.extend(moved);
        *order = merged;

        let both = |&i: &u32| [&before[i as usize], &placed[i as usize]];
        let key_of = |one: &PlacedObstacle| SizeClass::key_of(one, plane);
        let mut keys: Vec<u32> = changes.iter().flat_map(both).map(key_of).collect();
        keys.sort_unstable();
        keys.dedup();
        sizes.retain(|class| keys.binary_search(&class.key).is_err());
        for key in keys {
            let is_member = |i: &u32| key_of(&placed[*i as usize]) == key;
            let members: Vec<u32> = order.iter().copied().filter(is_member).collect();
            if !members.is_empty() {
                sizes.push(SizeClass::build(key, &members, placed, plane, bounds));
            }
        }
        sizes.sort_by_key(|class| class.key);
        self.find_fastest();
    }

    fn find_fastest(&mut self) {
        self.fastest = self.sizes.iter().fold(0.0, |fastest, class| fastest.max(class.fastest));
    }
}

/// By their properties first, so that nothing depends on the order of spawning.
fn in_order(placed: &[PlacedObstacle], a: u32, b: u32) -> Ordering {
    let (a, b) = (&placed[a as usize], &placed[b as usize]);
    let place = |one: &PlacedObstacle| one.position.to_array().map(f32::to_bits);
    // Mostly decided by the first number.
    let by_place = place(a).cmp(&place(b));
    by_place.then_with(|| a.numbers().cmp(b.numbers())).then_with(|| a.entity.cmp(&b.entity))
}

/// Where one in so many has changed, all is built anew.
const FEW: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obstacles::{
        index::tests::{scattered, segment},
        shape::Obstacle,
    };

    #[test]
    fn an_index_that_is_updated_equals_a_new_one() {
        let stone = |i: u32, tick: u32| {
            let moves = i % 40 == tick % 40 || i.is_multiple_of(97);
            let shift = if moves { tick as f32 * 3.0 } else { 0.0 };
            let radius = if i % 31 == tick { 9.0 } else { 0.5 };
            PlacedObstacle {
                position: Vec3::new(scattered(i, 1) * 100.0 + shift, scattered(i, 2) * 100.0, 0.0),
                velocity: Vec3::X
                    * if i.is_multiple_of(97) { (tick % 3) as f32 * 20.0 } else { 0.0 },
                shape: Obstacle::sphere(radius).shape,
                is_wall: false,
                bounding_radius: radius,
                ..segment(Vec3::ZERO, Vec3::X, i)
            }
        };
        let (plane, bounds) = (SteeringPlane::Xy, Bounds::UNBOUNDED);
        let mut index = ObstacleIndex::default();
        for tick in 0..60 {
            let now: Vec<_> = (0..500 - tick / 20).map(|i| stone(i, tick)).collect();
            index.update(now.clone(), plane, &bounds);
            let mut new = ObstacleIndex::default();
            new.update(now, plane, &bounds);
            assert!(index.iter().eq(new.iter()) && index.fastest == new.fastest, "{tick}");
            let everywhere = Vec3::splat(1e6);
            assert!(index.in_box(-everywhere, everywhere).eq(new.in_box(-everywhere, everywhere)));
            let classes = |index: &ObstacleIndex| -> Vec<(u32, Vec<u32>)> {
                index.sizes.iter().map(|class| (class.key, class.members.clone())).collect()
            };
            assert_eq!(classes(&index), classes(&new), "{tick}");
        }
    }
}
