//! Rollback with `ggrs`: snapshots built with [`visit_state`](bevy_steer::visit_state), and what a
//! session asks for.

mod rolled_back;
mod snapshot;
mod sync_test;

use core::time::Duration;
use std::sync::Arc;

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
    prelude::*,
    time::TimeUpdateStrategy,
};
use ggrs::{Config, GgrsRequest, InputStatus};

pub use rolled_back::{RollbackAppExt, RolledBack, name_of};
pub use snapshot::{Rollback, Snapshot};
pub use sync_test::{FRAMES, PLAYERS, app, play};

/// The time step of a frame.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// The schedule of one frame of the simulation. Refuses systems in an ambiguous order.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameFrame;

/// The number of the frame that is simulated, from 1.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Frame(pub i32);

/// A number per player for this frame. The game derives from it what the player does.
#[derive(Resource, Clone, Debug, Default)]
pub struct PlayerInputs(pub Vec<u64>);

/// An app of which a session plays and repeats frames.
pub fn game_app() -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins)
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .init_resource::<RolledBack>()
        .init_resource::<snapshot::NextRollbackId>()
        .init_resource::<Frame>()
        .init_resource::<PlayerInputs>()
        .init_schedule(GameFrame)
        .edit_schedule(GameFrame, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..default()
            });
        });
    app
}

/// Does what a session asks for. `checksum` tells apart worlds that have come out differently.
pub fn fulfil<C: Config<Input = u64, State = Arc<Snapshot>>>(
    request: GgrsRequest<C>,
    world: &mut World,
    checksum: impl FnOnce(&mut World) -> u64,
) {
    match request {
        GgrsRequest::SaveGameState { cell, frame } => {
            assert_eq!(frame, world.resource::<Frame>().0);
            let checksum = checksum(world);
            cell.save(frame, Some(Arc::new(Snapshot::save(world))), Some(checksum.into()));
        }
        GgrsRequest::LoadGameState { cell, frame } => {
            cell.load().expect("a saved frame").load(world);
            world.resource_mut::<Frame>().0 = frame;
        }
        GgrsRequest::AdvanceFrame { inputs } => advance_frame(world, &inputs),
    }
}

fn advance_frame(world: &mut World, inputs: &[(u64, InputStatus)]) {
    let mut frame = world.resource_mut::<Frame>();
    // The clock goes by the frame, so that it is right when a frame is simulated again.
    let mut time = Time::<()>::default();
    time.advance_to(STEP * u32::try_from(frame.0).expect("no frame before the first"));
    time.advance_by(STEP);
    frame.0 += 1;
    world.insert_resource(time);
    world.resource_mut::<PlayerInputs>().0 = inputs.iter().map(|&(input, _)| input).collect();
    world.run_schedule(GameFrame);
}
