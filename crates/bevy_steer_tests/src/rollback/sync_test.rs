//! A sync-test session: in every frame it goes some frames back and simulates them again. The
//! results must be the same each time.

use std::sync::Arc;

use bevy::prelude::*;
use ggrs::{GgrsError, PlayerType, PredictRepeatLast, SessionBuilder, SyncTestSession};
use rand::RngExt;
use rand_pcg::Pcg32;

use super::{fulfil, game_app, snapshot::Snapshot};

pub const PLAYERS: usize = 2;
/// How many frames a test plays.
pub const FRAMES: i32 = 600;

struct Config;

impl ggrs::Config for Config {
    type Input = u64;
    type InputPredictor = PredictRepeatLast;
    type State = Arc<Snapshot>;
    type Address = ();
}

#[derive(Resource)]
struct Session {
    session: SyncTestSession<Config>,
    /// What the players do. Outside of the simulation, so not rolled back.
    inputs: Pcg32,
    checksum: fn(&mut World) -> u64,
}

/// An app that plays in a session which goes `check_distance` frames back in every frame, and never
/// if that is zero. `checksum` tells apart worlds that have come out differently.
pub fn app(seed: u64, check_distance: usize, checksum: fn(&mut World) -> u64) -> App {
    let mut builder = SessionBuilder::<Config>::new()
        .with_num_players(PLAYERS)
        .expect("a number of players")
        .with_check_distance(check_distance);
    for player in 0..PLAYERS {
        builder = builder.add_player(PlayerType::Local, player).expect("a player");
    }
    let session = builder.start_synctest_session().expect("a session");
    let mut app = game_app();
    app.insert_resource(Session { session, inputs: Pcg32::new(seed, 77), checksum });
    app
}

/// Plays `frames` frames. If one of them comes out differently when simulated again, stops and
/// returns its number as the error.
pub fn play(app: &mut App, frames: i32) -> Result<(), i32> {
    for _ in 0..frames {
        app.update();
        app.world_mut()
            .resource_scope(|world, mut session: Mut<Session>| session.advance(world))?;
    }
    Ok(())
}

impl Session {
    fn advance(&mut self, world: &mut World) -> Result<(), i32> {
        for player in 0..PLAYERS {
            self.session.add_local_input(player, self.inputs.random()).expect("a player");
        }
        let requests = match self.session.advance_frame() {
            Ok(requests) => requests,
            Err(GgrsError::MismatchedChecksum { mismatched_frames, .. }) => {
                return Err(mismatched_frames[0]);
            }
            Err(error) => panic!("{error}"),
        };
        for request in requests {
            fulfil(request, world, self.checksum);
        }
        Ok(())
    }
}
