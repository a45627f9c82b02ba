//! Goals of the scenes: they move by themselves until a click takes them over.

use bevy::{math::ops, prelude::*};
use bevy_steer::{SteeringSettings, Velocity, prelude::*};

use super::{
    look::{Look, Shape},
    scene::Click,
    stage::{SceneClock, put},
};
use crate::palette;

/// A goal. A click moves all goals of the scene.
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(Transform)]
pub(super) struct Goal;

/// Makes an entity jump from place to place.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub(super) struct Tour {
    /// The places; the first follows the last.
    pub(super) places: Vec<Vec3>,
    /// The time at each place, in seconds.
    pub(super) stay: f32,
}

/// Makes an entity oscillate along two axes of the plane, for example on an ellipse.
#[derive(Component, Clone, Copy, Debug)]
#[require(Transform, Velocity)]
pub(super) struct Swing {
    /// The amplitudes, in units.
    pub(super) reach: Vec2,
    /// The angular frequencies, in radians a second.
    pub(super) rates: Vec2,
    /// The initial phases, in radians.
    pub(super) phases: Vec2,
}

/// Spawns a goal with a [`Tour`].
pub(super) fn put_touring(world: &mut World, places: &[Vec2], stay: f32) -> Entity {
    let places: Vec<Vec3> = places.iter().map(|place| place.extend(0.0)).collect();
    let place = Transform::from_translation(places.first().copied().unwrap_or_default());
    let look = Look::sized(Shape::Goal, palette::GREEN, 10.0);
    put(world, (Goal, Tour { places, stay }, look, place))
}

/// Moves all goals to the click; they stay there.
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
