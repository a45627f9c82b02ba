//! [`Peer`]: a player with a game of its own.

use std::{collections::BTreeMap, net::SocketAddr, sync::Arc};

use bevy::prelude::*;
use bevy_steer_tests::{
    fingerprint,
    rollback::{Frame, Snapshot, fulfil},
};
use ggrs::{GgrsError, GgrsRequest, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder};
use rand::RngExt;
use rand_pcg::Pcg32;

use super::{PLAYERS, game, late_socket::LateSocket};

struct Config;

impl ggrs::Config for Config {
    /// What a player has pressed.
    type Input = u64;
    type InputPredictor = PredictRepeatLast;
    type State = Arc<Snapshot>;
    type Address = SocketAddr;
}

/// A player changes its mind after this many frames.
const PRESSED: i32 = 20;

/// A player, its game, and its connection with the other one.
pub struct Peer {
    /// Which player it is.
    pub player: usize,
    /// How often it went back.
    pub rollbacks: usize,
    /// How many frames it has simulated again.
    pub repeated: usize,
    /// The state at the beginning of each frame, as it came out last.
    pub checksums: BTreeMap<i32, u64>,
    /// Its game.
    pub app: App,
    session: P2PSession<Config>,
    /// Up to here it knew what all players did when it played its last frame.
    confirmed: i32,
}

impl Peer {
    /// A peer that plays with the one at this address.
    pub(super) fn open(
        player: usize,
        socket: LateSocket,
        other: SocketAddr,
    ) -> Result<Self, GgrsError> {
        let session = SessionBuilder::<Config>::new()
            .with_num_players(PLAYERS)?
            .add_player(PlayerType::Local, player)?
            .add_player(PlayerType::Remote(other), 1 - player)?
            .start_p2p_session(socket)?;
        Ok(Self {
            player,
            rollbacks: 0,
            repeated: 0,
            checksums: BTreeMap::new(),
            app: game::app(),
            session,
            confirmed: -1,
        })
    }

    /// Whether it knows what all players did in the first frames, and has come to their end.
    pub(super) fn has_confirmed(&self, frames: i32) -> bool {
        self.confirmed >= frames
    }

    /// Plays a frame, after those that have turned out to be other ones.
    pub(super) fn frame(&mut self) -> Result<(), GgrsError> {
        let now = self.session.current_frame();
        let pressed = Pcg32::new(self.player as u64, (now / PRESSED) as u64).random();
        self.session.add_local_input(self.player, pressed)?;
        for request in self.session.advance_frame()? {
            if let GgrsRequest::LoadGameState { frame, .. } = &request {
                self.rollbacks += 1;
                self.repeated += (now - frame) as usize;
            }
            fulfil(request, self.app.world_mut(), |world| {
                let state = fingerprint::of(world);
                self.checksums.insert(world.resource::<Frame>().0, state);
                state
            });
        }
        self.confirmed = self.session.confirmed_frame();
        Ok(())
    }
}
