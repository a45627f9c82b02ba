//! Colours for a dark background that colour-blind people can tell apart (Okabe and Ito 2008).

use bevy::color::{Color, ColorToPacked};
use bevy_egui::egui::Color32;

/// The background.
pub const GROUND: Color = Color::srgb(0.055, 0.067, 0.086);
/// The floor of an arena, a little lighter than the background.
pub const FLOOR: Color = Color::srgb(0.085, 0.102, 0.129);
/// Frames and grids.
pub const FRAME: Color = Color::srgb(0.24, 0.28, 0.34);
/// Obstacles.
pub const STONE: Color = Color::srgb(0.30, 0.34, 0.40);
/// Rims of obstacles.
pub const STONE_RIM: Color = Color::srgb(0.46, 0.51, 0.58);
/// Hunters.
pub const ORANGE: Color = Color::srgb(0.902, 0.624, 0.0);
/// Water in the middle of a sea.
pub const SEA: Color = Color::srgb(0.065, 0.165, 0.205);
/// Water at the edges of a sea.
pub const DEEP: Color = Color::srgb(0.024, 0.055, 0.082);
/// Rims of rocks that light falls on.
pub const SUNLIT: Color = Color::srgb(0.72, 0.82, 0.84);
/// Hunters in the sea, which are not mistaken for prey that flees.
pub const VERMILION: Color = Color::srgb(0.96, 0.36, 0.13);
/// Resting hunters in the sea.
pub const DULL: Color = Color::srgb(0.45, 0.30, 0.27);
/// Prey.
pub const SKY: Color = Color::srgb(0.337, 0.706, 0.914);
/// Fleeing prey.
pub const YELLOW: Color = Color::srgb(0.941, 0.894, 0.259);
/// Goals and lures.
pub const GREEN: Color = Color::srgb(0.0, 0.72, 0.53);
/// Steering forces.
pub const RED: Color = Color::srgb(0.95, 0.24, 0.20);
/// Text.
pub const TEXT: Color = Color::srgb(0.87, 0.90, 0.94);
/// Secondary text.
pub const FAINT_TEXT: Color = Color::srgb(0.58, 0.63, 0.70);

/// The same colour for egui.
pub fn to_egui(color: Color) -> Color32 {
    let [red, green, blue, alpha] = color.to_srgba().to_u8_array();
    Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}
