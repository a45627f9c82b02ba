//! The style of the egui panels.

use bevy_egui::egui::{Color32, Context, CornerRadius, FontId, Stroke, TextStyle, Visuals, vec2};

use crate::palette::{self, to_egui};

pub(super) fn apply(context: &Context) {
    context.all_styles_mut(|style| {
        let mut visuals = Visuals::dark();
        visuals.override_text_color = Some(to_egui(palette::TEXT));
        visuals.panel_fill = to_egui(palette::GROUND);
        visuals.window_fill = to_egui(palette::FLOOR);
        visuals.extreme_bg_color = to_egui(palette::FLOOR);
        visuals.selection.bg_fill = Color32::from_rgb(38, 66, 88);
        visuals.selection.stroke = Stroke::new(1.0, to_egui(palette::YELLOW));
        visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, to_egui(palette::FRAME));
        for widget in [
            &mut visuals.widgets.inactive,
            &mut visuals.widgets.hovered,
            &mut visuals.widgets.active,
        ] {
            widget.corner_radius = CornerRadius::same(3);
        }
        style.visuals = visuals;
        style.spacing.button_padding = vec2(6.0, 0.5);
        style.spacing.interact_size.y = 17.0;
        for text in [TextStyle::Body, TextStyle::Button] {
            style.text_styles.insert(text, FontId::proportional(13.5));
        }
    });
}
