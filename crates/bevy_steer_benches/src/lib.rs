//! Benchmarks of `bevy_steer`, in `benches/`: `cargo bench -p bevy_steer_benches`.
