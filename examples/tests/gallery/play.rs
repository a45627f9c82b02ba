//! [`Play`]: runs a scene of the gallery in a test.

use bevy::{
    ecs::query::{IterQueryData, QueryFilter},
    prelude::*,
};
use bevy_steer_examples::{
    clock,
    gallery::{scenes, stage::StagePlugin},
};

/// A scene without a window.
pub(crate) struct Play {
    app: App,
}

impl Play {
    pub(crate) fn new(name: &str) -> Self {
        let scene = scenes::find(name).unwrap_or_else(|| panic!("no scene {name}"));
        let mut app = clock::headless_app(None);
        app.add_plugins(StagePlugin { scene });
        clock::start(&mut app);
        Self { app }
    }

    pub(crate) fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Runs for this many simulated seconds and calls `inspect` after each tick.
    pub(crate) fn watch(&mut self, seconds: f32, mut inspect: impl FnMut(&mut World)) {
        let tick = self.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
        for _ in 0..(seconds / tick).round() as u32 {
            self.app.update();
            inspect(self.app.world_mut());
        }
    }

    pub(crate) fn run(&mut self, seconds: f32) {
        self.watch(seconds, |_| {});
    }

    /// Maps the items of a query.
    pub(crate) fn all<D: IterQueryData + 'static, F: QueryFilter + 'static, R>(
        &mut self,
        map: impl FnMut(D::Item<'_, '_>) -> R,
    ) -> Vec<R> {
        let world = self.app.world_mut();
        let mut query = world.query_filtered::<D, F>();
        query.iter_mut(world).map(map).collect()
    }
}
