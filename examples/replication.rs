//! A server steers a thousand agents and replicates them to two clients with `bevy_replicon`; the
//! clients interpolate. All three run in this process and talk through the loopback interface.
//!
//! `cargo run --example replication`
//!
//! It prints what that costs. `docs/networking.md` explains it.

use std::io;

use bevy_replicon::prelude::ClientReplicationStats;
use bevy_steer_examples::replication::{Session, poses};

const AGENTS: u32 = 1000;
const CLIENTS: usize = 2;
/// At 64 frames a second.
const SECONDS: u32 = 10;

fn main() -> io::Result<()> {
    let mut session = Session::open(AGENTS, CLIENTS)?;
    (0..64 * SECONDS).for_each(|_| session.frame());
    let is_complete = session.settle();
    println!("The server has steered {AGENTS} agents for {SECONDS} seconds.");
    for (i, client) in session.clients.iter_mut().enumerate() {
        let agents = poses(client).len();
        let stats = client.world().resource::<ClientReplicationStats>();
        let kilobytes = stats.bytes as f32 / SECONDS as f32 / 1000.0;
        println!("Client {i}: {agents} agents, {kilobytes:.0} kB a second.");
    }
    if is_complete { Ok(()) } else { Err(io::Error::other("a client has not got all places")) }
}
