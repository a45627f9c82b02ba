//! What avoiding costs in crowds: `cargo bench -p bevy_steer_benches --bench crowds`.
//!
//! Everybody is on the way to a random place, and from there to the next, in a square that wraps
//! round: so the density is the same everywhere and at any time. Each row is measured after a second
//! of its world, in turns with the others of its line: the median of many ticks, in nanoseconds an
//! agent and tick. Beside a crowd stands the same crowd moved by `dodgy_2d`, which implements ORCA:
//! its agents get the nearest twelve others within 8 units from this crate's index and head for the
//! same places. `alone` is what it computes of them, `in all` has the index, the search and the move
//! too. Rows can be picked by a part of their names.
#![allow(missing_docs, reason = "a program")]

mod common;

use std::{
    borrow::Cow,
    env,
    process::Command,
    time::{Duration, Instant},
};

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_steer::{
    SteeringTick, Velocity,
    formulas::{ArriveLimits, arrive},
    prelude::*,
};
use common::{Dice, Place};
use dodgy_2d::{AvoidanceOptions, Vec2 as Flat};

const TICK: Duration = Duration::from_micros(15_625);
/// A second.
const WARM_UP: usize = 64;
/// It is enough to measure so many ticks, or for so long.
const TICKS: usize = 400;
const LONG: f64 = 4.0;

/// At so many units from its place an agent heads for another.
const THERE: f32 = 1.0;

/// The way of an agent: its place, and the dice that say which comes next.
#[derive(Component)]
struct Way(Vec3, Dice);

type Run = Box<dyn FnMut(&mut World) -> Option<Duration>>;

/// A world, and what a tick of it is. That may name the part of it that counts by itself.
struct Crowd {
    app: App,
    place: Place,
    run: Run,
}

impl Crowd {
    /// Agents that move in random directions; `extra` gives each what else it has.
    fn new<B: Bundle>(place: Place, mut extra: impl FnMut(Vec3) -> B) -> Self {
        let mut app = App::new();
        let mut pools = TaskPoolPlugin::default();
        // The app's own thread is one of them.
        let threads = if has_two_threads() { 1 } else { 0 };
        let compute = &mut pools.task_pool_options.compute;
        (compute.min_threads, compute.max_threads) = (threads, threads);
        app.add_plugins((MinimalPlugins.set(pools), SteeringPlugin::default()))
            .insert_resource(WorldBounds(place.bounds()));
        let mut dice = Dice::new(1);
        for i in 0..place.agents {
            let mut own = Dice::new(2 + i as u64);
            let goal = place.point(&mut own);
            let velocity = Velocity(place.direction(&mut dice) * dice.number(2.5, 5.0));
            let at = Transform::from_translation(place.point(&mut dice));
            let body = (Vehicle::default(), at, velocity, Way(goal, own));
            app.world_mut().spawn((body, extra(goal)));
        }
        let run = Box::new(|world: &mut World| {
            world.run_schedule(SteeringSchedule);
            None
        });
        Self { app, place, run }
    }

    /// One tick, and its part, in nanoseconds an agent.
    fn tick(&mut self) -> [f64; 2] {
        let world = self.app.world_mut();
        send_on(world, self.place);
        world.resource_mut::<Time>().advance_by(TICK);
        world.resource_mut::<SteeringTick>().0 += 1;
        let begin = Instant::now();
        let part = (self.run)(world);
        let all = begin.elapsed();
        [all, part.unwrap_or(all)].map(|time| time.as_secs_f64() * 1e9 / self.place.agents as f64)
    }
}

fn has_two_threads() -> bool {
    env::args().any(|argument| argument == TWO_THREADS)
}

/// The short way round a world that wraps.
fn short(way: Vec3, place: Place) -> Vec3 {
    way - place.side * (way / place.side).round()
}

/// New places for those that have arrived.
fn send_on(world: &mut World, place: Place) {
    let mut agents = world.query::<(&Transform, &mut Way, Option<&mut Arrive>)>();
    for (at, mut way, arrive) in agents.iter_mut(world) {
        if short(way.0 - at.translation, place).length() < THERE {
            way.0 = place.point(&mut way.1);
            if let Some(mut arrive) = arrive {
                arrive.target = way.0.into();
            }
        }
    }
}

fn ours(place: Place) -> Crowd {
    Crowd::new(place, |goal| (Arrive::new(goal), AvoidAgents::default()))
}

/// Agents without behaviours, moved by `dodgy_2d`.
fn orca(place: Place) -> Crowd {
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
            let query = bevy_steer::NeighborQuery::at(at.translation).except(entity);
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
                    time_horizon: AvoidAgents::default().horizon,
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

fn flock(place: Place) -> Crowd {
    Crowd::new(place, |_| Flock::new(8.0))
}

/// Strollers that evade whoever is nearest, among a thousand stones and a hundred walls.
fn walkers(place: Place) -> Crowd {
    let mut crowd = Crowd::new(place, |_| {
        let evade = Evade::new(Target::nearest(SteeringLayers::ALL, 8.0));
        let avoid = (AvoidAgents::default(), AvoidObstacles::default(), AvoidWalls::default());
        (avoid, Wander::default(), evade)
    });
    let (world, mut dice) = (crowd.app.world_mut(), Dice::new(0));
    for _ in 0..1_000 {
        let at = Transform::from_translation(place.point(&mut dice));
        world.spawn((Obstacle::sphere(dice.number(0.5, 1.5)), at));
    }
    for _ in 0..100 {
        let from = place.point(&mut dice);
        world.spawn(Wall::new(from, from + place.direction(&mut dice) * 10.0));
    }
    crowd
}

/// A square in which each agent has so many square units.
fn square(agents: usize, room: f32) -> Place {
    Place { agents, plane: SteeringPlane::Xy, side: (agents as f32 * room).sqrt() }
}

type Row = (&'static str, fn() -> Vec<Crowd>);

const ONE_THREAD: &[Row] = &[
    ("1,000 avoiding, 28 units² each", || both(square(1_000, 28.0))),
    ("1,000 avoiding, 8 units² each", || both(square(1_000, 8.0))),
    ("10,000 avoiding, 28 units² each", || both(square(10_000, 28.0))),
    ("10,000 avoiding, 8 units² each", || both(square(10_000, 8.0))),
    ("10,000 flocking, radius 8, 28 units² each", || vec![flock(square(10_000, 28.0))]),
    ("10,000 flocking, radius 8, 8 units² each", || vec![flock(square(10_000, 8.0))]),
    ("10,000 walkers, 28 units² each", || vec![walkers(square(10_000, 28.0))]),
];

const ON_TWO_THREADS: &[Row] = &[
    ("100,000 avoiding, 28 units² each", || vec![ours(square(100_000, 28.0))]),
    ("100,000 flocking, radius 8, 28 units² each", || vec![flock(square(100_000, 28.0))]),
    ("10,000 walkers, 28 units² each", || vec![walkers(square(10_000, 28.0))]),
];

fn both(place: Place) -> Vec<Crowd> {
    vec![ours(place), orca(place)]
}

/// The medians of all, measured in turns.
fn measure(mut crowds: Vec<Crowd>) -> Vec<[f64; 2]> {
    for crowd in &mut crowds {
        for _ in 0..WARM_UP {
            crowd.tick();
        }
    }
    let mut times = vec![[Vec::new(), Vec::new()]; crowds.len()];
    let begin = Instant::now();
    while times[0][0].len() < TICKS && begin.elapsed().as_secs_f64() < LONG {
        for (crowd, times) in crowds.iter_mut().zip(&mut times) {
            let now = crowd.tick();
            times.iter_mut().zip(now).for_each(|(times, now)| times.push(now));
        }
    }
    times.into_iter().map(|times| times.map(median)).collect()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The argument of the program that this one starts for the rows with two threads: a program has one
/// pool of threads.
const TWO_THREADS: &str = "--two-threads";

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let wanted: Vec<_> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let (threads, rows) = if has_two_threads() {
        ("two threads", ON_TWO_THREADS)
    } else {
        ("one thread", ONE_THREAD)
    };
    let head = format!("ns an agent and tick, {threads}");
    println!(
        "{head:<45} {:>11} {:>11} {:>13} {:>10}",
        "bevy_steer", "ms a tick", "ORCA alone", "in all"
    );
    for (name, build) in rows {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let crowds = build();
        let agents = crowds[0].place.agents as f64;
        let medians = measure(crowds);
        let [ours, _] = medians[0];
        let orca = medians.get(1).map(|[all, alone]| format!(" {alone:>13.0} {all:>10.0}"));
        println!(
            "{name:<45} {ours:>11.0} {:>11.2}{}",
            ours * agents * 1e-6,
            orca.unwrap_or_default()
        );
    }
    if !has_two_threads() {
        let program = env::current_exe().expect("the path of this program");
        let status = Command::new(program).args(arguments).arg(TWO_THREADS).status();
        assert!(status.is_ok_and(|status| status.success()), "the rows with two threads failed");
    }
}
