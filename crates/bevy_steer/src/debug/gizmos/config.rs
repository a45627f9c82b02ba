//! [`SteeringGizmos`]: the gizmo config group.

use std::collections::BTreeMap;

use bevy::prelude::*;

use crate::{
    agent::{ParameterRange, Unit},
    behavior::{DebugLayer, SteeringBehavior},
    pipeline::registry::BehaviorRegistry,
};

/// What [`SteeringGizmosPlugin`](crate::SteeringGizmosPlugin) draws: a gizmo config group.
///
/// Each part has a colour or is off. Debug shapes have the colour of their behaviour, unless their
/// [`DebugLayer`] has its own colour; by default behaviours have different hues.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_steer::{Paint, prelude::*};
/// fn only_wandering(mut store: ResMut<GizmoConfigStore>) {
///     let (_, gizmos) = store.config_mut::<SteeringGizmos>();
///     gizmos.velocity = None;
///     gizmos.targets = Paint::Off;
///     gizmos.set_color::<Wander>(Some(Color::srgb(0.2, 0.9, 0.6)));
/// }
/// # bevy::ecs::system::assert_is_system(only_wandering);
/// ```
#[derive(GizmoConfigGroup, Reflect, Clone, Debug)]
#[reflect(Default)]
pub struct SteeringGizmos {
    /// The agents that are drawn. Default all.
    pub shown: Shown,
    /// The length of velocity arrows, in seconds of travel. An arrow for `max_force` is as long as
    /// one for `max_speed`. Default 0.5.
    #[reflect(@Unit::Time, @ParameterRange::up_to(2.0))]
    pub reach: f32,
    /// The steering force, as an arrow. Default red.
    pub force: Option<Color>,
    /// The velocity, as an arrow. Default a faint white.
    pub velocity: Option<Color>,
    /// The heading, as a line. Default off.
    pub heading: Option<Color>,
    /// The body, as a circle with the vehicle's radius. Default off.
    pub body: Option<Color>,
    /// Obstacles, as agents see them. Default a faint sand colour.
    pub obstacles: Option<Color>,
    /// Walls. Default a faint brick colour.
    pub walls: Option<Color>,
    /// The edges of the world. Default a faint blue.
    pub bounds: Option<Color>,
    /// The part of each request that got through arbitration, as thin arrows, for agents with a
    /// [`SteeringTrace`](crate::SteeringTrace).
    #[doc(alias = "wishes")]
    pub requests: Paint,
    /// Targets and the lines to them.
    pub targets: Paint,
    /// Distances within which a behaviour acts.
    pub ranges: Paint,
    /// Predicted positions.
    pub guesses: Paint,
    /// The circle of [`Wander`](crate::Wander).
    pub wander: Paint,
    /// Paths.
    pub paths: Paint,
    /// Feelers and swept bodies.
    pub feelers: Paint,
    /// Cones of view.
    pub views: Paint,
    /// The neighbours that a behaviour considers.
    pub links: Paint,
    /// The effect of velocity limits, in the scale of velocity arrows: the requested velocity
    /// (faint), the permitted one, and the edges of the active limits (soft ones faint). Agents
    /// with a [`SteeringTrace`](crate::SteeringTrace) also have lines to the entities that they
    /// avoid, in the colours of the behaviours that added the limits.
    pub limits: Paint,
    /// The colours of behaviours by [name](crate::RegisteredBehavior::name), or `None` to draw
    /// nothing. Default: their [own](Self::default_color).
    pub behaviors: BTreeMap<String, Option<Color>>,
}

/// The agents that are drawn.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, Default, PartialEq, Clone)]
pub enum Shown {
    /// All agents.
    #[default]
    All,
    /// Agents with a [`ShowSteeringGizmos`].
    Marked,
}

/// Marks the agents that are drawn with [`Shown::Marked`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct ShowSteeringGizmos;

/// Stops gizmos from drawing the [`SteeringTrace`](crate::SteeringTrace) of an agent: for tools
/// that record all agents but draw only some.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct HideSteeringTrace;

/// The colour of a kind of debug shapes.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
pub enum Paint {
    /// Not drawn.
    Off,
    /// The behaviour's own colour.
    #[default]
    Own,
    /// One colour for all behaviours.
    Color(Color),
}

impl Paint {
    /// The resulting colour for a behaviour with this own colour.
    pub fn color(self, own: Color) -> Option<Color> {
        match self {
            Self::Off => None,
            Self::Own => Some(own),
            Self::Color(color) => Some(color),
        }
    }
}

/// The colours of what agents avoid.
const SAND: Color = Color::srgba(0.8, 0.7, 0.5, 0.55);
const BRICK: Color = Color::srgba(0.85, 0.6, 0.5, 0.6);

impl Default for SteeringGizmos {
    fn default() -> Self {
        Self {
            shown: Shown::default(),
            reach: 0.5,
            force: Some(Color::srgb(0.95, 0.24, 0.20)),
            velocity: Some(Color::srgba(0.85, 0.88, 0.92, 0.4)),
            heading: None,
            body: None,
            obstacles: Some(SAND),
            walls: Some(BRICK),
            bounds: Some(Color::srgba(0.45, 0.6, 0.85, 0.4)),
            requests: Paint::Own,
            targets: Paint::Own,
            ranges: Paint::Own,
            guesses: Paint::Own,
            wander: Paint::Own,
            paths: Paint::Own,
            feelers: Paint::Own,
            views: Paint::Own,
            links: Paint::Own,
            limits: Paint::Own,
            behaviors: BTreeMap::new(),
        }
    }
}

impl SteeringGizmos {
    /// The colour of a behaviour, by its index in the registry; `None` if it is not drawn.
    pub fn color_of(&self, registry: &BehaviorRegistry, index: usize) -> Option<Color> {
        let behavior = registry.get(index)?;
        let set = self.behaviors.get(behavior.name).copied();
        set.unwrap_or_else(|| Some(Self::default_color(index)))
    }

    /// The default colour of the behaviour at this index of the registry: hues as different as
    /// possible, except red, the colour of forces.
    pub fn default_color(index: usize) -> Color {
        const GOLDEN_SECTION: f32 = 0.618_034;
        const HUES: core::ops::Range<f32> = 65.0..365.0;
        let share = (index as f32 * GOLDEN_SECTION).fract();
        Color::oklch(0.8, 0.14, HUES.start + (HUES.end - HUES.start) * share)
    }

    /// Sets the colour of a behaviour, or `None` to draw nothing.
    pub fn set_color<B: SteeringBehavior>(&mut self, color: Option<Color>) -> &mut Self {
        self.behaviors.insert(B::name().to_owned(), color);
        self
    }

    /// How a layer of the shapes of behaviours is coloured.
    pub fn paint(&self, part: DebugLayer) -> Paint {
        match part {
            DebugLayer::Target => self.targets,
            DebugLayer::Range => self.ranges,
            DebugLayer::Guess => self.guesses,
            DebugLayer::WanderCircle => self.wander,
            DebugLayer::Path => self.paths,
            DebugLayer::Feeler => self.feelers,
            DebugLayer::View => self.views,
            DebugLayer::Link => self.links,
            DebugLayer::Limit => self.limits,
        }
    }

    /// Large or frequent shapes are drawn fainter, unless their layer has a colour.
    pub(crate) fn strength(&self, part: DebugLayer, color: Color) -> Color {
        let share = match (self.paint(part), part) {
            (Paint::Color(_), _) => 1.0,
            (_, DebugLayer::Range | DebugLayer::Link | DebugLayer::View) => 0.3,
            (_, DebugLayer::Target | DebugLayer::Path) => 0.6,
            _ => 0.9,
        };
        color.with_alpha(color.alpha() * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaviours_have_different_hues_and_none_is_red() {
        let hues: Vec<f32> =
            (0..24).map(|index| Oklcha::from(SteeringGizmos::default_color(index)).hue).collect();
        for (i, a) in hues.iter().enumerate() {
            assert!(!(10.0..60.0).contains(a), "behaviour {i} has hue {a}");
            for b in &hues[i + 1..] {
                assert!((a - b).abs() > 4.0, "{a} and {b}");
            }
        }
    }

    #[test]
    fn a_part_has_its_own_colour_or_the_behaviours_or_none() {
        let own = Color::WHITE;
        assert_eq!(Paint::Off.color(own), None);
        assert_eq!(Paint::Own.color(own), Some(own));
        assert_eq!(Paint::Color(Color::BLACK).color(own), Some(Color::BLACK));
    }
}
