//! What a [`Scene`] is.

use core::fmt;

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use bevy_steer::prelude::*;

/// Something to look at: who is in it, and what can be done with them.
#[derive(Clone, Copy)]
pub struct Scene {
    /// What the command line calls it.
    pub name: &'static str,
    /// What the list calls it.
    pub title: &'static str,
    /// What to look at, in a line.
    pub look: &'static str,
    /// Where it stands in the list.
    pub group: Group,
    /// How it is seen.
    pub view: View,
    /// Puts everybody there, each marked with [`OfScene`](super::stage::OfScene).
    pub spawn: fn(&mut World),
    /// Which gizmos explain it, besides none.
    pub explain: fn(&mut SteeringGizmos),
    /// Its sliders.
    pub controls: Option<fn(&mut World, &mut Ui)>,
    /// What a mouse button that is held down in the scene does.
    pub click: Option<fn(&mut World, Click)>,
    /// What happens in each tick, in [`SteeringSystems::Decide`].
    pub tick: Option<fn(&mut World)>,
}

impl Scene {
    /// What a scene has that says nothing else.
    pub(super) const DEFAULT: Self = Self {
        name: "",
        title: "",
        look: "",
        group: Group::Somewhere,
        view: View::Flat,
        spawn: |_| {},
        explain: |_| {},
        controls: None,
        click: None,
        tick: None,
    };
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Getting somewhere.
    Somewhere,
    /// Getting away.
    Away,
    /// Not bumping into things.
    Avoiding,
    /// Moving together.
    Together,
    /// Turning.
    Turning,
    /// Several behaviours at once.
    Combined,
}

impl Group {
    /// What the list calls it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Somewhere => "Getting somewhere",
            Self::Away => "Getting away",
            Self::Avoiding => "Not bumping into things",
            Self::Together => "Together",
            Self::Turning => "Turning",
            Self::Combined => "All at once",
        }
    }
}

/// How a scene is seen.
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
    /// The plane in which its agents steer.
    pub fn plane(self) -> SteeringPlane {
        match self {
            Self::Flat => SteeringPlane::Xy,
            Self::Ground => SteeringPlane::Xz,
            Self::Space => SteeringPlane::Free,
        }
    }
}

/// A mouse button that is held down in a scene.
#[derive(Clone, Copy, Debug)]
pub struct Click {
    /// Where.
    pub place: Vec3,
    /// Whether it has just been pressed.
    pub fresh: bool,
}
