//! The widgets of the panel and what they do in the world.

mod behaviors;
mod fields;
mod leaving;
mod list;
mod observing;
mod rows;
mod selection;
mod undo;

use bevy::prelude::*;
use bevy_steer::prelude::*;

fn named(app: &mut App, name: &str, behaviors: impl Bundle) -> Entity {
    app.world_mut().spawn((Name::new(name.to_owned()), Vehicle::default(), behaviors)).id()
}
