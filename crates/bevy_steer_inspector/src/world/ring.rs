//! The rings around the selected agents.

use bevy::prelude::*;
use bevy_steer::{SteeringPlane, SteeringSettings, Vehicle};

use super::camera::WorldCameras;
use crate::state::inspector::Inspector;

/// The gizmo config group of the rings.
#[derive(GizmoConfigGroup, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Default)]
pub(crate) struct SelectionGizmos;

/// The colour of what marks the selection.
pub(super) const COLOR: Color = Color::srgb(0.98, 0.98, 1.0);
/// The radius of the ring, in multiples of the radius of the body.
const SCALE: f32 = 1.5;
/// The smallest radius on the screen, in pixels.
const MIN_PIXELS: f32 = 12.0;

/// The position and rotation of the ring of an agent: in its plane; in free space, facing a camera
/// at `camera`.
pub fn ring_of(center: Vec3, plane: SteeringPlane, camera: Vec3) -> Isometry3d {
    let normal = match plane {
        SteeringPlane::Free => (camera - center).try_normalize().unwrap_or(Vec3::Z),
        planar => planar.normal(),
    };
    Isometry3d::new(center, Quat::from_rotation_arc(Vec3::Z, normal))
}

pub(crate) fn draw_ring(
    inspector: Res<Inspector>,
    settings: Option<Res<SteeringSettings>>,
    agents: Query<(&GlobalTransform, &Vehicle, Option<&SteeringPlane>)>,
    cameras: WorldCameras,
    mut gizmos: Gizmos<SelectionGizmos>,
) {
    let Some((_, camera)) = cameras.main().filter(|_| inspector.is_open) else { return };
    let default = settings.map(|settings| settings.plane);
    for agent in inspector.selection() {
        let Ok((place, vehicle, plane)) = agents.get(agent) else { continue };
        let center = place.translation();
        let plane = plane.copied().or(default).unwrap_or_default();
        let least = cameras.pixel_at(center).unwrap_or(0.0) * MIN_PIXELS;
        let radius = (vehicle.radius * SCALE).max(least);
        if !(center.is_finite() && radius.is_finite()) {
            continue;
        }
        let ring = ring_of(center, plane, camera.translation());
        gizmos.circle(ring, radius * 1.06, COLOR.with_alpha(0.4)).resolution(48);
        if inspector.selected == Some(agent) {
            gizmos.circle(ring, radius, COLOR).resolution(48);
        }
    }
}
