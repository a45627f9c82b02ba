//! [`BodySim`]: a world with steering and a physics engine, and a clock that the test moves.

use std::time::Duration;

use bevy::{
    ecs::{component::Mutable, schedule::SingleThreadedExecutor},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_steer::{Velocity, prelude::*};

/// A world with steering and a physics engine.
pub struct BodySim {
    pub app: App,
    hz: f64,
}

impl BodySim {
    /// With these plugins, at this number of fixed steps a second.
    pub fn new(hz: f64, plugins: impl FnOnce(&mut App)) -> Self {
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

    pub fn spawn(&mut self, bundle: impl Bundle) -> Entity {
        self.app.world_mut().spawn(bundle).id()
    }

    pub fn tick(&mut self) {
        self.app.update();
    }

    pub fn run(&mut self, seconds: f64) {
        self.run_with(seconds, |_| {});
    }

    /// Runs for some seconds, and calls `each` after every tick.
    pub fn run_with(&mut self, seconds: f64, mut each: impl FnMut(&mut Self)) {
        for _ in 0..Duration::from_secs_f64(seconds).mul_f64(self.hz).as_secs() {
            self.tick();
            each(self);
        }
    }

    pub fn get<C: Component>(&self, entity: Entity) -> &C {
        self.app.world().get::<C>(entity).expect("the component")
    }

    pub fn has<C: Component>(&self, entity: Entity) -> bool {
        self.app.world().get::<C>(entity).is_some()
    }

    pub fn get_mut<C: Component<Mutability = Mutable>>(&mut self, entity: Entity) -> Mut<'_, C> {
        self.app.world_mut().get_mut::<C>(entity).expect("the component")
    }

    pub fn position(&self, entity: Entity) -> Vec3 {
        self.get::<Transform>(entity).translation
    }

    pub fn velocity(&self, entity: Entity) -> Vec3 {
        self.get::<Velocity>(entity).0
    }

    /// All obstacles of the world.
    pub fn obstacles(&mut self) -> Vec<(Obstacle, Vec3)> {
        let mut query = self.app.world_mut().query::<(&Obstacle, &Transform)>();
        query.iter(self.app.world()).map(|(one, place)| (*one, place.translation)).collect()
    }
}

/// Slow agents reach their top speed in a quarter of a second.
pub fn vehicle() -> Vehicle {
    Vehicle::new(5.0).with_radius(0.5)
}

pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}
