//! The limits on the velocity, and what each took of the request.

use bevy::prelude::*;
use bevy_egui::egui::{self, Label, Layout, RichText};
use bevy_steer::{BehaviorRegistry, SteeringTrace, TracedLimit, Vehicle};

use crate::{agents::list::label_of, sections::gizmos::behavior_color, style};

/// The height of the rows. More scroll, so that the rows below do not move.
const HEIGHT: f32 = 66.0;

/// A limit that takes less than this share of top speed is not worth a row.
const LEAST: f32 = 1e-3;

pub(super) fn show(ui: &mut egui::Ui, world: &World, agent: Entity) {
    let least = LEAST * world.get::<Vehicle>(agent).map_or(0.0, |vehicle| vehicle.max_speed);
    let trace = world.get::<SteeringTrace>(agent);
    let limits = trace.into_iter().flat_map(SteeringTrace::limits);
    let limits: Vec<_> = limits.filter(|limit| limit.taken.length() > least).collect();
    style::steady_area(ui, "limits", HEIGHT, |ui| {
        if limits.is_empty() {
            ui.label(RichText::new("no limit").color(style::FAINT));
        }
        for limit in limits {
            row(ui, world, limit);
        }
    });
}

/// The behaviour, what it keeps the agent from, whether it must be kept, and what it took.
fn row(ui: &mut egui::Ui, world: &World, limit: &TracedLimit) {
    let registry = world.get_resource::<BehaviorRegistry>();
    let behavior = registry.and_then(|registry| registry.get(limit.behavior));
    let name = behavior.map_or("?", |behavior| behavior.name);
    let name = limit.place.map_or(name.to_owned(), |place| format!("{name} {}", place + 1));
    let source = match limit.source {
        Some(source) if world.get_entity(source).is_ok() => label_of(world, source),
        Some(source) => format!("{source} (despawned)"),
        None => String::new(),
    };
    let taken = style::short(limit.taken.length());
    let kind = if limit.is_hard { "hard" } else { "soft" };
    let color = behavior_color(world, limit.behavior);
    let hint = format!(
        "{name} changed the requested velocity by {taken} units/s.\n{}",
        if limit.is_hard { "Hard: overrides requests" } else { "Soft: kept as far as possible" },
    );
    let line = style::row(ui, &name, None, |ui| {
        let line = ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(format!("{taken} units/s")).small());
            ui.label(RichText::new(kind).small().color(style::FAINT));
            ui.with_layout(Layout::left_to_right(egui::Align::Center), |ui| {
                let (swatch, _) =
                    ui.allocate_exact_size(egui::Vec2::splat(8.0), egui::Sense::hover());
                ui.painter().rect_filled(swatch, 2.0, color);
                ui.add(Label::new(RichText::new(source).small()).truncate());
            });
        });
        line.response
    });
    line.on_hover_text(hint);
}
