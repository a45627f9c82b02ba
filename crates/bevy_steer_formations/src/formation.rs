//! [`Formation`]: an anchor with slots around it.

use core::f32::consts::PI;

use bevy::{math::ops, prelude::*};
use bevy_steer::{Length, Memory, ParameterRange, Unit, builders};

use crate::pattern::Pattern;

/// A formation, of which this entity is the anchor: its members, which have a
/// [`MemberOf`](crate::MemberOf), keep their slots around it while it moves.
///
/// The anchor may be an agent with any behaviours, a leader. It gets a
/// [`WaitForMembers`](crate::WaitForMembers) and slows down while members are not in their slots.
/// Or it may be any entity that the game moves: that needs a [`Velocity`](bevy_steer::Velocity),
/// faces along it (at rest along its rotation; or along its [`Heading`](bevy_steer::Heading) if it
/// has one), and should go no faster than [`pace`](Self::pace).
///
/// The pattern wheels to where the anchor goes, no faster than members can follow. If that is more
/// than 100° off, or nobody is in a slot yet, it faces about.
///
/// Slots are assigned by the least total way when members come or go, when the pattern changes, and
/// when it has faced about and others are nearer. In between nobody swaps. More than 150 members
/// are assigned by rows instead, which is much faster.
///
/// The pattern and the spacing may be changed at any time, as where a gap is too narrow. Triggers
/// [`FormationFormed`](crate::FormationFormed) and [`FormationBroken`](crate::FormationBroken).
/// Source: Millington (2019), "Coordinated movement": two-level formation steering.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # use bevy_steer_formations::{Formation, MemberOf, Pattern};
/// # fn spawn(mut commands: Commands) {
/// let leader = (Vehicle::default(), Arrive::new(Vec2::new(30.0, 0.0)));
/// let leader = commands.spawn((leader, Formation::new(Pattern::Wedge))).id();
/// for i in 0..6 {
///     commands.spawn((
///         Vehicle::default(),
///         MemberOf(leader),
///         AvoidAgents::default(),
///         Transform::from_xyz(-5.0, 2.0 * i as f32, 0.0),
///     ));
/// }
/// # }
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[require(Transform)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Formation {
    /// The arrangement of the slots. Default [`Pattern::Wedge`].
    pub pattern: Pattern,
    /// The distance between neighbouring slots, above zero. Default 4 radii: of
    /// the largest body, that of the anchor included.
    pub spacing: Length,
    /// A member that has not come closer to its slot by itself for this time, in seconds, is stuck:
    /// the formation does not wait for it until it is in its slot again, or has moved four spacings
    /// towards it. Default 3.
    #[reflect(@Unit::Time, @ParameterRange::up_to(20.0))]
    pub patience: f32,
    /// What it keeps from tick to tick.
    pub memory: Memory<FormationMemory>,
}

/// What a [`Formation`] keeps from tick to tick.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct FormationMemory {
    /// The slots, in spacings: `x` ahead of the anchor, `y` to its left.
    pub slots: Vec<Vec2>,
    /// The pattern that they are of.
    pub pattern: Pattern,
    /// Whether the anchor has a place of its own among them.
    pub has_place: bool,
    /// The direction that the pattern faces: a unit vector, or zero.
    pub heading: Vec3,
    /// The direction that it turns to: a unit vector, or zero.
    pub wanted: Vec3,
    /// For how long the anchor has faced the other way, in seconds.
    pub turned: f32,
    /// See [`Formation::cohesion`].
    pub cohesion: f32,
    /// The [pace](Formation::pace) of a formation that is together, in units a second. `None`
    /// without members.
    pub top_pace: Option<f32>,
    /// See [`Formation::is_formed`].
    pub is_formed: bool,
    /// For how long the cohesion has been zero, in seconds.
    pub apart: f32,
}

impl Default for FormationMemory {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            pattern: Pattern::default(),
            has_place: false,
            heading: Vec3::ZERO,
            wanted: Vec3::ZERO,
            turned: 0.0,
            cohesion: 1.0,
            top_pace: None,
            is_formed: false,
            apart: 0.0,
        }
    }
}

/// The default of [`Formation::spacing`].
pub(crate) const SPACING: Length = Length::Radii(4.0);
/// The default of [`Formation::patience`], in seconds.
pub(crate) const PATIENCE: f32 = 3.0;

impl Default for Formation {
    fn default() -> Self {
        Self {
            pattern: Pattern::default(),
            spacing: SPACING,
            patience: PATIENCE,
            memory: Memory::default(),
        }
    }
}

impl Formation {
    /// A formation with this pattern.
    pub fn new(pattern: Pattern) -> Self {
        Self { pattern, ..Self::default() }
    }

    builders! {
        /// Sets the distance between neighbouring slots: in units, or in radii of the largest body.
        with_spacing(spacing: impl Into<Length>);
        /// Sets for how long the formation waits for a member that is stuck, in seconds.
        with_patience(patience: f32);
    }

    /// How well it is together, 0 to 1: 1 while every member is within half a spacing of its slot,
    /// 0 if one is two spacings away or farther. Members that are stuck do not count.
    pub fn cohesion(&self) -> f32 {
        self.memory.cohesion
    }

    /// The speed that the anchor should not exceed, in units a second: nine tenths of the top speed
    /// of the slowest member, so that the others can catch up, times the
    /// [`cohesion`](Self::cohesion). `None` without members.
    pub fn pace(&self) -> Option<f32> {
        Some(self.memory.top_pace? * self.memory.cohesion)
    }

    /// Whether all members have been in their slots, and no [`FormationBroken`] has been triggered
    /// since.
    ///
    /// [`FormationBroken`]: crate::FormationBroken
    pub fn is_formed(&self) -> bool {
        self.memory.is_formed
    }
}

/// How a pattern has turned in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It has wheeled round the anchor, and members keep their slots.
    Wheels,
    /// Its slots have jumped: others may be nearer now.
    FacesAbout,
}

impl FormationMemory {
    /// Turns the pattern to where the anchor faces, no faster than members can follow. A spacing is
    /// this many units.
    ///
    /// After the anchor has turned about it faces about, as members would have to run round; and it
    /// does not wheel as long as nobody is in a slot.
    pub(crate) fn turn(&mut self, wanted: Vec3, spacing: f32, dt: f32) -> Turn {
        /// The cosine of the angle from which on it faces about: 100°.
        const ABOUT: f32 = -0.174;
        /// The anchor has to face there for this time, in seconds.
        const STEADY: f32 = 0.25;
        /// The cosine of the angle from which on other slots may be nearer: 30°.
        const ASIDE: f32 = 0.866;
        /// The speed of the outermost slot around the anchor, as a share of the pace.
        const WHEEL: f32 = 0.5;
        let along = self.heading.dot(wanted);
        let is_loose = !self.is_formed && self.cohesion <= 0.0;
        self.wanted = wanted;
        if self.heading == Vec3::ZERO {
            self.heading = wanted;
            return Turn::Wheels;
        }
        self.turned = if along < ABOUT { self.turned + dt } else { 0.0 };
        if self.turned >= STEADY || is_loose && along < ASIDE {
            (self.heading, self.turned) = (wanted, 0.0);
            return Turn::FacesAbout;
        }
        if along >= ABOUT {
            let outermost = self.slots.iter().map(|slot| slot.length()).fold(0.0, f32::max);
            let angle = WHEEL * self.top_pace.unwrap_or_default() * dt / (outermost * spacing);
            // NaN where there are no slots.
            let (sin, cos) = ops::sin_cos(angle.min(PI));
            let aside = (wanted - self.heading * along).try_normalize();
            self.heading = match aside {
                Some(aside) if along < cos => (self.heading * cos + aside * sin).normalize(),
                _ => wanted,
            };
        }
        Turn::Wheels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direction(degrees: f32) -> Vec3 {
        let (sin, cos) = ops::sin_cos(degrees.to_radians());
        Vec3::new(cos, sin, 0.0)
    }

    #[test]
    fn a_pattern_wheels_at_a_limited_rate() {
        // The outermost slot is 6 units from the anchor, and goes half of 4 units a second.
        let slots = vec![Vec2::X, Vec2::Y * 3.0];
        let mut memory = FormationMemory { slots, top_pace: Some(4.0), ..default() };
        let dt = 10_f32.to_radians() * 6.0 / 2.0;
        for (wanted, expected) in [(20.0, 20.0), (90.0, 30.0), (90.0, 40.0), (35.0, 35.0)] {
            assert_eq!(memory.turn(direction(wanted), 2.0, dt), Turn::Wheels);
            assert!(memory.heading.distance(direction(expected)) < 1e-5, "{}", memory.heading);
        }
        memory.slots.clear();
        memory.turn(direction(120.0), 2.0, dt);
        assert!(memory.heading.distance(direction(120.0)) < 1e-5);
    }

    #[test]
    fn it_faces_about_when_the_anchor_has() {
        let formed = FormationMemory { is_formed: true, heading: Vec3::X, ..default() };
        let mut memory = formed.clone();
        let mut turn = |degrees| memory.turn(direction(degrees), 2.0, 0.1);
        // For a moment only.
        assert_eq!([180.0, 170.0, 0.0, 180.0, 175.0].map(&mut turn), [Turn::Wheels; 5]);
        assert_eq!(turn(180.0), Turn::FacesAbout);
        assert!(memory.heading.distance(Vec3::NEG_X) < 1e-5);
        // Nobody is in a slot yet.
        let mut loose = FormationMemory { is_formed: false, cohesion: 0.0, ..formed };
        assert_eq!(loose.turn(direction(90.0), 2.0, 0.1), Turn::FacesAbout);
        assert!(loose.heading.distance(Vec3::Y) < 1e-5);
    }
}
