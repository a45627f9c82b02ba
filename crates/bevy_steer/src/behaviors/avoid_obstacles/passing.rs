//! How [`AvoidObstacles`](crate::AvoidObstacles) passes what an agent would run into: the formula,
//! and what it remembers of the obstacles that it is passing.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    obstacles::PlacedObstacle,
    space::{direction, perpendicular},
};

/// The approach of an agent to an obstacle on its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleApproach {
    /// The unit vector of its motion relative to the obstacle.
    pub along: Vec3,
    /// How fast that is, in units a second.
    pub speed: f32,
    /// After how many units it touches the obstacle.
    pub distance: f32,
    /// How many units it looks ahead.
    #[doc(alias = "look_ahead")]
    pub look_ahead_distance: f32,
}

/// On which side of an obstacle an agent passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstaclePass {
    /// The unit vector to that side, perpendicular to the motion.
    pub sideways: Vec3,
    /// How many units it still has to gain on that side until it passes with its margin.
    #[doc(alias = "margin")]
    pub clearance: f32,
    /// What it has to gain in a head-on approach, in units.
    pub width: f32,
}

/// The change of velocity that takes an agent round an obstacle ahead.
///
/// The sideways part gains just the clearance in the time that is left after `delay` (seconds), so
/// it grows as the obstacle comes near, up to `max_speed`. `brake` (0 to 1) of the speed is taken
/// off near the obstacle, the more the closer the approach is to head-on. Both fade out towards a
/// graze. After Reynolds (1999), "Obstacle Avoidance".
pub fn avoid_obstacle(
    approach: ObstacleApproach,
    pass: ObstaclePass,
    brake: f32,
    delay: f32,
    max_speed: f32,
) -> Vec3 {
    let ObstacleApproach { along, speed, distance, look_ahead_distance } = approach;
    let ObstaclePass { sideways, clearance, width } = pass;
    let time = if speed > 0.0 { distance / speed } else { f32::INFINITY };
    let in_time = (time - delay).max(delay).max(f32::MIN_POSITIVE);
    let nearness = if look_ahead_distance > 0.0 {
        (1.0 - distance / look_ahead_distance).clamp(0.0, 1.0)
    } else {
        1.0
    };
    let missing = clearance.max(0.0);
    let head_on = if width > 0.0 { (missing / width).min(1.0) } else { 0.0 };
    let aside = sideways * (missing / in_time).min(max_speed);
    aside - along * (speed.min(max_speed) * brake * head_on * nearness * nearness)
}

/// An obstacle on the agent's path.
#[derive(Clone, Copy)]
pub(super) struct ObstacleAhead {
    pub obstacle: PlacedObstacle,
    /// The agent's position relative to the obstacle.
    pub from: Vec3,
    pub approach: ObstacleApproach,
}

impl ObstacleAhead {
    /// Whether it is met before another one. In time: of two the farther one may be met first.
    fn is_sooner(&self, other: &Self) -> bool {
        let (own, other) = (&self.approach, &other.approach);
        own.distance * other.speed < other.distance * own.speed
    }

    /// Adds this one to the two that are met first.
    pub(super) fn note(self, first: &mut [Option<Self>; 2]) {
        let place = first.iter().position(|known| known.is_none_or(|one| self.is_sooner(&one)));
        if let Some(place) = place {
            first[place..].rotate_right(1);
            first[place] = Some(self);
        }
    }

    /// Those that count, and how much: the first; and the second the more, the more nearly
    /// both are met at once, as the posts of a gate are. Else an agent would tremble between them.
    pub(super) fn counting(
        [first, second]: [Option<Self>; 2],
        body: f32,
    ) -> [Option<(Self, f32)>; 2] {
        let share = |second: &Self| {
            let later =
                first.map_or(0.0, |first| second.approach.distance - first.approach.distance);
            (1.0 - later.abs() / (2.0 * body)).max(0.0)
        };
        [first.map(|first| (first, 1.0)), second.map(|second| (second, share(&second)))]
    }
}

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

    /// A change for an obstacle straight ahead at 5 units a second.
    fn change(distance: f32, clearance: f32, brake: f32, delay: f32, max_speed: f32) -> Vec3 {
        let approach =
            ObstacleApproach { along: Vec3::X, speed: 5.0, distance, look_ahead_distance: 20.0 };
        let pass = ObstaclePass { sideways: Vec3::Y, clearance, width: 6.0 };
        avoid_obstacle(approach, pass, brake, delay, max_speed)
    }

    #[test]
    fn gains_the_clearance_in_the_time_that_is_left() {
        // 10 units at 5 a second: 2 s, less 0.5 s of delay; 3 units to gain.
        let change = change(10.0, 3.0, 0.0, 0.5, 100.0);
        assert!((change - Vec3::Y * 2.0).length() < 1e-5, "{change}");
    }

    #[test]
    fn grows_as_the_obstacle_comes_near_up_to_full_speed() {
        let at = |distance| change(distance, 3.0, 0.0, 0.1, 8.0).y;
        assert!(at(4.0) > at(8.0) && at(8.0) > at(16.0));
        assert_eq!(at(0.0), 8.0);
    }

    #[test]
    fn brakes_only_when_near_and_head_on() {
        let brake = |distance, clearance| change(distance, clearance, 0.8, 0.1, 8.0).x;
        assert_eq!(brake(20.0, 6.0), 0.0);
        assert!((brake(10.0, 6.0) - -1.0).abs() < 1e-5);
        assert!((brake(0.0, 6.0) - -4.0).abs() < 1e-5);
        assert!((brake(0.0, 3.0) - -2.0).abs() < 1e-5);
        assert_eq!(brake(0.0, 0.0), 0.0);
    }

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
