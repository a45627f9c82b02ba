//! The seam: [`SteeringBehavior`], the trait behind every behaviour, and what it is given and gives back.

use bevy::{
    ecs::{
        component::Mutable,
        system::{ReadOnlySystemParam, SystemParamItem},
    },
    prelude::*,
    reflect::GetTypeRegistration,
};
use rand_pcg::Pcg32;

use crate::{
    agent::unit_heading,
    blend::{Blend, Priority},
    bounds::{Bounds, shortest},
    events::{Notices, SteeringEvent},
    layers::SteeringLayers,
    neighbors::{Entry, NeighborQuery},
    number::AgentNumber,
    plane::SteeringPlane,
    random::RandomStream,
    sketch::Sketch,
    vehicle::Vehicle,
};

/// A steering behaviour: a component that looks at its agent and the world and says which change of velocity it wants.
///
/// Every behaviour of this crate is one, registered by the same call that registers yours:
/// [`add_steering_behavior`](crate::SteeringAppExt::add_steering_behavior). Weights, priorities and arbitration come with it.
/// Agents without the component cost nothing.
///
/// Behaviours of one agent run in the order of their registration, the built-in ones first. All of them see the world
/// as it was at the beginning of the tick.
///
/// ```
/// use bevy::{ecs::system::SystemParamItem, prelude::*};
/// use bevy_steer::prelude::*;
///
/// /// Circles around a place.
/// #[derive(Component, Reflect, Clone, Debug, Default)]
/// #[reflect(Component, Default)]
/// struct Orbit {
///     center: Vec3,
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for Orbit {
///     type World = ();
///     const PRIORITY: Priority = Priority::Normal;
///     fn blend(&self) -> &Blend {
///         &self.blend
///     }
///     fn blend_mut(&mut self) -> &mut Blend {
///         &mut self.blend
///     }
///     fn steer(&mut self, agent: &Agent, _: &SystemParamItem<Self::World>) -> Steering {
///         let inward = agent.towards(self.center);
///         let along = agent.plane.left(inward).normalize_or_zero();
///         Steering::linear(along * agent.vehicle.max_speed - agent.velocity)
///     }
///     // Only for those who want to see it drawn.
///     fn sketch(&self, agent: &Agent, _: &SystemParamItem<Self::World>, sketch: &mut Sketch) {
///         sketch.circle(Part::Path, self.center, agent.towards(self.center).length());
///     }
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_steering_behavior::<Orbit>();
/// ```
pub trait SteeringBehavior:
    Component<Mutability = Mutable> + Reflect + TypePath + GetTypeRegistration
{
    /// What it reads of the world besides its agent: [`Targets`](crate::Targets),
    /// [`Neighbors`](crate::Neighbors), `Res<`[`ObstacleIndex`](crate::ObstacleIndex)`>`, any read-only system parameter.
    /// `Targets<'static, 'static>` is how to write them here.
    ///
    /// Must not write, and not read the behaviour's own component, which is being written.
    type World: for<'w, 's> ReadOnlySystemParam<Item<'w, 's>: Sync> + 'static;

    /// The tier it belongs to unless its [`Blend`] says otherwise.
    const PRIORITY: Priority;

    /// What tools call it. Default the type's name without its path: `Seek`.
    fn name() -> &'static str
    where
        Self: Sized,
    {
        Self::short_type_path()
    }

    /// How it takes part in arbitration.
    fn blend(&self) -> &Blend;

    /// The same, to change it.
    fn blend_mut(&mut self) -> &mut Blend;

    /// The wished change of velocity for this tick. Not called while disabled, nor for agents that make no sense.
    ///
    /// A result that is not finite is dropped with a warning.
    fn steer(&mut self, agent: &Agent, world: &SystemParamItem<Self::World>) -> Steering;

    /// Draws what it is about: its target, its ranges, what it feels its way with. Draws nothing unless you say what.
    ///
    /// Called when it is to be drawn, for agents that have the behaviour switched on; never if nobody looks.
    fn sketch(&self, agent: &Agent, world: &SystemParamItem<Self::World>, sketch: &mut Sketch) {
        let _ = (agent, world, sketch);
    }

    /// With this weight in its tier. Default 1.
    #[must_use]
    fn with_weight(mut self, weight: f32) -> Self
    where
        Self: Sized,
    {
        self.blend_mut().weight = weight;
        self
    }

    /// In this tier instead of its own.
    #[must_use]
    fn with_priority(mut self, priority: Priority) -> Self
    where
        Self: Sized,
    {
        self.blend_mut().priority = Some(priority);
        self
    }

    /// Switched off, to be switched on later.
    #[must_use]
    fn disabled(mut self) -> Self
    where
        Self: Sized,
    {
        self.blend_mut().enabled = false;
        self
    }

    /// Switches it on or off.
    fn set_enabled(&mut self, enabled: bool) {
        self.blend_mut().enabled = enabled;
    }
}

/// What a behaviour wants: changes of velocity, for arbitration to combine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering {
    /// Change of velocity, in units a second.
    pub linear: Vec3,
    /// Change of angular velocity about each axis, in radians a second; `None` if it has no opinion on turning.
    pub angular: Option<Vec3>,
}

impl Steering {
    /// Wants nothing.
    pub const NONE: Self = Self { linear: Vec3::ZERO, angular: None };

    /// Wants this change of velocity.
    #[inline]
    pub fn linear(change: Vec3) -> Self {
        Self { linear: change, angular: None }
    }

    /// Wants this change of angular velocity.
    pub fn angular(change: Vec3) -> Self {
        Self { linear: Vec3::ZERO, angular: Some(change) }
    }

    /// Whether every number in it is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_none_or(Vec3::is_finite)
    }
}

/// The agent that a behaviour steers, as it was at the beginning of the tick.
#[derive(Clone, Copy)]
pub struct Agent<'a> {
    /// The entity.
    pub entity: Entity,
    /// Its stable identity.
    pub number: AgentNumber,
    /// Where it is.
    pub position: Vec3,
    /// Its velocity, without the part outside its plane.
    pub velocity: Vec3,
    /// How it turns, in radians a second.
    pub angular_velocity: Vec3,
    /// Its body. Checked: every field makes sense.
    pub vehicle: &'a Vehicle,
    /// The space in which it steers.
    pub plane: SteeringPlane,
    /// The edges of its world.
    pub bounds: &'a Bounds,
    /// The time step, in seconds; above zero.
    pub dt: f32,
    pub(crate) periods: Vec3,
    pub(crate) raw_heading: Vec3,
    pub(crate) rotation: &'a Quat,
    pub(crate) entry: &'a Entry,
    pub(crate) seed: u64,
    pub(crate) behavior: usize,
    pub(crate) notices: &'a Notices,
}

impl Agent<'_> {
    /// The way from here to `point`: in the agent's plane, and the short way round in a wrapping world.
    #[inline]
    pub fn towards(&self, point: Vec3) -> Vec3 {
        shortest(self.plane.flatten(point - self.position), self.periods)
    }

    /// Where it looks: a unit vector in its plane.
    #[inline]
    pub fn heading(&self) -> Vec3 {
        unit_heading(self.plane, self.raw_heading, *self.rotation)
    }

    /// The unit vector along its velocity, or its heading while it stands.
    #[inline]
    pub fn direction(&self) -> Vec3 {
        let direction = crate::vector::direction(self.velocity);
        if direction == Vec3::ZERO { self.heading() } else { direction }
    }

    /// The time in which a wished change of velocity is made, never below the time step, in seconds.
    #[inline]
    pub fn response(&self) -> f32 {
        self.vehicle.response.max(self.dt)
    }

    /// The unit vector to its left or right of a direction, where nothing else decides: some agents prefer one side, some the
    /// other, each always the same.
    pub(crate) fn own_side(&self, along: Vec3) -> Vec3 {
        let left = crate::vector::direction(self.plane.left(along));
        if self.number.0.is_multiple_of(2) { left } else { -left }
    }

    /// The unit vector in which it leaves what is in its very place and has no direction of its own.
    pub(crate) fn own_way_out(&self) -> Vec3 {
        self.plane.parting(self.number.0, u64::MAX)
    }

    /// Asks who is around this agent, itself excepted.
    pub fn around(&self, layers: SteeringLayers) -> NeighborQuery {
        NeighborQuery {
            center: self.position,
            layers,
            plane: Some(self.plane),
            except: Some(self.entity),
        }
    }

    /// Tells observers of the agent's entity that something has happened, once the tick is done.
    pub fn emit(&self, event: SteeringEvent) {
        self.notices.push(self.number, self.entity, self.behavior, event);
    }

    /// The generator of a stream that the behaviour keeps in its component, seeded for this agent on first use.
    pub fn random<'s>(&self, stream: &'s mut RandomStream, salt: u64) -> &'s mut Pcg32 {
        stream.generator(self.seed, self.number, salt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steering_is_finite_if_all_of_it_is() {
        let steering = |linear, angular| Steering { linear, angular };
        assert!(Steering::NONE.is_finite() && steering(Vec3::X, Some(Vec3::Z)).is_finite());
        for bad in [Vec3::Y * f32::NAN, Vec3::X * f32::INFINITY] {
            assert!(!Steering::linear(bad).is_finite() && !Steering::angular(bad).is_finite());
        }
    }
}
