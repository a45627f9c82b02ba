//! Avoid agents: out of each other's way.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use super::blend_field;
use crate::{
    behavior::{Agent, Steering, SteeringBehavior},
    blend::{Blend, Priority},
    layers::SteeringLayers,
    neighbors::{Neighbor, NeighborIndex, Neighbors},
    plane::SteeringPlane,
    sketch::{Part, Sketch},
    vector::{NEGLIGIBLE, direction, split},
};

/// When two that keep their velocities are nearest to each other: `−Δp·Δv / |Δv|²`, in seconds; `None` if they part or
/// keep their distance. Reynolds (1999), "Unaligned collision avoidance".
///
/// `offset` is the one's place relative to the other's, `relative` its velocity relative to the other's.
pub fn closest_approach(offset: Vec3, relative: Vec3) -> Option<f32> {
    let squared = relative.length_squared();
    let time = -offset.dot(relative) / squared;
    (squared > NEGLIGIBLE * NEGLIGIBLE && time > 0.0).then_some(time)
}

/// The change of velocity that makes one of two pass the other at `clearance` units: sideways, away from where the other
/// will be, just fast enough to make it in the time that is left.
///
/// Both get opposite directions if both do it, head-on too: then each turns to its left. Zero if they miss anyway.
pub fn dodge(
    plane: SteeringPlane,
    offset: Vec3,
    relative: Vec3,
    time: f32,
    clearance: f32,
    max_speed: f32,
) -> Vec3 {
    let miss = offset + relative * time;
    let missing = clearance - miss.length();
    if missing.is_nan() || missing <= 0.0 {
        return Vec3::ZERO;
    }
    // The bias to the left decides a head-on meeting, and fades as the miss says clearly who passes where.
    let left = direction(plane.left(relative));
    let aside = direction(miss + left * (0.3 * missing));
    aside * (missing / time.max(f32::MIN_POSITIVE)).min(max_speed)
}

/// Keeps out of the way of other agents: dodges the one that it would bump into first, and backs out of overlaps.
///
/// It looks at every agent in the given layers, whether it has the behaviour or not.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AvoidAgents {
    /// Whom. Default all.
    pub layers: SteeringLayers,
    /// The room that it wants around it, in multiples of the vehicle's radius. Default 1.3.
    pub radius: f32,
    /// How far ahead it looks, in seconds. Default 1.5.
    pub horizon: f32,
    /// Its part in arbitration; its own tier is [`Priority::Critical`].
    pub blend: Blend,
}

impl Default for AvoidAgents {
    fn default() -> Self {
        Self { layers: SteeringLayers::ALL, radius: 1.3, horizon: 1.5, blend: Blend::default() }
    }
}

impl AvoidAgents {
    /// Only who is in one of these layers.
    #[must_use]
    pub fn with_layers(mut self, layers: SteeringLayers) -> Self {
        self.layers = layers;
        self
    }

    /// With this room around it, in multiples of the vehicle's radius.
    #[must_use]
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// Looking this far ahead, in seconds.
    #[must_use]
    pub fn with_horizon(mut self, seconds: f32) -> Self {
        self.horizon = seconds;
        self
    }
}

impl SteeringBehavior for AvoidAgents {
    type World = Neighbors<'static, 'static, ()>;
    const PRIORITY: Priority = Priority::Critical;
    blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, index: &SystemParamItem<Self::World>) -> Steering {
        let own = self.own_room(agent);
        let Seen { mut overlapping, first } = self.look(agent, index);
        // The sum must not depend on how the index is laid out.
        overlapping.sort_unstable_by_key(|other| other.number);
        let apart: Vec3 = overlapping.iter().map(|other| push_apart(agent, own, other)).sum();
        Steering::linear(apart + first.map_or(Vec3::ZERO, |first| first.aside))
    }

    fn sketch(&self, agent: &Agent, index: &SystemParamItem<Self::World>, sketch: &mut Sketch) {
        sketch.circle(Part::Range, agent.position, self.own_room(agent));
        let Seen { overlapping, first } = self.look(agent, index);
        for other in overlapping {
            sketch.line(Part::Link, agent.position, agent.position + other.offset);
        }
        if let Some(Threat { time, other, .. }) = first {
            let here = agent.position + agent.velocity * time;
            let there = agent.position + other.offset + agent.plane.flatten(other.velocity) * time;
            sketch
                .line(Part::Guess, agent.position, here)
                .circle(Part::Guess, here, agent.vehicle.radius)
                .circle(Part::Guess, there, other.radius);
        }
    }
}

/// Whom an agent has to mind.
struct Seen {
    overlapping: Vec<Neighbor>,
    /// Whom it would bump into first.
    first: Option<Threat>,
}

struct Threat {
    /// Until they are nearest to each other, in seconds.
    time: f32,
    other: Neighbor,
    /// The change of velocity that dodges it.
    aside: Vec3,
}

impl AvoidAgents {
    /// The radius of the room that the agent wants, in units.
    fn own_room(&self, agent: &Agent) -> f32 {
        agent.vehicle.radius * self.radius.max(0.0)
    }

    #[inline(always)]
    fn look(&self, agent: &Agent, index: &NeighborIndex) -> Seen {
        let own = self.own_room(agent);
        let max_speed = agent.vehicle.max_speed;
        let closing = agent.velocity.length() + index.fastest();
        let reach = own + index.largest() + closing * self.horizon.max(0.0);
        let mut seen = Seen { overlapping: Vec::new(), first: None };
        for other in index.within(agent.around(self.layers), reach).filter(|other| other.is_agent) {
            let offset = -other.offset;
            let clearance = own + other.radius;
            if other.distance_squared < clearance * clearance {
                seen.overlapping.push(other);
                continue;
            }
            let relative = agent.velocity - agent.plane.flatten(other.velocity);
            let Some(time) = closest_approach(offset, relative) else { continue };
            let is_later =
                |first: &Threat| (first.time, first.other.number) <= (time, other.number);
            if time > self.horizon || seen.first.as_ref().is_some_and(is_later) {
                continue;
            }
            let aside = dodge(agent.plane, offset, relative, time, clearance, max_speed);
            if aside != Vec3::ZERO {
                seen.first = Some(Threat { time, other, aside });
            }
        }
        seen
    }
}

/// The way out of an overlap; each of the two sees to its half.
fn push_apart(agent: &Agent, own: f32, other: &Neighbor) -> Vec3 {
    let (away, distance) = split(-other.offset);
    let away =
        if away == Vec3::ZERO { agent.plane.parting(agent.number.0, other.number.0) } else { away };
    let relative = agent.velocity - agent.plane.flatten(other.velocity);
    let outward = (own + other.radius - distance) / agent.response();
    let inward = (-relative.dot(away)).max(0.0);
    away * (0.5 * (outward + inward)).min(agent.vehicle.max_speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const XY: SteeringPlane = SteeringPlane::Xy;

    #[test]
    fn nearest_when_the_way_is_perpendicular() {
        assert_eq!(closest_approach(Vec3::new(-6.0, 2.0, 0.0), Vec3::X * 3.0), Some(2.0));
        assert_eq!(closest_approach(Vec3::X, Vec3::X), None);
        assert_eq!(closest_approach(Vec3::X, Vec3::ZERO), None);
    }

    #[test]
    fn dodges_to_the_side_it_passes_on() {
        // It would pass 1 above, wants 2: gains 1 in 2 s.
        let change = dodge(XY, Vec3::new(-6.0, 1.0, 0.0), Vec3::X * 3.0, 2.0, 2.0, 10.0);
        assert!((change - Vec3::Y * 0.5).length() < 1e-5, "{change}");
        assert_eq!(dodge(XY, Vec3::new(-6.0, 3.0, 0.0), Vec3::X * 3.0, 2.0, 2.0, 10.0), Vec3::ZERO);
    }

    #[test]
    fn both_of_a_pair_go_opposite_ways() {
        for miss in [-0.7_f32, -0.01, 0.0, 0.01, 0.7] {
            let offset = Vec3::new(-6.0, miss, 0.0);
            let one = dodge(XY, offset, Vec3::X * 3.0, 2.0, 2.0, 10.0);
            let other = dodge(XY, -offset, Vec3::NEG_X * 3.0, 2.0, 2.0, 10.0);
            assert!((one + other).length() < 1e-5 && one.length() > 0.1, "{miss}: {one} {other}");
        }
    }
}
