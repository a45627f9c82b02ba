//! Crowds that `dodgy_2d` moves.

use std::{borrow::Cow, time::Instant};

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_steer::{
    NeighborQuery, Velocity,
    formulas::{ArriveLimits, arrive},
    prelude::*,
};
use dodgy_2d::{AvoidanceOptions, Vec2 as Flat};

use crate::{Crowd, TICK, Way, common::Place, short};

/// Agents without behaviours, moved by `dodgy_2d`.
pub(crate) fn crowd(place: Place) -> Crowd {
    use SteeringSystems::{Behave, Combine, Integrate, Notify};
    let mut crowd = Crowd::new(place, |_| ());
    for set in [Behave, Combine, Integrate, Notify] {
        crowd.app.configure_sets(SteeringSchedule, set.run_if(|| false));
    }
    let world = crowd.app.world_mut();
    let mut index = SystemState::<Neighbors>::new(world);
    let mut agents = world.query::<(Entity, &mut Transform, &mut Velocity, &Vehicle, &Way)>();
    crowd.run = Box::new(move |world| {
        world.run_schedule(SteeringSchedule);
        let neighbors = index.get(world).expect("the index");
        let found = agents.query(world).into_iter().map(|(entity, at, ..)| {
            let query = NeighborQuery::at(at.translation).except(entity);
            neighbors.nearest_k(query, 12, 8.0)
        });
        let found: Vec<_> = found.collect();
        let begin = Instant::now();
        let chosen = agents.query(world).into_iter().zip(found).map(
            |((_, at, velocity, body, way), found)| {
                let wish = wished_velocity(short(way.0 - at.translation, place), body);
                let others =
                    found.iter().map(|it| Cow::Owned(agent(it.offset, it.velocity, it.radius)));
                let others: Vec<_> = others.collect();
                let options = AvoidanceOptions {
                    obstacle_margin: body.radius,
                    time_horizon: AvoidAgents::default().look_ahead,
                    obstacle_time_horizon: 1.0,
                };
                agent(Vec3::ZERO, velocity.0, body.radius).compute_avoiding_velocity(
                    &others,
                    &[],
                    flat(wish),
                    body.max_speed,
                    TICK.as_secs_f32(),
                    &options,
                )
            },
        );
        let chosen: Vec<Flat> = chosen.collect();
        let alone = begin.elapsed();
        for ((_, mut at, mut velocity, ..), chosen) in agents.iter_mut(world).zip(chosen) {
            velocity.0 = Vec3::new(chosen.x, chosen.y, 0.0);
            at.translation = short(at.translation + velocity.0 * TICK.as_secs_f32(), place);
        }
        Some(alone)
    });
    crowd
}

fn flat(v: Vec3) -> Flat {
    Flat::new(v.x, v.y)
}

fn agent(at: Vec3, velocity: Vec3, radius: f32) -> dodgy_2d::Agent {
    let (position, velocity) = (flat(at), flat(velocity));
    dodgy_2d::Agent { position, velocity, radius, avoidance_responsibility: 1.0 }
}

/// That of `Arrive`.
fn wished_velocity(way: Vec3, body: &Vehicle) -> Vec3 {
    let (max_speed, max_acceleration) = (body.max_speed, body.max_acceleration());
    let limits = ArriveLimits { max_speed, max_acceleration, stop_radius: 0.0 };
    arrive(Vec3::ZERO, Vec3::ZERO, way, ArriveProfile::NORMAL, limits)
}
