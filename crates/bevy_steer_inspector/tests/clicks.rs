//! Clicks in the window of an app with all of Bevy's plugins.

use bevy::{
    ecs::entity::EntityHashSet,
    gizmos::{
        GizmoAsset, GizmoHandles,
        config::{GizmoConfigGroup, GizmoConfigStore},
    },
    input::{ButtonState, mouse::MouseButtonInput},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_steer::{SteeringGizmos, prelude::*};
use bevy_steer_inspector::{Inspector, PickRequest, SteeringInspectorPlugin};
use core::any::TypeId;

use crate::common::headless;

/// A camera that looks at agents at these places.
fn game<const N: usize>(places: [Vec2; N]) -> (App, [Entity; N]) {
    let mut app = App::new();
    app.add_plugins((headless(), SteeringPlugin::default(), SteeringInspectorPlugin::default()));
    app.finish();
    app.cleanup();
    app.world_mut().spawn(Camera2d);
    let agents = places.map(|place| {
        let body = (Vehicle::new(50.0).with_radius(10.0), Seek::default());
        app.world_mut().spawn((body, Transform::from_translation(place.extend(0.0)))).id()
    });
    (0..3).for_each(|_| app.update());
    (app, agents)
}

/// Clicks a place of the world with a key held down.
fn click(app: &mut App, place: Vec2, key: Option<KeyCode>) {
    let mut cameras = app.world_mut().query::<(&Camera, &GlobalTransform)>();
    let (camera, transform) = cameras.single(app.world()).expect("one camera");
    let at = camera.world_to_viewport(transform, place.extend(0.0)).expect("in view");
    let mut windows =
        app.world_mut().query_filtered::<(Entity, &mut Window), With<PrimaryWindow>>();
    let (window, mut of_window) = windows.single_mut(app.world_mut()).expect("a window");
    of_window.set_cursor_position(Some(at));
    if let Some(key) = key {
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
    }
    for state in [ButtonState::Pressed, ButtonState::Released] {
        app.world_mut().write_message(MouseButtonInput {
            button: MouseButton::Left,
            state,
            window,
        });
        app.update();
    }
    if let Some(key) = key {
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(key);
    }
}

#[test]
fn ctrl_and_shift_add_to_the_selection() {
    let places = [-120.0, 0.0, 120.0].map(|x| Vec2::new(x, 0.0));
    let (mut app, [left, middle, right]) = game(places);
    let selection =
        |app: &App| app.world().resource::<Inspector>().selection().collect::<EntityHashSet>();
    click(&mut app, places[0], None);
    assert_eq!(selection(&app), EntityHashSet::from_iter([left]));
    click(&mut app, places[1], Some(KeyCode::ShiftLeft));
    click(&mut app, places[2], Some(KeyCode::ControlRight));
    assert_eq!(selection(&app), EntityHashSet::from_iter([left, middle, right]));
    click(&mut app, places[0], Some(KeyCode::ShiftRight));
    assert_eq!(selection(&app), EntityHashSet::from_iter([middle, right]));
    click(&mut app, places[1], None);
    assert_eq!(selection(&app), EntityHashSet::from_iter([middle]));
}

/// Whether a line that is drawn comes this near to a place, in units.
fn is_drawn_at(app: &App, place: Vec2, within: f32) -> bool {
    let handles = app.world().resource::<GizmoHandles>().handles();
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let assets = handles.values().flatten().filter_map(|handle| assets.get(handle));
    let mut ends = assets.flat_map(|asset| {
        let lines = asset.buffer();
        lines.list_positions.iter().chain(lines.strip_positions.iter())
    });
    ends.any(|end| end.truncate().distance(place) < within)
}

fn switch_off<C: GizmoConfigGroup>(app: &mut App) {
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<C>().0.enabled = false;
}

#[test]
fn a_picked_target_is_drawn_while_the_gizmos_are_off() {
    let (mut app, [agent, other]) = game([Vec2::ZERO, Vec2::new(-150.0, -100.0)]);
    switch_off::<SteeringGizmos>(&mut app);
    let mut inspector = app.world_mut().resource_mut::<Inspector>();
    inspector.select(Some(agent));
    let (name, path) = ("Seek".to_owned(), "target".to_owned());
    inspector.pick = Some(PickRequest { component: TypeId::of::<Seek>(), name, path });
    let place = Vec2::new(100.0, 120.0);
    app.update();
    assert!(!is_drawn_at(&app, place, 12.0));
    click(&mut app, place, None);
    app.update();
    let target = app.world().get::<Seek>(agent).unwrap().target;
    assert!(matches!(target, Target::Point(_)), "{target:?}");
    assert!(is_drawn_at(&app, place, 1.0), "the line to it");
    app.world_mut().resource_mut::<Inspector>().select(Some(other));
    app.update();
    assert!(!is_drawn_at(&app, place, 12.0));
}
