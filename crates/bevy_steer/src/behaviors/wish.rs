//! [`Wish`]: a request to an agent that does not come from a behaviour.

use bevy::prelude::*;

use crate::{
    agent::{Blend, Contributions, Help, Priority, Stage},
    behavior::{Agent, DebugDraw, DebugLayer, ParamOf, Several, Steering, SteeringBehavior},
};

/// The requests of your systems for this tick: player input, scripted motion, your own steering
/// manager. Arbitration combines them with the requests of the behaviours. They are read and
/// cleared at the beginning of [`SteeringSystems::Behave`](crate::SteeringSystems::Behave): one
/// that is added later counts in the next tick.
///
/// Add them in [`SteeringSystems::Decide`](crate::SteeringSystems::Decide), or in any system that
/// runs once a tick. An agent that does not think in a tick ([`ThinkEvery`](crate::ThinkEvery))
/// ignores them. For input that is read once a frame, insert a [`Wish`] as a component: it lasts
/// until it is changed.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// fn walk(keys: Res<ButtonInput<KeyCode>>, mut players: Query<(&Vehicle, &mut SteeringWish)>) {
///     for (vehicle, mut wishes) in &mut players {
///         let east = f32::from(keys.pressed(KeyCode::ArrowRight));
///         wishes.push(Wish::velocity(Vec3::X * east * vehicle.max_speed).straight());
///     }
/// }
/// # App::new()
/// #     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
/// .add_systems(SteeringSchedule, walk.in_set(SteeringSystems::Decide));
/// ```
pub type SteeringWish = Several<Wish>;

/// The meaning of the vector of a [`Wish`].
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum WishKind {
    /// A velocity, in units a second.
    #[default]
    Velocity,
    /// A change of velocity, in units a second.
    Change,
    /// A change of angular velocity about each axis, in radians a second.
    Turn,
}

/// A request for a velocity, a change of velocity or a turn: in [`SteeringWish`] for one tick; as a
/// component until it is changed or removed.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Wish {
    /// The request; its meaning depends on `kind`.
    pub vector: Vec3,
    /// The meaning of `vector`. Default: a velocity.
    pub kind: WishKind,
    /// Whether [`AvoidWalls`](crate::AvoidWalls) and [`AvoidObstacles`](crate::AvoidObstacles) only
    /// slow the agent down and do not deflect it: moved against a wall it stops. Default false.
    #[reflect(@Help("avoidance slows the agent down but does not deflect it"))]
    pub straight: bool,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl Wish {
    /// Requests this velocity, in units a second.
    pub fn velocity(velocity: Vec3) -> Self {
        Self { vector: velocity, ..Self::default() }
    }

    /// Requests this change of velocity, in units a second.
    pub fn change(change: Vec3) -> Self {
        Self { vector: change, kind: WishKind::Change, ..Self::default() }
    }

    /// Requests this change of angular velocity, in radians a second. For agents with
    /// [`AngularVelocity`](crate::AngularVelocity).
    pub fn turn(change: Vec3) -> Self {
        Self { vector: change, kind: WishKind::Turn, ..Self::default() }
    }

    /// For player input: avoidance stops the agent before a wall and does not deflect it along it.
    #[must_use]
    pub fn straight(mut self) -> Self {
        self.straight = true;
        self
    }
}

impl SteeringBehavior for Wish {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    const IN_PRESETS: bool = false;
    crate::blend_field!();

    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        match self.kind {
            WishKind::Velocity => {
                Steering::linear(agent.plane.flatten(self.vector) - agent.velocity)
            }
            WishKind::Change => Steering::linear(self.vector),
            WishKind::Turn => Steering::angular(self.vector),
        }
    }

    fn debug_draw(&self, agent: &Agent, (): &ParamOf<Self>, draw: &mut DebugDraw) {
        if self.kind != WishKind::Turn {
            draw.arrow(DebugLayer::Guess, agent.position, agent.position + self.vector);
        }
    }
}

/// Notes for avoidance which agents go [straight](Wish::straight) in this tick.
pub(super) fn note_straight(
    mut agents: Query<
        (Option<&Wish>, Option<&SteeringWish>, &mut Contributions),
        Or<(With<Wish>, With<SteeringWish>)>,
    >,
) {
    for (wish, wishes, mut contributions) in &mut agents {
        let mut wishes = wishes.into_iter().flat_map(|wishes| &wishes.0).chain(wish);
        let counts = |blend: &Blend| blend.enabled && blend.weight != 0.0;
        if contributions.stage() == Stage::Active
            && wishes.any(|wish| wish.straight && counts(&wish.blend))
        {
            contributions.bypass_change_detection().go_straight();
        }
    }
}

/// A [`SteeringWish`] is for one tick.
pub(super) fn clear_wishes(mut wishes: Query<&mut SteeringWish>) {
    // What is empty again is no change that a game would react to.
    wishes.iter_mut().for_each(|mut wishes| wishes.bypass_change_detection().clear());
}
