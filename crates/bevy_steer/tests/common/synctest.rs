//! A session in which every frame is rolled back and simulated again, and must come out the same.
#![allow(unreachable_pub, reason = "each test binary includes it as a module")]

use core::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_ggrs::{LocalInputs, LocalPlayers, RollbackFrameCount, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

/// What a player does in a frame: dice that the game reads as it likes.
pub type Input = u64;
pub type Config = GgrsConfig<Input>;

pub const PLAYERS: usize = 2;
pub const FRAMES: i32 = 600;

/// The players' dice. Not of the simulation, so they are not rolled back.
#[derive(Resource)]
struct Hands(Pcg32);

fn read_inputs(mut commands: Commands, players: Res<LocalPlayers>, mut hands: ResMut<Hands>) {
    let inputs = players.0.iter().map(|&player| (player, hands.0.random())).collect();
    commands.insert_resource(LocalInputs::<Config>(inputs));
}

#[derive(Resource, Default)]
struct Mismatches(Vec<i32>);

/// An app with such a session: so many frames back in every frame. None at all if that is zero.
pub fn app(seed: u64, check_distance: usize) -> App {
    let mut session = SessionBuilder::<Config>::new()
        .with_num_players(PLAYERS)
        .expect("a number of players")
        .with_check_distance(check_distance);
    for player in 0..PLAYERS {
        session = session.add_player(PlayerType::Local, player).expect("a player");
    }
    let session = session.start_synctest_session().expect("a session");
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, GgrsPlugin::<Config>::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)))
        .insert_resource(Hands(Pcg32::new(seed, 77)))
        .insert_resource(Session::SyncTest(session))
        .init_resource::<Mismatches>()
        .add_systems(ReadInputs, read_inputs)
        .add_observer(|mismatch: On<SyncTestMismatch>, mut mismatches: ResMut<Mismatches>| {
            mismatches.0.extend(&mismatch.mismatched_frames);
        });
    app
}

/// Plays so many frames, or until one has come out differently: then its number.
pub fn play(app: &mut App, frames: i32) -> Result<(), i32> {
    let mut idle = 0;
    while app.world().resource::<RollbackFrameCount>().0 < frames {
        let before = app.world().resource::<RollbackFrameCount>().0;
        app.update();
        if let Some(&frame) = app.world().resource::<Mismatches>().0.first() {
            return Err(frame);
        }
        let stands = app.world().resource::<RollbackFrameCount>().0 == before;
        idle = if stands { idle + 1 } else { 0 };
        assert!(idle < 10, "the session does not go on after frame {before}");
    }
    Ok(())
}
