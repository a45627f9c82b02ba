//! What the window draws over a scene: lines that end at its edges, and the agent that is clicked.

use bevy::{
    gizmos::{GizmoAsset, GizmoHandles},
    input::{ButtonState, mouse::MouseButtonInput},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_steer::{Paint, ShowSteeringGizmos, prelude::*};
use bevy_steer_examples::gallery::{
    clip::extents,
    scenes::{self, SCENES},
    stage::show,
};
use bevy_steer_inspector::Inspector;

use crate::window_keys::open_gallery;

/// Goes to another scene, which runs for this many ticks.
fn go(app: &mut App, scene: &str, ticks: usize) {
    show(app.world_mut(), scenes::find(scene).expect(scene));
    (0..ticks).for_each(|_| app.update());
}

/// The ends of all lines that are drawn.
fn ends(app: &App) -> Vec<Vec3> {
    let handles = app.world().resource::<GizmoHandles>().handles();
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let assets = handles.values().flatten().filter_map(|handle| assets.get(handle));
    let lists = assets.flat_map(|lines| lines.list_positions.iter().chain(&lines.strip_positions));
    lists.copied().filter(|end| !end.is_nan()).collect()
}

#[test]
fn no_line_leaves_its_scene() {
    let mut app = open_gallery("seek");
    for scene in SCENES {
        go(&mut app, scene.name, 20);
        let half = extents(scene.view) + 0.01;
        let mut most = 0;
        for _ in 0..20 {
            (0..8).for_each(|_| app.update());
            let ends = ends(&app);
            most = most.max(ends.len());
            let outside = ends.iter().find(|end| !end.abs().cmple(half).all());
            assert!(outside.is_none(), "{scene:?}: a line ends at {outside:?}");
        }
        // At least the frame.
        assert!(most >= 5, "{scene:?} draws {most} ends of lines");
    }
}

fn marked(app: &mut App) -> Vec<Entity> {
    let mut marked = app.world_mut().query_filtered::<Entity, With<ShowSteeringGizmos>>();
    marked.iter(app.world()).collect()
}

/// Presses and releases the left button on an agent.
fn click(app: &mut App, agent: Entity) {
    let place = app.world().get::<Transform>(agent).expect("an agent").translation;
    let mut cameras = app.world_mut().query::<(&Camera, &Projection, &GlobalTransform)>();
    let at = cameras.iter(app.world()).find_map(|(camera, _, transform)| {
        camera.viewport.as_ref()?;
        camera.world_to_viewport(transform, place).ok()
    });
    let mut windows =
        app.world_mut().query_filtered::<(Entity, &mut Window), With<PrimaryWindow>>();
    let (window, mut of_window) = windows.single_mut(app.world_mut()).expect("a window");
    of_window.set_cursor_position(Some(at.expect("in view")));
    app.update();
    for state in [ButtonState::Pressed, ButtonState::Released] {
        app.world_mut().write_message(MouseButtonInput {
            button: MouseButton::Left,
            state,
            window,
        });
        app.update();
    }
}

#[test]
fn a_click_explains_another_agent() {
    let mut app = open_gallery("crossing");
    app.world_mut().resource_mut::<Inspector>().is_open = false;
    for scene in ["crossing", "hallway", "predator", "school", "ground"] {
        app.world_mut().resource_mut::<Time<Virtual>>().unpause();
        go(&mut app, scene, 4);
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        let before = marked(&mut app);
        assert!(!before.is_empty(), "{scene}");
        let mut agents = app
            .world_mut()
            .query_filtered::<Entity, (With<Vehicle>, Without<ShowSteeringGizmos>)>();
        let agent = agents.iter(app.world()).nth(20).expect("an agent");
        click(&mut app, agent);
        let explained = marked(&mut app);
        assert_eq!(explained.len(), 1, "{scene}");
        assert!(!before.contains(&explained[0]), "{scene}");
        if scene == "crossing" {
            assert_eq!(explained, [agent]);
        }
        let gizmos = app.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>().1;
        assert!(gizmos.targets == Paint::Own && gizmos.body.is_some(), "{scene}");
    }
    // The click was not one on the ground, which leads the dog there.
    let mut dogs = app.world_mut().query::<(&Pursue, &Arrive)>();
    let (pursue, arrive) = dogs.single(app.world()).expect("one dog");
    assert!(pursue.is_enabled() && !arrive.is_enabled());
}

#[test]
fn the_inspector_takes_clicks_while_it_is_open() {
    let mut app = open_gallery("crossing");
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    app.world_mut().resource_mut::<Inspector>().is_open = true;
    (0..3).for_each(|_| app.update());
    let before = marked(&mut app);
    let mut agents = app.world_mut().query_filtered::<Entity, With<Vehicle>>();
    let agent = agents.iter(app.world()).nth(10).expect("an agent");
    click(&mut app, agent);
    app.update();
    let after = marked(&mut app);
    assert_eq!(app.world().resource::<Inspector>().selected, Some(agent));
    assert!(before.iter().all(|old| after.contains(old)), "{before:?} and {after:?}");
}
