//! The keyboard, besides the keys of all windows: the arena's edge, lures and a new start.

use bevy::prelude::*;
use bevy_steer::{NextAgentId, prelude::*};

use super::{
    game::{Dice, Score, Setup, arena},
    mouse::Lure,
    spawn,
};
use crate::keys::{Action, Actions};

/// The keys of this window besides those that work in all.
pub(super) const KEYS: [Action; 8] = [
    Action::Restart,
    Action::Edge,
    Action::ClearLures,
    Action::Zoom,
    Action::Drag,
    Action::Pan,
    Action::ShowWhole,
    Action::Help,
];

pub(super) fn press_keys(
    actions: Actions,
    mut bounds: ResMut<WorldBounds>,
    lures: Query<Entity, With<Lure>>,
    mut commands: Commands,
) {
    if actions.just_pressed(Action::Edge) {
        let is_wrapping = bounds.edge == BoundsEdge::Wrap;
        bounds.0 = arena(if is_wrapping { BoundsEdge::Bounce } else { BoundsEdge::Wrap });
    }
    if actions.just_pressed(Action::ClearLures) {
        lures.iter().for_each(|lure| commands.entity(lure).despawn());
    }
    if actions.just_pressed(Action::Restart) {
        commands.queue(restart);
    }
}

/// Starts the same game again.
fn restart(world: &mut World) {
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
