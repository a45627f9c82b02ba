//! Two peers play one game, each with its own steering: a peer goes back when an input of the other
//! one comes late. Both run in this process and talk through the loopback interface, with `ggrs`.
//!
//! `cargo run --example rollback`
//!
//! It prints how often they went back, and fails if they have not come to the same state.
//! `docs/networking.md` explains it.

use std::{error::Error, process::ExitCode};

use bevy_steer_examples::rollback::play;

const FRAMES: i32 = 600;
/// At 60 frames a second a tenth of a second.
const LATE: usize = 6;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let peers = play(FRAMES, LATE)?;
    println!("Two peers have played {FRAMES} frames, with inputs that came {LATE} frames late.");
    for peer in &peers {
        let (player, back, again) = (peer.player, peer.rollbacks, peer.repeated);
        println!("Player {player}: went back {back} times, and simulated {again} frames again.");
    }
    let states = peers.map(|peer| peer.checksums[&FRAMES]);
    println!("Their states: {:016x}, {:016x}", states[0], states[1]);
    Ok(if states[0] == states[1] { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
