//! What steering costs beside a physics engine:
//! `cargo bench -p bevy_steer_benches --bench physics`. Steering uses the threads of Bevy's pool,
//! the engines run without their features for several.
//!
//! Two thousand agents with dynamic bodies avoid each other on the way to random places, in a
//! square that wraps round: in two dimensions discs without gravity, in three capsules that stand
//! on a floor. The time of `SteeringSchedule`, with all that is read from bodies and written to
//! them, and the time of the engine's systems are taken in the same ticks: milliseconds a tick, of
//! many ticks the one that half of them are faster than. `alone` is the same crowd without bodies.
#![allow(missing_docs, reason = "a program")]

use std::time::{Duration, Instant};

use bevy::{ecs::schedule::ScheduleLabel, prelude::*, time::TimeUpdateStrategy};
use bevy_rapier2d::prelude as rapier2;
use bevy_rapier3d::prelude as rapier3;
use bevy_steer::{Bounds, BoundsEdge, WorldBounds, prelude::*};

const AGENTS: usize = 2_000;
/// The area that an agent of radius 0.5 has, in square units.
const AREAS: [f32; 3] = [16.0, 8.0, 4.0];
const WARM_UP: usize = 128;
const TICKS: usize = 400;
const RADIUS: f32 = 0.5;
/// Of the capsules, in units; without the caps.
const HEIGHT: f32 = 1.0;

/// A physics engine, or none.
struct Engine {
    name: &'static str,
    plane: SteeringPlane,
    /// Adds it to an app.
    add: fn(&mut App),
    /// Gives an agent a body.
    body: fn(&mut EntityWorldMut),
    /// Spawns a floor; half the length of its sides.
    floor: fn(&mut World, f32),
}

const ALONE: Engine =
    Engine { name: "none", plane: SteeringPlane::Xy, add: |_| {}, body: |_| {}, floor: |_, _| {} };

const ENGINES: [Engine; 4] = [
    Engine {
        name: "avian2d",
        plane: SteeringPlane::Xy,
        add: |app| {
            app.add_plugins((
                avian2d::PhysicsPlugins::default(),
                bevy_steer_avian::dim2::AvianSteeringPlugin::default(),
            ))
            .insert_resource(avian2d::prelude::Gravity(Vec2::ZERO));
            use avian2d::prelude::PhysicsSystems::{First, Last};
            watch_engine(app, FixedPostUpdate, First, Last);
        },
        body: |agent| {
            use avian2d::prelude::{Collider, Mass, RigidBody};
            agent.insert((RigidBody::Dynamic, Collider::circle(RADIUS), Mass(1.0)));
        },
        floor: |_, _| {},
    },
    Engine {
        name: "rapier2d",
        plane: SteeringPlane::Xy,
        add: |app| {
            let rapier_configuration = rapier2::RapierConfiguration {
                gravity: Vec2::ZERO,
                ..rapier2::RapierConfiguration::new(1.0)
            };
            let weightless = rapier2::RapierContextInitialization::InitializeDefaultRapierContext {
                integration_parameters: default(),
                rapier_configuration,
                broad_phase_optimization_strategy: default(),
            };
            let engine = rapier2::RapierPhysicsPlugin::<rapier2::NoUserData>::default();
            app.insert_resource(rapier2::TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 })
                .add_plugins((
                    engine.in_fixed_schedule().with_custom_initialization(weightless),
                    bevy_steer_rapier::dim2::RapierSteeringPlugin::default(),
                ));
            use rapier2::PhysicsSet::{SyncBackend, Writeback};
            watch_engine(app, FixedUpdate, SyncBackend, Writeback);
        },
        body: |agent| {
            use rapier2::{Collider, RigidBody};
            agent.insert((RigidBody::Dynamic, Collider::ball(RADIUS)));
        },
        floor: |_, _| {},
    },
    Engine {
        name: "avian3d",
        plane: SteeringPlane::Xz,
        add: |app| {
            app.add_plugins((
                avian3d::PhysicsPlugins::default(),
                bevy_steer_avian::dim3::AvianSteeringPlugin::default(),
            ));
            use avian3d::prelude::PhysicsSystems::{First, Last};
            watch_engine(app, FixedPostUpdate, First, Last);
        },
        body: |agent| {
            use avian3d::prelude::{Collider, Friction, Mass, RigidBody};
            let collider = Collider::capsule(RADIUS, HEIGHT);
            agent.insert((RigidBody::Dynamic, collider, Mass(1.0), Friction::new(0.0)));
        },
        floor: |world, half| {
            use avian3d::prelude::{Collider, RigidBody};
            let floor = Collider::cuboid(4.0 * half, 1.0, 4.0 * half);
            world.spawn((RigidBody::Static, floor, Transform::from_xyz(0.0, -0.5, 0.0)));
        },
    },
    Engine {
        name: "rapier3d",
        plane: SteeringPlane::Xz,
        add: |app| {
            let engine = rapier3::RapierPhysicsPlugin::<rapier3::NoUserData>::default();
            app.insert_resource(rapier3::TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 })
                .add_plugins((
                    engine.in_fixed_schedule(),
                    bevy_steer_rapier::dim3::RapierSteeringPlugin::default(),
                ));
            use rapier3::PhysicsSet::{SyncBackend, Writeback};
            watch_engine(app, FixedUpdate, SyncBackend, Writeback);
        },
        body: |agent| {
            use rapier3::{Collider, Friction, RigidBody};
            let collider = Collider::capsule_y(0.5 * HEIGHT, RADIUS);
            agent.insert((RigidBody::Dynamic, collider, Friction::coefficient(0.0)));
        },
        floor: |world, half| {
            use rapier3::{Collider, RigidBody};
            let floor = Collider::cuboid(2.0 * half, 0.5, 2.0 * half);
            world.spawn((RigidBody::Fixed, floor, Transform::from_xyz(0.0, -0.5, 0.0)));
        },
    },
];

/// When the parts of a tick began, and how long they took.
#[derive(Resource, Default)]
struct Watch {
    begin: Option<Instant>,
    steering: Vec<Duration>,
    engine: Vec<Duration>,
}

fn main() {
    println!("{AGENTS} agents with AvoidAgents, milliseconds a tick");
    println!("area of an agent     engine   its time   steering   alone");
    for area in AREAS {
        let half = 0.5 * (area * AGENTS as f32).sqrt();
        let alone = measure(half, &ALONE).steering;
        for engine in &ENGINES {
            let Times { steering, engine: its } = measure(half, engine);
            println!("{area:16}   {:>8}   {its:8.2}   {steering:8.2}   {alone:5.2}", engine.name);
        }
    }
}

/// Of a tick, in milliseconds.
struct Times {
    steering: f64,
    engine: f64,
}

/// `half` is half the side of the square, in units.
fn measure(half: f32, engine: &Engine) -> Times {
    let mut app = App::new();
    let plane = engine.plane;
    let is_ground = plane == SteeringPlane::Xz;
    let corner = Vec2::splat(half);
    let bounds = if is_ground { Bounds::ground } else { Bounds::rect };
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins(SteeringPlugin::default().with_plane(plane))
        .insert_resource(WorldBounds(bounds(-corner, corner, BoundsEdge::Wrap)))
        .init_resource::<Watch>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(FixedUpdate, (begin.before(RunSteering), end_steering.after(RunSteering)));
    (engine.add)(&mut app);
    let mut state = 1u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        half * ((state >> 40) as f32 / (1u32 << 23) as f32 - 1.0)
    };
    let place = |x: f32, y: f32| {
        if is_ground { Vec3::new(x, 0.5 * HEIGHT + RADIUS, y) } else { Vec3::new(x, y, 0.0) }
    };
    (engine.floor)(app.world_mut(), half);
    for _ in 0..AGENTS {
        let from = Transform::from_translation(place(random(), random()));
        let goal = place(random(), random());
        let agent = (Vehicle::default(), Seek::new(goal), AvoidAgents::default(), from);
        (engine.body)(&mut app.world_mut().spawn(agent));
    }
    app.finish();
    app.cleanup();
    (0..WARM_UP).for_each(|_| app.update());
    *app.world_mut().resource_mut::<Watch>() = Watch::default();
    (0..TICKS).for_each(|_| app.update());
    let mut watch = app.world_mut().resource_mut::<Watch>();
    Times { steering: median(&mut watch.steering), engine: median(&mut watch.engine) }
}

/// Takes the time from the first of an engine's sets to the last, which run after steering.
fn watch_engine<S: SystemSet>(app: &mut App, schedule: impl ScheduleLabel, first: S, last: S) {
    let begin = begin.before(first).after(end_steering);
    app.add_systems(schedule, (begin, end_engine.after(last)));
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
