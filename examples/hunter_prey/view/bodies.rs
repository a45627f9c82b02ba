//! Bodies of hunters and prey, which swim: they bend from side to side, the faster the more often.

use bevy::{math::ops, prelude::*};
use bevy_steer::{Velocity, prelude::*};

use super::{
    alarm::Alarm,
    plugin::{Bodies, Now},
};
use crate::{
    hunter_prey::{
        game::{Hunter, Prey},
        rules::chases,
    },
    palette,
    sheet::{Corner, Sheet},
};

/// Where a body is in its stroke, in radians.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct Stroke(f32);

/// A body seen from above, in multiples of its radius.
struct Shape {
    /// The body from nose to tail.
    spine: &'static [Station],
    /// The corners of the left fin; the right one mirrors it.
    fin: [Vec2; 3],
    /// How far the tail swings.
    swing: f32,
}

/// Half the width of a body at a place of its spine.
struct Station {
    x: f32,
    half_width: f32,
}

const fn station(x: f32, half_width: f32) -> Station {
    Station { x, half_width }
}

const FISH: Shape = Shape {
    spine: &[
        station(2.0, 0.05),
        station(1.4, 0.55),
        station(0.5, 0.8),
        station(-0.6, 0.5),
        station(-1.5, 0.12),
        station(-2.3, 0.75),
    ],
    fin: [Vec2::new(0.7, 0.7), Vec2::new(-0.3, 1.35), Vec2::new(-0.1, 0.6)],
    swing: 0.55,
};

const SHARK: Shape = Shape {
    spine: &[
        station(1.75, 0.06),
        station(1.35, 0.34),
        station(0.7, 0.52),
        station(-0.1, 0.46),
        station(-0.9, 0.22),
        station(-1.5, 0.07),
        station(-2.0, 0.5),
    ],
    fin: [Vec2::new(0.75, 0.45), Vec2::new(-0.3, 1.3), Vec2::new(0.05, 0.4)],
    swing: 0.4,
};

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
    prey: Query<(&Transform, &Velocity, &Vehicle, &Stroke, &Alarm), With<Prey>>,
    hunters: Query<(&Transform, &Velocity, &Vehicle, &Stroke, &Pursue, &Hunter)>,
    now: Now,
) {
    // Light first, so that it is under all bodies.
    for (transform, velocity, vehicle, _, alarm) in &prey {
        let color = prey_color(alarm.0).with_alpha(0.08 + 0.10 * alarm.0);
        sheet.glow(now.place(transform, velocity), 4.0 * vehicle.radius, color);
    }
    for (transform, velocity, vehicle, _, pursue, hunter) in &hunters {
        let strength = if chases(pursue) { 0.45 } else { 0.1 };
        let left = hunter.stamina / Hunter::STAMINA;
        let color = hunter_color(pursue).with_alpha(strength * (0.4 + 0.6 * left));
        sheet.glow(now.place(transform, velocity), 4.5 * vehicle.radius, color);
    }
    for (transform, velocity, vehicle, stroke, alarm) in &prey {
        let pose = Pose::of(transform, now.place(transform, velocity), vehicle, stroke);
        FISH.draw(&mut sheet, &pose, prey_color(alarm.0));
    }
    for (transform, velocity, vehicle, stroke, pursue, _) in &hunters {
        let pose = Pose::of(transform, now.place(transform, velocity), vehicle, stroke);
        SHARK.draw(&mut sheet, &pose, hunter_color(pursue));
    }
}

/// Where a body is and how it bends.
struct Pose {
    center: Vec2,
    forward: Vec2,
    radius: f32,
    stroke: f32,
}

impl Pose {
    fn of(transform: &Transform, center: Vec2, vehicle: &Vehicle, stroke: &Stroke) -> Self {
        let forward = transform.right().truncate();
        Self { center, forward, radius: vehicle.radius, stroke: stroke.0 }
    }
}

impl Shape {
    fn draw(&self, sheet: &mut Sheet, pose: &Pose, color: LinearRgba) {
        let [back, flank] = [color, shade(color, 0.45)];
        let place = |point: Vec2| {
            let point = point + Vec2::Y * self.bend(point.x, pose.stroke);
            pose.center + pose.forward.rotate(point * pose.radius)
        };
        for side in [1.0, -1.0] {
            let fin = self.fin.map(|point| place(point * Vec2::new(1.0, side)));
            sheet.triangle(fin.map(|at| Corner { at, color: flank }));
            for pair in self.spine.windows(2) {
                let [front, rear] = [&pair[0], &pair[1]].map(|station| {
                    let at = |y: f32| place(Vec2::new(station.x, y));
                    let edge = at(station.half_width * side);
                    [Corner { at: at(0.0), color: back }, Corner { at: edge, color: flank }]
                });
                sheet.triangle([front[0], front[1], rear[0]]);
                sheet.triangle([rear[0], front[1], rear[1]]);
            }
        }
    }

    /// How far to the side the spine is at `x`: a wave that grows towards the tail.
    fn bend(&self, x: f32, stroke: f32) -> f32 {
        let behind = ((1.5 - x) / 3.5).max(0.0);
        self.swing * behind * behind * ops::sin(stroke + 0.9 * x)
    }
}

/// A darker colour.
fn shade(color: LinearRgba, share: f32) -> LinearRgba {
    (color * share).with_alpha(color.alpha)
}
