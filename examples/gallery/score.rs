//! [`Score`]: what a scene counts. All scenes show it in one place and in one size: at the right
//! end of the line with the title, where nothing moves.

use bevy::prelude::*;
use bevy_egui::egui::{Align, Layout, RichText, Ui};

use crate::palette::{self, to_egui};

/// A part of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// What is counted, and how many there are.
    pub text: String,
    /// The colour of those that are counted.
    pub color: Color,
}

/// The size of the text.
const SIZE: f32 = 17.0;
/// The space between two parts, in pixels.
const GAP: f32 = 16.0;

impl Score {
    pub(super) fn new(text: impl Into<String>, color: Color) -> Self {
        Self { text: text.into(), color }
    }

    /// A part of no colour.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self::new(text, palette::TEXT)
    }
}

/// Shows the parts in the rest of a line, the last one at the right end.
pub(super) fn show(ui: &mut Ui, score: &[Score]) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for part in score.iter().rev() {
            ui.label(RichText::new(&part.text).size(SIZE).strong().color(to_egui(part.color)));
        }
    });
}
