//! What is drawn: meshes of the agents, the arena, stamina and lures.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::{
    game::{ARENA, Hunter, Prey, Setup},
    mouse::Lure,
};
use crate::{gizmos::draw_nothing, palette, shapes::Silhouette};

pub(super) fn configure_gizmos(mut gizmos: ResMut<GizmoConfigStore>, setup: Res<Setup>) {
    gizmos.config_mut::<DefaultGizmoConfigGroup>().0.line.width = 2.5;
    let (config, steering) = gizmos.config_mut::<SteeringGizmos>();
    config.enabled = setup.options.forces;
    draw_nothing(steering);
    steering.force = Some(palette::RED);
}

/// Gives new agents and obstacles a mesh.
pub(super) fn add_meshes(
    vehicles: Query<(Entity, &Vehicle, Has<Hunter>, Has<Prey>), Without<Mesh2d>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, vehicle, is_hunter, is_prey) in &vehicles {
        let (mesh, color) = if is_hunter {
            (Silhouette::Raptor.flat(vehicle.radius), palette::ORANGE)
        } else if is_prey {
            (Silhouette::Fish.flat(vehicle.radius), palette::SKY)
        } else {
            (Circle::new(vehicle.radius).into(), palette::STONE)
        };
        let material = materials.add(ColorMaterial::from(color));
        commands.entity(entity).insert((Mesh2d(meshes.add(mesh)), MeshMaterial2d(material)));
    }
}

/// Colours resting hunters and fleeing prey differently.
pub(super) fn color_by_state(
    hunters: Query<(&Pursue, &MeshMaterial2d<ColorMaterial>), With<Hunter>>,
    prey: Query<(&Evade, &MeshMaterial2d<ColorMaterial>), With<Prey>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let hunters = hunters.iter().map(|(pursue, material)| {
        (material, if pursue.blend.enabled { palette::ORANGE } else { palette::TIRED })
    });
    let prey = prey.iter().map(|(evade, material)| {
        (material, if evade.memory.current.is_some() { palette::YELLOW } else { palette::SKY })
    });
    for (material, color) in hunters.chain(prey) {
        // Mutable access uploads the material to the GPU.
        if materials.get(&material.0).is_some_and(|material| material.color != color)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            material.color = color;
        }
    }
}

pub(super) fn draw_arena(
    mut gizmos: Gizmos,
    lures: Query<&Transform, With<Lure>>,
    time: Res<Time<Real>>,
) {
    gizmos.rect_2d(Isometry2d::IDENTITY, 2.0 * ARENA, palette::FRAME);
    for lure in &lures {
        let center = lure.translation.truncate();
        let pulse = Prey::SLOW * (0.5 + 0.5 * (time.elapsed_secs() % 1.5) / 1.5);
        gizmos.circle_2d(center, 5.0, palette::GREEN);
        gizmos.circle_2d(center, pulse, palette::GREEN.with_alpha(1.2 - pulse / Prey::SLOW));
    }
}

/// Draws the stamina of hunters as bars, and the rims of obstacles.
pub(super) fn draw_details(
    mut gizmos: Gizmos,
    vehicles: Query<(&Transform, &Vehicle, Option<&Hunter>)>,
) {
    for (transform, vehicle, hunter) in &vehicles {
        let center = transform.translation.truncate();
        if let Some(hunter) = hunter {
            let share = hunter.stamina / Hunter::STAMINA;
            let left = center + Vec2::new(-vehicle.radius, vehicle.radius * 1.6);
            let full = Vec2::X * 2.0 * vehicle.radius;
            gizmos.line_2d(left, left + full, palette::FRAME);
            gizmos.line_2d(left, left + full * share.clamp(0.0, 1.0), palette::ORANGE);
        }
        if vehicle.max_force == 0.0 {
            gizmos.circle_2d(center, vehicle.radius, palette::STONE_RIM);
        }
    }
}
