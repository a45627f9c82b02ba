//! Pictures of agents' trails, drawn without a GPU.

use std::path::Path;

use bevy::{
    color::{Color, ColorToPacked},
    math::Vec2,
};
use tiny_skia::{FillRule, LineCap, Paint, PathBuilder, Pixmap, Stroke, Transform};

use crate::palette;

/// An agent's positions in the order of time.
pub struct Trail {
    /// The colour of the line.
    pub color: Color,
    /// The positions, in units.
    pub positions: Vec<Vec2>,
}

/// A picture of an arena.
pub struct Picture {
    pixels: Pixmap,
    transform: Transform,
    /// The size of a pixel, in units.
    pixel: f32,
}

/// The width of the margin around the arena, in pixels.
const FRAME: f32 = 12.0;
/// A step longer than this, in pixels, is a jump (a wrap, or a new start) and is not drawn.
const JUMP: f32 = 60.0;

impl Picture {
    /// An empty arena between two corners, with this many pixels a unit.
    ///
    /// `None` if the size is zero or more than a picture can have.
    pub fn new(min: Vec2, max: Vec2, scale: f32) -> Option<Self> {
        let size = (max - min) * scale + 2.0 * FRAME;
        let mut pixels = Pixmap::new(size.x as u32, size.y as u32)?;
        pixels.fill(color(palette::GROUND));
        let corner = Vec2::new(FRAME - min.x * scale, FRAME + max.y * scale);
        let transform = Transform::from_row(scale, 0.0, 0.0, -scale, corner.x, corner.y);
        let floor = tiny_skia::Rect::from_ltrb(min.x, min.y, max.x, max.y)?;
        pixels.fill_rect(floor, &paint(palette::FLOOR), transform, None);
        Some(Self { pixels, transform, pixel: scale.recip() })
    }

    /// Draws a disc with a rim.
    pub fn disc(&mut self, center: Vec2, radius: f32, fill: Color, rim: Color) {
        let Some(circle) = PathBuilder::from_circle(center.x, center.y, radius) else { return };
        self.pixels.fill_path(&circle, &paint(fill), FillRule::Winding, self.transform, None);
        let stroke = Stroke { width: 2.0 * self.pixel, ..Stroke::default() };
        self.pixels.stroke_path(&circle, &paint(rim), &stroke, self.transform, None);
    }

    /// Draws a rectangle with a rim.
    pub fn block(&mut self, center: Vec2, half_size: Vec2, fill: Color, rim: Color) {
        let (min, max) = (center - half_size, center + half_size);
        let Some(rect) = tiny_skia::Rect::from_ltrb(min.x, min.y, max.x, max.y) else { return };
        self.pixels.fill_rect(rect, &paint(fill), self.transform, None);
        let outline = PathBuilder::from_rect(rect);
        let stroke = Stroke { width: 2.0 * self.pixel, ..Stroke::default() };
        self.pixels.stroke_path(&outline, &paint(rim), &stroke, self.transform, None);
    }

    /// Draws a wall.
    pub fn wall(&mut self, from: Vec2, to: Vec2, color: Color) {
        let mut builder = PathBuilder::new();
        builder.move_to(from.x, from.y);
        builder.line_to(to.x, to.y);
        let Some(path) = builder.finish() else { return };
        let width = 4.0 * self.pixel;
        let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
        self.pixels.stroke_path(&path, &paint(color), &stroke, self.transform, None);
    }

    /// Draws a trail that becomes brighter towards its end, and a dot at its end.
    pub fn trail(&mut self, trail: &Trail) {
        self.path(trail);
        self.end(trail);
    }

    /// Draws a dot at the end of a trail.
    pub fn end(&mut self, trail: &Trail) {
        if let Some(&last) = trail.positions.last() {
            self.disc(last, 5.0 * self.pixel, trail.color, palette::GROUND);
        }
    }

    /// Draws a trail that becomes brighter towards its end, of an agent that was despawned.
    pub fn path(&mut self, trail: &Trail) {
        const SHADES: usize = 12;
        let length = trail.positions.len().div_ceil(SHADES).max(1);
        for shade in 0..SHADES {
            let from = shade * length;
            let to = (from + length + 1).min(trail.positions.len());
            let Some(part) = trail.positions.get(from..to) else { break };
            let strength = 0.25 + 0.75 * (shade + 1) as f32 / SHADES as f32;
            self.line(part, trail.color.with_alpha_times(strength));
        }
    }

    fn line(&mut self, positions: &[Vec2], line_color: Color) {
        let mut builder = PathBuilder::new();
        let mut last: Option<Vec2> = None;
        for &position in positions {
            match last {
                Some(last) if last.distance(position) < JUMP * self.pixel => {
                    builder.line_to(position.x, position.y);
                }
                _ => builder.move_to(position.x, position.y),
            }
            last = Some(position);
        }
        let Some(path) = builder.finish() else { return };
        let stroke =
            Stroke { width: 1.8 * self.pixel, line_cap: LineCap::Round, ..Stroke::default() };
        self.pixels.stroke_path(&path, &paint(line_color), &stroke, self.transform, None);
    }

    /// Writes the picture as a PNG file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let written = self.pixels.save_png(path);
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

trait Fade {
    fn with_alpha_times(self, share: f32) -> Color;
}

impl Fade for Color {
    fn with_alpha_times(self, share: f32) -> Color {
        let mut faded = self.to_srgba();
        faded.alpha *= share;
        faded.into()
    }
}

fn color(color: Color) -> tiny_skia::Color {
    let [red, green, blue, alpha] = color.to_srgba().to_u8_array();
    tiny_skia::Color::from_rgba8(red, green, blue, alpha)
}

fn paint(fill: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color(fill));
    paint.anti_alias = true;
    paint
}
