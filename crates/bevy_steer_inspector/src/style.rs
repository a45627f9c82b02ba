//! The look of the panel.

use bevy::color::{Color, ColorToPacked};
use bevy_egui::egui::{
    self, Color32, CornerRadius, FontFamily, FontId, Margin, RichText, Stroke, TextStyle,
};

/// The background of the panel.
const BACKGROUND: Color32 = Color32::from_rgb(16, 19, 25);
/// Fields, buttons, sliders.
const RAISED: Color32 = Color32::from_rgb(33, 39, 49);
/// A widget under the pointer.
const HOVERED: Color32 = Color32::from_rgb(49, 58, 72);
/// Separators.
const SEPARATOR: Color32 = Color32::from_rgb(61, 71, 87);
/// Text.
pub(crate) const TEXT: Color32 = Color32::from_rgb(222, 230, 240);
/// Less important text.
pub(crate) const FAINT: Color32 = Color32::from_rgb(148, 161, 179);
/// Something selected or switched on.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(86, 180, 233);
/// Forces.
pub(crate) const FORCE: Color32 = Color32::from_rgb(242, 61, 51);
/// Velocity limits.
pub(crate) const LIMIT: Color32 = Color32::from_rgb(240, 178, 61);
/// Velocities.
pub(crate) const SPEED: Color32 = Color32::from_rgb(0, 184, 135);
/// Errors.
pub(crate) const ERROR: Color32 = Color32::from_rgb(240, 128, 96);
/// The width of the column of names.
pub(crate) const LABEL_WIDTH: f32 = 104.0;

/// Applies the look to a part of the user interface. Other egui windows keep theirs.
pub(crate) fn apply(ui: &mut egui::Ui) {
    let style = ui.style_mut();
    for (text, size) in [
        (TextStyle::Small, 10.5),
        (TextStyle::Body, 12.5),
        (TextStyle::Button, 12.5),
        (TextStyle::Heading, 15.0),
    ] {
        style.text_styles.insert(text, FontId::new(size, FontFamily::Proportional));
    }
    style.text_styles.insert(TextStyle::Monospace, FontId::new(11.5, FontFamily::Monospace));
    style.spacing.item_spacing = egui::vec2(6.0, 4.0);
    style.spacing.button_padding = egui::vec2(6.0, 2.0);
    style.spacing.interact_size.y = 18.0;
    style.spacing.combo_width = 0.0;
    style.spacing.indent = 14.0;
    // Scroll bars do not cover the contents.
    style.spacing.scroll.floating_allocated_width = 8.0;
    style.wrap_mode = None;

    let visuals = &mut style.visuals;
    *visuals = egui::Visuals::dark();
    visuals.panel_fill = BACKGROUND;
    visuals.extreme_bg_color = Color32::from_rgb(10, 12, 16);
    visuals.faint_bg_color = Color32::from_rgb(22, 26, 33);
    visuals.selection.bg_fill = Color32::from_rgb(30, 82, 112);
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.slider_trailing_fill = true;
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, SEPARATOR);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, TEXT);
    for (state, fill) in [
        (&mut widgets.inactive, RAISED),
        (&mut widgets.hovered, HOVERED),
        (&mut widgets.active, HOVERED),
        (&mut widgets.open, HOVERED),
    ] {
        (state.bg_fill, state.weak_bg_fill) = (fill, fill);
        state.fg_stroke = Stroke::new(1.0, TEXT);
        state.corner_radius = CornerRadius::same(3);
        state.expansion = 0.0;
    }
}

/// The frame of the whole panel.
pub(crate) fn frame() -> egui::Frame {
    egui::Frame::new().fill(BACKGROUND).inner_margin(Margin::symmetric(8, 6))
}

/// A part of the panel that can be collapsed.
pub(crate) fn section(
    ui: &mut egui::Ui,
    title: &str,
    is_open: bool,
    contents: impl FnOnce(&mut egui::Ui),
) {
    ui.separator();
    egui::CollapsingHeader::new(RichText::new(title).strong())
        .default_open(is_open)
        .show_unindented(ui, contents);
}

/// A row with a name at the left, which shows the help while the pointer is on it.
pub(crate) fn row<R>(
    ui: &mut egui::Ui,
    name: &str,
    help: Option<&str>,
    contents: impl FnOnce(&mut egui::Ui) -> R,
) -> R {
    ui.horizontal(|ui| {
        let size = egui::vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let label = ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(LABEL_WIDTH);
            ui.add(egui::Label::new(RichText::new(name).color(FAINT)).truncate())
        });
        if let Some(help) = help {
            label.inner.on_hover_text(plain(help));
        }
        contents(ui)
    })
    .inner
}

/// A part of the panel that keeps its size, whatever its contents are, which scroll in it.
pub(crate) fn steady_area(
    ui: &mut egui::Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    height: f32,
    contents: impl FnOnce(&mut egui::Ui),
) {
    let size = egui::vec2(ui.available_width(), height);
    ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        let area = egui::ScrollArea::both().id_salt(id).auto_shrink(false).max_height(height);
        area.show(ui, |ui| {
            // What scrolls sideways has no width otherwise.
            ui.set_max_width(size.x - ui.spacing().scroll.floating_allocated_width);
            contents(ui);
        });
    });
}

/// A doc comment without Markdown.
fn plain(docs: &str) -> String {
    let paragraphs = docs.trim().split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
        lines.join(" ")
    });
    let text = paragraphs.collect::<Vec<_>>().join("\n\n").replace('`', "");
    without_links(&text)
}

/// `[text](address)` and `[text]` become `text`.
fn without_links(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        plain.push_str(before);
        let Some((words, after)) = link.split_once(']') else {
            plain.push('[');
            rest = link;
            continue;
        };
        plain.push_str(words);
        rest = match after.strip_prefix('(').and_then(|address| address.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    plain.push_str(rest);
    plain
}

/// Converts a colour.
pub(crate) fn to_egui(color: Color) -> Color32 {
    let [red, green, blue, alpha] = color.to_srgba().to_u8_array();
    Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

/// A number with three significant digits or so.
pub(crate) fn short(value: f32) -> String {
    match value.abs() {
        size if !size.is_finite() => value.to_string(),
        size if size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_removed_from_doc_comments() {
        let docs = " From a [`Path`](crate::Path),\n in `units` [or so].\n\n Second [one";
        assert_eq!(plain(docs), "From a Path, in units or so.\n\nSecond [one");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(0.123), "0.12");
        assert_eq!(short(-12.34), "-12.3");
        assert_eq!(short(1234.5), "1234");
        assert_eq!(short(f32::NAN), "NaN");
    }
}
