//! [`without_window`]: a game with all of Bevy's plugins, but without a window and a graphics card.

use bevy::{
    log::LogPlugin,
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    winit::WinitPlugin,
};

/// A game without a window and a graphics card, at one tick of 1/64 of a second in each update.
pub fn without_window(game: impl FnOnce(&mut App)) -> App {
    let no_graphics_card = WgpuSettings { backends: None, ..default() };
    let plugins = DefaultPlugins
        .build()
        .disable::<WinitPlugin>()
        .disable::<LogPlugin>()
        .set(RenderPlugin { render_creation: no_graphics_card.into(), ..default() });
    let mut app = App::new();
    app.add_plugins(plugins);
    game(&mut app);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    // The first update has no tick.
    app.update();
    app
}
