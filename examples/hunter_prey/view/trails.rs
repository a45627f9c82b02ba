//! Trails: the water behind hunters and prey, which fades.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::{
    alarm::Alarm,
    bodies::{hunter_color, prey_color},
    plugin::Trails,
};
use crate::{
    hunter_prey::game::{Hunter, Prey},
    sheet::{RibbonPoint, Sheet},
};

/// An agent's last positions, the newest first.
#[derive(Component, Clone, Debug, Default)]
pub(super) struct Trail(VecDeque<Vec2>);

/// Ticks between two positions.
const RECORD_EVERY: u32 = 3;
/// The number of positions of a prey and of a hunter: half a second and one second.
const OF_PREY: usize = 11;
const OF_HUNTER: usize = 22;
/// A step longer than this is a jump across the edge, or a new start, in units.
const JUMP: f32 = 60.0;

pub(super) fn record(
    mut trails: Query<(&Transform, &mut Trail, Has<Hunter>)>,
    new: Query<Entity, (Or<(With<Hunter>, With<Prey>)>, Without<Trail>)>,
    mut ticks: Local<u32>,
    mut commands: Commands,
) {
    for agent in &new {
        commands.entity(agent).insert(Trail::default());
    }
    *ticks = ticks.wrapping_add(1);
    if !ticks.is_multiple_of(RECORD_EVERY) {
        return;
    }
    for (transform, mut trail, is_hunter) in &mut trails {
        let here = transform.translation.truncate();
        if trail.0.front().is_some_and(|last| last.distance(here) > JUMP) {
            trail.0.clear();
        }
        trail.0.push_front(here);
        trail.0.truncate(if is_hunter { OF_HUNTER } else { OF_PREY });
    }
}

pub(super) fn draw(
    mut sheet: Single<&mut Sheet, With<Trails>>,
    agents: Query<(&Transform, &Trail, &Vehicle, Option<&Pursue>, Option<&Alarm>)>,
) {
    for (transform, trail, vehicle, pursue, alarm) in &agents {
        let here = transform.translation.truncate();
        let (color, alpha) = match pursue {
            Some(pursue) => (hunter_color(pursue), 0.34),
            None => (prey_color(alarm.map_or(0.0, |alarm| alarm.0)), 0.26),
        };
        let count = trail.0.len();
        let points: Vec<RibbonPoint> = core::iter::once(here)
            .chain(trail.0.iter().copied())
            .enumerate()
            .map(|(index, at)| {
                let left = 1.0 - index as f32 / (count + 1) as f32;
                let half_width = 0.5 * vehicle.radius * left;
                RibbonPoint { at, half_width, color: color.with_alpha(alpha * left * left) }
            })
            .collect();
        // The newest positions are those before a jump until the next one is recorded.
        if points.len() > 1 && points[0].at.distance(points[1].at) < JUMP {
            sheet.ribbon(&points);
        }
    }
}
