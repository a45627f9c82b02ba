//! [`SteeringBehavior`], the trait of every behaviour, with its result, [`Steering`]; and
//! [`SimdBehavior`], of those that can steer eight agents in lanes.

use bevy::{
    ecs::{
        component::Mutable,
        system::{ReadOnlySystemParam, SystemParamItem},
    },
    prelude::*,
    reflect::{GetTypeRegistration, Typed},
};

use crate::{
    agent::{Blend, EncounterRequest, Goal, Priority, SurfaceReach, VelocityLimits},
    behavior::{
        agent::{Agent, AgentBlock},
        debug_draw::DebugDraw,
    },
    simd::{Lanes, Vector, WIDTH},
};

/// A steering behaviour: a component that requests a change of velocity, computed from its agent
/// and the world.
///
/// Every behaviour of this crate implements it and is registered like yours, with
/// [`add_steering_behavior`](crate::SteeringAppExt::add_steering_behavior), which adds weights,
/// priorities and arbitration. Agents without the component cost nothing.
///
/// The behaviours of an agent run in the order of their registration, the built-in ones first, but
/// those that only correct others ([`DRIVES`](Self::DRIVES)) after those that move the agent. All
/// of them see the world as it was at the beginning of the tick.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{DebugLayer, prelude::*};
///
/// /// Circles around a point.
/// #[derive(Component, Reflect, Clone, Debug, Default)]
/// #[reflect(Component, Default)]
/// struct Orbit {
///     center: Vec3,
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for Orbit {
///     type Param = ();
///     const PRIORITY: Priority = Priority::Normal;
///     fn blend(&self) -> &Blend {
///         &self.blend
///     }
///     fn blend_mut(&mut self) -> &mut Blend {
///         &mut self.blend
///     }
///     fn steer(&mut self, agent: &Agent, _: &ParamOf<Self>) -> Steering {
///         let inward = agent.towards(self.center);
///         let along = agent.plane.left(inward).normalize_or_zero();
///         Steering::linear(along * agent.vehicle.max_speed - agent.velocity)
///     }
///     // Optional: how it is drawn.
///     fn debug_draw(&self, agent: &Agent, _: &ParamOf<Self>, draw: &mut DebugDraw) {
///         draw.circle(DebugLayer::Path, self.center, agent.towards(self.center).length());
///     }
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_steering_behavior::<Orbit>();
/// ```
///
/// A behaviour may hold another one, take its `Param` for its own and call its `steer`.
pub trait SteeringBehavior:
    Component<Mutability = Mutable> + FromReflect + Typed + GetTypeRegistration
{
    /// What it reads of the world besides its agent: any read-only system parameter, or a tuple of
    /// some. Without lifetimes they are [`STargets`](crate::STargets) for its targets,
    /// [`SNeighbors`](crate::SNeighbors) to search for other agents,
    /// `SRes<`[`ObstacleIndex`](crate::ObstacleIndex)`>`, and what else is in Bevy's
    /// `bevy::ecs::system::lifetimeless`.
    ///
    /// Must not write, and not read the behaviour's own component, which is being written.
    type Param: for<'w, 's> ReadOnlySystemParam<Item<'w, 's>: Sync> + 'static;

    /// The default tier, if its [`Blend`] has none.
    const PRIORITY: Priority;

    /// Whether this behaviour moves the agent (true) or only corrects other behaviours (false),
    /// like avoidance. An agent that no behaviour moves follows its
    /// [`WhenIdle`](crate::WhenIdle), with corrections. Default true.
    const DRIVES: bool = true;

    /// Whether presets hold it: false for one that carries orders or input rather than a manner of
    /// moving. Default true.
    const IN_PRESETS: bool = true;

    /// Its name in tools. Default: the type's name without its path, `Seek`.
    fn name() -> &'static str
    where
        Self: Sized,
    {
        Self::short_type_path()
    }

    /// The path by which code names its type, for tools that write code. Default: its type path.
    fn code_path() -> &'static str
    where
        Self: Sized,
    {
        Self::type_path()
    }

    /// Its weight, its tier, and whether it is enabled.
    fn blend(&self) -> &Blend;

    /// The same, for changes.
    fn blend_mut(&mut self) -> &mut Blend;

    /// The speed at which the agent continues in its direction while no behaviour
    /// [moves](Self::DRIVES) it, as a fraction of its top speed. Default 0: it follows its
    /// [`WhenIdle`](crate::WhenIdle).
    #[inline]
    fn cruise(&self) -> f32 {
        0.0
    }

    /// The requested change of velocity for this tick. Not called while disabled, nor for invalid
    /// agents.
    ///
    /// A result that, times the weight, is NaN or beyond [`MAX_MAGNITUDE`](crate::MAX_MAGNITUDE) is
    /// dropped with a warning.
    fn steer(&mut self, agent: &Agent, params: &ParamOf<Self>) -> Steering;

    /// Whether it reads [`Encounters`](crate::Encounters): whether
    /// [`encounter_request`](Self::encounter_request) is called. Default false.
    const ENCOUNTERS: bool = false;

    /// Which other agents it has to know of in this tick. Called before any behaviour steers, if
    /// [`ENCOUNTERS`](Self::ENCOUNTERS). Not called while disabled, nor for invalid agents. The
    /// default asks for none.
    fn encounter_request(&self, agent: &Agent) -> Option<EncounterRequest> {
        let _ = agent;
        None
    }

    /// Whether it may go for an entity or come to rest at a goal: whether [`goal`](Self::goal) and
    /// [`near_goal`](Self::near_goal) are called. Default false.
    const HAS_GOAL: bool = false;

    /// The entity that it goes for, by what its component knows: the agent does not avoid it, and
    /// it does not give way to the agent. Called before any behaviour steers, if
    /// [`HAS_GOAL`](Self::HAS_GOAL). Does not count while the behaviour is disabled or has a weight
    /// of zero. Default none.
    fn goal(&self) -> Option<Goal> {
        None
    }

    /// The goal, as a position in the world, while the agent is
    /// [near](crate::Agent::is_near_goal) it, or rests or waits before it: other agents with the
    /// same goal that are farther off wait behind this one. Called where [`goal`](Self::goal) is.
    /// Default none.
    fn near_goal(&self) -> Option<Vec3> {
        None
    }

    /// Whether it reads the obstacles and walls near its agent by
    /// [`NearSurfaces`](crate::NearSurfaces): whether [`surface_reach`](Self::surface_reach) is
    /// called. Default false.
    const SURFACES: bool = false;

    /// How far it looks for obstacles and walls in this tick: called before any behaviour steers,
    /// if [`SURFACES`](Self::SURFACES). Not called while disabled, nor for invalid
    /// agents, nor while there are no obstacles and walls.
    fn surface_reach(&self, agent: &Agent) -> SurfaceReach {
        let _ = agent;
        SurfaceReach::default()
    }

    /// Whether it gives limits only where an obstacle or wall is near: [`limits`](Self::limits) is
    /// not called where [`NearSurfaces`](crate::NearSurfaces) has none. Default false.
    const LIMITS_BY_SURFACES: bool = false;

    /// Whether it gives limits: whether [`limits`](Self::limits) is called. Its agents then have
    /// [`VelocityLimits`]. Default false.
    const LIMITS: bool = false;

    /// Adds constraints on the agent's velocity: hard ones, which no request overrides, and others,
    /// which give way by their weight. Called after arbitration, if [`LIMITS`](Self::LIMITS). Not
    /// called while disabled, nor for invalid agents.
    ///
    /// The default gives none. The weight and the priority of the [`Blend`] concern requests, not
    /// limits.
    fn limits(&mut self, agent: &Agent, params: &ParamOf<Self>, limits: &mut VelocityLimits) {
        let _ = (agent, params, limits);
    }

    /// Draws its target, its ranges, its feelers. The default draws nothing.
    ///
    /// Called for agents that have the behaviour switched on, while something displays it.
    fn debug_draw(&self, agent: &Agent, params: &ParamOf<Self>, draw: &mut DebugDraw) {
        let _ = (agent, params, draw);
    }

    /// Sets the weight in its tier. Default 1.
    #[must_use]
    fn with_weight(mut self, weight: f32) -> Self
    where
        Self: Sized,
    {
        self.blend_mut().weight = weight;
        self
    }

    /// Sets the tier; `None` for the behaviour's own.
    #[must_use]
    fn with_priority(mut self, priority: impl Into<Option<Priority>>) -> Self
    where
        Self: Sized,
    {
        self.blend_mut().priority = priority.into();
        self
    }

    /// Disables it, to be enabled later.
    #[must_use]
    fn disabled(mut self) -> Self
    where
        Self: Sized,
    {
        self.blend_mut().enabled = false;
        self
    }

    /// Whether it is enabled.
    fn is_enabled(&self) -> bool {
        self.blend().enabled
    }

    /// Enables or disables it.
    fn set_enabled(&mut self, enabled: bool) {
        self.blend_mut().enabled = enabled;
    }

    /// Disables it if it is enabled, and enables it otherwise.
    fn toggle(&mut self) {
        self.set_enabled(!self.is_enabled());
    }
}

/// The parameters of a behaviour, as its methods take them: `&ParamOf<Self>`.
pub type ParamOf<'w, 's, B> = SystemParamItem<'w, 's, <B as SteeringBehavior>::Param>;

/// The accessors of a behaviour's field `blend`, inside its implementation of [`SteeringBehavior`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::prelude::*;
///
/// #[derive(Component, Reflect, Default)]
/// #[reflect(Component, Default)]
/// struct Climb {
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for Climb {
///     type Param = ();
///     const PRIORITY: Priority = Priority::Low;
///     bevy_steer::blend_field!();
///
///     fn steer(&mut self, agent: &Agent, _: &ParamOf<Self>) -> Steering {
///         Steering::linear(Vec3::Y * agent.vehicle.max_speed - agent.velocity)
///     }
/// }
/// ```
#[macro_export]
macro_rules! blend_field {
    () => {
        fn blend(&self) -> &$crate::Blend {
            &self.blend
        }

        fn blend_mut(&mut self) -> &mut $crate::Blend {
            &mut self.blend
        }
    };
}

/// The request of a behaviour: changes of velocity, which arbitration combines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering {
    /// Change of velocity, in units a second; `None` for no request. Zero is a request too: to keep
    /// the velocity.
    pub linear: Option<Vec3>,
    /// Change of angular velocity about each axis, in radians a second; `None` for no request.
    pub angular: Option<Vec3>,
}

impl Steering {
    /// No request.
    pub const NONE: Self = Self { linear: None, angular: None };

    /// Requests this change of velocity.
    #[inline]
    pub fn linear(change: Vec3) -> Self {
        Self { linear: Some(change), angular: None }
    }

    /// Requests this change of angular velocity.
    pub fn angular(change: Vec3) -> Self {
        Self { linear: None, angular: Some(change) }
    }

    /// Whether every number in it is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.linear.is_none_or(Vec3::is_finite) && self.angular.is_none_or(Vec3::is_finite)
    }
}

/// A behaviour that can steer eight agents without rare components in lanes.
pub(crate) trait SimdBehavior: SteeringBehavior + Sized {
    /// The requests of eight agents, as [`steer`](SteeringBehavior::steer) returns them for one: in
    /// their plane, in the same bits.
    ///
    /// Agents to steer have their bit set in `requested`. Returns which of them have been steered
    /// as well; the others are steered one by one, so nothing of theirs may have changed.
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        params: &ParamOf<Self>,
    ) -> (Vector<L>, u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steering_is_finite_if_all_of_it_is() {
        let steering = |linear, angular| Steering { linear: Some(linear), angular };
        assert!(Steering::NONE.is_finite() && steering(Vec3::X, Some(Vec3::Z)).is_finite());
        for bad in [Vec3::Y * f32::NAN, Vec3::X * f32::INFINITY] {
            assert!(!Steering::linear(bad).is_finite() && !Steering::angular(bad).is_finite());
        }
    }
}
