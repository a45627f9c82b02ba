//! An egui context over the whole primary window, on an entity without a camera.
//!
//! `bevy_egui` draws a context through the camera on the same entity. A second camera would break
//! games with a `Single<&Camera>`, and the game's own camera cannot carry the context, because its
//! viewport shrinks beside the panel. So the context has no `Camera` here: this file does what
//! `bevy_egui` does only for cameras, and [`render`](super::render) draws the result.

use bevy::{
    camera::RenderTarget, ecs::message::MessageCursor, prelude::*, time::Real,
    window::PrimaryWindow,
};
use bevy_egui::{
    EguiContext, EguiInput, EguiOutput, PrimaryEguiContext, egui,
    input::{
        EguiFileDragAndDropMessage, EguiInputEvent, FocusedNonWindowEguiContext, ModifierKeysState,
    },
};

/// Marks the entity with the context of the panel.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct Overlay;

pub(crate) fn spawn_overlay(mut commands: Commands) {
    commands.spawn((
        Name::new("Steering inspector"),
        Overlay,
        PrimaryEguiContext,
        // bevy_egui takes the window from it; it does not make the entity a camera.
        RenderTarget::default(),
    ));
}

/// Gives the context its events, and the size, the focus and the scale of the window.
///
/// Runs before `bevy_egui`'s system with this task, which logs an error for events of a context
/// without a camera. So they are taken out of the queue.
pub(crate) fn read_input(
    overlay: Single<
        (Entity, &mut EguiInput, &mut EguiContext, &EguiOutput),
        (With<Overlay>, Without<Camera>),
    >,
    window: Single<&Window, With<PrimaryWindow>>,
    mut events: ResMut<Messages<EguiInputEvent>>,
    mut events_cursor: Local<MessageCursor<EguiInputEvent>>,
    mut files: ResMut<Messages<EguiFileDragAndDropMessage>>,
    mut files_cursor: Local<MessageCursor<EguiFileDragAndDropMessage>>,
    modifiers: Res<ModifierKeysState>,
    other_focus: Option<Res<FocusedNonWindowEguiContext>>,
    time: Res<Time<Real>>,
) {
    let (entity, mut input, mut context, output) = overlay.into_inner();
    let own = take(&mut events, &mut events_cursor, |event| event.context == entity);
    input.events.extend(own.into_iter().map(|event| event.event));
    // The panel takes no files.
    take(&mut files, &mut files_cursor, |file| file.context == entity);

    let size = window.physical_size().as_vec2() / output.pixels_per_point;
    if size.min_element() >= 1.0 {
        let size = egui::vec2(size.x, size.y);
        input.screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
    }
    input.focused = other_focus.is_none() && window.focused;
    input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point =
        Some(window.scale_factor());
    // Each event makes egui repaint immediately, so the modifiers are sent only when they change.
    let modifiers = modifiers.to_egui_modifiers();
    if context.get_mut().input(|input| input.modifiers) != modifiers {
        input.events.push(egui::Event::ModifiersChanged(modifiers));
    }
    input.time = Some(time.elapsed_secs_f64());
}

/// Takes the unread messages for which `is_own` holds out of a queue.
fn take<M: Message>(
    messages: &mut Messages<M>,
    cursor: &mut MessageCursor<M>,
    is_own: impl Fn(&M) -> bool,
) -> Vec<M> {
    let unread = cursor.len(messages);
    if unread == 0 {
        return Vec::new();
    }
    let all: Vec<M> = messages.drain().collect();
    let read = all.len().saturating_sub(unread);
    let (own, others): (Vec<M>, Vec<M>) = all.into_iter().skip(read).partition(is_own);
    messages.write_batch(others);
    *cursor = messages.get_cursor_current();
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Message, Debug, PartialEq)]
    struct Number(u32);

    #[test]
    fn own_messages_are_taken_and_others_are_read_once() {
        let mut messages = Messages::<Number>::default();
        let (mut cursor, mut other) = (MessageCursor::default(), MessageCursor::default());
        let mut frame = |messages: &mut Messages<Number>| {
            let own = take(messages, &mut cursor, |number| number.0 % 2 == 0);
            let own: Vec<u32> = own.into_iter().map(|number| number.0).collect();
            (own, other.read(messages).map(|number| number.0).collect::<Vec<_>>())
        };
        messages.write_batch([Number(1), Number(2), Number(3)]);
        assert_eq!(frame(&mut messages), (vec![2], vec![1, 3]));
        messages.update();
        messages.write_batch([Number(4), Number(5)]);
        assert_eq!(frame(&mut messages), (vec![4], vec![5]));
        assert_eq!(frame(&mut messages), (vec![], vec![]));
    }
}
