//! [`SmoothMotionPlugin`]: agents move smoothly at any frame rate.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_transform_interpolation::{TransformEasingSystems, TranslationEasingState, prelude::*};

/// Draws agents between their places before and after the last tick, as ticks and frames do not
/// come at the same rate. Is added after the plugins of a physics engine that does this too.
#[derive(Clone, Copy, Debug)]
pub struct SmoothMotionPlugin;

impl Plugin for SmoothMotionPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<TransformInterpolationPlugin>() {
            app.add_plugins(TransformInterpolationPlugin::default());
        }
        app.register_required_components::<Vehicle, TranslationInterpolation>()
            .register_required_components::<Vehicle, RotationInterpolation>()
            .add_systems(
                FixedLast,
                come_in_from_outside
                    .after(TransformEasingSystems::UpdateEnd)
                    .run_if(resource_exists::<WorldBounds>),
            );
    }
}

/// An agent that wraps around the world has jumped. So that it is not drawn on its way through the
/// middle, this moves the start of the interpolation outside of the edge where it comes in.
fn come_in_from_outside(bounds: Res<WorldBounds>, mut agents: Query<&mut TranslationEasingState>) {
    for mut easing in &mut agents {
        if let (Some(start), Some(end)) = (easing.start, easing.end) {
            easing.start = Some(end - bounds.shortest(end - start));
        }
    }
}
