//! A bar of several parts, each with its name and its milliseconds.

use bevy::color::Color;
use bevy_egui::egui::{Grid, Rect, RichText, Sense, Ui, pos2, vec2};

use crate::palette::{self, to_egui};

/// A part of the bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) milliseconds: f64,
    pub(super) color: Color,
}

/// The time of a frame at 60 frames a second, in milliseconds: the width of the bar, if that is
/// enough.
pub(super) const FRAME: f64 = 1000.0 / 60.0;

const HEIGHT: f32 = 14.0;

/// Draws the bar, and below it the names and numbers in the colours of the parts.
pub(super) fn show(ui: &mut Ui, width: f32, parts: &[Part]) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(rect, 2.0, to_egui(palette::FRAME));
    for (span, part) in spans(parts).into_iter().zip(parts) {
        let at = |share: f32, y: f32| pos2(rect.left() + share * width, y);
        let filled = Rect::from_min_max(at(span.from, rect.top()), at(span.to, rect.bottom()));
        painter.rect_filled(filled, 0.0, to_egui(part.color));
    }
    Grid::new("parts").num_columns(2).spacing([14.0, 1.0]).show(ui, |ui| {
        for part in parts {
            let color = to_egui(part.color);
            ui.label(RichText::new(part.name).size(14.0).color(color));
            ui.label(RichText::new(format!("{:.2}", part.milliseconds)).size(14.0).color(color));
            ui.end_row();
        }
    });
}

/// A part of the width of the bar, in shares of it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    from: f32,
    to: f32,
}

/// Where each part is in the bar, side by side.
fn spans(parts: &[Part]) -> Vec<Span> {
    let total: f64 = parts.iter().map(|part| part.milliseconds).sum();
    let whole = total.max(FRAME);
    let mut from = 0.0;
    let span = |part: &Part| {
        let to = from + (part.milliseconds / whole) as f32;
        let span = Span { from, to };
        from = to;
        span
    };
    parts.iter().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans_of(times: &[f64]) -> Vec<Span> {
        let part = |&milliseconds| Part { name: "", milliseconds, color: Color::WHITE };
        spans(&times.iter().map(part).collect::<Vec<_>>())
    }

    #[test]
    fn parts_stand_side_by_side_in_proportion() {
        let few = spans_of(&[0.25 * FRAME, 0.0, 0.5 * FRAME]);
        let expected = [(0.0, 0.25), (0.25, 0.25), (0.25, 0.75)];
        assert_eq!(few, expected.map(|(from, to)| Span { from, to }));
    }

    #[test]
    fn more_than_a_frame_fills_the_bar() {
        let many = spans_of(&[3.0 * FRAME, FRAME]);
        assert_eq!(many[0], Span { from: 0.0, to: 0.75 });
        assert_eq!(many[1].to, 1.0);
    }
}
