//! [`Scene`]: the type of a scene.

use core::fmt;

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use bevy_steer::prelude::*;

use super::score::Score;

/// A scene of the gallery: its agents, and what the user can change.
#[derive(Clone, Copy)]
pub struct Scene {
    /// The name on the command line.
    pub name: &'static str,
    /// The title in the list and above the scene.
    pub title: &'static str,
    /// A description in one line of the window.
    pub caption: &'static str,
    /// The part of the list.
    pub group: Group,
    /// The kind of view.
    pub view: View,
    /// Spawns the scene, each entity marked with [`OfScene`](super::stage::OfScene).
    pub spawn: fn(&mut World),
    /// Turns on steering gizmos, all of which are off.
    pub explain: fn(&mut SteeringGizmos),
    /// What the keys 1, 2, 3 … turn on and off.
    pub switches: &'static [Switch],
    /// What the scene counts.
    pub score: Option<fn(&mut World) -> Vec<Score>>,
    /// Shows the sliders.
    pub controls: Option<fn(&mut World, &mut Ui)>,
    /// Runs each frame while the left mouse button is held down in the scene.
    pub click: Option<fn(&mut World, Click)>,
    /// Runs each tick, in [`SteeringSystems::Decide`].
    pub tick: Option<fn(&mut World)>,
}

impl Scene {
    /// The defaults.
    pub(super) const DEFAULT: Self = Self {
        name: "",
        title: "",
        caption: "",
        group: Group::Targets,
        view: View::Flat,
        spawn: |_| {},
        explain: |_| {},
        switches: &[],
        score: None,
        controls: None,
        click: None,
        tick: None,
    };
}

/// Something that a key or a click turns on and off.
#[derive(Clone, Copy)]
pub struct Switch {
    /// The text beside the key.
    pub name: &'static str,
    /// Asks whether it is on.
    pub is_on: fn(&mut World) -> bool,
    /// Turns it on or off.
    pub set: fn(&mut World, bool),
}

impl Switch {
    /// Turns a behaviour of all agents on and off.
    pub(super) const fn of<B: SteeringBehavior>(name: &'static str) -> Self {
        Self { name, is_on: is_on::<B>, set: set_on::<B> }
    }

    /// Turns it off if it is on, and on otherwise.
    pub fn toggle(&self, world: &mut World) {
        let is_on = (self.is_on)(world);
        (self.set)(world, !is_on);
    }
}

/// Whether a behaviour is on, on any agent.
pub(super) fn is_on<B: SteeringBehavior>(world: &mut World) -> bool {
    world.query::<&B>().iter(world).any(|behavior| behavior.blend().enabled)
}

/// Turns a behaviour of all agents on or off.
pub(super) fn set_on<B: SteeringBehavior>(world: &mut World, is_on: bool) {
    let mut all = world.query::<&mut B>();
    all.iter_mut(world).for_each(|mut behavior| behavior.set_enabled(is_on));
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Moving to a target.
    Targets,
    /// Moving away from a threat.
    Threats,
    /// Avoiding collisions.
    Avoidance,
    /// Moving in a group.
    Groups,
    /// Turning.
    Turning,
    /// Several behaviours combined.
    Combined,
    /// What tutorials on steering show.
    Classics,
}

impl Group {
    /// The heading in the list.
    pub fn title(self) -> &'static str {
        match self {
            Self::Targets => "Moving to a target",
            Self::Threats => "Moving away",
            Self::Avoidance => "Avoiding collisions",
            Self::Groups => "Moving in a group",
            Self::Turning => "Turning",
            Self::Combined => "Combined behaviours",
            Self::Classics => "Classics",
        }
    }
}

/// The kind of view of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// From above, in 2D.
    Flat,
    /// The ground of a 3D world.
    Ground,
    /// Free space.
    Space,
}

impl View {
    /// The plane that the scene's agents steer in.
    pub fn plane(self) -> SteeringPlane {
        match self {
            Self::Flat => SteeringPlane::Xy,
            Self::Ground => SteeringPlane::Xz,
            Self::Space => SteeringPlane::Free,
        }
    }
}

/// The left mouse button held down in a scene.
#[derive(Clone, Copy, Debug)]
pub struct Click {
    /// The position in the world.
    pub place: Vec3,
    /// Whether the button has just been pressed.
    pub fresh: bool,
}
