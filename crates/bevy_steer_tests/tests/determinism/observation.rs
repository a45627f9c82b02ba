//! Tracing and drawing a world do not change it.

use bevy::prelude::*;
use bevy_steer::{SteeringTrace, prelude::*};

use crate::determinism::scenes::{self, SCENES, TICKS};

/// A trace for every agent, and for those to come.
fn trace_all(app: &mut App) {
    let world = app.world_mut();
    let mut agents = world.query_filtered::<Entity, With<Vehicle>>();
    let agents: Vec<Entity> = agents.iter(world).collect();
    for agent in agents {
        world.entity_mut(agent).insert(SteeringTrace::default());
    }
    world.add_observer(|added: On<Add<Vehicle>>, mut commands: Commands| {
        commands.entity(added.entity).insert(SteeringTrace::default());
    });
}

#[test]
fn traces_change_nothing() {
    for (scene, print) in SCENES.iter().zip(scenes::prints()) {
        let (traced, mut app) = scene.play(TICKS, None, trace_all);
        assert_eq!(traced, *print, "{}", scene.name);
        let world = app.world_mut();
        let mut agents = world.query_filtered::<Option<&SteeringTrace>, With<Vehicle>>();
        assert!(agents.iter(world).all(|trace| trace.is_some()), "{}", scene.name);
        let told = agents.iter(world).flatten().map(|trace| trace.iter().len()).sum::<usize>();
        assert!(told > 0, "{}", scene.name);
    }
}

#[test]
fn gizmos_change_nothing() {
    use crate::common::drawing;

    // A tick that is drawn costs as much as ten that are not.
    let ticks = TICKS / 4;
    for scene in SCENES.iter() {
        let (drawn, mut app) = scene.play(ticks, None, |app| {
            drawing::begin(app);
            drawing::show_everything(app);
        });
        assert_eq!(drawn, scene.play(ticks, None, |_| ()).0, "{}", scene.name);
        assert!(!drawing::drawn(&mut app).is_empty(), "{}", scene.name);
    }
}
