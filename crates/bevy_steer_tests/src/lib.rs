//! What tests share, first of all [`Sim`]: a world without a window and with a clock that the test
//! moves. The integration tests of `bevy_steer` are in `tests/`.
#![allow(missing_docs, reason = "only tests read it")]

pub mod asset_files;
pub mod body_sim;
pub mod child;
pub mod crowds;
pub mod drawing;
pub mod fingerprint;
pub mod hostile;
pub mod log_lines;
pub mod mutations;
pub mod random_behaviors;
pub mod rng;
pub mod rollback;
pub mod sources;
pub mod text_field;
pub mod windowless;
pub mod worlds;

use std::time::Duration;

use bevy::{
    ecs::{schedule::SingleThreadedExecutor, system::SystemState},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_steer::{GoalBlocked, Heading, NeighborIndex, SteeringSettings, Velocity, prelude::*};

/// An app that steers, at a given number of ticks a second.
pub struct Sim {
    pub app: App,
    pub hz: f32,
}

impl Default for Sim {
    fn default() -> Self {
        Self::new()
    }
}

impl Sim {
    /// 64 ticks a second, in the `Xy` plane.
    pub fn new() -> Self {
        Self::with(SteeringPlugin::new(Update), 64.0)
    }

    /// 64 ticks a second, in this plane.
    pub fn in_plane(plane: SteeringPlane) -> Self {
        Self::with(SteeringPlugin::new(Update).with_plane(plane), 64.0)
    }

    /// Forces are computed, and no agent moves.
    pub fn without_motion() -> Self {
        Self::with(SteeringPlugin::new(Update).without_integration(), 64.0)
    }

    pub fn with(plugin: SteeringPlugin, hz: f32) -> Self {
        let mut app = App::new();
        let step = Duration::from_secs_f64(1.0 / f64::from(hz));
        app.add_plugins((MinimalPlugins, plugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(step));
        run_systems_on_one_thread(&mut app);
        // The first update has no time step.
        app.update();
        Self { app, hz }
    }

    pub fn spawn(&mut self, bundle: impl Bundle) -> Entity {
        self.app.world_mut().spawn(bundle).id()
    }

    pub fn tick(&mut self) {
        self.app.update();
    }

    /// Runs for some seconds, and calls `each` after every tick.
    pub fn run_with(&mut self, seconds: f32, mut each: impl FnMut(&mut World)) {
        for _ in 0..(seconds * self.hz).round() as usize {
            self.tick();
            each(self.app.world_mut());
        }
    }

    pub fn run(&mut self, seconds: f32) {
        self.run_with(seconds, |_| {});
    }

    /// Asks the index of the last tick, and has it built in ticks to come.
    pub fn ask<R>(&mut self, question: impl FnOnce(&NeighborIndex) -> R) -> R {
        let world = self.app.world_mut();
        let mut state = SystemState::<Neighbors>::new(world);
        question(&state.get(world).expect("the index"))
    }

    /// A behaviour with which an agent moves at this velocity, whatever is in its way.
    pub fn push(&mut self, velocity: Vec3) -> MatchVelocity {
        MatchVelocity::new(self.spawn((Transform::default(), Velocity(velocity))))
    }

    pub fn position(&self, entity: Entity) -> Vec3 {
        self.get::<Transform>(entity).translation
    }

    pub fn velocity(&self, entity: Entity) -> Vec3 {
        self.get::<Velocity>(entity).0
    }

    pub fn heading(&self, entity: Entity) -> Vec3 {
        self.get::<Heading>(entity).0
    }

    /// The plane that an agent steers in.
    pub fn plane(&self, entity: Entity) -> SteeringPlane {
        let settings = self.app.world().resource::<SteeringSettings>();
        self.app.world().get(entity).copied().unwrap_or(settings.plane)
    }

    /// The change of velocity that an agent has been given; what it requested, if it is [`strong`].
    pub fn wish(&self, entity: Entity) -> Vec3 {
        let vehicle = self.get::<Vehicle>(entity);
        self.get::<SteeringForce>(entity).linear * (vehicle.response / vehicle.mass)
    }

    pub fn get<C: Component>(&self, entity: Entity) -> &C {
        self.app.world().get::<C>(entity).expect("the component")
    }

    pub fn get_mut<C: Component<Mutability = bevy::ecs::component::Mutable>>(
        &mut self,
        entity: Entity,
    ) -> Mut<'_, C> {
        self.app.world_mut().get_mut::<C>(entity).expect("the component")
    }
}

/// For a few agents, handing systems to other threads takes longer than all that they do.
pub fn run_systems_on_one_thread(app: &mut App) {
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

/// Strong enough to do what it requests.
pub fn strong(max_speed: f32) -> Vehicle {
    Vehicle::new(max_speed).with_max_force(1e6)
}

/// A place in the `Xy` plane.
pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

/// A place in the coordinates of a plane: along its forward direction, and to the left of that.
pub fn place(plane: SteeringPlane, v: Vec2) -> Vec3 {
    let forward = plane.forward();
    forward * v.x + plane.left(forward) * v.y
}

/// An obstacle with these sides in a plane.
pub fn block(plane: SteeringPlane, sides: Vec2) -> Obstacle {
    Obstacle::cuboid(place(plane, sides).abs() + plane.normal() * 8.0)
}

/// Counts the events of a type, for all entities.
#[derive(Resource, Default)]
pub struct Seen(pub Vec<String>);

/// Collects the events of this crate as text, in order; all but [`TargetFound`].
pub fn watch(app: &mut App) {
    app.init_resource::<Seen>();
    app.add_observer(|event: On<Arrived>, mut seen: ResMut<Seen>| {
        seen.0.push(format!("{:?}", event.event()));
    });
    app.add_observer(|event: On<WaypointReached>, mut seen: ResMut<Seen>| {
        seen.0.push(format!("WaypointReached {}", event.index));
    });
    app.add_observer(|event: On<PathFinished>, mut seen: ResMut<Seen>| {
        seen.0.push(format!("{:?}", event.event()));
    });
    app.add_observer(|event: On<GoalBlocked>, mut seen: ResMut<Seen>| {
        seen.0.push(format!("{:?}", event.event()));
    });
    app.add_observer(|event: On<TargetLost>, mut seen: ResMut<Seen>| {
        seen.0.push(format!("TargetLost {:?}", event.target));
    });
}
