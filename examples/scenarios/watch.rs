//! Measurements in each tick of a scenario.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::{
    contacts::{Body, Contacts},
    outcome::Outcome,
    scenario::Trip,
};

/// The share of its top speed below which an agent's turns are not measured: an agent that nearly
/// stands turns on the spot.
const MOVING: f32 = 0.25;

#[derive(Resource, Default)]
pub(super) struct Watch {
    ticks: u32,
    contacts: Contacts,
    bumps: Contacts,
    agents: HashMap<Entity, Travel>,
}

/// The measurements of one agent.
#[derive(Default)]
struct Travel {
    /// The time of its arrival, in seconds.
    arrived: Option<f32>,
    direction: Option<Vec3>,
    turning: Option<Vec3>,
    /// The sum of the changes of its turn rate, in radians a second.
    jitter: f32,
    /// The number of changes in that sum.
    turns: u32,
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

pub(super) fn watch(
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
        if travel.arrived.is_none() {
            travel.turn(velocity.0, vehicle.max_speed, dt);
            if at.translation.distance(trip.goal) <= vehicle.radius {
                travel.arrived = Some(watch.ticks as f32 * dt);
            }
        }
    }
}

impl Watch {
    /// Whether all agents have arrived.
    pub(super) fn is_over(&self) -> bool {
        !self.agents.is_empty() && self.agents.values().all(|travel| travel.arrived.is_some())
    }

    pub(super) fn outcome(&self, trips: impl Iterator<Item = (Entity, f32)>) -> Outcome {
        let ratios: Vec<f32> = trips
            .filter_map(|(entity, shortest)| Some(self.agents[&entity].arrived? / shortest))
            .collect();
        let jitters = self.agents.values().filter(|travel| travel.turns > 0);
        let jitters: Vec<f32> = jitters.map(|one| one.jitter / one.turns as f32).collect();
        let arrivals = self.agents.values().filter_map(|travel| travel.arrived);
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
            seconds: arrivals.fold(0.0, f32::max),
        }
    }
}

fn mean(numbers: &[f32]) -> f32 {
    numbers.iter().sum::<f32>() / numbers.len().max(1) as f32
}
