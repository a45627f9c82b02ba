//! Who pushes: what each behaviour asks for, and what arbitration lets through.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, RichText};
use bevy_steer::{BehaviorRegistry, Contribution, SteeringForce, SteeringTrace, Vehicle};

use crate::{sections::gizmos::behavior_color, style};

const HEIGHT: f32 = 14.0;
/// What stands at the right of a bar.
const FIGURES: f32 = 92.0;

pub(crate) fn show(ui: &mut egui::Ui, world: &World, agent: Entity) {
    let (Some(trace), Some(vehicle), Some(force)) = (
        world.get::<SteeringTrace>(agent),
        world.get::<Vehicle>(agent),
        world.get::<SteeringForce>(agent),
    ) else {
        ui.label(RichText::new("Nothing yet.").color(style::FAINT));
        return;
    };
    let asked = trace.iter().map(|one| finite(one.asked.length()));
    let scale = asked.fold(finite(vehicle.max_force), f32::max).max(f32::MIN_POSITIVE);
    if trace.iter().len() == 0 {
        ui.label(RichText::new("Nobody: no behaviour is on, or time stands.").color(style::FAINT));
    }
    let limit = finite(vehicle.max_force) / scale;
    for one in trace.iter() {
        let color = behavior_color(world, one.behavior);
        contribution(ui, name(world, one.behavior), one, color, scale, limit);
    }
    if trace.left_out() > 0 {
        ui.label(format!("and {} more", trace.left_out()));
    }
    sum(ui, force, vehicle, scale, limit);
}

fn name(world: &World, behavior: usize) -> &'static str {
    let registry = world.get_resource::<BehaviorRegistry>();
    registry.and_then(|registry| registry.get(behavior)).map_or("?", |behavior| behavior.name)
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
            let figures = format!("turns {:.0}°/s", turn.length().to_degrees());
            let wished = finite(turn.length() * weight.abs());
            let share = finite(one.angular_passed.length() / wished);
            return bar(ui, color, f32::from(wished > 0.0), share, 1.0, &figures);
        }
        let figures = if (asked - passed).abs() <= 0.005 * asked {
            format!("{} N", style::short(passed))
        } else {
            format!("{} of {} N", style::short(passed), style::short(asked))
        };
        bar(ui, color, asked / scale, passed / scale, limit, &figures)
    });
    line.on_hover_text(format!(
        "{name}, tier {priority:?}\nwants {} units/s × weight {}\nasks for {} N, gets {} N",
        style::short(correction.length()),
        style::short(*weight),
        style::short(asked),
        style::short(passed),
    ));
}

/// What came of it, against what the vehicle can do.
fn sum(ui: &mut egui::Ui, force: &SteeringForce, vehicle: &Vehicle, scale: f32, limit: f32) {
    let sum = finite(force.linear.length());
    let line = style::row(ui, "together", None, |ui| {
        let figures = format!("{} of {} N", style::short(sum), style::short(vehicle.max_force));
        bar(ui, style::FORCE, 0.0, sum / scale, limit, &figures)
    });
    line.on_hover_text("The steering force, and the largest one that the vehicle has (max_force)");
}

/// A bar as long as what was asked, filled as far as it passed, with a tick where the vehicle's strength ends.
fn bar(
    ui: &mut egui::Ui,
    color: Color32,
    asked: f32,
    passed: f32,
    limit: f32,
    figures: &str,
) -> egui::Response {
    let size = egui::vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let mut trough = rect.shrink2(egui::vec2(0.0, 2.0));
    trough.max.x -= FIGURES.min(rect.width() * 0.5);
    let part = |share: f32| {
        let mut part = trough;
        part.set_width(trough.width() * share.clamp(0.0, 1.0));
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
        figures,
        egui::TextStyle::Small.resolve(ui.style()),
        style::TEXT,
    );
    response
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
