//! Colours that go together on a dark ground and that colour-blind people can tell apart (Okabe and Ito 2008).

use bevy::color::Color;

/// The ground.
pub const GROUND: Color = Color::srgb(0.055, 0.067, 0.086);
/// The arena's floor, a little lighter.
pub const FLOOR: Color = Color::srgb(0.085, 0.102, 0.129);
/// Lines that only structure.
pub const FRAME: Color = Color::srgb(0.24, 0.28, 0.34);
/// Obstacles.
pub const STONE: Color = Color::srgb(0.30, 0.34, 0.40);
/// Their rims.
pub const STONE_RIM: Color = Color::srgb(0.46, 0.51, 0.58);
/// Who hunts.
pub const ORANGE: Color = Color::srgb(0.902, 0.624, 0.0);
/// Who hunts and is tired.
pub const TIRED: Color = Color::srgb(0.50, 0.40, 0.22);
/// Who is hunted.
pub const SKY: Color = Color::srgb(0.337, 0.706, 0.914);
/// Who is hunted and knows.
pub const YELLOW: Color = Color::srgb(0.941, 0.894, 0.259);
/// What attracts.
pub const GREEN: Color = Color::srgb(0.0, 0.72, 0.53);
/// Forces.
pub const RED: Color = Color::srgb(0.95, 0.24, 0.20);
/// Text.
pub const TEXT: Color = Color::srgb(0.87, 0.90, 0.94);
/// Text that matters less.
pub const FAINT_TEXT: Color = Color::srgb(0.58, 0.63, 0.70);
