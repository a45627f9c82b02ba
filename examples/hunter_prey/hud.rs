//! Text in the window: figures above the arena, the keys below it.

use bevy::{prelude::*, sprite::Anchor};
use bevy_steer::prelude::*;

use super::{
    game::{ARENA, Hunter, Prey, Score, Setup},
    keys::KEYS,
};
use crate::{keys::help, palette};

/// The text with counts of agents and events.
#[derive(Component)]
pub(super) struct Figures;

/// The text with the game's settings.
#[derive(Component)]
pub(super) struct Status;

/// The gap between a line of text and the arena, in units.
const GAP: f32 = 14.0;

pub(super) fn spawn(mut commands: Commands) {
    let line = |size: f32, color: Color, anchor: Anchor, x: f32, y: f32| {
        let font = TextFont { font_size: FontSize::Px(size), ..default() };
        (Text2d::default(), font, TextColor(color), anchor, Transform::from_xyz(x, y, 10.0))
    };
    let (low, high) = (ARENA.y + GAP * 0.5, ARENA.y + 2.2 * GAP);
    commands.spawn((Figures, line(20.0, palette::TEXT, Anchor::BOTTOM_LEFT, -ARENA.x, high)));
    commands.spawn((Status, line(17.0, palette::FAINT_TEXT, Anchor::BOTTOM_LEFT, -ARENA.x, low)));
    let keys = commands
        .spawn(line(15.0, palette::FAINT_TEXT, Anchor::TOP_LEFT, -ARENA.x, -ARENA.y - GAP))
        .id();
    commands.entity(keys).insert(Text2d::new(format!("Click lure   {}", help(&KEYS))));
}

pub(super) fn update(
    mut figures: Single<&mut Text2d, (With<Figures>, Without<Status>)>,
    mut status: Single<&mut Text2d, (With<Status>, Without<Figures>)>,
    hunters: Query<&Pursue, With<Hunter>>,
    prey: Query<&Evade, With<Prey>>,
    score: Res<Score>,
    setup: Res<Setup>,
    bounds: Res<WorldBounds>,
    time: Res<Time<Virtual>>,
    gizmos: Res<GizmoConfigStore>,
) {
    let resting = hunters.iter().filter(|pursue| !pursue.blend.enabled).count();
    let chasing = hunters.iter().filter(|pursue| pursue.memory.current.is_some()).count();
    let fleeing = prey.iter().filter(|evade| evade.memory.current.is_some()).count();
    let text = format!(
        "{} hunters ({chasing} chasing, {resting} resting)     {} prey ({fleeing} fleeing)     \
        {} catches     {} escapes",
        hunters.iter().count(),
        prey.iter().count(),
        score.catches,
        score.escapes,
    );
    set(&mut figures, text);
    let state = if time.is_paused() { "paused" } else { "running" };
    let text = format!(
        "{state} at {}x     edge: {}     gizmos: {}     seed {}",
        time.relative_speed(),
        if bounds.edge == BoundsEdge::Wrap { "wrap" } else { "bounce" },
        if gizmos.config::<SteeringGizmos>().0.enabled { "on" } else { "off" },
        setup.options.seed,
    );
    set(&mut status, text);
}

/// Sets the text if it differs: mutable access alone causes a new layout.
fn set(text: &mut Text2d, to: String) {
    if text.0 != to {
        text.0 = to;
    }
}
