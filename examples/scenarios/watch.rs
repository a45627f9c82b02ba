//! Measurements in each tick of a scenario.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::{
    contacts::{Body, Contacts},
    outcome::Outcome,
    scenario::{Scenario, Trip},
};

/// The share of its top speed below which an agent's turns are not measured: an agent that nearly
/// stands turns on the spot.
const MOVING: f32 = 0.25;

#[derive(Resource, Default)]
pub(super) struct Watch {
    /// See [`Scenario::portal`].
    portal: Option<f32>,
    ticks: u32,
    contacts: Contacts,
    bumps: Contacts,
    agents: HashMap<Entity, Travel>,
}

/// The measurements of one agent.
#[derive(Default)]
struct Travel {
    /// The time that its trip takes at top speed, in seconds.
    shortest: f32,
    /// The time of its arrival, in seconds.
    arrived: Option<f32>,
    direction: Option<Vec3>,
    turning: Option<Vec3>,
    /// The sum of the changes of its turn rate, in radians a second.
    jitter: f32,
    /// The number of changes in that sum.
    turns: u32,
    /// The sum of its speeds, as shares of its top speed, and the number of ticks.
    speeds: f32,
    ticks: u32,
}

impl Travel {
    fn turn(&mut self, velocity: Vec3, max_speed: f32, dt: f32) {
        let is_moving = velocity.length() > MOVING * max_speed;
        let direction = is_moving.then(|| velocity.normalize());
        let turning = self.direction.zip(direction).map(|(before, now)| {
            let axis = before.cross(now).normalize_or_zero();
            axis * (before.angle_between(now) / dt)
        });
        if let Some((before, now)) = self.turning.zip(turning) {
            self.jitter += before.distance(now);
            self.turns += 1;
        }
        (self.direction, self.turning) = (direction, turning);
    }
}

/// An agent that needs more than this multiple of the shortest time comes too late.
const IN_TIME: f32 = 3.0;
/// The time that crowds need to spread, in seconds; their speed is measured from then on.
const SPREAD: f32 = 10.0;

pub(super) fn watch(
    mut commands: Commands,
    mut watch: ResMut<Watch>,
    time: Res<Time>,
    agents: Query<(Entity, &Transform, &Velocity, &Vehicle, Option<&Trip>), Without<Obstacle>>,
    obstacles: Query<(Entity, &Transform, &Obstacle)>,
    walls: Query<(Entity, &Wall)>,
) {
    let watch = &mut *watch;
    watch.ticks += 1;
    let dt = time.delta_secs();
    let bodies: Vec<Body> =
        agents.iter().map(|(entity, at, _, v, _)| (entity, at.translation, v.radius)).collect();
    let obstacles: Vec<_> =
        obstacles.iter().map(|(entity, at, o)| (entity, at.translation, *o)).collect();
    let walls: Vec<_> = walls.iter().map(|(entity, wall)| (entity, *wall)).collect();
    watch.contacts.add_agents(&bodies);
    watch.bumps.add_obstacles(&bodies, &obstacles);
    watch.bumps.add_walls(&bodies, &walls);
    for (entity, at, velocity, vehicle, trip) in &agents {
        let Some(trip) = trip else { continue };
        let travel = watch.agents.entry(entity).or_default();
        if travel.arrived.is_some() {
            continue;
        }
        let seconds = watch.ticks as f32 * dt;
        travel.turn(velocity.0, vehicle.max_speed, dt);
        if seconds > SPREAD {
            travel.speeds += velocity.length() / vehicle.max_speed;
            travel.ticks += 1;
        }
        let Trip::To { goal, length } = *trip else { continue };
        travel.shortest = length / vehicle.max_speed;
        if at.translation.distance(goal) <= watch.portal.unwrap_or(vehicle.radius) {
            travel.arrived = Some(seconds);
            if watch.portal.is_some() {
                commands.entity(entity).despawn();
            }
        }
    }
}

impl Watch {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self { portal: scenario.portal, ..Self::default() }
    }

    /// Whether all agents have arrived.
    pub(super) fn is_over(&self) -> bool {
        !self.agents.is_empty() && self.agents.values().all(|travel| travel.arrived.is_some())
    }

    pub(super) fn outcome(&self) -> Outcome {
        let ratio = |travel: &Travel| Some(travel.arrived? / travel.shortest);
        let ratios: Vec<f32> = self.agents.values().filter_map(ratio).collect();
        let jitters = self.agents.values().filter(|travel| travel.turns > 0);
        let jitters: Vec<f32> = jitters.map(|one| one.jitter / one.turns as f32).collect();
        let mut arrivals: Vec<f32> =
            self.agents.values().filter_map(|travel| travel.arrived).collect();
        arrivals.sort_by(f32::total_cmp);
        let moving = self.agents.values().filter(|travel| travel.ticks > 0);
        let speeds: Vec<f32> = moving.map(|one| one.speeds / one.ticks as f32).collect();
        Outcome {
            agents: self.agents.len(),
            arrived: ratios.len(),
            contacts: self.contacts.count(),
            deepest_contact: self.contacts.deepest(),
            bumps: self.bumps.count(),
            deepest_bump: self.bumps.deepest(),
            mean_time: mean(&ratios),
            longest_time: ratios.iter().copied().fold(0.0, f32::max),
            jitter: mean(&jitters),
            seconds: arrivals.last().copied().unwrap_or(0.0),
            in_time: ratios.iter().filter(|ratio| **ratio <= IN_TIME).count(),
            flow: flow(&arrivals),
            speed: mean(&speeds),
        }
    }
}

/// Agents a second, in the middle four fifths of the arrivals; 0 if there are fewer than ten.
fn flow(arrivals: &[f32]) -> f32 {
    let count = arrivals.len();
    if count < 10 {
        return 0.0;
    }
    let (first, last) = (count / 10, count - 1 - count / 10);
    (last - first) as f32 / (arrivals[last] - arrivals[first])
}

fn mean(numbers: &[f32]) -> f32 {
    numbers.iter().sum::<f32>() / numbers.len().max(1) as f32
}
