//! Bursts: where prey was caught, a ring widens and sparks fly.

use bevy::prelude::*;

use super::plugin::Lights;
use crate::{
    hunter_prey::game::Caught,
    palette,
    sheet::{RibbonPoint, Sheet, circle},
};

/// What is seen of a catch.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Burst {
    center: Vec2,
    /// Seconds since the catch.
    age: f32,
}

/// How long a burst is seen, in seconds.
const LIFE: f32 = 0.7;
/// How far its sparks fly, in units.
const REACH: f32 = 46.0;
const SPARKS: u32 = 11;

pub(super) fn begin(caught: On<Caught>, mut commands: Commands) {
    commands.spawn(Burst { center: caught.place.truncate(), age: 0.0 });
}

pub(super) fn draw(
    mut bursts: Query<(Entity, &mut Burst)>,
    mut sheet: Single<&mut Sheet, With<Lights>>,
    time: Res<Time>,
    mut commands: Commands,
) {
    let color = palette::YELLOW.to_linear();
    for (entity, mut burst) in &mut bursts {
        burst.age += time.delta_secs();
        if burst.age >= LIFE {
            commands.entity(entity).despawn();
            continue;
        }
        let left = 1.0 - burst.age / LIFE;
        // Fast at first.
        let reach = REACH * (1.0 - left * left * left);
        sheet.glow(burst.center, 40.0, color.with_alpha(0.5 * left * left));
        let faded = color.with_alpha(0.55 * left);
        sheet.ring(burst.center, 0.55 * reach, 0.55 * reach + 2.0, faded, faded);
        for spark in circle(SPARKS, 1.0) {
            let point = |share: f32, half_width: f32, alpha: f32| RibbonPoint {
                at: burst.center + spark * (reach * share),
                half_width,
                color: color.with_alpha(alpha * left),
            };
            sheet.ribbon(&[point(0.62, 0.0, 0.0), point(1.0, 1.3, 1.0)]);
        }
    }
}
