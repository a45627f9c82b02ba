//! The keyboard: time, the drawing of forces, the arena's edge, lures and a new start.

use bevy::prelude::*;
use bevy_steer::{NextAgentId, prelude::*};

use super::{
    drawing::View,
    game::{Dice, Score, Setup, arena},
    mouse::Lure,
    spawn,
};
use crate::clock::step_once;

/// The factors of time that the keys select.
const SPEEDS: [f32; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

pub(super) fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut virtual_time: ResMut<Time<Virtual>>,
    mut fixed_time: ResMut<Time<Fixed>>,
    mut view: ResMut<View>,
    mut bounds: ResMut<WorldBounds>,
    lures: Query<Entity, With<Lure>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    if keys.just_pressed(KeyCode::Space) {
        if virtual_time.is_paused() { virtual_time.unpause() } else { virtual_time.pause() }
    }
    if keys.just_pressed(KeyCode::KeyN) {
        virtual_time.pause();
        step_once(&mut fixed_time);
    }
    let is_faster = keys.any_just_pressed([KeyCode::Equal, KeyCode::NumpadAdd]);
    if is_faster || keys.any_just_pressed([KeyCode::Minus, KeyCode::NumpadSubtract]) {
        let speed = next_speed(virtual_time.relative_speed(), is_faster);
        virtual_time.set_relative_speed(speed);
    }
    if keys.just_pressed(KeyCode::KeyF) {
        view.forces = !view.forces;
    }
    if keys.just_pressed(KeyCode::KeyE) {
        let is_wrapping = bounds.edge == BoundsEdge::Wrap;
        bounds.0 = arena(if is_wrapping { BoundsEdge::Bounce } else { BoundsEdge::Wrap });
    }
    if keys.just_pressed(KeyCode::KeyC) {
        lures.iter().for_each(|lure| commands.entity(lure).despawn());
    }
    if keys.just_pressed(KeyCode::KeyR) {
        commands.queue(reset);
    }
    if keys.just_pressed(KeyCode::Escape) {
        exit.write(AppExit::Success);
    }
}

fn next_speed(speed: f32, is_faster: bool) -> f32 {
    let last = SPEEDS.len() - 1;
    let index = SPEEDS.iter().position(|&step| step >= speed).unwrap_or(last);
    let index = if is_faster { index + 1 } else { index.saturating_sub(1) };
    SPEEDS[index.min(last)]
}

/// Starts the same game again.
fn reset(world: &mut World) {
    let mut spawned = world.query_filtered::<Entity, Or<(With<Vehicle>, With<Lure>)>>();
    let spawned: Vec<Entity> = spawned.iter(world).collect();
    for entity in spawned {
        world.despawn(entity);
    }
    let seed = world.resource::<Setup>().options.seed;
    world.insert_resource(Dice::new(seed));
    world.insert_resource(Score::default());
    world.insert_resource(NextAgentId::default());
    if let Err(error) = world.run_system_cached(spawn::populate) {
        error!("The arena cannot be filled: {error}");
    }
}
