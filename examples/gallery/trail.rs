//! Trails: an agent's positions in the last seconds, which show its motion in a still picture.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_steer::{SteeringSettings, prelude::*};

use super::look::{Halo, Look};

/// Draws the last positions of an entity as a line or as dots.
#[derive(Component, Clone, Debug)]
pub(super) struct Trail {
    /// The length, in seconds.
    seconds: f32,
    /// Whether dots at equal intervals of time are drawn, which show the speed.
    dotted: bool,
    positions: VecDeque<Vec3>,
}

/// Ticks between two recorded positions.
const RECORD_EVERY: u32 = 2;
/// Recorded positions between two dots.
const DOT_EVERY: usize = 4;
/// The opacity of a trail at the entity.
const ALPHA: f32 = 0.75;

impl Trail {
    /// A line along the last seconds.
    pub(super) fn line(seconds: f32) -> Self {
        Self { seconds, dotted: false, positions: VecDeque::new() }
    }

    /// Dots along the last seconds.
    pub(super) fn dots(seconds: f32) -> Self {
        Self { dotted: true, ..Self::line(seconds) }
    }
}

pub(super) fn record(
    mut trails: Query<(&Transform, &mut Trail)>,
    time: Res<Time>,
    mut ticks: Local<u32>,
) {
    *ticks = ticks.wrapping_add(1);
    if !ticks.is_multiple_of(RECORD_EVERY) {
        return;
    }
    for (transform, mut trail) in &mut trails {
        let most = (trail.seconds / (time.delta_secs() * RECORD_EVERY as f32)).ceil() as usize;
        trail.positions.push_back(transform.translation);
        while trail.positions.len() > most.max(2) {
            trail.positions.pop_front();
        }
    }
}

/// Gizmos of the scenery, as opposed to those of the steering.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub(super) struct Scenery;

pub(super) fn draw(
    trails: Query<(&Trail, &Transform, &Look)>,
    bounds: Res<WorldBounds>,
    mut gizmos: Gizmos<Scenery>,
) {
    for (trail, transform, look) in &trails {
        let count = trail.positions.len();
        let color = |index: usize| {
            let share = (index + 1) as f32 / (count + 1) as f32;
            look.color.with_alpha(ALPHA * share * share)
        };
        if trail.dotted {
            for (index, &position) in trail.positions.iter().enumerate().step_by(DOT_EVERY) {
                gizmos.circle_2d(position.truncate(), 2.0, color(index)).resolution(8);
            }
            continue;
        }
        let ends = trail.positions.iter().copied().chain([transform.translation]);
        let pairs = trail.positions.iter().copied().zip(ends.skip(1)).enumerate();
        for (index, (from, to)) in pairs {
            // No line across the world where the agent has wrapped.
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
