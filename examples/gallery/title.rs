//! What is above the scene: its title, its score, and a line about it.

use bevy::prelude::*;
use bevy_egui::egui::{Label, RichText, Ui};

use super::{scene::Scene, score};
use crate::palette::{self, to_egui};

/// The size of the title.
const SIZE: f32 = 18.0;

/// Shows the title, the score and the caption of a scene.
pub fn show(world: &mut World, ui: &mut Ui, scene: &Scene) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(scene.title).size(SIZE).strong().color(to_egui(palette::TEXT)));
        if world.resource::<Time<Virtual>>().is_paused() {
            ui.label(RichText::new("paused").size(15.0).color(to_egui(palette::YELLOW)));
        }
        if let Some(of_scene) = scene.score {
            score::show(ui, &of_scene(world));
        }
    });
    let caption = RichText::new(scene.caption).size(15.0).color(to_egui(palette::TEXT));
    ui.add(Label::new(caption).wrap());
}
