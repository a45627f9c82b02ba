//! Flock: together, apart, and the same way.

mod batch;
mod candidates;
mod coincident;
mod kernel;
mod params;
mod sparse;
mod sum;
mod uniform;

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::{
    ecs::system::{SystemChangeTick, SystemParam, SystemParamItem},
    math::ops,
    prelude::*,
};

pub(crate) use crate::behaviors::flock::uniform::UniformFlocks;
use crate::{
    agent::{
        blend::{Blend, Priority},
        layers::SteeringLayers,
        parameter::{ParameterRange, Unit},
        tick_context::Tick,
    },
    behavior::{
        agent::Agent,
        agent_block::AgentBlock,
        debug_draw::{DebugDraw, DebugLayer, DebugShape},
        simd_behavior::SimdBehavior,
        steering_behavior::{Steering, SteeringBehavior},
    },
    behaviors::flock::{
        kernel::FlockKernel,
        params::{Flocking, ParamTable},
        uniform::Changes,
    },
    ecs::{
        parallel::{PIECES_PER_THREAD, for_each_piece, run_all, threads_for},
        prefetch::read_ahead,
    },
    neighbors::{CurrentIndex, NeighborIndex, PlaneIndex},
    simd::{
        dispatch::dispatch,
        lanes::{Lanes, WIDTH, every, pack},
        vector::Vector,
    },
    space::{
        plane::SteeringPlane,
        vector::{NEGLIGIBLE, direction, truncate},
    },
};

/// What one mate at `offset` adds to the wish for distance: away from it, `s / d − d / s` long for the separation radius `s`
/// and the distance `d`. Without bound for the nearest, and nothing at the radius itself, so that nobody jerks who crosses
/// it. After Reynolds (1999), "Separation".
pub fn separation_share(offset: Vec3, separation_radius: f32) -> Vec3 {
    let squared = offset.length_squared();
    let radius_squared = separation_radius * separation_radius;
    if squared < radius_squared && squared > NEGLIGIBLE * NEGLIGIBLE {
        offset * ((1.0 - radius_squared / squared) / separation_radius)
    } else {
        Vec3::ZERO
    }
}

/// The change of velocity that takes an agent to the middle of its mates: `max_speed` for a middle that is `radius` away,
/// in proportion for a nearer one. Reynolds (1999), "Cohesion".
///
/// `mean_offset` is the mean of the mates' places relative to the agent, itself not counted.
pub fn cohesion(mean_offset: Vec3, radius: f32, max_speed: f32) -> Vec3 {
    if radius > 0.0 { truncate(mean_offset * (max_speed / radius), max_speed) } else { Vec3::ZERO }
}

/// The change of velocity that makes an agent go as its mates go on average. Reynolds (1999), "Alignment".
pub fn alignment(velocity: Vec3, mean_velocity: Vec3) -> Vec3 {
    mean_velocity - velocity
}

/// Keeps with its mates: not too near, not too far, the same way. Reynolds (1987), "Flocks, Herds, and Schools".
///
/// Mates are agents in the given layers, within `radius` and inside the view angle. It does not drive the agent on: add
/// [`Wander`](crate::Wander) or a target to start a flock that stands. Where the agents do not see all round, those ahead push
/// back and nobody pushes on, so such a flock slows down and stops unless something drives it in the same tier:
/// `Wander::default().with_priority(Priority::Normal)`.
///
/// Flocks are looked at anew when they have changed. So what goes behind the back of change detection
/// ([`bypass_change_detection`](DetectChangesMut::bypass_change_detection)) may not be seen.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// for i in 0..100 {
///     let place = Transform::from_xyz((i % 10) as f32, (i / 10) as f32, 0.0);
///     commands.spawn((Vehicle::default(), Flock::new(4.0), Wander::default(), place));
/// }
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Flock {
    /// How far it sees its mates, in units. Default 5.
    #[reflect(@Unit::Length)]
    pub radius: f32,
    /// Nearer than this is too near, in units. Default 2.5. No larger than `radius` in effect.
    #[reflect(@Unit::Length)]
    pub separation_radius: f32,
    /// How wide it sees, in radians, its heading in the middle. Default 2π: all round.
    #[reflect(@Unit::Angle, @ParameterRange::at_most(360.0).degrees())]
    pub view_angle: f32,
    /// Weight of the wish for distance. Default 1.5.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub separation: f32,
    /// Weight of the wish to go the same way. Default 1.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub alignment: f32,
    /// Weight of the wish to be in the middle. Default 1.
    #[reflect(@ParameterRange::up_to(5.0))]
    pub cohesion: f32,
    /// Who is a mate. Default the first layer, in which agents are if not told otherwise.
    pub layers: SteeringLayers,
    /// It looks at no more mates than this. Default 128.
    ///
    /// Where there are more, it takes some from everywhere around it: the same ones on every run.
    #[reflect(@ParameterRange::up_to(256.0))]
    pub max_neighbors: u32,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl Default for Flock {
    fn default() -> Self {
        Self::new(5.0)
    }
}

impl Flock {
    /// A flock whose members see each other from this far, in units, and find half of it too near.
    pub fn new(radius: f32) -> Self {
        Self {
            radius,
            separation_radius: radius * 0.5,
            view_angle: core::f32::consts::TAU,
            separation: 1.5,
            alignment: 1.0,
            cohesion: 1.0,
            layers: SteeringLayers::default(),
            max_neighbors: 128,
            blend: Blend::default(),
        }
    }

    /// With this distance that is too near, in units.
    #[must_use]
    pub fn with_separation_radius(mut self, separation_radius: f32) -> Self {
        self.separation_radius = separation_radius;
        self
    }

    /// Seeing this wide, in radians.
    #[must_use]
    pub fn with_view_angle(mut self, view_angle: f32) -> Self {
        self.view_angle = view_angle;
        self
    }

    /// With these weights of the three rules.
    #[must_use]
    pub fn with_rules(mut self, separation: f32, alignment: f32, cohesion: f32) -> Self {
        self.separation = separation;
        self.alignment = alignment;
        self.cohesion = cohesion;
        self
    }

    /// With mates in one of these layers.
    #[must_use]
    pub fn with_layers(mut self, layers: SteeringLayers) -> Self {
        self.layers = layers;
        self
    }

    /// Looking at no more mates than this.
    #[must_use]
    pub fn with_max_neighbors(mut self, max_neighbors: u32) -> Self {
        self.max_neighbors = max_neighbors;
        self
    }
}

/// What all flocking agents wish: they look around at once, before the behaviours of single agents are asked.
#[derive(SystemParam)]
pub struct Wishes<'w>(Res<'w, CurrentIndex>, Res<'w, UniformFlocks>);

/// Three coordinates from those that a plane has: `$own` is asked for two or for three of them.
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
    type Param = Wishes<'static>;
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, wishes: &SystemParamItem<Self::Param>) -> Steering {
        let index = &wishes.0.0.planes[agent.plane as usize];
        let entry = agent.entry.get();
        let change = in_plane!(agent.plane, 0.0, wish(index.vectors()[1], entry));
        Steering::linear(change.into())
    }

    fn debug_draw(
        &self,
        agent: &Agent,
        wishes: &SystemParamItem<Self::Param>,
        draw: &mut DebugDraw,
    ) {
        let (from, heading) = (agent.position, agent.heading());
        draw.circle(DebugLayer::Range, from, self.radius).circle(
            DebugLayer::Range,
            from,
            self.separation_radius.min(self.radius),
        );
        if self.view_angle < core::f32::consts::TAU {
            let (angle, radius) = (self.view_angle, self.radius);
            draw.add(
                DebugLayer::View,
                DebugShape::Sector { center: from, along: heading, angle, radius },
            );
        }
        if draw.shows(DebugLayer::Link) {
            let least_cos = ops::cos((0.5 * self.view_angle).clamp(0.0, core::f32::consts::PI));
            let index: &NeighborIndex = &wishes.0.0;
            for mate in index.within(agent.around(self.layers), self.radius) {
                let is_seen = direction(mate.offset).dot(heading) >= least_cos;
                if mate.is_agent && is_seen {
                    draw.line(DebugLayer::Link, from, from + mate.offset);
                }
            }
        }
    }
}

impl SimdBehavior for Flock {
    fn common_blend(wishes: &SystemParamItem<Self::Param>) -> Option<Blend> {
        wishes.1.blend()
    }

    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        asked: u8,
        _: &mut [Self; WIDTH],
        agents: &AgentBlock,
        wishes: &SystemParamItem<Self::Param>,
    ) -> (Vector<L>, u8) {
        let index = &wishes.0.0.planes[agents.plane as usize];
        (in_plane!(agents.plane, l.splat(0.0), wishes_of(l, index, agents)), asked)
    }
}

/// What eight agents wish, coordinate by coordinate.
#[inline(always)]
fn wishes_of<L: Lanes, const D: usize>(l: L, index: &PlaneIndex, agents: &AgentBlock) -> [L::F; D] {
    let [_, by_entry] = index.vectors::<D>();
    let entries = agents.entries();
    let found = every!(i => wish(by_entry, entries[i].get()));
    // By hand: a closure that is handed on is compiled by itself, and not for the lanes.
    let mut wishes = [l.splat(0.0); D];
    for d in 0..D {
        wishes[d] = pack!(l, i => found[i][d]);
    }
    wishes
}

/// What the agent in this entry wishes.
#[inline(always)]
fn wish<const D: usize>(by_entry: &[[AtomicU32; D]], entry: usize) -> [f32; D] {
    let mut wish = [0.0; D];
    if let Some(found) = by_entry.get(entry) {
        for d in 0..D {
            wish[d] = f32::from_bits(found[d].load(Relaxed));
        }
    }
    wish
}

/// Works out what all flocking agents wish.
pub(crate) fn flock_together(
    index: Res<CurrentIndex>,
    flocking: Query<Flocking>,
    mut all: ResMut<UniformFlocks>,
    changes: Query<Changes>,
    tick: Tick,
    now: SystemChangeTick,
) {
    all.check(&changes, &now);
    if flocking.is_empty() {
        return;
    }
    let index = &index.0;
    let kinds = params::mark(index, &flocking, all.alike(), tick.borrow());
    for plane in SteeringPlane::ALL {
        match plane {
            SteeringPlane::Xy => run_kernels(index, &kinds, plane, [0, 1]),
            SteeringPlane::Xz => run_kernels(index, &kinds, plane, [0, 2]),
            SteeringPlane::Free => run_kernels(index, &kinds, plane, [0, 1, 2]),
        }
    }
}

fn run_kernels<const D: usize>(
    index: &NeighborIndex,
    kinds: &ParamTable,
    plane: SteeringPlane,
    axes: [usize; D],
) {
    let own = &index.planes[plane as usize];
    let len = own.len;
    if !own.built {
        return;
    }
    let (rows, buckets) = own.grid.rows();
    let threads = threads_for(len);
    let pieces = if threads > 1 { threads * PIECES_PER_THREAD } else { 1 };
    let [by_slot, by_entry] = own.vectors::<D>();
    let mut row = 0;
    let mut jobs = Vec::with_capacity(pieces);
    for piece in 1..=pieces {
        let goal = len * piece / pieces;
        let mut end = row;
        while end < rows && (own.grid.starts[end * buckets] as usize) < goal {
            end += 1;
        }
        let end = if piece == pieces { rows } else { end };
        let kernel = FlockKernel { index, plane, axes, kinds, rows: row..end, wishes: by_slot };
        jobs.push(move || dispatch(kernel));
        row = end;
    }
    run_all(jobs);
    // Who makes no sense is in no row.
    for nothing in by_slot[len..].as_flattened() {
        nothing.store(0, Relaxed);
    }

    // Now in the order in which the agents will ask.
    for_each_piece(vec![(by_entry.len(), (by_entry, &own.slots[..]))], |_, (wishes, slots)| {
        for (wish, slot) in wishes.iter().zip(read_ahead(slots, by_slot)) {
            let found = &by_slot[slot];
            for (wish, found) in wish.iter().zip(found) {
                wish.store(found.load(Relaxed), Relaxed);
            }
        }
    });
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
    fn alignment_wants_the_mean_velocity() {
        assert_eq!(alignment(Vec3::X, Vec3::Y * 3.0), Vec3::new(-1.0, 3.0, 0.0));
    }
}
