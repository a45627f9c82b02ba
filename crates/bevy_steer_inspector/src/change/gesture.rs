//! [`Gesture`]: what the user is doing, so that one drag is one step of undo.

use bevy_egui::egui;

/// What the user is doing in this frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gesture {
    /// Holding or releasing a mouse button, counted since the start.
    Press(u64),
    /// Typing into a widget.
    Focus(egui::Id),
}

/// Finds the gesture of a frame, from the user interface and the number of presses before it.
pub(super) fn gesture(ui: &egui::Ui, presses: &mut u64) -> Option<Gesture> {
    let (is_pressed, is_held) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.any_pressed(), pointer.any_down() || pointer.any_released())
    });
    *presses += u64::from(is_pressed);
    if is_held {
        return Some(Gesture::Press(*presses));
    }
    ui.memory(egui::Memory::focused).map(Gesture::Focus)
}
