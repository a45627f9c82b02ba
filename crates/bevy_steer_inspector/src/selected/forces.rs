//! The force that each behaviour requests, and how much of it gets through arbitration.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, RichText};
use bevy_steer::{
    BehaviorRegistry, Contribution, RegisteredBehavior, SteeringForce, SteeringTrace, Vehicle,
};

use super::behaviors::places;
use crate::{accessible::name_bar, sections::gizmos::behavior_color, style};

const HEIGHT: f32 = 14.0;
/// The width of the numbers beside a bar.
const NUMBERS: f32 = 92.0;

pub(super) fn show(ui: &mut egui::Ui, world: &World, agent: Entity) {
    let (Some(trace), Some(vehicle), Some(force)) = (
        world.get::<SteeringTrace>(agent),
        world.get::<Vehicle>(agent),
        world.get::<SteeringForce>(agent),
    ) else {
        ui.label(RichText::new("No data yet.").color(style::FAINT));
        return;
    };
    let asked = trace.iter().map(|one| finite(one.asked.length()));
    let scale = asked.fold(finite(vehicle.max_force), f32::max).max(f32::MIN_POSITIVE);
    let limit = finite(vehicle.max_force) / scale;
    // A row for each behaviour, whether it requests something or not, so that the rows below do not
    // move.
    let registry = world.get_resource::<BehaviorRegistry>();
    let mut is_empty = true;
    for (index, behavior) in registry.into_iter().flat_map(BehaviorRegistry::iter).enumerate() {
        let color = behavior_color(world, index);
        for place in shown_places(world, agent, index, behavior, trace) {
            is_empty = false;
            let name = name_at(behavior.name, place);
            let mut all = trace.iter();
            match all.find(|one| (one.behavior, one.place) == (index, place)) {
                Some(one) => contribution(ui, &name, one, color, scale, limit),
                None => {
                    _ = style::row(ui, &name, None, |ui| {
                        bar(ui, &name, color, 0.0, 0.0, limit, "–")
                    });
                }
            }
        }
    }
    if is_empty {
        ui.label(RichText::new("No active behaviours.").color(style::FAINT));
    }
    let idle = "Force of an agent that no behaviour moves: it brakes, drifts or cruises";
    let limited = "Change made by velocity limits, listed below";
    for (name, part, color, help) in [
        ("idle", trace.idle(), style::FAINT, idle),
        ("limits", trace.limited(), style::LIMIT, limited),
    ] {
        let part = finite(part.length());
        let line = style::row(ui, name, None, |ui| {
            bar(ui, name, color, 0.0, part / scale, limit, &style::short(part))
        });
        line.on_hover_text(help);
    }
    if *trace == SteeringTrace::default() {
        style::row(ui, "total", None, |ui| ui.weak("Waiting for the next tick…"));
    } else {
        total(ui, force, vehicle, scale, limit);
    }
}

/// The places of the behaviours of a kind that get a row: those that the agent has, and requests of
/// the game, which are gone after the tick in which they count.
fn shown_places(
    world: &World,
    agent: Entity,
    index: usize,
    behavior: &RegisteredBehavior,
    trace: &SteeringTrace,
) -> Vec<Option<usize>> {
    let mut shown = places(world, agent, behavior);
    let traced = trace.iter().filter(|one| one.behavior == index).map(|one| one.place);
    let several = behavior.several_type_id;
    let has_several = world.get_entity(agent).is_ok_and(|entity| entity.contains_type_id(several));
    shown.extend(traced.chain(has_several.then_some(Some(0))));
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// The name of a behaviour, with its number if it is one of several.
pub(super) fn name_at(behavior: &str, place: Option<usize>) -> String {
    place.map_or(behavior.to_owned(), |place| format!("{behavior} {}", place + 1))
}

fn contribution(
    ui: &mut egui::Ui,
    name: &str,
    one: &Contribution,
    color: Color32,
    scale: f32,
    limit: f32,
) {
    let Contribution { asked, passed, weight, priority, correction, .. } = one;
    let (asked, passed) = (finite(asked.length()), finite(passed.length()));
    let line = style::row(ui, name, None, |ui| {
        if let Some(turn) = one.angular.filter(|_| asked == 0.0) {
            let numbers = format!("turns {:.0}°/s", turn.length().to_degrees());
            let asked = finite(turn.length() * weight.abs());
            let passed = finite(one.angular_passed.length() / asked);
            return bar(ui, name, color, f32::from(asked > 0.0), passed, 1.0, &numbers);
        }
        let numbers = if (asked - passed).abs() <= 0.005 * asked {
            style::short(passed)
        } else {
            format!("{} of {}", style::short(passed), style::short(asked))
        };
        bar(ui, name, color, asked / scale, passed / scale, limit, &numbers)
    });
    line.on_hover_text(format!(
        "{name}, tier {priority:?}\nchange of velocity {} units/s × weight {}\n\
         requests a force of {}, gets {}",
        style::short(correction.length()),
        style::short(*weight),
        style::short(asked),
        style::short(passed),
    ));
}

/// The steering force compared with the maximum of the vehicle.
fn total(ui: &mut egui::Ui, force: &SteeringForce, vehicle: &Vehicle, scale: f32, limit: f32) {
    let total = finite(force.linear.length());
    let line = style::row(ui, "total", None, |ui| {
        let numbers = format!("{} of {}", style::short(total), style::short(vehicle.max_force));
        bar(ui, "total", style::FORCE, 0.0, total / scale, limit, &numbers)
    });
    line.on_hover_text("Steering force and its maximum, Vehicle::max_force, in kg·units/s²");
}

/// A bar with the length of the requested force, filled up to the part that got through. A tick
/// marks the maximum force of the vehicle.
fn bar(
    ui: &mut egui::Ui,
    name: &str,
    color: Color32,
    asked: f32,
    passed: f32,
    limit: f32,
    numbers: &str,
) -> egui::Response {
    let size = egui::vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    name_bar(&response, &format!("{name}: {numbers}"));
    let mut trough = rect.shrink2(egui::vec2(0.0, 2.0));
    trough.max.x -= NUMBERS.min(rect.width() * 0.5);
    let part = |fraction: f32| {
        let mut part = trough;
        part.set_width(trough.width() * fraction.clamp(0.0, 1.0));
        part
    };
    let painter = ui.painter();
    painter.rect_filled(trough, 2.0, ui.visuals().extreme_bg_color);
    painter.rect_filled(part(asked), 2.0, color.gamma_multiply(0.3));
    painter.rect_filled(part(passed), 2.0, color);
    let end = part(limit).right();
    painter.vline(end, rect.y_range(), egui::Stroke::new(1.0, style::FAINT));
    painter.text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        numbers,
        egui::TextStyle::Small.resolve(ui.style()),
        style::TEXT,
    );
    response
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
