//! Registration of behaviours, and the one system that runs each of them.

use core::any::TypeId;

use bevy::{
    ecs::{query::QueryData, system::StaticSystemParam},
    prelude::*,
};

use crate::{
    arbitration::{AngularContributions, Contributions},
    behavior::{Agent, SteeringBehavior},
    bounds::Bounds,
    number::AgentNumber,
    offences::first_nan,
    parallel::for_each_agent,
    plane::SteeringPlane,
    schedule::{SteeringSchedule, SteeringSystems},
    tick::Tick,
    vehicle::{AngularVelocity, Heading, Vehicle, Velocity},
};

/// The registered behaviours, in the order in which they run.
#[derive(Resource, Debug, Default)]
pub struct BehaviorRegistry {
    entries: Vec<RegisteredBehavior>,
}

/// A registered behaviour.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredBehavior {
    /// The component's type.
    pub type_id: TypeId,
    /// Its name without the path: `Seek`.
    pub name: &'static str,
}

impl BehaviorRegistry {
    /// All of them, in the order in which they run.
    pub fn iter(&self) -> impl Iterator<Item = &RegisteredBehavior> {
        self.entries.iter()
    }

    fn index_of<B: SteeringBehavior>(&self) -> usize {
        let found = self.entries.iter().position(|entry| entry.type_id == TypeId::of::<B>());
        found.unwrap_or(self.entries.len())
    }
}

/// The place of one behaviour in the chain.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct BehaviorLink(usize);

/// Registers behaviours.
pub trait SteeringAppExt {
    /// Makes `B` a steering behaviour of this app. It runs after those registered before it. A second call does nothing.
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self;
}

impl SteeringAppExt for App {
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self {
        let mut registry =
            self.init_resource::<BehaviorRegistry>().world_mut().resource_mut::<BehaviorRegistry>();
        let link = registry.index_of::<B>();
        if link < registry.entries.len() {
            return self;
        }
        registry
            .entries
            .push(RegisteredBehavior { type_id: TypeId::of::<B>(), name: B::short_type_path() });
        if link > 0 {
            self.configure_sets(SteeringSchedule, BehaviorLink(link).after(BehaviorLink(link - 1)));
        }
        self.register_type::<B>()
            .configure_sets(SteeringSchedule, BehaviorLink(link).in_set(SteeringSystems::Behave))
            .add_systems(
                SteeringSchedule,
                (
                    check_parameters::<B>.in_set(SteeringSystems::Prepare),
                    steer_agents::<B>.in_set(BehaviorLink(link)),
                ),
            )
    }
}

/// What an [`Agent`] is made of.
#[derive(QueryData)]
struct AgentParts {
    entity: Entity,
    number: &'static AgentNumber,
    transform: &'static Transform,
    velocity: &'static Velocity,
    heading: &'static Heading,
    angular_velocity: Option<&'static AngularVelocity>,
    vehicle: &'static Vehicle,
    plane: Option<&'static SteeringPlane>,
    bounds: Option<&'static Bounds>,
}

/// Warns of parameters of an agent that are not numbers, when they are set.
pub(crate) fn check_parameters<C: Component + Reflect + TypePath>(
    changed: Query<(Entity, &C), (With<Vehicle>, Changed<C>)>,
    tick: Tick,
) {
    for (entity, parameters) in &changed {
        if let Some(field) = first_nan(parameters.as_partial_reflect()) {
            let name = C::short_type_path();
            tick.offences.warn(entity, &format!("{name}{field}"), "is not a number");
        }
    }
}

/// Runs one behaviour for all agents that have it.
fn steer_agents<B: SteeringBehavior>(
    mut agents: Query<(AgentParts, &mut B, &mut Contributions, Option<&mut AngularContributions>)>,
    world: StaticSystemParam<B::World>,
    registry: Res<BehaviorRegistry>,
    tick: Tick,
) {
    if agents.is_empty() {
        return;
    }
    let index = registry.index_of::<B>();
    let world = world.into_inner();
    let tick = tick.borrow();
    for_each_agent(agents.reborrow(), |(parts, mut behavior, mut contributions, angular)| {
        if !contributions.fit || !behavior.blend().enabled {
            return;
        }
        let plane = parts.plane.copied().unwrap_or(tick.settings.plane);
        let agent = Agent {
            entity: parts.entity,
            number: *parts.number,
            position: parts.transform.translation,
            velocity: plane.flatten(parts.velocity.0),
            heading: parts.heading.0,
            angular_velocity: parts.angular_velocity.map_or(Vec3::ZERO, |w| w.0),
            vehicle: parts.vehicle,
            plane,
            bounds: parts.bounds.unwrap_or(tick.bounds),
            dt: tick.dt,
            seed: tick.settings.seed,
            behavior: index,
            notices: tick.notices,
        };
        // State that a behaviour keeps between ticks is not a change that anybody waits for.
        let behavior = behavior.bypass_change_detection();
        let steering = behavior.steer(&agent, &world);
        let weight = behavior.blend().weight;
        if !(steering.is_finite() && (steering.linear * weight).is_finite()) {
            // A parameter that is not a number has been named when it was set.
            if first_nan(behavior.as_partial_reflect()).is_none() {
                let name = B::short_type_path();
                tick.offences.warn(agent.entity, name, "asked for a change that is not finite");
            }
            return;
        }
        contributions.add(plane.flatten(steering.linear), behavior.blend(), B::PRIORITY);
        if let (Some(change), Some(mut angular)) = (steering.angular, angular) {
            angular.add(plane.flatten_turn(change), behavior.blend(), B::PRIORITY);
        }
    });
}
