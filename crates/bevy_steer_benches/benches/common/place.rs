//! Where a crowd is, and the dice that scatter it.

use bevy::{math::ops, prelude::*};
use bevy_steer::prelude::*;
use rand::RngExt;
use rand_pcg::Pcg32;

/// Random numbers that are the same on every run.
pub struct Dice(Pcg32);

impl Dice {
    /// Other numbers for each `salt`.
    pub fn new(salt: u64) -> Self {
        Self(Pcg32::new(20, salt))
    }

    /// Somewhere from `low` to `high`.
    pub fn number(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.0.random::<f32>()
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.0.random_range(0..from.len())]
    }
}

/// A square or a cube that wraps round, with its middle at the origin.
#[derive(Clone, Copy)]
pub struct Place {
    /// How many agents are in it.
    pub agents: usize,
    /// The space in which they steer.
    pub plane: SteeringPlane,
    /// How wide it is, in units.
    pub side: f32,
}

impl Place {
    /// The ground of games seen from above, so large that each agent has `others` within one
    /// unit.
    pub fn plane(agents: usize, mates: f32) -> Self {
        let area = agents as f32 * core::f32::consts::PI / mates;
        Self { agents, plane: SteeringPlane::Xy, side: area.sqrt() }
    }

    /// The same in free space.
    pub fn space(agents: usize, mates: f32) -> Self {
        let volume = agents as f32 * (4.0 / 3.0 * core::f32::consts::PI) / mates;
        Self { agents, plane: SteeringPlane::Free, side: ops::cbrt(volume) }
    }

    /// A ground that is equally large whatever the number of agents: for agents that interact with
    /// what stands on it, and not with each other.
    pub fn ground(agents: usize) -> Self {
        Self { agents, plane: SteeringPlane::Xy, side: 100.0 }
    }

    /// Its edges.
    pub fn bounds(&self) -> Bounds {
        let half = Vec3::splat(self.side * 0.5);
        Bounds::cuboid(-half, half, BoundsEdge::Wrap)
    }

    /// Somewhere in it.
    pub fn point(&self, dice: &mut Dice) -> Vec3 {
        let half = self.side * 0.5;
        self.plane.flatten(Vec3::from_array(core::array::from_fn(|_| dice.number(-half, half))))
    }

    /// A unit vector along which one can move in it.
    pub fn direction(&self, dice: &mut Dice) -> Vec3 {
        let way = Vec3::from_array(core::array::from_fn(|_| dice.number(-1.0, 1.0)));
        self.plane.flatten(way).normalize_or(Vec3::X)
    }
}
