//! The steering gizmos of each scene.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::stage::CurrentScene;
use crate::{gizmos::draw_nothing, palette};

pub(super) fn set_up(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<SteeringGizmos>();
    config.line.width = 1.6;
}

/// Turns on the gizmos of a new scene. Until the next one, changes in the inspector are kept.
pub(super) fn explain(
    current: Res<CurrentScene>,
    mut store: ResMut<GizmoConfigStore>,
    mut last: Local<&'static str>,
) {
    if *last != current.0.name {
        *last = current.0.name;
        let (_, gizmos) = store.config_mut::<SteeringGizmos>();
        draw_nothing(gizmos);
        gizmos.reach = SteeringGizmos::default().reach;
        (current.0.explain)(gizmos);
    }
}

/// The colour of the steering force.
pub(super) const FORCE: Option<Color> = Some(palette::RED);
/// The colour of the velocity.
pub(super) const VELOCITY: Option<Color> = Some(Color::srgba(0.87, 0.90, 0.94, 0.35));
