//! What [`AvoidObstacles`](crate::AvoidObstacles) remembers of the obstacles that it is passing.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    agent::parameter::RuntimeState,
    behavior::Agent,
    space::vector::{direction, perpendicular},
};

/// What [`AvoidObstacles`](crate::AvoidObstacles) remembers of an obstacle that it is passing.
///
/// It is forgotten one second after the obstacle was last in the way.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
#[reflect(@RuntimeState)]
pub struct Passing {
    /// The obstacle, if there is one.
    #[entities]
    pub obstacle: Option<Entity>,
    /// The unit vector to the side on which it is passed.
    pub side: Vec3,
    /// How long the obstacle has not been in the way, in seconds.
    pub unseen: f32,
    /// Where the agent was when it last got on, relative to the obstacle.
    pub place: Vec3,
    /// How long ago that was, in seconds. Counted while it is close.
    pub stalled: f32,
    /// How often it has come to a halt there.
    pub stalls: u8,
    /// How much longer it follows the outline of the obstacle, in seconds.
    pub following: f32,
}

/// An obstacle that is out of the way is remembered this long, in seconds: a step aside for another
/// one must not undo the choice.
const MEMORY: f32 = 1.0;
/// An agent that is slower than this share of its top speed on average does not get on.
const SLOW: f32 = 0.1;
/// For how long, beyond the time that it takes to get going, in seconds.
const PATIENCE: f32 = 0.5;
/// It follows an outline at this share of its top speed at least, as others pull it back.
const FOLLOWS: f32 = 0.4;

impl Passing {
    /// After that many halts the agent goes to the other side, where the halt says it is pulled to;
    const TURN: u8 = 1;
    /// follows the outline on this side, whatever pulls, as it is held on both sides;
    pub(super) const FOLLOW: u8 = 2;
    /// the same on the other side, as something is in the way;
    const FOLLOW_BACK: u8 = 3;
    /// and rests: what it wants cannot be reached.
    const REST: u8 = 4;
    /// It has come to rest. When it gets on from there it wants something else.
    const AT_REST: u8 = 5;

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

    /// Whether the agent keeps to the side, as it came to a halt before.
    pub(super) fn is_decided(&self) -> bool {
        self.stalls > 0
    }

    /// Whether the agent goes along the outline, whatever pulls.
    pub(super) fn follows(&self) -> bool {
        matches!(self.stalls, Self::FOLLOW | Self::FOLLOW_BACK)
    }

    pub(super) fn rests(&self) -> bool {
        self.stalls >= Self::REST
    }

    /// Chooses the side to which the agent drifts along the obstacle. To be pulled back counts as
    /// a halt: it may swing to and fro and never stand still.
    pub(super) fn drift(&mut self, side: Vec3) {
        if self.side.dot(side) < 0.0 {
            self.stalls = Self::TURN;
        }
        self.side = side;
    }

    /// Notes that the agent is close to the obstacle, at `from` relative to it, and what follows if
    /// it does not get on. `around` is the length of the way round the obstacle, in units.
    pub(super) fn progress(&mut self, agent: &Agent, from: Vec3, around: f32) {
        let vehicle = agent.vehicle;
        let patience = PATIENCE + vehicle.max_speed / vehicle.max_acceleration();
        let gets_on = from.distance(self.place) > SLOW * vehicle.max_speed * patience;
        if gets_on {
            (self.place, self.stalled) = (from, 0.0);
        }
        if self.stalls == Self::AT_REST {
            self.stalls = if gets_on { 0 } else { Self::AT_REST };
            return;
        }
        self.stalled += agent.dt;
        if self.follows() {
            self.following -= agent.dt;
        }
        if self.stalled > patience {
            (self.place, self.stalled) = (from, 0.0);
            self.stalls += 1;
            match self.stalls {
                Self::TURN | Self::FOLLOW_BACK => self.side = -self.side,
                Self::FOLLOW => self.following = around / (FOLLOWS * vehicle.max_speed),
                _ => {}
            }
        } else if self.follows() && self.following <= 0.0 {
            self.stalls = Self::REST;
        }
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
