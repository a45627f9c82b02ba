//! [`SmoothMotionPlugin`]: agents, and what moves like them, are drawn smoothly at any frame rate.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_transform_interpolation::{
    RotationEasingState, TransformEasingSystems, TranslationEasingState, prelude::*,
};

/// For what moves and has no [`Velocity`], such as the bodies of an engine.
pub use bevy_transform_interpolation::prelude::TransformInterpolation;

/// Draws whatever has a [`Velocity`] between its places before and after the last tick, as ticks
/// and frames do not come at the same rate. Is added after the plugins of a physics engine that
/// does this too.
#[derive(Clone, Copy, Debug)]
pub struct SmoothMotionPlugin;

impl Plugin for SmoothMotionPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<TransformInterpolationPlugin>() {
            app.add_plugins(TransformInterpolationPlugin::default());
        }
        app.register_required_components::<Velocity, TranslationInterpolation>()
            .register_required_components::<Velocity, RotationInterpolation>()
            .add_systems(FixedLast, skip_jumps.after(TransformEasingSystems::UpdateEnd));
    }
}

/// An agent that moves by more than this multiple of what its velocity makes in a tick, and by more
/// than its diameter, has been put elsewhere.
const JUMP: f32 = 2.0;

/// An agent that wraps around the world, or that the game puts elsewhere, is not drawn on its way
/// there. One that comes in from another edge begins outside of it; others begin where they are.
fn skip_jumps(
    bounds: Option<Res<WorldBounds>>,
    mut agents: Query<(
        (&mut TranslationEasingState, &mut RotationEasingState),
        (&Velocity, Option<&Vehicle>),
    )>,
    time: Res<Time>,
) {
    for ((mut easing, mut turning), (velocity, vehicle)) in &mut agents {
        let (Some(start), Some(end)) = (easing.start, easing.end) else { continue };
        let way = bounds.as_ref().map_or(end - start, |bounds| bounds.shortest(end - start));
        let led = velocity.length() * time.delta_secs();
        let size = vehicle.map_or(0.0, |vehicle| 2.0 * vehicle.radius);
        let is_jump = way.length() > (JUMP * led).max(size);
        easing.start = Some(if is_jump { end } else { end - way });
        if is_jump {
            turning.start = turning.end;
        }
    }
}
