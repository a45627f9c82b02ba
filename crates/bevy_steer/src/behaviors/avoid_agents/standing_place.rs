//! [`StandingPlace`]: where an idle agent stands, to which it comes back.

use bevy::prelude::*;

use crate::{
    agent::VelocityLimit,
    behavior::{
        Agent, Steering,
        braking::{resolution, stoppable_speed},
    },
    behaviors::avoid_agents::component::AvoidAgentsMemory,
    sensing::Encounters,
    space::split,
};

/// Where an agent came to rest with nothing to do, in the [memory](AvoidAgentsMemory) of a
/// behaviour.
///
/// It steps aside for others by up to two radii, of the largest one that it makes room for, and
/// comes back.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct StandingPlace {
    /// The place, in the world.
    pub position: Vec3,
    /// The radius of the largest agent that it has encountered since it left the place, or its own,
    /// in units.
    pub largest: f32,
}

/// It comes back to within this distance of its place, in radii.
const ARRIVED: f32 = 0.04;
/// The time in which it does so, in seconds, if its speed allows.
const RETURN: f32 = 0.6;
/// The largest speed at which it does so, as a share of its top speed.
const RETURN_SPEED: f32 = 0.3;
/// How far it steps aside, in radii of the largest.
const ASIDE: f32 = 2.0;
/// The share of that distance within which it is held, as others press it a little farther.
const SHARE: f32 = 0.95;
/// Farther off than this distance, in radii of the largest, it stays.
const FAR: f32 = 2.0 * ASIDE;
/// The weight of the limit that holds it near its place: more than that of those that keep bodies
/// from touching, as the others can go round it.
const WEIGHT: f32 = 2000.0;

impl StandingPlace {
    fn new(agent: &Agent) -> Self {
        Self { position: agent.position, largest: agent.vehicle.size() }
    }

    /// How far the agent is off, in units.
    fn distance(&self, agent: &Agent) -> f32 {
        agent.towards(self.position).length()
    }

    /// What an agent that steps aside adds to its pushiness in its [claim](Agent::claim): from 0 at
    /// the place to 1, two radii off, where it is as eager to come back as others are to pass.
    pub fn urge_to_return(&self, agent: &Agent) -> f32 {
        let share = (self.distance(agent) / (ASIDE * self.largest)).min(1.0);
        share * share
    }

    /// The request of an idle agent to come back, at up to three tenths of its top speed. It is
    /// added to its braking.
    pub fn come_back(&self, agent: &Agent) -> Steering {
        let (back, distance) = split(agent.towards(self.position));
        if distance <= ARRIVED * agent.vehicle.radius {
            return Steering::NONE;
        }
        let speed = (distance / RETURN).min(RETURN_SPEED * agent.vehicle.max_speed);
        Steering::linear(back * speed)
    }

    /// The limit that keeps the agent from going farther off than it steps aside for those that it
    /// encounters; `None` at the place. Call it in each tick before other limits are added.
    pub fn limit(&mut self, agent: &Agent, encounters: &Encounters) -> Option<VelocityLimit> {
        let (back, distance) = split(agent.towards(self.position));
        if distance <= ARRIVED * agent.vehicle.radius {
            self.largest = agent.vehicle.size();
            return None;
        }
        let radii = encounters.of(agent).filter_map(|other| other.radius);
        self.largest = radii.fold(self.largest, f32::max);
        let left = SHARE * ASIDE * self.largest - distance;
        let speed = stoppable_speed(left, agent.vehicle.max_acceleration(), agent.response());
        Some(VelocityLimit::firm(back, -speed, WEIGHT))
    }
}

impl AvoidAgentsMemory {
    /// Where the game moves the agent, and not its velocity, is its place. To be called each time
    /// that the behaviour steers.
    pub fn notice_move(&mut self, agent: &Agent) {
        let before = core::mem::replace(&mut self.seen_at, agent.position);
        let Some(place) = &mut self.place else { return };
        let moved = agent.displacement(before, agent.position) - agent.velocity * agent.dt;
        // It may have sped up between its decisions, and been stopped or reflected at an edge.
        let asleep = agent.dt - agent.tick_dt;
        let own = agent.vehicle.max_acceleration() * agent.dt * asleep
            + 2.0 * agent.velocity.length() * agent.dt
            + 2.0 * resolution(agent.position);
        if moved.length() > own {
            *place = StandingPlace::new(agent);
        }
    }

    /// Notes where an agent that no behaviour moves
    /// [stands](crate::VelocityLimits::stands); forgets it when one does or it is far off, by more
    /// than four radii of the largest. To be called each time that the behaviour gives limits.
    pub fn note_place(&mut self, agent: &Agent, stands: bool) {
        let is_far = |place: &StandingPlace| place.distance(agent) > FAR * place.largest;
        if !stands || self.place.as_ref().is_some_and(is_far) {
            self.place = None;
        } else if self.place.is_none() && agent.is_at_rest() {
            self.place = Some(StandingPlace::new(agent));
        }
    }
}
