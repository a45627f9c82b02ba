//! [`Sim`]: a world with steering and an engine, and a clock that the test moves.

use std::time::Duration;

use bevy::{
    ecs::{component::Mutable, schedule::SingleThreadedExecutor},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_avian::{dim2, dim3};

pub(crate) struct Sim {
    pub(crate) app: App,
    hz: f64,
}

impl Sim {
    fn new(hz: f64, plugins: impl FnOnce(&mut App)) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()));
        plugins(&mut app);
        app.insert_resource(Time::<Fixed>::from_hz(hz))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.finish();
        app.cleanup();
        for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        // The first update has no step.
        app.update();
        Self { app, hz }
    }

    /// Two dimensions without gravity, at 64 steps a second.
    pub(crate) fn two() -> Self {
        Self::two_at(64.0)
    }

    pub(crate) fn two_at(hz: f64) -> Self {
        Self::new(hz, |app| {
            app.add_plugins((
                SteeringPlugin::default(),
                avian2d::PhysicsPlugins::default(),
                dim2::AvianSteeringPlugin::default(),
            ))
            .insert_resource(avian2d::prelude::Gravity(Vec2::ZERO));
        })
    }

    /// Three dimensions with gravity, at 64 steps a second.
    pub(crate) fn three(plane: SteeringPlane) -> Self {
        Self::new(64.0, |app| {
            app.add_plugins((
                SteeringPlugin::default().with_plane(plane),
                avian3d::PhysicsPlugins::default(),
                dim3::AvianSteeringPlugin::default(),
            ));
        })
    }

    pub(crate) fn spawn(&mut self, bundle: impl Bundle) -> Entity {
        self.app.world_mut().spawn(bundle).id()
    }

    pub(crate) fn tick(&mut self) {
        self.app.update();
    }

    pub(crate) fn run(&mut self, seconds: f64) {
        self.run_with(seconds, |_| {});
    }

    /// Runs for some seconds, and calls `each` after every tick.
    pub(crate) fn run_with(&mut self, seconds: f64, mut each: impl FnMut(&mut Self)) {
        for _ in 0..Duration::from_secs_f64(seconds).mul_f64(self.hz).as_secs() {
            self.tick();
            each(self);
        }
    }

    pub(crate) fn get<C: Component>(&self, entity: Entity) -> &C {
        self.app.world().get::<C>(entity).expect("the component")
    }

    pub(crate) fn has<C: Component>(&self, entity: Entity) -> bool {
        self.app.world().get::<C>(entity).is_some()
    }

    pub(crate) fn get_mut<C: Component<Mutability = Mutable>>(
        &mut self,
        entity: Entity,
    ) -> Mut<'_, C> {
        self.app.world_mut().get_mut::<C>(entity).expect("the component")
    }

    pub(crate) fn position(&self, entity: Entity) -> Vec3 {
        self.get::<Transform>(entity).translation
    }

    pub(crate) fn velocity(&self, entity: Entity) -> Vec3 {
        self.get::<Velocity>(entity).0
    }

    /// All obstacles of the world.
    pub(crate) fn obstacles(&mut self) -> Vec<(Obstacle, Vec3)> {
        let mut query = self.app.world_mut().query::<(&Obstacle, &Transform)>();
        query.iter(self.app.world()).map(|(one, place)| (*one, place.translation)).collect()
    }
}

/// Slow agents reach their top speed in a quarter of a second.
pub(crate) fn vehicle() -> Vehicle {
    Vehicle::new(5.0).with_radius(0.5)
}

pub(crate) fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}
