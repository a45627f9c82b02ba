//! Which gizmos explain which scene.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::stage::Current;
use crate::{gizmos::draw_nothing, palette};

pub(super) fn set_up(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<SteeringGizmos>();
    config.line.width = 1.6;
}

/// Draws what the scene asks for. Whoever has changed something by hand keeps it until the next scene.
pub(super) fn explain(
    current: Res<Current>,
    mut store: ResMut<GizmoConfigStore>,
    mut last: Local<&'static str>,
) {
    if *last != current.0.name {
        *last = current.0.name;
        let (_, gizmos) = store.config_mut::<SteeringGizmos>();
        draw_nothing(gizmos);
        (current.0.explain)(gizmos);
    }
}

/// The force, in the usual red.
pub(super) const FORCE: Option<Color> = Some(palette::RED);
/// The velocity, faint.
pub(super) const VELOCITY: Option<Color> = Some(Color::srgba(0.87, 0.90, 0.94, 0.35));
