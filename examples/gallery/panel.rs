//! The panels around the scene: list and controls on the left, title above, keys below. They are
//! beside the inspector, at whichever side that is docked.

use bevy::prelude::*;
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{
        Align, Frame, Label, LayerId, Layout, Margin, Panel, RichText, ScrollArea, Ui, UiBuilder,
        scroll_area::ScrollSource,
    },
};
use bevy_steer_inspector::PanelWidth;

use super::{
    explain::takes_clicks,
    input::KEYS,
    scene::Scene,
    scenes::SCENES,
    sliders::text,
    stage::{CurrentScene, show},
    style, title,
};
use crate::{
    keys::help,
    palette::{self, to_egui},
};

/// The width of the panel on the left, in logical pixels.
const LEFT: f32 = 232.0;

/// What the panels leave for the scene, in logical pixels: they are as high as their text, which
/// takes two lines where the inspector is beside it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SceneArea(pub(super) Rect);

pub(super) fn draw(world: &mut World, mut is_styled: Local<bool>) {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let Ok(mut context) = contexts.single_mut(world) else { return };
    let context = context.get_mut().clone();
    if !*is_styled {
        style::apply(&context);
        *is_styled = true;
    }
    let CurrentScene(scene) = *world.resource::<CurrentScene>();
    let mut rect = context.viewport_rect();
    let inspector = world.resource::<PanelWidth>();
    rect.min.x += inspector.left;
    rect.max.x = (rect.max.x - inspector.right).max(rect.min.x + LEFT + 1.0);
    let all = UiBuilder::new().layer_id(LayerId::background()).max_rect(rect);
    let mut ui = Ui::new(context.clone(), "gallery".into(), all);
    let frame = Frame::new().fill(to_egui(palette::GROUND)).inner_margin(Margin::symmetric(12, 8));
    Panel::left("scenes").exact_size(LEFT).resizable(false).frame(frame).show(&mut ui, |ui| {
        // For low windows. The bar is seen before the mouse is over it, and takes no width. A
        // finger, which is a mouse in a browser, drags what is scrolled.
        let bar = &mut ui.spacing_mut().scroll;
        (bar.floating_width, bar.dormant_handle_opacity) = (4.0, 0.6);
        ScrollArea::vertical().scroll_source(ScrollSource::ALL).show(ui, |ui| {
            list(world, ui, scene);
            controls(world, ui, scene);
        });
    });
    Panel::top("title")
        .resizable(false)
        .frame(frame.inner_margin(Margin { left: 14, right: 14, top: 5, bottom: 4 }))
        .show_separator_line(false)
        .show(&mut ui, |ui| title::show(world, ui, scene));
    Panel::bottom("keys")
        .resizable(false)
        .frame(frame.inner_margin(Margin { left: 14, right: 14, top: 3, bottom: 3 }))
        .show_separator_line(false)
        .show(&mut ui, |ui| {
            let keys = RichText::new(help(&KEYS)).color(to_egui(palette::FAINT_TEXT)).size(13.0);
            ui.add(Label::new(keys).wrap());
        });
    let left = ui.available_rect_before_wrap();
    let area = SceneArea(Rect::new(left.min.x, left.min.y, left.max.x, left.max.y));
    world.resource_mut::<SceneArea>().set_if_neq(area);
}

fn list(world: &mut World, ui: &mut Ui, current: &'static Scene) {
    let mut chosen = None;
    let mut group = None;
    let before = ui.spacing().clone();
    let spacing = ui.spacing_mut();
    spacing.item_spacing.y = 0.0;
    spacing.button_padding.y = 0.0;
    // So that all scenes and the controls of one fit into the height of the window.
    spacing.interact_size.y = 15.0;
    for scene in SCENES {
        if group != Some(scene.group) {
            if group.is_some() {
                ui.add_space(2.0);
            }
            group = Some(scene.group);
            let text = RichText::new(scene.group.title()).size(11.0);
            ui.label(text.color(to_egui(palette::FAINT_TEXT)));
        }
        let is_current = scene.name == current.name;
        ui.with_layout(Layout::top_down_justified(Align::LEFT), |ui| {
            let color = if is_current { palette::YELLOW } else { palette::TEXT };
            let text = RichText::new(scene.title).size(12.5).color(to_egui(color));
            if ui.selectable_label(is_current, text).clicked() {
                chosen = Some(scene);
            }
        });
    }
    *ui.spacing_mut() = before;
    if let Some(scene) = chosen {
        show(world, scene);
    }
}

fn controls(world: &mut World, ui: &mut Ui, scene: &Scene) {
    ui.add_space(5.0);
    ui.separator();
    ui.add_space(3.0);
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.spacing_mut().slider_width = 74.0;
    for (i, switch) in scene.switches.iter().enumerate() {
        let mut is_on = (switch.is_on)(world);
        let text = format!("{}   {}", i + 1, switch.name);
        if ui.checkbox(&mut is_on, text).clicked() {
            (switch.set)(world, is_on);
        }
    }
    if let Some(controls) = scene.controls {
        controls(world, ui);
    }
    if takes_clicks(world) {
        ui.add_space(3.0);
        text(ui, "Click an agent to explain it", palette::FAINT_TEXT);
    }
}
