//! [`SurfaceReach`]: how far an agent looks for obstacles and walls, and where the answer is kept.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use bevy::prelude::*;

use crate::agent::{layers::SteeringLayers, parameter::builders};

/// How far a behaviour looks for obstacles and walls, see
/// [`SteeringBehavior::surface_reach`](crate::SteeringBehavior::surface_reach).
///
/// It is told of those within [`around`](Self::around), and of those that come within
/// [`clearance`](Self::clearance) in the next [`look_ahead`](Self::look_ahead) seconds if the agent
/// and they go on as they do. It is told in any case of those that limit the agent's speed, see
/// [`Agent::approach_reach`](crate::Agent::approach_reach).
///
/// ```
/// # use bevy_steer::SurfaceReach;
/// // Whatever is within 5 units, and whatever a body of radius 1 would hit in the next second.
/// let reach = SurfaceReach { look_ahead: 1.0, clearance: 1.0, ..SurfaceReach::around(5.0) };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceReach {
    /// The distance on all sides of its position, in units. Default 0.
    pub around: f32,
    /// The time ahead, in seconds. Default 0.
    #[doc(alias = "ahead")]
    pub look_ahead: f32,
    /// The distance on all sides of the path in that time, from the agent's centre, in units: its
    /// radius and a margin. Default 0.
    #[doc(alias = "margin")]
    pub clearance: f32,
    /// The layers of the obstacles and walls. Default: all.
    pub layers: SteeringLayers,
    /// Which of them stop the agent's body. Default: none.
    pub solid: SolidSurfaces,
}

/// Which obstacles and walls stop the body of an agent, whatever its velocity: it slides along
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolidSurfaces {
    /// None.
    #[default]
    None,
    /// Obstacles.
    Obstacles,
    /// Obstacles and walls.
    All,
}

/// The layers of the surfaces that stop an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolidLayers {
    pub obstacles: SteeringLayers,
    pub walls: SteeringLayers,
}

impl Default for SurfaceReach {
    fn default() -> Self {
        Self {
            around: 0.0,
            look_ahead: 0.0,
            clearance: 0.0,
            layers: SteeringLayers::ALL,
            solid: SolidSurfaces::None,
        }
    }
}

impl SurfaceReach {
    /// To this distance on all sides, in units.
    pub fn around(distance: f32) -> Self {
        Self { around: distance, ..Self::default() }
    }

    builders! {
        /// Only obstacles and walls in these layers.
        with_layers(layers: SteeringLayers);
        /// These stop the agent's body.
        with_solid(solid: SolidSurfaces);
    }

    /// What is not farther than the agent's body moves in a tick.
    pub(crate) fn only_solid(self) -> Self {
        Self { around: 0.0, look_ahead: 0.0, clearance: 0.0, ..self }
    }

    /// What is looked for at this top speed: more than was asked for, so that whoever passes
    /// something at its clearance, or turns a little, does not lose sight of what it turns off for.
    pub(crate) fn with_slack(self, max_speed: f32) -> Self {
        /// So much to each side of the path, as a share of how far the agent looks ahead.
        const ASIDE: f32 = 0.25;
        let far = self.look_ahead * max_speed;
        let aside = if far.is_finite() { ASIDE * far } else { 0.0 };
        Self { clearance: self.clearance + aside, ..self }
    }

    /// What reaches as far as both. What is negative or not finite counts as zero.
    fn union(self, other: Self) -> Self {
        let sound = |x: f32| if x > 0.0 && x.is_finite() { x } else { 0.0 };
        Self {
            around: sound(self.around).max(sound(other.around)),
            look_ahead: sound(self.look_ahead).max(sound(other.look_ahead)),
            clearance: sound(self.clearance).max(sound(other.clearance)),
            layers: self.layers.or(other.layers),
            ..self
        }
    }
}

/// How far the behaviours of an agent look for surfaces in a tick, and where those that were found
/// are kept. Written while others read the same tables, hence atomic.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct SurfaceSlot {
    /// The [tick](SurfaceTick) in which any behaviour asked.
    tick: AtomicU32,
    /// The distances and the time of [`SurfaceReach`].
    reach: Words<3>,
    layers: AtomicU32,
    /// The layers of [`SolidLayers`].
    solid: Words<2>,
    /// The numbers of [`ListRange`].
    found: Words<3>,
    /// Whether a behaviour has noted where it moves the agent since one asked.
    has_course: AtomicBool,
    goal: Words<3>,
    edge: Words<3>,
    room: AtomicU32,
}

/// Numbers, or their bits.
type Words<const N: usize> = [AtomicU32; N];

fn store<const N: usize>(words: &Words<N>, values: [u32; N]) {
    words.iter().zip(values).for_each(|(word, value)| word.store(value, Relaxed));
}

fn load<const N: usize>(words: &Words<N>) -> [u32; N] {
    words.each_ref().map(|word| word.load(Relaxed))
}

/// Where a behaviour moves its agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CourseNote {
    /// The offset from the agent to its goal, or to the nearest place where its body fits.
    pub goal: Vec3,
    /// The offset to the edge of what it goes round; zero if nothing is in between.
    pub edge: Vec3,
    /// No obstacle need be farther off the agent than this, in units: there is not more room on a
    /// way that is not much longer.
    pub room: f32,
}

/// Tells the ticks apart in which surfaces are looked for. The first one is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SurfaceTick(u32);

impl SurfaceTick {
    pub(crate) fn next(self) -> Self {
        Self(self.0.wrapping_add(1).max(1))
    }
}

/// Some adjacent entries of one of several lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListRange {
    pub list: u32,
    pub first: u32,
    pub count: u32,
}

impl SurfaceSlot {
    /// A behaviour looks this far.
    #[inline(always)]
    pub(crate) fn ask(&self, reach: SurfaceReach, tick: SurfaceTick) {
        let nothing = SurfaceReach { layers: SteeringLayers::NONE, ..default() };
        let before = self.asked(tick).unwrap_or(nothing);
        let mut solid = self.solid(tick);
        if reach.solid != SolidSurfaces::None {
            solid.obstacles = solid.obstacles.or(reach.layers);
        }
        if reach.solid == SolidSurfaces::All {
            solid.walls = solid.walls.or(reach.layers);
        }
        let SurfaceReach { around, look_ahead, clearance, layers, .. } = before.union(reach);
        self.tick.store(tick.0, Relaxed);
        store(&self.reach, [around, look_ahead, clearance].map(f32::to_bits));
        self.layers.store(layers.0, Relaxed);
        store(&self.solid, [solid.obstacles.0, solid.walls.0]);
        self.answer(ListRange::default());
        self.has_course.store(false, Relaxed);
    }

    /// How far the behaviours look, if any has asked.
    #[inline(always)]
    pub(crate) fn asked(&self, tick: SurfaceTick) -> Option<SurfaceReach> {
        (self.tick.load(Relaxed) == tick.0).then(|| {
            let [around, look_ahead, clearance] = load(&self.reach).map(f32::from_bits);
            let layers = SteeringLayers(self.layers.load(Relaxed));
            SurfaceReach { around, look_ahead, clearance, layers, solid: SolidSurfaces::None }
        })
    }

    /// What stops the agent, of all that its behaviours have asked for.
    pub(crate) fn solid(&self, tick: SurfaceTick) -> SolidLayers {
        let is_asked = self.tick.load(Relaxed) == tick.0;
        let layers = if is_asked { load(&self.solid) } else { [0; 2] };
        let [obstacles, walls] = layers.map(SteeringLayers);
        SolidLayers { obstacles, walls }
    }

    /// What was found is here.
    pub(crate) fn answer(&self, found: ListRange) {
        store(&self.found, [found.list, found.first, found.count]);
    }

    /// Where what was found in this tick is.
    #[inline]
    pub(crate) fn found(&self, tick: SurfaceTick) -> ListRange {
        if self.tick.load(Relaxed) != tick.0 {
            return ListRange::default();
        }
        let [list, first, count] = load(&self.found);
        ListRange { list, first, count }
    }

    /// A behaviour moves the agent there, which avoidance has to know.
    pub(crate) fn note_course(&self, note: CourseNote) {
        self.has_course.store(true, Relaxed);
        self.room.store(note.room.to_bits(), Relaxed);
        store(&self.goal, note.goal.to_array().map(f32::to_bits));
        store(&self.edge, note.edge.to_array().map(f32::to_bits));
    }

    /// Where its behaviours move the agent in this tick, as far as they have said so.
    pub(crate) fn course(&self) -> Option<CourseNote> {
        let vector = |words| Vec3::from_array(load(words).map(f32::from_bits));
        self.has_course.load(Relaxed).then(|| CourseNote {
            goal: vector(&self.goal),
            edge: vector(&self.edge),
            room: f32::from_bits(self.room.load(Relaxed)),
        })
    }

    /// Whether anything was found in this tick.
    #[inline]
    pub(crate) fn has_any(&self, tick: SurfaceTick) -> bool {
        self.tick.load(Relaxed) == tick.0 && self.found[2].load(Relaxed) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_reach_counts_in_its_tick_only() {
        let slot = SurfaceSlot::default();
        let (tick, next) = (SurfaceTick(1), SurfaceTick(2));
        assert_eq!(slot.asked(tick), None);
        let [low, high] = [1, 8].map(SteeringLayers);
        slot.ask(SurfaceReach::around(3.0).with_layers(low), tick);
        let reach =
            SurfaceReach { look_ahead: 2.0, clearance: 1.0, ..SurfaceReach::around(f32::NAN) };
        slot.ask(reach.with_layers(high), tick);
        let both = SurfaceReach { look_ahead: 2.0, clearance: 1.0, ..SurfaceReach::around(3.0) };
        assert_eq!(slot.asked(tick), Some(both.with_layers(SteeringLayers(9))));
        assert_eq!(slot.solid(tick).obstacles, SteeringLayers::NONE);
        slot.ask(SurfaceReach::default().with_layers(low).with_solid(SolidSurfaces::All), tick);
        slot.ask(
            SurfaceReach::default().with_layers(high).with_solid(SolidSurfaces::Obstacles),
            tick,
        );
        let solid = SolidLayers { obstacles: SteeringLayers(9), walls: low };
        assert_eq!(slot.solid(tick), solid);
        assert_eq!(slot.solid(next).walls, SteeringLayers::NONE);
        slot.answer(ListRange { list: 4, first: 5, count: 6 });
        assert!(slot.has_any(tick) && slot.found(tick).first == 5);
        assert!(!slot.has_any(next) && slot.found(next).count == 0 && slot.asked(next).is_none());
        slot.ask(SurfaceReach::around(1.0), next);
        assert!(!slot.has_any(next));
    }
}
