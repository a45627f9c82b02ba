//! Accessible names: what screen readers read out, and by which tests find a widget.

use bevy_egui::egui::{Response, WidgetInfo, WidgetType};

pub(crate) fn name_button(button: &Response, name: &str) {
    button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, button.enabled(), name));
}

pub(crate) fn name_switch(switch: &Response, is_on: bool, name: &str) {
    switch
        .widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, switch.enabled(), is_on, name));
}

/// Names a text field that has this text.
pub(crate) fn name_text_field(field: &Response, text: &str, name: &str) {
    field.widget_info(|| {
        let mut info = WidgetInfo::text_edit(field.enabled(), "", text, "");
        info.label = Some(name.into());
        info
    });
}

/// Names a bar, with its value.
pub(crate) fn name_bar(bar: &Response, name: &str) {
    bar.widget_info(|| WidgetInfo::labeled(WidgetType::ProgressIndicator, true, name));
}
