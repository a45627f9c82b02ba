//! What shines over the water: lures, the mouse pointer, and lines from hunters to prey.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::plugin::Lights;
use crate::{
    hunter_prey::{
        game::{Hunter, LURE, Prey},
        mouse::Pointer,
        rules::chases,
    },
    palette,
    sheet::{RibbonPoint, Sheet},
};

/// Draws lures as lights that pulse, and the pointer as a fainter one.
pub(super) fn draw_lures(
    mut sheet: Single<&mut Sheet, With<Lights>>,
    lures: Query<(&Transform, &SteeringLayers, Has<Pointer>), Without<Vehicle>>,
    time: Res<Time<Real>>,
) {
    let color = palette::GREEN.to_linear();
    for (transform, &layers, is_pointer) in &lures {
        if layers != LURE {
            continue;
        }
        let center = transform.translation.truncate();
        let strength = if is_pointer { 0.5 } else { 1.0 };
        sheet.glow(center, 2.2 * Prey::SLOW, color.with_alpha(0.32 * strength));
        let share = (time.elapsed_secs() / 1.5).fract();
        let radius = Prey::SLOW * (0.3 + 0.7 * share);
        let faded = color.with_alpha((1.0 - share) * strength);
        sheet.ring(center, radius, radius + 1.5, faded, faded);
        let middle = color.with_alpha(strength);
        sheet.disc(center, 3.5, middle, middle);
    }
}

/// Draws a line from each hunter to its prey, and a ring around the prey.
pub(super) fn draw_hunts(
    mut sheet: Single<&mut Sheet, With<Lights>>,
    hunters: Query<(&Transform, &Pursue), With<Hunter>>,
    prey: Query<&Transform, With<Prey>>,
    bounds: Res<WorldBounds>,
) {
    let color = palette::VERMILION.to_linear();
    for (transform, pursue) in &hunters {
        let hunted = pursue.memory.current.filter(|_| chases(pursue));
        let Some(at) = hunted.and_then(|hunted| prey.get(hunted).ok()) else { continue };
        let hunter = transform.translation;
        // The short way round, where the world wraps.
        let offset = bounds.shortest(at.translation - hunter).truncate();
        let hunter = hunter.truncate();
        let prey = hunter + offset;
        let gap = offset.normalize_or_zero();
        let (from, to) = (hunter + gap * 1.6 * Hunter::RADIUS, prey - gap * 2.0 * Prey::RADIUS);
        let point = |at: Vec2, half_width: f32, alpha: f32| RibbonPoint {
            at,
            half_width,
            color: color.with_alpha(alpha),
        };
        if (to - from).dot(gap) > 0.0 {
            sheet.ribbon(&[point(from, 1.0, 0.05), point(to, 0.7, 0.6)]);
        }
        let ring = color.with_alpha(0.75);
        sheet.ring(prey, 1.9 * Prey::RADIUS, 2.2 * Prey::RADIUS, ring, ring);
    }
}
