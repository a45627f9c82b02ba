//! What a frame costs besides steering: transforms and rendering, as diagnostics.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bevy::{
    camera::CameraUpdateSystems,
    diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic},
    platform::time::Instant,
    prelude::*,
    render::{Render, RenderApp, RenderSystems},
    transform::TransformSystems,
};

/// Milliseconds that a frame spends on computing global transforms.
pub(super) const TRANSFORMS: DiagnosticPath = DiagnosticPath::const_new("stress/transforms");
/// Milliseconds that a frame spends, on the CPU, on the mesh of the crowd and in the schedule of
/// the renderer.
pub(super) const RENDERING: DiagnosticPath = DiagnosticPath::const_new("stress/rendering");

/// The time that it took to make the mesh of the crowd in this frame.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(super) struct Drawing(pub(super) Duration);

/// Measures [`TRANSFORMS`] and [`RENDERING`].
pub(super) struct CostPlugin;

/// Nanoseconds of the last run of the renderer's schedule, which has a thread of its own.
#[derive(Resource, Clone, Debug, Default)]
struct RenderTime(Arc<AtomicU64>);

/// When the transforms of this frame, or the renderer's schedule, have begun.
#[derive(Resource, Clone, Copy, Debug)]
struct Begin(Instant);

impl Plugin for CostPlugin {
    fn build(&self, app: &mut App) {
        app.register_diagnostic(Diagnostic::new(TRANSFORMS).with_suffix(" ms"))
            .register_diagnostic(Diagnostic::new(RENDERING).with_suffix(" ms"))
            .init_resource::<Drawing>()
            .init_resource::<RenderTime>()
            .insert_resource(Begin(Instant::now()))
            .add_systems(
                PostUpdate,
                (
                    begin.after(CameraUpdateSystems).before(TransformSystems::Propagate),
                    end_transforms.after(TransformSystems::Propagate),
                ),
            )
            .add_systems(Last, record_rendering);
    }

    // The app of the renderer is there only now.
    fn finish(&self, app: &mut App) {
        let time = app.world().resource::<RenderTime>().clone();
        if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
            renderer.insert_resource(time).insert_resource(Begin(Instant::now())).add_systems(
                Render,
                (
                    begin.before(RenderSystems::ExtractCommands),
                    end_rendering.after(RenderSystems::PostCleanup),
                ),
            );
        }
    }
}

fn begin(mut begin: ResMut<Begin>) {
    begin.0 = Instant::now();
}

fn end_transforms(begin: Res<Begin>, mut diagnostics: Diagnostics) {
    diagnostics.add_measurement(&TRANSFORMS, || begin.0.elapsed().as_secs_f64() * 1e3);
}

fn end_rendering(begin: Res<Begin>, time: Res<RenderTime>) {
    time.0.store(begin.0.elapsed().as_nanos() as u64, Ordering::Relaxed);
}

fn record_rendering(drawing: Res<Drawing>, time: Res<RenderTime>, mut diagnostics: Diagnostics) {
    let schedule = Duration::from_nanos(time.0.load(Ordering::Relaxed));
    diagnostics.add_measurement(&RENDERING, || (schedule + drawing.0).as_secs_f64() * 1e3);
}
