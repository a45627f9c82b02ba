//! What agents are after: it moves by itself until somebody clicks.

use bevy::{math::ops, prelude::*};
use bevy_steer::{SteeringSettings, Velocity, prelude::*};

use super::{
    look::{Look, Shape},
    scene::Click,
    stage::{SceneClock, put},
};
use crate::palette;

/// A goal; a click moves all that the scene has.
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(Transform)]
pub(super) struct Goal;

/// Jumps from place to place.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub(super) struct Tour {
    /// Where it goes; again from the first after the last.
    pub(super) places: Vec<Vec3>,
    /// How long it stays, in seconds.
    pub(super) stay: f32,
}

/// Swings along two axes of the plane at once: along an ellipse, or an eight.
#[derive(Component, Clone, Copy, Debug)]
#[require(Transform, Velocity)]
pub(super) struct Swing {
    /// How far, in units.
    pub(super) reach: Vec2,
    /// How often, in radians a second.
    pub(super) rates: Vec2,
    /// Where it begins, in radians.
    pub(super) phases: Vec2,
}

/// Puts a goal there that goes on this tour.
pub(super) fn put_touring(world: &mut World, places: &[Vec2], stay: f32) -> Entity {
    let places: Vec<Vec3> = places.iter().map(|place| place.extend(0.0)).collect();
    let place = Transform::from_translation(places.first().copied().unwrap_or_default());
    let look = Look::sized(Shape::Goal, palette::GREEN, 10.0);
    put(world, (Goal, Tour { places, stay }, look, place))
}

/// From now on all goals are where the click is.
pub(super) fn move_here(world: &mut World, click: Click) {
    let mut goals = world.query_filtered::<Entity, With<Goal>>();
    let goals: Vec<Entity> = goals.iter(world).collect();
    for goal in goals {
        let mut goal = world.entity_mut(goal);
        goal.remove::<(Tour, Swing)>();
        if let Some(mut velocity) = goal.get_mut::<Velocity>() {
            velocity.0 = Vec3::ZERO;
        }
        if let Some(mut transform) = goal.get_mut::<Transform>() {
            transform.translation = click.place;
        }
    }
}

pub(super) fn move_goals(
    mut touring: Query<(&Tour, &mut Transform), Without<Swing>>,
    mut swinging: Query<(&Swing, &mut Transform, &mut Velocity), Without<Tour>>,
    settings: Res<SteeringSettings>,
    clock: Res<SceneClock>,
) {
    for (tour, mut transform) in &mut touring {
        if !tour.places.is_empty() {
            let index = (clock.0 / tour.stay) as usize % tour.places.len();
            transform.translation = tour.places[index];
        }
    }
    let plane = settings.plane;
    let flat =
        |v: Vec2| if plane == SteeringPlane::Xy { v.extend(0.0) } else { Vec3::new(v.x, 0.0, v.y) };
    for (swing, mut transform, mut velocity) in &mut swinging {
        let angles = swing.rates * clock.0 + swing.phases;
        let sines = Vec2::new(ops::sin(angles.x), ops::sin(angles.y));
        let cosines = Vec2::new(ops::cos(angles.x), ops::cos(angles.y));
        velocity.0 = flat(swing.reach * swing.rates * cosines);
        transform.translation = flat(swing.reach * sines);
        if let Some(heading) = velocity.0.try_normalize() {
            transform.rotation = plane.rotation(heading);
        }
    }
}
