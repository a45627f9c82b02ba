//! [`leave_panel`]: the key that leaves the app asks before edits are lost.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};

use crate::{change::history::EditHistory, state::inspector::Inspector, style};

/// Whether the panel asks if the app may quit.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Question(bool);

/// For the key that leaves an app, usually Esc: closes the panel if it is open. Returns whether the
/// app may quit.
///
/// Edits live in the world until the app quits. If it has some that were not saved as a preset, the
/// panel opens and asks; the next call returns true. While a parameter waits for a click in the
/// world, Esc cancels that.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer_inspector::leave_panel;
///
/// fn leave(keys: Res<ButtonInput<KeyCode>>, mut commands: Commands) {
///     if keys.just_pressed(KeyCode::Escape) {
///         commands.queue(|world: &mut World| {
///             if leave_panel(world) {
///                 world.write_message(AppExit::Success);
///             }
///         });
///     }
/// }
/// # bevy::ecs::system::assert_is_system(leave);
/// ```
pub fn leave_panel(world: &mut World) -> bool {
    let Some(inspector) = world.get_resource::<Inspector>() else { return true };
    let (is_open, is_picking) = (inspector.is_open, inspector.pick.is_some());
    let asks = is_open && world.get_resource::<Question>().is_some_and(|question| question.0);
    let unsaved = world.get_resource::<EditHistory>().map_or(0, |history| history.unsaved(world));
    let mut inspector = world.resource_mut::<Inspector>();
    if is_open && is_picking {
        return false;
    }
    if is_open {
        inspector.is_open = asks;
        return asks;
    }
    if unsaved == 0 {
        return true;
    }
    inspector.is_open = true;
    world.insert_resource(Question(true));
    false
}

/// Withdraws the question when the panel is closed.
pub(crate) fn withdraw(inspector: Res<Inspector>, mut question: ResMut<Question>) {
    if question.0 && !inspector.is_open {
        question.0 = false;
    }
}

/// Shows the question, if there is one.
pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    if !world.resource::<Question>().0 {
        return;
    }
    let unsaved = world.resource::<EditHistory>().unsaved(world);
    let edits = if unsaved == 1 { "1 edit is" } else { &format!("{unsaved} edits are") };
    let text = format!("{edits} not saved as a preset. Quit?");
    let mut is_answered = unsaved == 0;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(text).color(style::LIMIT));
        if ui.small_button("Quit").on_hover_text("Esc").clicked() {
            world.write_message(AppExit::Success);
        }
        is_answered |= ui.small_button("Stay").clicked();
    });
    if is_answered {
        world.insert_resource(Question(false));
    }
}
