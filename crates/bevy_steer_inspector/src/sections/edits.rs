//! Undo and redo: two buttons, their keys, and what they did.

use bevy::prelude::*;
use bevy_egui::egui::{self, Button, Key, KeyboardShortcut, Label, Modifiers, RichText};

use crate::{
    accessible::name_button,
    change::history::{EditHistory, redo, undo},
    style,
};

const UNDO: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Z);
const REDO: [KeyboardShortcut; 2] = [
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z),
    KeyboardShortcut::new(Modifiers::COMMAND, Key::Y),
];

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    world.resource_mut::<EditHistory>().begin_frame(ui);
    let (mut undoes, mut redoes) = pressed(ui);
    let history = world.resource::<EditHistory>();
    ui.horizontal(|ui| {
        undoes |= button(ui, "⟲", "Undo", "Ctrl+Z", history.next_undo());
        redoes |= button(ui, "⟳", "Redo", "Ctrl+Shift+Z", history.next_redo());
        let message = RichText::new(&history.message).small().color(style::FAINT);
        // It shows what is cut off while the pointer is on it.
        ui.add(Label::new(message).truncate());
    });
    if undoes {
        undo(world);
    } else if redoes {
        redo(world);
    }
}

/// Whether the keys of undo and of redo were pressed. A text field has them to itself.
fn pressed(ui: &egui::Ui) -> (bool, bool) {
    if ui.ctx().text_edit_focused() {
        return (false, false);
    }
    ui.input_mut(|input| {
        // Those with more modifiers first: egui ignores additional ones.
        let redoes = REDO.iter().any(|keys| input.consume_shortcut(keys));
        (input.consume_shortcut(&UNDO), redoes)
    })
}

fn button(ui: &mut egui::Ui, symbol: &str, verb: &str, keys: &str, step: Option<&str>) -> bool {
    let button = ui.add_enabled(step.is_some(), Button::new(symbol));
    name_button(&button, verb);
    let step = step.unwrap_or("nothing");
    let help = format!("{verb} {step} ({keys})");
    button.on_hover_text(&help).on_disabled_hover_text(help).clicked()
}
