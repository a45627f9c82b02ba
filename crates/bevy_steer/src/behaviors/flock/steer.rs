//! [`Flock`] as a behaviour: agents read the results that were computed for all together.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    agent::blend::Priority,
    behavior::{
        agent::Agent,
        agent_block::AgentBlock,
        debug_draw::{DebugDraw, DebugLayer, DebugShape},
        simd_behavior::SimdBehavior,
        steering_behavior::{ParamOf, Steering, SteeringBehavior},
    },
    behaviors::flock::component::Flock,
    neighbors::{CurrentIndex, PlaneIndex},
    simd::{
        lanes::{Lanes, WIDTH, every, pack},
        vector::Vector,
    },
    space::plane::SteeringPlane,
};

/// The index, which holds the changes of velocity of all flocking agents.
#[derive(SystemParam)]
pub struct FlockChanges<'w>(Res<'w, CurrentIndex>);

/// Three coordinates from those that a plane has: `$own` is evaluated as two or three of them.
macro_rules! in_plane {
    ($plane:expr, $zero:expr, $own:expr) => {
        match $plane {
            SteeringPlane::Xy => {
                let [x, y] = $own;
                [x, y, $zero]
            }
            SteeringPlane::Xz => {
                let [x, z] = $own;
                [x, $zero, z]
            }
            SteeringPlane::Free => $own,
        }
    };
}

impl SteeringBehavior for Flock {
    type Param = FlockChanges<'static>;
    const PRIORITY: Priority = Priority::Normal;
    /// It only keeps the agent at its position among the others.
    const DRIVES: bool = false;
    crate::blend_field!();

    #[inline]
    fn cruise(&self) -> f32 {
        self.cruise
    }

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, changes: &ParamOf<Self>) -> Steering {
        if agent.place.is_some() {
            return Steering::linear(self.steer_alone(agent, &changes.0.0));
        }
        let index = &changes.0.0.planes[agent.plane as usize];
        let entry = agent.entry.get();
        let change = in_plane!(agent.plane, 0.0, change(index.vectors()[1], entry));
        Steering::linear(change.into())
    }

    fn debug_draw(&self, agent: &Agent, changes: &ParamOf<Self>, draw: &mut DebugDraw) {
        let (center, along) = (agent.position, agent.direction());
        let (angle, radius) = (self.view_angle.max(0.0), self.radius.in_units(agent.vehicle));
        let separation_radius = self.separation_radius.in_units(agent.vehicle).min(radius);
        draw.circle(DebugLayer::Range, center, radius).circle(
            DebugLayer::Range,
            center,
            separation_radius,
        );
        if self.view_angle < core::f32::consts::TAU {
            draw.add(DebugLayer::View, DebugShape::Sector { center, along, angle, radius });
        } else {
            draw.circle(DebugLayer::View, center, radius);
        }
        if draw.shows(DebugLayer::Link) {
            for neighbor in self.visible_neighbors(agent, &changes.0.0) {
                draw.line(DebugLayer::Link, center, center + neighbor.offset);
            }
        }
    }
}

impl SimdBehavior for Flock {
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        _: &mut [Self; WIDTH],
        agents: &AgentBlock,
        changes: &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        let index = &changes.0.0.planes[agents.plane as usize];
        (in_plane!(agents.plane, l.splat(0.0), changes_of(l, index, agents)), requested)
    }
}

/// The changes of velocity of eight agents, coordinate by coordinate.
#[inline(always)]
fn changes_of<L: Lanes, const D: usize>(
    l: L,
    index: &PlaneIndex,
    agents: &AgentBlock,
) -> [L::F; D] {
    let [_, by_entry] = index.vectors::<D>();
    let entries = agents.entries();
    let found = every!(i => change(by_entry, entries[i].get()));
    // A closure would be compiled by itself, without the instructions of the lanes.
    let mut changes = [l.splat(0.0); D];
    for d in 0..D {
        changes[d] = pack!(l, i => found[i][d]);
    }
    changes
}

/// The change of velocity of the agent in this entry; zero if it is not in the index.
#[inline(always)]
fn change<const D: usize>(by_entry: &[[AtomicU32; D]], entry: usize) -> [f32; D] {
    let mut change = [0.0; D];
    if let Some(found) = by_entry.get(entry) {
        for d in 0..D {
            change[d] = f32::from_bits(found[d].load(Relaxed));
        }
    }
    change
}
