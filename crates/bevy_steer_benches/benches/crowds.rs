//! What avoiding costs in crowds: `cargo bench -p bevy_steer_benches --bench crowds`.
//!
//! All agents are on the way to a random place, and from there to the next, in a square that wraps
//! round: so the density is the same everywhere and at any time. Each row is measured after a
//! second of its world, in turns with the others of its line: nanoseconds an agent and tick, of
//! many ticks the one that a tenth of them is faster than, as machines are seldom at rest.
//!
//! Beside a crowd stands the same crowd moved by `dodgy_2d`, which implements ORCA: its agents get
//! the nearest twelve others within 8 units from this crate's index and head for the same places.
//! `alone` is what it computes of them, `in all` has the index, the search and the move too.
//! `progress` is the speed towards the places as a share of the top speed: a crowd that stands is
//! cheap. Rows can be picked by a part of their names.
#![allow(missing_docs, reason = "a program")]

mod common;
#[path = "crowds/orca.rs"]
mod orca;

use std::{
    env,
    process::Command,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use bevy_steer::{SteeringTick, Velocity, prelude::*};
use common::{Dice, Place};

const TICK: Duration = Duration::from_micros(15_625);
/// A second.
const WARM_UP: usize = 64;
/// The maximum number of measured ticks, and the maximum time.
const TICKS: usize = 400;
const LONG: f64 = 4.0;

/// The distance from its goal at which an agent gets another one, in units.
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

    /// The mean speed towards the places, as a share of the top speed.
    fn progress(&mut self) -> f64 {
        let (world, place) = (self.app.world_mut(), self.place);
        let mut agents = world.query::<(&Transform, &Velocity, &Vehicle, &Way)>();
        let shares = agents.iter(world).map(|(at, velocity, body, way)| {
            let way = short(way.0 - at.translation, place).normalize_or_zero();
            f64::from(way.dot(velocity.0) / body.max_speed)
        });
        shares.sum::<f64>() / place.agents as f64
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

/// New goals for agents that have arrived.
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

fn flock(place: Place) -> Crowd {
    Crowd::new(place, |_| Flock::new(8.0))
}

/// Strollers that evade the nearest agent, among a thousand stones and a hundred walls.
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

/// A square with this many square units for each agent.
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
    vec![ours(place), orca::crowd(place)]
}

/// What a crowd takes, all in all and its part, and its progress.
type Figures = [f64; 3];

/// The figures of all, measured in turns.
fn measure(crowds: &mut [Crowd]) -> Vec<Figures> {
    for crowd in &mut *crowds {
        for _ in 0..WARM_UP {
            crowd.tick();
        }
    }
    let mut figures = vec![[const { Vec::new() }; 3]; crowds.len()];
    let begin = Instant::now();
    while figures[0][0].len() < TICKS && begin.elapsed().as_secs_f64() < LONG {
        for (crowd, [totals, parts, ways]) in crowds.iter_mut().zip(&mut figures) {
            let [all, part] = crowd.tick();
            totals.push(all);
            parts.push(part);
            // Seldom, as it goes through the caches too.
            if totals.len() % 16 == 1 {
                ways.push(crowd.progress());
            }
        }
    }
    let mean = |of: Vec<f64>| of.iter().sum::<f64>() / of.len() as f64;
    figures.into_iter().map(|[all, part, way]| [tenth(all), tenth(part), mean(way)]).collect()
}

/// A tenth of the numbers is less.
fn tenth(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 10]
}

/// The argument of the program that this one starts for the rows with two threads: a program has
/// one pool of threads.
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
        "{head:<42} {:>10} {:>9} {:>8} | {:>10} {:>6} {:>8}",
        "bevy_steer", "ms a tick", "progress", "ORCA alone", "in all", "progress"
    );
    for (name, build) in rows {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let mut crowds = build();
        let figures = measure(&mut crowds);
        let [ours, _, way] = figures[0];
        let tick = ours * crowds[0].place.agents as f64 * 1e-6;
        print!("{name:<42} {ours:>10.0} {tick:>9.2}");
        match figures.get(1) {
            Some([all, alone, other]) => {
                println!(" {way:>8.2} | {alone:>10.0} {all:>6.0} {other:>8.2}");
            }
            None => println!(),
        }
    }
    if !has_two_threads() {
        let program = env::current_exe().expect("the path of this program");
        let status = Command::new(program).args(arguments).arg(TWO_THREADS).status();
        assert!(status.is_ok_and(|status| status.success()), "the rows with two threads failed");
    }
}
