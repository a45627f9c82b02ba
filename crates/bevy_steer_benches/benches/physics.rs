//! What steering costs beside a physics engine:
//! `cargo bench -p bevy_steer_benches --bench physics`. On one thread, as benchmarks do without
//! Bevy's feature for several.
//!
//! Two thousand agents with dynamic bodies avoid each other on the way to random places, in a
//! square that wraps round. The time of `SteeringSchedule`, with all that is read from bodies and
//! written to them, and the time of the engine's systems are taken in the same ticks: milliseconds
//! a tick, of many ticks the one that half of them are faster than. `alone` is the same crowd
//! without bodies.
#![allow(missing_docs, reason = "a program")]

use std::time::{Duration, Instant};

use avian2d::prelude::*;
use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::{Bounds, BoundsEdge, WorldBounds, prelude::*};
use bevy_steer_avian::dim2::AvianSteeringPlugin;

const AGENTS: usize = 2_000;
/// The area that an agent of radius 0.5 has, in square units.
const AREAS: [f32; 3] = [16.0, 8.0, 4.0];
const WARM_UP: usize = 128;
const TICKS: usize = 400;

/// When the parts of a tick began, and how long they took.
#[derive(Resource, Default)]
struct Watch {
    begin: Option<Instant>,
    steering: Vec<Duration>,
    engine: Vec<Duration>,
}

fn main() {
    println!("{AGENTS} agents with AvoidAgents, milliseconds a tick");
    println!("area of an agent   steering   engine   alone");
    for area in AREAS {
        let half = 0.5 * (area * AGENTS as f32).sqrt();
        let with_bodies = measure(half, true);
        let alone = measure(half, false);
        let Times { steering, engine } = with_bodies;
        println!("{area:16}   {steering:8.2}   {engine:6.2}   {:5.2}", alone.steering);
    }
}

/// Of a tick, in milliseconds.
struct Times {
    steering: f64,
    engine: f64,
}

/// `half` is half the side of the square, in units.
fn measure(half: f32, with_bodies: bool) -> Times {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, SteeringPlugin::default()))
        .insert_resource(WorldBounds(Bounds::rect(
            Vec2::splat(-half),
            Vec2::splat(half),
            BoundsEdge::Wrap,
        )))
        .init_resource::<Watch>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(FixedUpdate, (begin.before(RunSteering), end_steering.after(RunSteering)));
    if with_bodies {
        app.add_plugins((PhysicsPlugins::default(), AvianSteeringPlugin::default()))
            .insert_resource(Gravity(Vec2::ZERO))
            .add_systems(
                FixedPostUpdate,
                (begin.before(PhysicsSystems::First), end_engine.after(PhysicsSystems::Last)),
            );
    }
    let mut state = 1u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        half * ((state >> 40) as f32 / (1u32 << 23) as f32 - 1.0)
    };
    for _ in 0..AGENTS {
        let place = Transform::from_xyz(random(), random(), 0.0);
        let goal = Vec2::new(random(), random());
        let agent = (Vehicle::default(), Seek::new(goal), AvoidAgents::default(), place);
        let mut agent = app.world_mut().spawn(agent);
        if with_bodies {
            agent.insert((RigidBody::Dynamic, Collider::circle(0.5), Mass(1.0)));
        }
    }
    app.finish();
    app.cleanup();
    (0..WARM_UP).for_each(|_| app.update());
    *app.world_mut().resource_mut::<Watch>() = Watch::default();
    (0..TICKS).for_each(|_| app.update());
    let mut watch = app.world_mut().resource_mut::<Watch>();
    Times { steering: median(&mut watch.steering), engine: median(&mut watch.engine) }
}

/// In milliseconds.
fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

fn begin(mut watch: ResMut<Watch>) {
    watch.begin = Some(Instant::now());
}

fn end_steering(mut watch: ResMut<Watch>) {
    let time = watch.begin.take().map(|begin| begin.elapsed());
    watch.steering.extend(time);
}

fn end_engine(mut watch: ResMut<Watch>) {
    let time = watch.begin.take().map(|begin| begin.elapsed());
    watch.engine.extend(time);
}
