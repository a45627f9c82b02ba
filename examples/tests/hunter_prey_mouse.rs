//! The mouse in the window of the hunter/prey game: all plugins of the window, without a display or
//! a GPU.

use bevy::{
    input::{
        ButtonState,
        mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel},
        touch::TouchPhase,
    },
    log::LogPlugin,
    prelude::*,
    render::{
        RenderPlugin,
        settings::{RenderCreation, WgpuSettings},
    },
    time::TimeUpdateStrategy,
    window::{CursorMoved, PrimaryWindow},
    winit::WinitPlugin,
};
use bevy_steer::prelude::*;
use bevy_steer_examples::hunter_prey::{
    game::{ARENA, Prey},
    mouse::{ArenaCamera, Lure},
    options::Options,
    window::GameWindowPlugin,
};
use bevy_steer_inspector::Inspector;
use bevy_steer_tests::text_field;

/// Where the mouse points, in units of the arena.
const PLACE: Vec2 = Vec2::new(200.0, -100.0);
/// The radius of a crowd of all prey around a lure, in units.
const CROWD: f32 = 130.0;

struct Game {
    app: App,
}

impl Game {
    /// The game in a window, without hunters and obstacles that would keep prey away.
    fn new() -> Self {
        let options = Options { hunters: 0, obstacles: 0, ..Options::default() };
        let no_gpu = Box::new(WgpuSettings { backends: None, ..default() });
        let renderer =
            RenderPlugin { render_creation: RenderCreation::Automatic(no_gpu), ..default() };
        let plugins = DefaultPlugins.build().disable::<WinitPlugin>().disable::<LogPlugin>();
        let mut app = App::new();
        app.add_plugins((plugins.set(renderer), GameWindowPlugin { options }));
        let tick = app.world().resource::<Time<Fixed>>().timestep();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
        app.finish();
        app.cleanup();
        let mut game = Self { app };
        game.run(0.1);
        game
    }

    fn run(&mut self, seconds: f32) {
        let tick = self.app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
        for _ in 0..(seconds / tick).ceil() as u32 {
            self.app.update();
        }
    }

    /// Moves the mouse to a place of the arena, or out of the window.
    fn point_at(&mut self, place: Option<Vec2>) {
        let world = self.app.world_mut();
        let mut cameras = world.query_filtered::<(&Camera, &GlobalTransform), With<ArenaCamera>>();
        let (camera, transform) = cameras.single(world).expect("the camera of the arena");
        let cursor = place.map(|place| {
            camera.world_to_viewport(transform, place.extend(0.0)).expect("a place in the viewport")
        });
        let mut windows = world.query_filtered::<&mut Window, With<PrimaryWindow>>();
        windows.single_mut(world).expect("the window").set_cursor_position(cursor);
        self.run(0.1);
    }

    /// The place under the mouse, and the scale of the camera.
    fn view(&mut self) -> (Vec2, f32) {
        let world = self.app.world_mut();
        let mut windows = world.query_filtered::<&Window, With<PrimaryWindow>>();
        let cursor = windows.single(world).expect("the window").cursor_position();
        let mut cameras =
            world.query_filtered::<(&Camera, &GlobalTransform, &Projection), With<ArenaCamera>>();
        let (camera, transform, projection) = cameras.single(world).expect("the camera");
        let place = camera.viewport_to_world_2d(transform, cursor.expect("in the window"));
        let Projection::Orthographic(projection) = projection else { panic!("flat") };
        (place.expect("a place in the arena"), projection.scale)
    }

    fn turn_wheel(&mut self, lines: f32) {
        let world = self.app.world_mut();
        let mut windows = world.query_filtered::<Entity, With<PrimaryWindow>>();
        let window = windows.single(world).expect("the window");
        let phase = TouchPhase::Moved;
        world.write_message(MouseWheel {
            unit: MouseScrollUnit::Line,
            x: 0.0,
            y: lines,
            window,
            phase,
        });
        self.run(0.1);
    }

    /// Moves the mouse by this many pixels with a button held down.
    fn drag(&mut self, button: MouseButton, delta: Vec2) {
        let world = self.app.world_mut();
        let mut windows = world.query_filtered::<(Entity, &mut Window), With<PrimaryWindow>>();
        let (window, mut shown) = windows.single_mut(world).expect("the window");
        let position = shown.cursor_position().expect("in the window") + delta;
        shown.set_cursor_position(Some(position));
        let press = |state| MouseButtonInput { button, state, window };
        world.write_message(press(ButtonState::Pressed));
        world.write_message(CursorMoved { window, position, delta: Some(delta) });
        self.run(0.1);
        self.app.world_mut().write_message(press(ButtonState::Released));
        self.run(0.1);
    }

    fn click(&mut self) {
        let world = self.app.world_mut();
        let mut windows = world.query_filtered::<Entity, With<PrimaryWindow>>();
        let window = windows.single(world).expect("the window");
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let button = MouseButton::Left;
            self.app.world_mut().write_message(MouseButtonInput { button, state, window });
            self.run(0.1);
        }
    }

    /// The distance of each prey from [`PLACE`], with the entity.
    fn distances(&mut self) -> Vec<(Entity, f32)> {
        let world = self.app.world_mut();
        let mut prey = world.query_filtered::<(Entity, &Transform), With<Prey>>();
        let bounds = world.resource::<WorldBounds>();
        prey.iter(world)
            .map(|(entity, at)| {
                (entity, bounds.shortest(PLACE.extend(0.0) - at.translation).length())
            })
            .collect()
    }

    /// The prey that a lure at [`PLACE`] attracts, also after a tick or two of wandering.
    fn near(&mut self) -> Vec<Entity> {
        let near = |(prey, distance)| (distance < Prey::LURED - 10.0).then_some(prey);
        self.distances().into_iter().filter_map(near).collect()
    }

    /// Asserts that all these prey come to [`PLACE`] within some seconds.
    fn assert_come(&mut self, prey: &[Entity]) {
        assert!(prey.len() >= 8, "only {} prey are near", prey.len());
        self.run(10.0);
        for (entity, distance) in self.distances() {
            if prey.contains(&entity) {
                assert!(distance < CROWD, "{entity} is {distance} units away");
            }
        }
    }

    fn lures(&mut self) -> usize {
        let world = self.app.world_mut();
        world.query::<&Lure>().iter(world).count()
    }
}

#[test]
fn prey_follow_the_pointer() {
    let mut game = Game::new();
    let near = game.near();
    game.point_at(Some(PLACE));
    game.assert_come(&near);
}

#[test]
fn prey_follow_the_pointer_with_another_camera() {
    let mut game = Game::new();
    game.app.world_mut().spawn((Camera2d, Camera { order: 5, ..default() }));
    game.run(0.1);
    let near = game.near();
    game.point_at(Some(PLACE));
    game.assert_come(&near);
}

#[test]
fn prey_do_not_come_without_a_pointer() {
    let mut game = Game::new();
    let near = game.near();
    game.run(10.0);
    let away = game.distances();
    let away = away.iter().filter(|(prey, distance)| near.contains(prey) && *distance > CROWD);
    assert!(away.count() * 2 > near.len());
}

#[test]
fn prey_follow_a_lure_after_a_click() {
    let mut game = Game::new();
    let near = game.near();
    game.point_at(Some(PLACE));
    game.click();
    game.point_at(None);
    assert_eq!(game.lures(), 1);
    game.assert_come(&near);
}

#[test]
fn clicks_outside_the_arena_or_into_the_inspector_place_no_lure() {
    let mut game = Game::new();
    game.point_at(Some(Vec2::new(0.0, ARENA.y + 20.0)));
    game.click();
    assert_eq!(game.lures(), 0);
    game.app.world_mut().resource_mut::<Inspector>().is_open = true;
    game.point_at(Some(PLACE));
    game.click();
    assert_eq!(game.lures(), 0);
}

#[test]
fn the_wheel_zooms_at_the_pointer() {
    let mut game = Game::new();
    game.point_at(Some(PLACE));
    for lines in [3.0, 2.0, -1.0] {
        let (_, before) = game.view();
        game.turn_wheel(lines);
        let (place, scale) = game.view();
        assert!(place.distance(PLACE) < 0.1, "{place} is under the pointer");
        assert_eq!(scale < before, lines > 0.0, "{before} {scale}");
    }
}

#[test]
fn a_drag_moves_the_world_with_the_mouse_and_home_shows_the_whole() {
    let mut game = Game::new();
    game.point_at(Some(PLACE));
    let whole = game.view();
    for button in [MouseButton::Right, MouseButton::Middle] {
        game.turn_wheel(4.0);
        game.drag(button, Vec2::new(70.0, -40.0));
        let (place, _) = game.view();
        assert!(place.distance(PLACE) < 0.5, "{button:?}: {place} is under the pointer");
        game.point_at(Some(PLACE));
    }
    text_field::press(&mut game.app, KeyCode::Home, None);
    game.run(0.1);
    game.point_at(Some(PLACE));
    assert_eq!(game.view(), whole);
    let lures = game.lures();
    assert_eq!(lures, 0, "drags put down no lures");
}
