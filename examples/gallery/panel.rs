//! What is around the scene: the list and the controls on the left, what to look at above, the keys below.

use bevy::prelude::*;
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{
        self, Align, Color32, Context, CornerRadius, FontId, Frame, LayerId, Layout, Margin, Panel,
        RichText, ScrollArea, Stroke, TextStyle, Ui, UiBuilder, Visuals,
    },
};
use bevy_steer_inspector::Inspector;

use super::{
    camera::OfView,
    scene::Scene,
    scenes::SCENES,
    sliders::paint,
    stage::{Current, show},
};
use crate::palette;

/// How wide the strip on the left is, in logical pixels.
pub(super) const LEFT: f32 = 232.0;
/// How high the lines above the scene are.
pub(super) const TOP: f32 = 54.0;
/// How high the line below it is.
pub(super) const BOTTOM: f32 = 28.0;

const KEYS: &str = "N / P  next, previous     R  reset     Space  pause     S  step     G  gizmos     I  inspector     Esc  quit";

pub(super) fn draw(world: &mut World, mut is_styled: Local<bool>) {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let Ok(mut context) = contexts.single_mut(world) else { return };
    let context = context.get_mut().clone();
    if !*is_styled {
        style(&context);
        *is_styled = true;
    }
    let Current(scene) = *world.resource::<Current>();
    let mut rect = context.viewport_rect();
    // The inspector is docked to the right, and the scene ends there.
    if world.resource::<Inspector>().is_open {
        let mut cameras = world.query_filtered::<&Camera, With<OfView>>();
        let scene = cameras.iter(world).find_map(Camera::logical_viewport_rect);
        rect.max.x = scene.map_or(rect.max.x, |scene| scene.max.x.max(LEFT + 1.0));
    }
    let all = UiBuilder::new().layer_id(LayerId::background()).max_rect(rect);
    let mut ui = Ui::new(context.clone(), "gallery".into(), all);
    let frame = Frame::new().fill(paint(palette::GROUND)).inner_margin(Margin::symmetric(12, 8));
    Panel::left("scenes").exact_size(LEFT).resizable(false).frame(frame).show_inside(
        &mut ui,
        |ui| {
            list(world, ui, scene);
            controls(world, ui, scene);
        },
    );
    Panel::top("title")
        .exact_size(TOP)
        .frame(frame.inner_margin(Margin { left: 14, right: 14, top: 5, bottom: 4 }))
        .show_separator_line(false)
        .show_inside(&mut ui, |ui| title(world, ui, scene));
    Panel::bottom("keys")
        .exact_size(BOTTOM)
        .frame(frame.inner_margin(Margin { left: 14, right: 14, top: 3, bottom: 3 }))
        .show_separator_line(false)
        .show_inside(&mut ui, |ui| {
            ui.label(RichText::new(KEYS).color(paint(palette::FAINT_TEXT)).size(14.0));
        });
}

fn title(world: &World, ui: &mut Ui, scene: &Scene) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(scene.title).size(18.0).strong().color(paint(palette::TEXT)));
        if world.resource::<Time<Virtual>>().is_paused() {
            ui.label(RichText::new("paused").size(15.0).color(paint(palette::YELLOW)));
        }
    });
    let look = RichText::new(scene.look).size(15.0).color(paint(palette::TEXT));
    ui.add(egui::Label::new(look).truncate());
}

fn list(world: &mut World, ui: &mut Ui, current: &'static Scene) {
    let mut chosen = None;
    let mut group = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    for scene in SCENES {
        if group != Some(scene.group) {
            if group.is_some() {
                ui.add_space(3.0);
            }
            group = Some(scene.group);
            let text = RichText::new(scene.group.title()).size(12.0);
            ui.label(text.color(paint(palette::FAINT_TEXT)));
        }
        let is_current = scene.name == current.name;
        ui.with_layout(Layout::top_down_justified(Align::LEFT), |ui| {
            let color = if is_current { palette::YELLOW } else { palette::TEXT };
            let text = RichText::new(scene.title).size(13.5).color(paint(color));
            if ui.selectable_label(is_current, text).clicked() {
                chosen = Some(scene);
            }
        });
    }
    if let Some(scene) = chosen {
        show(world, scene);
    }
}

fn controls(world: &mut World, ui: &mut Ui, scene: &Scene) {
    let Some(controls) = scene.controls else { return };
    ui.add_space(5.0);
    ui.separator();
    ui.add_space(3.0);
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.spacing_mut().slider_width = 74.0;
    ScrollArea::vertical().show(ui, |ui| controls(world, ui));
}

fn style(context: &Context) {
    let faint = paint(palette::FRAME);
    context.all_styles_mut(|style| {
        let mut visuals = Visuals::dark();
        visuals.override_text_color = Some(paint(palette::TEXT));
        visuals.panel_fill = paint(palette::GROUND);
        visuals.window_fill = paint(palette::FLOOR);
        visuals.extreme_bg_color = paint(palette::FLOOR);
        visuals.selection.bg_fill = Color32::from_rgb(38, 66, 88);
        visuals.selection.stroke = Stroke::new(1.0, paint(palette::YELLOW));
        visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, faint);
        for widget in [
            &mut visuals.widgets.inactive,
            &mut visuals.widgets.hovered,
            &mut visuals.widgets.active,
        ] {
            widget.corner_radius = CornerRadius::same(3);
        }
        style.visuals = visuals;
        style.spacing.button_padding = egui::vec2(6.0, 0.5);
        style.spacing.interact_size.y = 17.0;
        for text in [TextStyle::Body, TextStyle::Button] {
            style.text_styles.insert(text, FontId::proportional(13.5));
        }
    });
}
