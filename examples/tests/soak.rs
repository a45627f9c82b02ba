//! Spawning and despawning does not leak memory.

use bevy_steer_examples::soak::{options::Options, run::run};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

#[test]
fn hundred_thousand_spawns_and_despawns_leak_no_memory() {
    let options =
        Options { hours: 0.02, rows_per_hour: 400.0, agents: 300, births: 1500.0, seed: 3 };
    let rows = run(&options, || MEMORY.current_usage() as u64, |_| ());
    assert_eq!(rows.len(), 8);
    // By then buffers have grown and invalid input has been logged.
    let (early, late) = (rows[3], rows[7]);
    let births = (late.hours - early.hours) * 3600.0 * options.births;
    assert!(births > 50_000.0, "{births}");
    let growth = late.memory as f64 - early.memory as f64;
    assert!(growth < 0.5 * births, "{growth} bytes for {births} births: {rows:?}");
    assert!(rows.iter().all(|row| row.agents == 300 && row.entities < 1000), "{rows:?}");
}
