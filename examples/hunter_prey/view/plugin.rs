//! The plugin, and the sheets that are drawn on.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::{alarm, bodies, bursts, ground, lights, shape, stones, trails};
use crate::{
    gizmos::draw_nothing,
    hunter_prey::game::Setup,
    palette,
    sheet::{Sheet, SheetPlugin},
    smooth::SmoothMotionPlugin,
};

/// The sheet of trails, under the stones.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Trails;

/// The sheet of hunters and prey, over the stones.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Bodies;

/// The sheet of what shines over everything: lures, catches, and lines from hunters to
/// prey.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Lights;

/// Draws the game. Needs [`GamePlugin`](crate::hunter_prey::game::GamePlugin).
pub(in crate::hunter_prey) struct ViewPlugin;

impl Plugin for ViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((SheetPlugin, SmoothMotionPlugin))
            .insert_resource(ClearColor(palette::DEEP))
            .add_systems(Startup, (spawn_sheets, shape::load, ground::spawn, configure_gizmos))
            .add_systems(
                FixedUpdate,
                (alarm::spread, trails::record, bodies::swim).after(RunSteering),
            )
            .add_observer(bursts::begin)
            .add_systems(
                Update,
                (
                    stones::add_meshes,
                    trails::draw,
                    bodies::draw,
                    (lights::draw_lures, lights::draw_hunts, bursts::draw).chain(),
                ),
            );
    }
}

fn spawn_sheets(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn((Trails, Sheet::bundle(-1.0, &mut meshes, &mut materials)));
    commands.spawn((Bodies, Sheet::bundle(1.0, &mut meshes, &mut materials)));
    commands.spawn((Lights, Sheet::bundle(2.0, &mut meshes, &mut materials)));
}

fn configure_gizmos(mut gizmos: ResMut<GizmoConfigStore>, setup: Res<Setup>) {
    let (config, steering) = gizmos.config_mut::<SteeringGizmos>();
    config.enabled = setup.options.forces;
    draw_nothing(steering);
    steering.force = Some(palette::RED);
}
