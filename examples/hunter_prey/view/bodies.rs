//! Bodies of hunters and prey, which swim: they bend from side to side, the faster the more often.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::{
    alarm::Alarm,
    plugin::Bodies,
    shape::{Pose, Shapes},
};
use crate::{
    hunter_prey::{
        game::{Hunter, Prey},
        rules::chases,
    },
    palette,
    sheet::Sheet,
};

/// Where a body is in its stroke, in radians.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct Stroke(f32);

pub(super) fn swim(
    mut agents: Query<(&Velocity, &mut Stroke, &Vehicle)>,
    new: Query<Entity, (Or<(With<Hunter>, With<Prey>)>, Without<Stroke>)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (index, agent) in new.iter().enumerate() {
        // Not all in step.
        commands.entity(agent).insert(Stroke(index as f32 * 2.4));
    }
    for (velocity, mut stroke, vehicle) in &mut agents {
        // A stroke for every six radii, and a few at rest.
        let strokes = 0.5 + velocity.length() / (6.0 * vehicle.radius);
        stroke.0 += core::f32::consts::TAU * strokes.min(5.0) * time.delta_secs();
    }
}

/// The colour of a hunter: dull while it rests.
pub(super) fn hunter_color(pursue: &Pursue) -> LinearRgba {
    let color = if pursue.is_enabled() { palette::VERMILION } else { palette::DULL };
    color.to_linear()
}

/// The colour of a prey: from the blue of the calm to the yellow of the alarmed.
pub(super) fn prey_color(alarm: f32) -> LinearRgba {
    let [calm, alarmed]: [Oklcha; 2] = [palette::SKY, palette::YELLOW].map(Into::into);
    calm.mix(&alarmed, alarm.clamp(0.0, 1.0)).into()
}

pub(super) fn draw(
    mut sheet: Single<&mut Sheet, With<Bodies>>,
    prey: Query<(&Transform, &Vehicle, &Stroke, &Alarm), With<Prey>>,
    hunters: Query<(&Transform, &Vehicle, &Stroke, &Pursue, &Hunter)>,
    shapes: Res<Shapes>,
) {
    // Light first, so that it is under all bodies.
    for (transform, vehicle, _, alarm) in &prey {
        let color = prey_color(alarm.0).with_alpha(0.08 + 0.10 * alarm.0);
        sheet.glow(transform.translation.truncate(), 4.0 * vehicle.radius, color);
    }
    for (transform, vehicle, _, pursue, hunter) in &hunters {
        let strength = if chases(pursue) { 0.45 } else { 0.1 };
        let left = hunter.stamina / Hunter::STAMINA;
        let color = hunter_color(pursue).with_alpha(strength * (0.4 + 0.6 * left));
        sheet.glow(transform.translation.truncate(), 4.5 * vehicle.radius, color);
    }
    for (transform, vehicle, stroke, alarm) in &prey {
        let pose = pose(transform, vehicle, stroke);
        shapes.fish.draw(&mut sheet, &pose, prey_color(alarm.0));
    }
    for (transform, vehicle, stroke, pursue, _) in &hunters {
        let pose = pose(transform, vehicle, stroke);
        shapes.shark.draw(&mut sheet, &pose, hunter_color(pursue));
    }
}

fn pose(transform: &Transform, vehicle: &Vehicle, stroke: &Stroke) -> Pose {
    let (center, forward) = (transform.translation.truncate(), transform.right().truncate());
    Pose { center, forward, radius: vehicle.radius, stroke: stroke.0 }
}
