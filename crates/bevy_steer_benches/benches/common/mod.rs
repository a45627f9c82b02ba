//! Crowds that can be measured for as long as one likes and stay the same crowd.
#![allow(dead_code, unreachable_pub, reason = "each benchmark uses its own part")]

pub mod by_hand;
pub mod place;

use std::time::Duration;

use bevy::{ecs::bundle::NoBundleEffect, prelude::*};
use bevy_steer::{SteeringSettings, SteeringTick, Velocity, prelude::*};
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, measurement::WallTime};

pub use place::{Dice, Place};

/// How many agents there are.
pub const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// The length of a tick. So short that no agent gets anywhere: were the crowd to clump while it is
/// measured, each tick would cost more than the last, and the result would depend on how long one
/// looks.
pub const STEP: Duration = Duration::from_micros(1);

/// Components that can be given to many entities at once.
pub trait Gift: Bundle<Effect: NoBundleEffect> {}

impl<B: Bundle<Effect: NoBundleEffect>> Gift for B {}

/// Agents in a [`Place`], and an app that steers them.
pub struct Crowd {
    app: App,
    /// In the order in which they are in memory.
    pub agents: Vec<Entity>,
}

impl Crowd {
    /// Agents without behaviours, scattered at random, that move at about their top speed of one
    /// unit a second.
    pub fn new(place: Place) -> Self {
        Self::with(place, SteeringPlugin::default())
    }

    /// The same, with more to say about how they are steered.
    pub fn with(place: Place, plugin: SteeringPlugin) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, plugin.with_plane(place.plane)))
            .insert_resource(WorldBounds(place.bounds()));
        let mut dice = Dice::new(1);
        let bodies: Vec<_> = (0..place.agents)
            .map(|_| {
                let transform = Transform::from_translation(place.point(&mut dice));
                let speed = dice.number(0.5, 1.0);
                let velocity = Velocity(place.direction(&mut dice) * speed);
                (Vehicle::new(1.0), transform, velocity)
            })
            .collect();
        let agents = app.world_mut().spawn_batch(bodies).collect();
        Self { app, agents }
    }

    /// Gives each agent something of its own.
    #[must_use]
    pub fn each<B: Gift>(mut self, mut give: impl FnMut(&mut Dice, &[Entity]) -> B) -> Self {
        let mut dice = Dice::new(2);
        let gifts: Vec<_> =
            self.agents.iter().map(|&agent| (agent, give(&mut dice, &self.agents))).collect();
        self.app.world_mut().insert_batch(gifts);
        self
    }

    /// Gives all agents the same.
    #[must_use]
    pub fn all<B: Gift + Clone>(self, gift: &B) -> Self {
        self.each(|_, _| gift.clone())
    }

    /// Puts things into the world that are no agents.
    #[must_use]
    pub fn among<B: Gift>(mut self, count: usize, mut thing: impl FnMut(&mut Dice) -> B) -> Self {
        let mut dice = Dice::new(3);
        let things: Vec<B> = (0..count).map(|_| thing(&mut dice)).collect();
        self.app.world_mut().spawn_batch(things);
        self
    }

    /// After five seconds, in which flocks find each other: they fly at their cruising speed then,
    /// each with as many mates as it has in a game.
    #[must_use]
    pub fn settled(mut self) -> Self {
        let settings = *self.app.world().resource::<SteeringSettings>();
        self.app.insert_resource(SteeringSettings { integrate: true, ..settings });
        for _ in 0..5 * 32 {
            self.tick_of(Duration::from_secs(1) / 32);
        }
        self.app.insert_resource(settings);
        self
    }

    /// A crowd that only looks around: a tick of it builds the indexes and does nothing else.
    #[must_use]
    pub fn only_sensing(mut self) -> Self {
        use SteeringSystems::{Behave, Combine, Integrate, Notify};
        for set in [Behave, Combine, Integrate, Notify] {
            self.app.configure_sets(SteeringSchedule, set.run_if(|| false));
        }
        self
    }

    /// The world.
    pub fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// One tick, as the plugin runs it, without the rest of an app's frame.
    pub fn tick(&mut self) {
        self.tick_of(STEP);
    }

    fn tick_of(&mut self, step: Duration) {
        let world = self.app.world_mut();
        world.resource_mut::<Time>().advance_by(step);
        world.run_schedule(SteeringSchedule);
        // Or it would be the same agents' turn to think each time.
        world.resource_mut::<SteeringTick>().0 += 1;
    }
}

/// A group of benchmarks, each as short as results allow that can be told apart.
pub fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    group
}

/// Measures `run` on what `build` makes, which happens once and only if this benchmark is wanted.
pub fn measure<T, R>(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    count: usize,
    build: impl Fn() -> T,
    mut run: impl FnMut(&mut T) -> R,
) {
    let mut subject = None;
    group.throughput(Throughput::Elements(count as u64));
    group.bench_function(BenchmarkId::new(name, count), |bencher| {
        let subject = subject.get_or_insert_with(&build);
        bencher.iter(|| run(subject));
    });
}
