//! What a headless run comes to.

use core::{
    fmt::Write,
    hash::{BuildHasher, Hasher},
};

use bevy::{platform::hash::FixedHasher, prelude::*};
use bevy_steer::{AgentId, Velocity, prelude::*};
use serde::Serialize;

use super::{
    options::Options,
    watch::{Spread, Timings},
};

/// The figures of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How many agents.
    pub agents: u32,
    /// How many threads steer.
    pub threads: u16,
    /// What they do.
    pub behaviors: String,
    /// Where they do it.
    pub plane: String,
    /// How many ticks were measured.
    pub ticks: u32,
    /// Nanoseconds for each agent and tick, over the ticks.
    pub ns_per_agent_tick: Nanoseconds,
    /// The median milliseconds of each stage.
    pub stages_ms: serde_json::Map<String, serde_json::Value>,
    /// How many others are in sight of an agent, on average at the end of the run.
    pub true_neighbors: f64,
    /// The most memory that was ever in use, in bytes.
    pub peak_memory_bytes: u64,
    /// What of it the neighbour index takes.
    pub index_memory_bytes: u64,
    /// A hash of the state at the end: the same for the same options, whatever the number of threads.
    pub state_hash: String,
}

/// How a time spreads over the ticks of a run, in nanoseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Nanoseconds {
    /// Half of the ticks were quicker.
    pub median: f64,
    /// The quickest.
    pub min: f64,
    /// The slowest.
    pub max: f64,
}

impl Report {
    pub(super) fn new(options: &Options, timings: &Timings, state_hash: String) -> Self {
        let Spread { min, median, max } = timings.tick();
        let each = |milliseconds: f64| milliseconds * 1e6 / f64::from(options.agents);
        let stages = timings.stages();
        Self {
            agents: options.agents,
            threads: options.threads,
            behaviors: format!("{:?}", options.behaviors).to_lowercase(),
            plane: format!("{:?}", options.plane).to_lowercase(),
            ticks: options.ticks,
            ns_per_agent_tick: Nanoseconds { median: each(median), min: each(min), max: each(max) },
            stages_ms: stages.into_iter().map(|(name, ms)| (name.to_owned(), ms.into())).collect(),
            true_neighbors: 0.0,
            peak_memory_bytes: 0,
            index_memory_bytes: 0,
            state_hash,
        }
    }

    /// For a terminal.
    pub fn table(&self) -> String {
        let mut table = String::new();
        let mut row = |name: &str, value: String| {
            let _ = writeln!(table, "{name:<24} {value}");
        };
        let Nanoseconds { median, min, max } = self.ns_per_agent_tick;
        row("agents", format!("{} ({}, {})", self.agents, self.behaviors, self.plane));
        row("threads", self.threads.to_string());
        row("ns an agent and tick", format!("{median:.1} (min {min:.1}, max {max:.1})"));
        row("ms a tick", format!("{:.3}", median * f64::from(self.agents) * 1e-6));
        for (stage, milliseconds) in &self.stages_ms {
            row(&format!("  {stage}"), format!("{:.3}", milliseconds.as_f64().unwrap_or_default()));
        }
        row("true neighbours", format!("{:.2}", self.true_neighbors));
        row("peak memory", format!("{:.1} MB", self.peak_memory_bytes as f64 * 1e-6));
        let each = self.index_memory_bytes as f64 / f64::from(self.agents);
        row("  of it the index", format!("{each:.1} bytes an agent"));
        row("state hash", self.state_hash.clone());
        table
    }
}

/// A hash of where everybody is and how fast, in the order of their numbers.
pub(super) fn state_hash(world: &mut World) -> String {
    let mut agents: Vec<(u64, [u32; 6])> = world
        .query_filtered::<(&AgentId, &Transform, &Velocity), With<Vehicle>>()
        .iter(world)
        .map(|(number, transform, velocity)| {
            let ([a, b, c], [d, e, f]) = (transform.translation.to_array(), velocity.to_array());
            (number.0, [a, b, c, d, e, f].map(f32::to_bits))
        })
        .collect();
    agents.sort_unstable();
    let mut hasher = FixedHasher.build_hasher();
    for (number, bits) in agents {
        hasher.write_u64(number);
        bits.into_iter().for_each(|bits| hasher.write_u32(bits));
    }
    format!("{:016x}", hasher.finish())
}
