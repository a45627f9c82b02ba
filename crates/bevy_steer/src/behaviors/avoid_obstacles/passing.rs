//! What [`AvoidObstacles`](crate::AvoidObstacles) remembers of the obstacles that it is passing.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::space::vector::{direction, perpendicular};

/// What [`AvoidObstacles`](crate::AvoidObstacles) remembers of an obstacle that it is passing.
///
/// It is forgotten one second after the obstacle was last in the way.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Passing {
    /// The obstacle, if there is one.
    #[entities]
    pub obstacle: Option<Entity>,
    /// The unit vector to the side on which it is passed.
    pub side: Vec3,
    /// How long the obstacle has not been in the way, in seconds.
    pub unseen: f32,
}

/// An obstacle that is out of the way is remembered this long, in seconds: a step aside for another
/// one must not undo the choice.
const MEMORY: f32 = 1.0;

impl Passing {
    /// The memory of an obstacle among these, in the place of the oldest if there is none.
    pub(super) fn of(all: &mut [Self], obstacle: Entity) -> &mut Self {
        let oldest = |best: usize, i: usize| {
            let age = |memory: &Self| memory.obstacle.map_or(f32::INFINITY, |_| memory.unseen);
            if age(&all[i]) > age(&all[best]) { i } else { best }
        };
        let known = all.iter().position(|memory| memory.obstacle == Some(obstacle));
        let memory =
            &mut all[known.unwrap_or_else(|| (0..all.len()).rev().reduce(oldest).unwrap_or(0))];
        if known.is_none() {
            *memory = Self { obstacle: Some(obstacle), ..default() };
        }
        memory.unseen = 0.0;
        memory
    }

    /// Lets time go by for these.
    pub(super) fn age(all: &mut [Self], dt: f32) {
        for memory in all.iter_mut().filter(|memory| memory.obstacle.is_some()) {
            memory.unseen += dt;
        }
    }

    /// Forgets those that have not been in the way for a while.
    pub(super) fn forget(all: &mut [Self]) {
        for memory in all.iter_mut().filter(|memory| memory.unseen > MEMORY) {
            *memory = Self::default();
        }
    }

    /// The chosen side, perpendicular to the unit vector `axis`; zero if none was chosen.
    pub(super) fn side(&self, axis: Vec3) -> Vec3 {
        direction(perpendicular(self.side, axis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_obstacles_are_remembered_and_the_oldest_makes_room() {
        let entity = |i| Entity::from_raw_u32(i).expect("an entity");
        let mut all = [Passing::default(); 2];
        for (i, side) in [(1, Vec3::X), (2, Vec3::Y), (1, Vec3::X)] {
            Passing::age(&mut all, 0.1);
            Passing::of(&mut all, entity(i)).side = side;
        }
        assert_eq!(Passing::of(&mut all, entity(2)).side, Vec3::Y);
        Passing::age(&mut all, 0.1);
        Passing::of(&mut all, entity(2));
        assert_eq!(Passing::of(&mut all, entity(3)).side, Vec3::ZERO);
        assert_eq!(Passing::of(&mut all, entity(2)).side, Vec3::Y);
        Passing::age(&mut all, 2.0);
        Passing::forget(&mut all);
        assert_eq!(all, [Passing::default(); 2]);
    }
}
