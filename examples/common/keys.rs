//! The keys of all windows, in one table: a key means the same in each of them. What the mouse does
//! to the view is in the table too, so that the help shows it.
//!
//! Letters and digits are keys at a place of the keyboard; signs are whatever key types them on the
//! user's layout, as `?` is elsewhere on a German keyboard than on an English one.
//!
//! A window adds [`KeysPlugin`], asks [`Actions`] for what is its own, and shows [`help`].

use bevy::{
    ecs::system::SystemParam,
    input::{
        InputSystems,
        keyboard::{Key, KeyboardInput},
    },
    prelude::*,
};
use bevy_egui::input::egui_wants_any_keyboard_input;
use bevy_steer::prelude::*;
use bevy_steer_inspector::{leave_panel, pause_time, step_time};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Shows the next scene.
    Next,
    /// Shows the previous scene.
    Previous,
    /// Turns a switch of the scene on or off, by its index.
    Switch(usize),
    /// Starts the scene or the game again.
    Restart,
    /// Stops time, or lets it go on.
    Pause,
    /// Stops time and runs one tick.
    Step,
    /// Slows time down.
    Slower,
    /// Speeds time up.
    Faster,
    /// Halves the number of agents.
    Fewer,
    /// Doubles the number of agents.
    More,
    /// Shows or hides the steering gizmos.
    Gizmos,
    /// Changes the edge of the arena.
    Edge,
    /// Removes the lures.
    ClearLures,
    /// Zooms at the pointer: the wheel of the mouse.
    Zoom,
    /// Moves the view, or turns it in a solid world: the mouse with a button held down.
    Drag,
    /// Moves the view: the mouse with a button held down that was pressed with Shift.
    Pan,
    /// Shows the whole world again.
    ShowWhole,
    /// Shows or hides the list of keys.
    Help,
    /// Opens or closes the inspector, which has the same key by default.
    Inspector,
    /// Closes the inspector if it is open, otherwise the window.
    Quit,
}

/// A line of the table.
#[derive(Debug)]
pub struct Binding {
    /// What happens.
    pub action: Action,
    /// The keys, each of which is enough; none where it is the mouse that does it.
    pub keys: &'static [KeyCode],
    /// The characters, each of which is enough, whatever key types them.
    pub characters: &'static [&'static str],
    /// The name of the key in a line of help.
    pub name: &'static str,
    /// What it does, in a word or two.
    pub meaning: &'static str,
}

const fn bind(
    action: Action,
    keys: &'static [KeyCode],
    name: &'static str,
    meaning: &'static str,
) -> Binding {
    Binding { action, keys, characters: &[], name, meaning }
}

impl Binding {
    /// The same, with characters that do it too.
    const fn or(self, characters: &'static [&'static str]) -> Self {
        Self { characters, ..self }
    }
}

/// All keys of all windows, in the order of the lines of help.
pub const BINDINGS: &[Binding] = &[
    bind(Action::Next, &[KeyCode::KeyN, KeyCode::PageDown], "N", "next"),
    bind(Action::Previous, &[KeyCode::KeyP, KeyCode::PageUp], "P", "previous"),
    bind(Action::Switch(0), &[KeyCode::Digit1, KeyCode::Numpad1], "1", "first switch"),
    bind(Action::Switch(1), &[KeyCode::Digit2, KeyCode::Numpad2], "2", "second switch"),
    bind(Action::Switch(2), &[KeyCode::Digit3, KeyCode::Numpad3], "3", "third switch"),
    bind(Action::Switch(3), &[KeyCode::Digit4, KeyCode::Numpad4], "4", "fourth switch"),
    bind(Action::Switch(4), &[KeyCode::Digit5, KeyCode::Numpad5], "5", "fifth switch"),
    bind(Action::Restart, &[KeyCode::KeyR], "R", "restart"),
    bind(Action::Pause, &[KeyCode::Space], "Space", "pause"),
    bind(Action::Step, &[KeyCode::KeyS], "S", "step"),
    bind(Action::Slower, &[], "<", "slower").or(&["<", ","]),
    bind(Action::Faster, &[], ">", "faster").or(&[">", "."]),
    bind(Action::Fewer, &[KeyCode::NumpadSubtract], "-", "half the agents").or(&["-"]),
    // Where `+` needs Shift, its key alone types `=`.
    bind(Action::More, &[KeyCode::NumpadAdd], "+", "twice the agents").or(&["+", "="]),
    bind(Action::Gizmos, &[KeyCode::KeyG], "G", "gizmos"),
    bind(Action::Edge, &[KeyCode::KeyE], "E", "edge"),
    bind(Action::ClearLures, &[KeyCode::KeyC], "C", "clear lures"),
    bind(Action::Zoom, &[], "Wheel", "zoom"),
    bind(Action::Drag, &[], "Right drag", "move"),
    bind(Action::Pan, &[], "Shift drag", "pan"),
    bind(Action::ShowWhole, &[KeyCode::Home], "Home", "whole view"),
    bind(Action::Help, &[KeyCode::KeyH], "?", "keys").or(&["?"]),
    bind(Action::Inspector, &[KeyCode::F1], "F1", "panel"),
    bind(Action::Quit, &[KeyCode::Escape], "Esc", "quit"),
];

/// The keys with which a drag pans.
pub const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

/// What [`KeysPlugin`] does in every window, and the key of the inspector.
const EVERYWHERE: [Action; 7] = [
    Action::Pause,
    Action::Step,
    Action::Slower,
    Action::Faster,
    Action::Gizmos,
    Action::Inspector,
    Action::Quit,
];

/// The line of help of a window in which these keys work besides those that work in all.
pub fn help(own: &[Action]) -> String {
    let texts = bindings(own).map(|one| format!("{} {}", one.name, one.meaning));
    texts.collect::<Vec<_>>().join("   ")
}

/// The keys of a window in which these work besides those that work in all.
pub fn bindings(own: &[Action]) -> impl Iterator<Item = &'static Binding> {
    let has = |action| own.contains(&action) || EVERYWHERE.contains(&action);
    BINDINGS.iter().filter(move |binding| has(binding.action))
}

/// The keys that have been pressed in this frame, by what they type.
///
/// `ButtonInput<Key>` would miss some: whoever releases Shift before `?` releases another
/// character, and `?` stays pressed.
#[derive(Resource, Debug, Default)]
struct Typed(Vec<Key>);

fn record_typed(mut presses: MessageReader<KeyboardInput>, mut typed: ResMut<Typed>) {
    typed.0.clear();
    let new = presses.read().filter(|press| press.state.is_pressed() && !press.repeat);
    typed.0.extend(new.map(|press| press.logical_key.clone()));
}

/// What the keys ask for in this frame.
#[derive(SystemParam)]
pub struct Actions<'w> {
    keys: Res<'w, ButtonInput<KeyCode>>,
    typed: Res<'w, Typed>,
}

impl Actions<'_> {
    /// Whether a key for this has just been pressed.
    pub fn just_pressed(&self, action: Action) -> bool {
        let is_typed = |character: &&str| {
            let is_it = |key: &Key| matches!(key, Key::Character(typed) if typed == character);
            self.typed.0.iter().any(is_it)
        };
        BINDINGS.iter().filter(|binding| binding.action == action).any(|binding| {
            self.keys.any_just_pressed(binding.keys.iter().copied())
                || binding.characters.iter().any(is_typed)
        })
    }
}

/// The systems that react to keys. They do not run while a text field has the keyboard.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeySystems;

/// Time, gizmos and quitting, which are the same in every window.
#[derive(Clone, Copy, Debug)]
pub struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Typed>()
            .configure_sets(
                PreUpdate,
                KeySystems
                    .after(InputSystems)
                    .after(record_typed)
                    .run_if(not(egui_wants_any_keyboard_input)),
            )
            .add_systems(
                PreUpdate,
                (record_typed, (control_time, switch_gizmos, leave).in_set(KeySystems)),
            );
    }
}

/// The factors of time that the keys select.
const SPEEDS: [f32; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

fn control_time(actions: Actions, mut virtual_time: ResMut<Time<Virtual>>, mut commands: Commands) {
    if actions.just_pressed(Action::Pause) {
        if virtual_time.is_paused() { virtual_time.unpause() } else { commands.queue(pause_time) }
    }
    if actions.just_pressed(Action::Step) {
        commands.queue(step_time);
    }
    for (action, is_faster) in [(Action::Slower, false), (Action::Faster, true)] {
        if actions.just_pressed(action) {
            let speed = next_speed(virtual_time.relative_speed(), is_faster);
            virtual_time.set_relative_speed(speed);
        }
    }
}

fn next_speed(speed: f32, is_faster: bool) -> f32 {
    let last = SPEEDS.len() - 1;
    let index = SPEEDS.iter().position(|&step| step >= speed).unwrap_or(last);
    let index = if is_faster { index + 1 } else { index.saturating_sub(1) };
    SPEEDS[index.min(last)]
}

fn switch_gizmos(actions: Actions, store: Option<ResMut<GizmoConfigStore>>) {
    if let Some(mut store) = store.filter(|_| actions.just_pressed(Action::Gizmos)) {
        let (config, _) = store.config_mut::<SteeringGizmos>();
        config.enabled = !config.enabled;
    }
}

/// Leaves the inspector first, and the app when it is closed and no edits would be lost.
fn leave(actions: Actions, mut commands: Commands) {
    if actions.just_pressed(Action::Quit) {
        commands.queue(|world: &mut World| {
            if leave_panel(world) {
                world.write_message(AppExit::Success);
            }
        });
    }
}
