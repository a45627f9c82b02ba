//! What is noted in each tick of a scenario.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::{
    outcome::Outcome,
    scenario::Trip,
    touch::{Body, Touches},
};

/// Slower than this share of its top speed nobody's trembling is looked at: who nearly stands turns on the spot.
const MOVING: f32 = 0.25;

#[derive(Resource, Default)]
pub(super) struct Watch {
    ticks: u32,
    others: Touches,
    things: Touches,
    agents: HashMap<Entity, Travel>,
}

/// How one agent has fared.
#[derive(Default)]
struct Travel {
    /// When it had arrived, in seconds.
    arrived: Option<f32>,
    direction: Option<Vec3>,
    turning: Option<Vec3>,
    /// Sum of the changes of its turning rate, in radians a second, and of how many.
    jitter: f32,
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
    agents: Query<(Entity, &Transform, &Velocity, &Vehicle, &Trip)>,
    stones: Query<(Entity, &Transform, &Obstacle)>,
    walls: Query<(Entity, &Wall)>,
) {
    let watch = &mut *watch;
    watch.ticks += 1;
    let dt = time.delta_secs();
    let bodies: Vec<Body> =
        agents.iter().map(|(entity, at, _, v, _)| (entity, at.translation, v.radius)).collect();
    let stones: Vec<_> =
        stones.iter().map(|(entity, at, o)| (entity, at.translation, *o)).collect();
    let walls: Vec<_> = walls.iter().map(|(entity, wall)| (entity, *wall)).collect();
    watch.others.add_agents(&bodies);
    watch.things.add_stones(&bodies, &stones);
    watch.things.add_walls(&bodies, &walls);
    for (entity, at, velocity, vehicle, trip) in &agents {
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
    /// Whether everybody has arrived.
    pub(super) fn is_over(&self) -> bool {
        !self.agents.is_empty() && self.agents.values().all(|travel| travel.arrived.is_some())
    }

    pub(super) fn outcome(&self, trips: impl Iterator<Item = (Entity, f32)>) -> Outcome {
        // What the trips took, by how long they would have taken alone.
        let ratios: Vec<f32> = trips
            .filter_map(|(entity, alone)| Some(self.agents[&entity].arrived? / alone))
            .collect();
        let jitters = self.agents.values().filter(|travel| travel.turns > 0);
        let jitters: Vec<f32> = jitters.map(|one| one.jitter / one.turns as f32).collect();
        let arrivals = self.agents.values().filter_map(|travel| travel.arrived);
        Outcome {
            agents: self.agents.len(),
            arrived: ratios.len(),
            contacts: self.others.count(),
            deepest_contact: self.others.deepest(),
            bumps: self.things.count(),
            deepest_bump: self.things.deepest(),
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
