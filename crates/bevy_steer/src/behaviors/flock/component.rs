//! [`Flock`]: the component, the three rules for one agent, and the implementation. Agents read
//! what was computed for all together; only one of several flocks of an agent is computed alone.

use core::{
    f32::consts::{PI, TAU},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use bevy::{ecs::system::SystemParam, math::ops, prelude::*};

use crate::{
    agent::{Blend, Length, ParameterRange, Priority, SteeringLayers, Unit, builders},
    behavior::{
        Agent, AgentBlock, DebugDraw, DebugLayer, DebugShape, ParamOf, SimdBehavior, Steering,
        SteeringBehavior,
    },
    neighbors::{CurrentIndex, Neighbor, NeighborIndex, PlaneIndex},
    simd::{Lanes, Vector, WIDTH, every, pack},
    space::{NEGLIGIBLE, SteeringPlane, truncate},
};

/// Stays with its neighbours: not too close, not too far away, in the same direction. Reynolds
/// (1987), "Flocks, Herds, and Schools".
///
/// Its neighbours are agents in its own layers or the given ones, within `radius` and inside the
/// view angle. A flock that no other behaviour moves (no target, no [`Wander`](crate::Wander))
/// flies at its cruising speed; with a view angle below 360° it flies slower, as agents ahead repel
/// it and none behind compensates.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// for i in 0..100 {
///     let place = Transform::from_xyz((i % 10) as f32, (i / 10) as f32, 0.0);
///     commands.spawn((Vehicle::default(), Flock::new(4.0), place));
/// }
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Flock {
    /// The distance within which agents are neighbours. Default 10 radii of the vehicle.
    pub radius: Length,
    /// The distance below which neighbours are too close, at most `radius`. Default 5 radii of the
    /// vehicle.
    pub separation_radius: Length,
    /// The view angle, in radians, centred on the heading. Default 2π: in all directions.
    #[reflect(@Unit::Angle, @ParameterRange::at_most(360.0).degrees())]
    pub view_angle: f32,
    /// Weight of separation. Default 1.5.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub separation: f32,
    /// Weight of alignment. Default 1.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub alignment: f32,
    /// Weight of cohesion. Default 1.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub cohesion: f32,
    /// The speed at which it flies while no other behaviour moves it, as a fraction of its top
    /// speed. Default 0.6. With zero it follows its [`WhenIdle`](crate::WhenIdle).
    #[reflect(@ParameterRange::at_most(1.0))]
    pub cruise: f32,
    /// The layers of its neighbours. Default `None`: the agent's own layers.
    pub layers: Option<SteeringLayers>,
    /// The maximum number of neighbours that it considers. Default 128.
    ///
    /// If there are more, it uses a sample in all directions, the same one on every run.
    #[reflect(@ParameterRange::up_to(256.0))]
    pub max_neighbors: u32,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl Default for Flock {
    fn default() -> Self {
        Self::new(Length::Radii(10.0))
    }
}

impl Flock {
    /// A flock with this radius (in world units or as a [`Length`]), and half of it as separation
    /// radius.
    pub fn new(radius: impl Into<Length>) -> Self {
        let radius = radius.into();
        Self {
            radius,
            separation_radius: radius * 0.5,
            view_angle: TAU,
            separation: 1.5,
            alignment: 1.0,
            cohesion: 1.0,
            cruise: 0.6,
            layers: None,
            max_neighbors: 128,
            blend: Blend::default(),
        }
    }

    builders! {
        /// Sets the separation radius, in world units or as a [`Length`].
        with_separation_radius(separation_radius: impl Into<Length>);
        /// Sets the view angle, in radians.
        with_view_angle(view_angle: f32);
        /// Sets the weight of separation.
        with_separation(separation: f32);
        /// Sets the weight of alignment.
        with_alignment(alignment: f32);
        /// Sets the weight of cohesion.
        with_cohesion(cohesion: f32);
        /// Sets the cruising speed, as a fraction of its top speed.
        with_cruise(cruise: f32);
        /// Sets the layers of its neighbours; `None` for the agent's own.
        with_layers(layers: impl Into<Option<SteeringLayers>>);
        /// Sets the maximum number of neighbours.
        with_max_neighbors(max_neighbors: u32);
    }

    /// Sets the weights of the three rules: separation, alignment, cohesion.
    #[must_use]
    pub fn with_rules(self, separation: f32, alignment: f32, cohesion: f32) -> Self {
        self.with_separation(separation).with_alignment(alignment).with_cohesion(cohesion)
    }

    /// The layers of its neighbours: without any of its own those of its agent.
    fn layers_for(&self, agent: &Agent, index: &NeighborIndex) -> SteeringLayers {
        let entry = agent.entry.get();
        let own = || if entry < index.entries { index.layers.get(|| entry) } else { 0 };
        self.layers.unwrap_or_else(|| SteeringLayers(own()))
    }

    /// The neighbours that it sees.
    fn visible_neighbors(
        &self,
        agent: &Agent,
        index: &NeighborIndex,
    ) -> impl Iterator<Item = Neighbor> {
        let sees_part = self.view_angle < TAU;
        let (ahead, min_cos) =
            (agent.direction(), ops::cos((0.5 * self.view_angle).clamp(0.0, PI)));
        let around = agent.beside(self.layers_for(agent, index));
        index.within(around, self.radius.in_units(agent.vehicle)).filter(move |neighbor| {
            let is_seen =
                || neighbor.offset.dot(ahead) >= min_cos * neighbor.distance_squared.sqrt();
            neighbor.is_agent && (!sees_part || is_seen())
        })
    }

    /// The change of velocity by the three rules.
    #[inline(never)]
    fn steer_alone(&self, agent: &Agent, index: &NeighborIndex) -> Vec3 {
        if self.max_neighbors == 0 {
            return Vec3::ZERO;
        }
        let max_speed = agent.vehicle.max_speed;
        let radius = self.radius.in_units(agent.vehicle);
        let separation_radius = self.separation_radius.in_units(agent.vehicle).min(radius);
        let coincident = coincident_distance(separation_radius);
        let (mut count, mut offsets, mut velocities, mut apart) =
            (0, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let visible: Vec<Neighbor> = self.visible_neighbors(agent, index).collect();
        // Of too many some from everywhere.
        let stride = visible.len().div_ceil(self.max_neighbors as usize).max(1);
        for neighbor in visible.into_iter().step_by(stride) {
            count += 1;
            offsets += neighbor.offset;
            velocities += neighbor.velocity;
            apart += if neighbor.distance_squared <= coincident * coincident {
                agent.plane.parting(agent.id.0, neighbor.id.0)
            } else {
                separation_share(neighbor.offset, separation_radius)
            };
        }
        if count == 0 {
            return Vec3::ZERO;
        }
        let share = 1.0 / count as f32;
        truncate(apart, 1.0) * (max_speed * self.separation)
            + alignment(agent.velocity, velocities * share) * self.alignment
            + cohesion(offsets * share, radius, max_speed) * self.cohesion
    }
}

/// The contribution of a neighbour at `offset` to separation: away from it, with the length
/// `s / d − d / s` for the separation radius `s` and the distance `d`. Unbounded at distance zero,
/// and zero at the radius, so that it does not jump when a neighbour crosses it. After Reynolds
/// (1999), "Separation".
pub fn separation_share(offset: Vec3, separation_radius: f32) -> Vec3 {
    let squared = offset.length_squared();
    let radius_squared = separation_radius * separation_radius;
    if squared < radius_squared && squared > NEGLIGIBLE * NEGLIGIBLE {
        offset * ((1.0 - radius_squared / squared) / separation_radius)
    } else {
        Vec3::ZERO
    }
}

/// Agents at most this far apart are coincident: their offset gives no direction to separate.
pub(super) fn coincident_distance(separation_radius: f32) -> f32 {
    NEGLIGIBLE * separation_radius.max(1.0)
}

/// The change of velocity that moves an agent to the centre of its neighbours: `max_speed` if the
/// centre is `radius` away, and proportional to the distance. Reynolds (1999), "Cohesion".
///
/// `mean_offset` is the mean of the neighbours' positions relative to the agent, without itself.
pub fn cohesion(mean_offset: Vec3, radius: f32, max_speed: f32) -> Vec3 {
    if radius > 0.0 { truncate(mean_offset * (max_speed / radius), max_speed) } else { Vec3::ZERO }
}

/// The change of velocity that makes an agent move at the mean velocity of its neighbours. Reynolds
/// (1999), "Alignment".
pub fn alignment(velocity: Vec3, mean_velocity: Vec3) -> Vec3 {
    mean_velocity - velocity
}

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
        draw.circle(DebugLayer::Range, center, radius);
        draw.circle(DebugLayer::Range, center, separation_radius);
        if self.view_angle < TAU {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separation_grows_with_nearness_and_ends_at_its_radius() {
        // 4/2 − 2/4 and 4/1 − 1/4.
        assert_eq!(separation_share(Vec3::X * 2.0, 4.0), Vec3::NEG_X * 1.5);
        assert_eq!(separation_share(Vec3::X * 1.0, 4.0), Vec3::NEG_X * 3.75);
        assert!(separation_share(Vec3::X * 3.999, 4.0).length() < 1e-3);
        assert_eq!(separation_share(Vec3::X * 4.0, 4.0), Vec3::ZERO);
        assert_eq!(separation_share(Vec3::ZERO, 4.0), Vec3::ZERO);
    }

    #[test]
    fn cohesion_is_in_proportion_to_the_distance() {
        assert_eq!(cohesion(Vec3::Y * 2.0, 4.0, 10.0), Vec3::Y * 5.0);
        assert_eq!(cohesion(Vec3::Y * 9.0, 4.0, 10.0), Vec3::Y * 10.0);
        assert_eq!(cohesion(Vec3::Y, 0.0, 10.0), Vec3::ZERO);
    }

    #[test]
    fn alignment_matches_the_mean_velocity() {
        assert_eq!(alignment(Vec3::X, Vec3::Y * 3.0), Vec3::new(-1.0, 3.0, 0.0));
    }
}
