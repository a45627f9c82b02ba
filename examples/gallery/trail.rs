//! Where somebody was lately, so that a still picture shows the motion.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_steer::{SteeringSettings, prelude::*};

use super::look::{Halo, Look};

/// Leaves a line behind that fades.
#[derive(Component, Clone, Debug)]
pub(super) struct Trail {
    /// How long it is, in seconds.
    seconds: f32,
    /// Whether it is dots at equal times, which tell how fast it went.
    dotted: bool,
    places: VecDeque<Vec3>,
}

/// A place is noted in every tick of this many.
const NOTE_EVERY: u32 = 2;
/// A dot is drawn for every note of this many.
const DOT_EVERY: usize = 4;
/// How strong a trail is where it begins.
const ALPHA: f32 = 0.75;

impl Trail {
    /// A line of the last seconds.
    pub(super) fn line(seconds: f32) -> Self {
        Self { seconds, dotted: false, places: VecDeque::new() }
    }

    /// Dots of the last seconds.
    pub(super) fn dots(seconds: f32) -> Self {
        Self { dotted: true, ..Self::line(seconds) }
    }
}

pub(super) fn note(
    mut trails: Query<(&Transform, &mut Trail)>,
    time: Res<Time>,
    mut ticks: Local<u32>,
) {
    *ticks = ticks.wrapping_add(1);
    if !ticks.is_multiple_of(NOTE_EVERY) {
        return;
    }
    for (transform, mut trail) in &mut trails {
        let most = (trail.seconds / (time.delta_secs() * NOTE_EVERY as f32)).ceil() as usize;
        trail.places.push_back(transform.translation);
        while trail.places.len() > most.max(2) {
            trail.places.pop_front();
        }
    }
}

/// The gizmos that are part of the scenery, as opposed to those that explain the steering.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub(super) struct Scenery;

pub(super) fn draw(
    trails: Query<(&Trail, &Transform, &Look)>,
    bounds: Res<WorldBounds>,
    mut gizmos: Gizmos<Scenery>,
) {
    for (trail, transform, look) in &trails {
        let count = trail.places.len();
        let color = |index: usize| {
            let share = (index + 1) as f32 / (count + 1) as f32;
            look.color.with_alpha(ALPHA * share * share)
        };
        if trail.dotted {
            for (index, &place) in trail.places.iter().enumerate().step_by(DOT_EVERY) {
                gizmos.circle_2d(place.truncate(), 2.0, color(index)).resolution(8);
            }
            continue;
        }
        let ends = trail.places.iter().copied().chain([transform.translation]);
        let pairs = trail.places.iter().copied().zip(ends.skip(1)).enumerate();
        for (index, (from, to)) in pairs {
            // Not right across the world for who has just gone over its edge.
            if bounds.shortest(to - from).distance_squared(to - from) < 1e-4 {
                gizmos.line_gradient(from, to, color(index), color(index + 1));
            }
        }
    }
}

pub(super) fn draw_halos(
    halos: Query<(&Halo, &Transform, &Look)>,
    settings: Res<SteeringSettings>,
    mut gizmos: Gizmos<Scenery>,
) {
    let facing = Quat::from_rotation_arc(Vec3::Z, settings.plane.normal());
    for (halo, transform, look) in &halos {
        let place = Isometry3d::new(transform.translation, facing);
        gizmos.circle(place, halo.0, look.color.with_alpha(0.35)).resolution(64);
    }
}
