//! Imports and helpers that most scenes need: `use super::parts::*;`

pub(super) use bevy::prelude::*;
pub(super) use bevy_egui::egui::Ui;
pub(super) use bevy_steer::{
    KeepRotation, Paint, Path, PathStyle, ShowSteeringGizmos, Shown, TurnLimits, Velocity,
    prelude::*,
};

pub(super) use crate::{
    gallery::{
        explain::{FORCE, SELECTED, VELOCITY},
        goal::{self, Goal, Swing},
        hunt::Hunt,
        look::{Halo, Look, Shape},
        scene::{Click, Group, Scene, Switch, View, is_on},
        score::Score,
        sliders::{choice, degrees, slider, text},
        stage::{ARENA, GROUND, SceneClock, TANK, at, edges, put, run},
        trail::Trail,
    },
    palette,
    shapes::Silhouette,
};

/// The default vehicle of a flat scene.
pub(super) fn body(max_speed: f32) -> Vehicle {
    Vehicle::new(max_speed).with_radius(9.0)
}

/// The cell centres of a grid that fills a rectangle of this half size.
pub(super) fn grid(columns: u32, rows: u32, half: Vec2) -> impl Iterator<Item = Vec2> {
    (0..rows * columns).map(move |i| {
        let cell = Vec2::new((i % columns) as f32 + 0.5, (i / columns) as f32 + 0.5);
        (cell / Vec2::new(columns as f32, rows as f32) * 2.0 - 1.0) * half
    })
}

/// A unit vector for each index, in steps of the golden angle: evenly spread in no visible order.
pub(super) fn varied_direction(index: usize) -> Vec2 {
    Vec2::from_angle(index as f32 * 2.399_963)
}

/// A velocity in the direction of [`varied_direction`].
pub(super) fn varied_velocity(index: usize, speed: f32) -> Velocity {
    Velocity((varied_direction(index) * speed).extend(0.0))
}

/// Text in a flat scene.
pub(super) fn label(text: &str, x: f32, y: f32, color: Color) -> impl Bundle {
    (
        Text2d::new(text),
        TextFont::from_font_size(15.0),
        TextColor(color),
        bevy::sprite::Anchor::CENTER_LEFT,
        Transform::from_xyz(x, y, -3.0),
    )
}

/// Draws the limits of velocities, short enough to stay inside of the arena.
pub(super) fn explain_limits(gizmos: &mut SteeringGizmos) {
    (gizmos.limits, gizmos.reach) = (Paint::Color(LIMITED), 0.3);
}

/// Says what [`explain_limits`] draws.
pub(super) fn legend_of_limits(ui: &mut Ui) {
    ui.add_space(6.0);
    text(ui, "dim arrow: requested velocity", LIMITED.with_alpha(0.6));
    text(ui, "bright arrow: permitted velocity", LIMITED);
    text(ui, "bar: a limit between them", LIMITED);
}

/// The colour of limits, which is nothing else's.
const LIMITED: Color = palette::YELLOW;

/// Walls along the edges of a flat scene, for the feelers of [`AvoidWalls`].
pub(super) fn wall_in(world: &mut World) {
    let corner = |x: f32, y: f32| ARENA * Vec2::new(x, y);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    for (i, &from) in corners.iter().enumerate() {
        put(world, Wall::new(from, corners[(i + 1) % corners.len()]));
    }
    edges(world, BoundsEdge::Clamp);
}

/// Changes all components of a type.
pub(super) fn set_all<C: Component<Mutability = bevy::ecs::component::Mutable>>(
    world: &mut World,
    mut set: impl FnMut(&mut C),
) {
    world.query::<&mut C>().iter_mut(world).for_each(|mut component| set(&mut component));
}

/// Shows the gizmos of this agent in scenes that show only those of marked agents.
pub(super) fn mark(world: &mut World, agent: Entity) {
    world.entity_mut(agent).insert(ShowSteeringGizmos);
}
