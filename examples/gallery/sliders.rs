//! Controls of the scenes: each sets a field of all components of a type.

use core::ops::RangeInclusive;

use bevy::{
    ecs::{component::Mutable, query::QueryFilter},
    prelude::*,
};
use bevy_egui::egui::{RichText, Slider, Ui};

use crate::palette::to_egui;

/// A slider for a number in all components of a type, on entities that match the filter.
pub(super) fn slider<C: Component<Mutability = Mutable>, F: QueryFilter>(
    world: &mut World,
    ui: &mut Ui,
    text: &str,
    range: RangeInclusive<f32>,
    field: fn(&mut C) -> &mut f32,
) {
    each::<C, F, _>(world, field, |value| {
        let decimals = if *range.end() >= 50.0 { 0 } else { 1 };
        ui.add(Slider::new(value, range).text(text).fixed_decimals(decimals)).changed()
    });
}

/// A slider for an angle, in degrees.
pub(super) fn degrees<C: Component<Mutability = Mutable>, F: QueryFilter>(
    world: &mut World,
    ui: &mut Ui,
    text: &str,
    range: RangeInclusive<f32>,
    field: fn(&mut C) -> &mut f32,
) {
    each::<C, F, _>(world, field, |value| {
        let mut degrees = value.to_degrees();
        let slider = Slider::new(&mut degrees, range).text(text).suffix("°").fixed_decimals(0);
        let changed = ui.add(slider).changed();
        *value = degrees.to_radians();
        changed
    });
}

/// A choice between values.
pub(super) fn choice<C: Component<Mutability = Mutable>, F: QueryFilter, T: Copy + PartialEq>(
    world: &mut World,
    ui: &mut Ui,
    choices: &[(&str, T)],
    field: fn(&mut C) -> &mut T,
) {
    each::<C, F, _>(world, field, |value| {
        let before = *value;
        ui.horizontal_wrapped(|ui| {
            for &(text, choice) in choices {
                ui.selectable_value(value, choice, text);
            }
        });
        *value != before
    });
}

/// Shows the value of the first component. If `show` returns true, all components get the new
/// value.
fn each<C: Component<Mutability = Mutable>, F: QueryFilter, T: Copy>(
    world: &mut World,
    field: fn(&mut C) -> &mut T,
    show: impl FnOnce(&mut T) -> bool,
) {
    let mut all = world.query_filtered::<&mut C, F>();
    let first = all.iter_mut(world).next();
    let Some(mut value) = first.map(|mut first| *field(first.bypass_change_detection())) else {
        return;
    };
    if show(&mut value) {
        all.iter_mut(world).for_each(|mut component| *field(&mut component) = value);
    }
}

/// A line of text in this colour.
pub(super) fn text(ui: &mut Ui, text: impl Into<String>, color: Color) {
    ui.label(RichText::new(text).color(to_egui(color)));
}
