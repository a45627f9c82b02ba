//! What most scenes need: `use super::parts::*;`

pub(super) use bevy::prelude::*;
pub(super) use bevy_egui::egui::Ui;
pub(super) use bevy_steer::prelude::*;

pub(super) use crate::{
    gallery::{
        explain::{FORCE, VELOCITY},
        goal::{self, Goal, Swing},
        look::{Halo, Look, Shape},
        scene::{Click, Group, Scene, View},
        sliders::{choice, degrees, slider, switch, words},
        stage::{ARENA, GROUND, SceneClock, TANK, at, edges, put, run},
        trail::Trail,
    },
    palette,
    shapes::Silhouette,
};

/// The usual body of a flat scene: this fast, and as large as can be seen well.
pub(super) fn body(max_speed: f32) -> Vehicle {
    Vehicle::new(max_speed).with_radius(9.0)
}

/// Places in rows and columns, evenly in a rectangle of this half size, in units.
pub(super) fn grid(columns: u32, rows: u32, half: Vec2) -> impl Iterator<Item = Vec2> {
    (0..rows * columns).map(move |i| {
        let cell = Vec2::new((i % columns) as f32 + 0.5, (i / columns) as f32 + 0.5);
        (cell / Vec2::new(columns as f32, rows as f32) * 2.0 - 1.0) * half
    })
}

/// A unit vector that is another for each number, all round and in no visible order.
pub(super) fn some_direction(number: usize) -> Vec2 {
    // Steps of the golden angle.
    Vec2::from_angle(number as f32 * 2.399_963)
}

/// A velocity in the direction of [`some_direction`].
pub(super) fn some_velocity(number: usize, speed: f32) -> Velocity {
    Velocity((some_direction(number) * speed).extend(0.0))
}

/// Words in a flat scene.
pub(super) fn label(text: &str, x: f32, y: f32, color: Color) -> impl Bundle {
    (
        Text2d::new(text),
        TextFont::from_font_size(15.0),
        TextColor(color),
        bevy::sprite::Anchor::CENTER_LEFT,
        Transform::from_xyz(x, y, -3.0),
    )
}

/// Walls along the edges of a flat scene, for the feelers of [`AvoidWalls`].
pub(super) fn wall_in(world: &mut World) {
    let corner = |x: f32, y: f32| ARENA * Vec2::new(x, y);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    for (i, &from) in corners.iter().enumerate() {
        put(world, Wall::new(from, corners[(i + 1) % corners.len()]));
    }
    edges(world, BoundsEdge::Clamp);
}

/// Sets all these components to what the function makes of them.
pub(super) fn set_all<C: Component<Mutability = bevy::ecs::component::Mutable>>(
    world: &mut World,
    mut set: impl FnMut(&mut C),
) {
    world.query::<&mut C>().iter_mut(world).for_each(|mut component| set(&mut component));
}

/// Shows the gizmos of this agent where not everybody's are shown.
pub(super) fn mark(world: &mut World, agent: Entity) {
    world.entity_mut(agent).insert(ShowSteeringGizmos);
}
