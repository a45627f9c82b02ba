//! Text in the window: one line of figures, and the keys where they are asked for.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::{
    game::{Hunter, Prey, Score},
    keys::KEYS,
    rules::chases,
};
use crate::{
    keys::{Action, Actions, bindings},
    palette,
};

/// The line of figures.
#[derive(Component)]
pub(super) struct Figures;

/// The list of keys.
#[derive(Component)]
pub(super) struct Keys;

/// The distance of text from the window's edge, in logical pixels.
const MARGIN: Val = Val::Px(14.0);

pub(super) fn spawn(mut commands: Commands) {
    let font = |size: f32| TextFont { font_size: FontSize::Px(size), ..default() };
    commands.spawn((
        Figures,
        Text::default(),
        font(17.0),
        TextColor(palette::TEXT),
        // A strip along the dark edge of the arena, which fades out below the text.
        BackgroundGradient::from(LinearGradient::to_bottom(vec![
            ColorStop::percent(palette::DEEP.with_alpha(0.9), 0.0),
            ColorStop::percent(palette::DEEP.with_alpha(0.8), 60.0),
            ColorStop::percent(palette::DEEP.with_alpha(0.0), 100.0),
        ])),
        Node {
            position_type: PositionType::Absolute,
            width: Val::Percent(100.0),
            padding: UiRect::new(MARGIN, MARGIN, Val::Px(10.0), Val::Px(22.0)),
            ..default()
        },
    ));
    let lines = bindings(&KEYS).map(|one| format!("{:<10} {}\n", one.name, one.meaning));
    let text = format!("Mouse      leads the prey\nClick      lure\n{}", lines.collect::<String>());
    commands.spawn((
        Keys,
        Text::new(text.trim_end()),
        font(15.0),
        TextColor(palette::TEXT),
        BackgroundColor(palette::DEEP.with_alpha(0.85)),
        Node {
            position_type: PositionType::Absolute,
            left: MARGIN,
            top: Val::Px(52.0),
            padding: UiRect::all(MARGIN),
            ..default()
        },
        Visibility::Hidden,
    ));
}

pub(super) fn update(
    mut figures: Single<&mut Text, With<Figures>>,
    hunters: Query<&Pursue, With<Hunter>>,
    prey: Query<&Evade, With<Prey>>,
    score: Res<Score>,
    time: Res<Time<Virtual>>,
    bounds: Res<WorldBounds>,
) {
    let chasing = hunters.iter().filter(|pursue| chases(pursue)).count();
    let fleeing = prey.iter().filter(|evade| evade.is_afraid()).count();
    let mut text = format!(
        "{chasing} of {} hunters chase     {fleeing} of {} prey flee     {} caught     {} escaped",
        hunters.iter().count(),
        prey.iter().count(),
        score.catches,
        score.escapes,
    );
    // What is as usual needs no words.
    if bounds.edge == BoundsEdge::Bounce {
        text += "     walls";
    }
    if time.is_paused() {
        text += "     paused";
    } else if time.relative_speed() != 1.0 {
        text += &format!("     {}x speed", time.relative_speed());
    }
    text += "     ? keys";
    // Mutable access alone causes a new layout.
    if figures.0 != text {
        figures.0 = text;
    }
}

/// Shows the keys, or hides them.
pub(super) fn show_keys(actions: Actions, mut list: Single<&mut Visibility, With<Keys>>) {
    if actions.just_pressed(Action::Help) {
        list.toggle_visible_hidden();
    }
}
