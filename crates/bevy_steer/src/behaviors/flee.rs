//! Flee: move straight away from a threat.

use bevy::prelude::*;

use crate::{
    agent::{Blend, Memory, Priority, Unit, WhenNone, builders},
    behavior::{
        Agent, DebugDraw, DebugLayer, ParamOf, STargets, Steering, SteeringBehavior, Target,
    },
    behaviors::threats::{Fear, FearMemory, is_calm, run_from_threats},
    space::direction,
};

/// The change of velocity that makes an agent move straight away from `threat` at full speed.
///
/// `n(position − threat) · max_speed − velocity`, or none if the threat is farther than
/// `panic_distance`. Reynolds (1999), "Flee"; the panic distance is Buckland's (2005, chapter 3).
pub fn flee(
    position: Vec3,
    velocity: Vec3,
    threat: Vec3,
    max_speed: f32,
    panic_distance: Option<f32>,
) -> Vec3 {
    let away = position - threat;
    if is_calm(away, panic_distance) {
        return Vec3::ZERO;
    }
    direction(away) * max_speed - velocity
}

/// Moves straight away from a target while it is within the panic distance; the counterpart of
/// [`Seek`](crate::Seek).
///
/// [`Evade`](crate::Evade) flees from where the target will be. With [`Target::All`] both flee from
/// all threats at the same time.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands, lion: Entity) {
/// commands.spawn((Vehicle::default(), Flee::new(lion).within(30.0)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Flee {
    /// The threat.
    #[entities]
    pub target: Target,
    /// Beyond this distance the threat is ignored, in world units, until it has been closer; then
    /// the agent is calm again 1.2 times as far away. Default `None`: it never is.
    #[reflect(@Unit::Length, @WhenNone("at any distance"))]
    pub panic_distance: Option<f32>,
    /// Weight, tier (default [`Priority::High`]) and whether it is enabled.
    pub blend: Blend,
    /// What it keeps from tick to tick.
    #[entities]
    pub memory: Memory<FearMemory>,
}

impl Flee {
    /// Flees from a point (`Vec3`, `Vec2`), an entity or any other [`Target`], at any distance.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    builders! {
        /// Sets the panic distance, in world units; `None` for everywhere.
        within(panic_distance: impl Into<Option<f32>>);
    }

    /// Whether a threat frightens it.
    pub fn is_afraid(&self) -> bool {
        self.memory.afraid
    }
}

impl SteeringBehavior for Flee {
    type Param = STargets;
    const PRIORITY: Priority = Priority::High;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, targets: &ParamOf<Self>) -> Steering {
        let Self { target, memory, panic_distance, .. } = self;
        run_from_threats(agent, targets, target, *panic_distance, memory, |way, _| way)
    }

    fn debug_draw(&self, agent: &Agent, targets: &ParamOf<Self>, draw: &mut DebugDraw) {
        let reach = Fear::new(&self.target, self.panic_distance).reach(self.memory.afraid);
        targets.last_seen_all(agent, &self.target, &self.memory.target, |view| {
            if view.offset.length() <= reach {
                draw.way(agent, view.offset);
            }
        });
        draw.circle(DebugLayer::Range, agent.position, self.panic_distance.unwrap_or(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wants_full_speed_away_from_the_threat() {
        let change =
            flee(Vec3::ZERO, Vec3::new(0.0, 1.0, 0.0), Vec3::new(3.0, 4.0, 0.0), 10.0, None);
        assert!((change - Vec3::new(-6.0, -9.0, 0.0)).length() < 1e-5, "{change}");
    }

    #[test]
    fn is_calm_beyond_the_panic_distance_and_not_at_it() {
        let at = |panic| flee(Vec3::ZERO, Vec3::ZERO, Vec3::new(3.0, 4.0, 0.0), 1.0, Some(panic));
        assert_eq!(at(4.9), Vec3::ZERO);
        assert_ne!(at(5.0), Vec3::ZERO);
        assert_eq!(at(-9.0), Vec3::ZERO);
        assert_ne!(at(f32::INFINITY), Vec3::ZERO);
    }
}
