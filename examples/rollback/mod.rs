//! Peers that all steer, and go back when an input comes late.

pub mod game;
pub mod late_socket;
pub mod peer;

use ggrs::GgrsError;

use late_socket::LateSocket;
use peer::Peer;

/// How many players there are, one to a peer.
pub const PLAYERS: usize = 2;

/// Lets two peers play, connected by the loopback interface, of which each gets the other's
/// messages this many frames late. Ends when both know all inputs of these frames.
///
/// # Errors
///
/// If no socket can be opened, or the peers do not come together.
pub fn play(frames: i32, late: usize) -> Result<[Peer; PLAYERS], Box<dyn core::error::Error>> {
    let sockets = [LateSocket::open(late)?, LateSocket::open(late)?];
    let addresses = [sockets[0].address()?, sockets[1].address()?];
    let [first, second] = sockets;
    let mut peers = [Peer::open(0, first, addresses[1])?, Peer::open(1, second, addresses[0])?];
    while !peers.iter().all(|peer| peer.has_confirmed(frames)) {
        for peer in &mut peers {
            match peer.frame() {
                // It is too far ahead, or the other one has not come yet: it waits.
                Err(GgrsError::PredictionThreshold | GgrsError::NotSynchronized) => {}
                result => result?,
            }
        }
    }
    Ok(peers)
}
