//! The results of a headless run.

use core::fmt::Write;

use bevy::prelude::*;
use bevy_steer::{AgentId, Velocity, prelude::*};
use serde::Serialize;

use super::{
    options::Options,
    timings::{Summary, Timings},
};
use crate::state_hash::state_hash;

/// The results of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Number of agents.
    pub agents: u32,
    /// Number of threads that steer.
    pub threads: u16,
    /// The behaviours of the agents.
    pub behaviors: String,
    /// The space that they steer in.
    pub plane: String,
    /// Number of measured ticks.
    pub ticks: u32,
    /// Nanoseconds per agent and tick.
    pub ns_per_agent_tick: Nanoseconds,
    /// Median milliseconds of each stage.
    pub stages_ms: serde_json::Map<String, serde_json::Value>,
    /// Mean number of neighbours in sight of an agent at the end of the run.
    pub true_neighbors: f64,
    /// Peak memory of the process, in bytes.
    pub peak_memory_bytes: u64,
    /// Memory of the neighbour index, in bytes.
    pub index_memory_bytes: u64,
    /// Hash of the final state: the same for the same options, whatever the number of threads.
    pub state_hash: String,
}

/// A time over the ticks of a run, in nanoseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Nanoseconds {
    /// The median.
    pub median: f64,
    /// The fastest tick.
    pub min: f64,
    /// The slowest tick.
    pub max: f64,
}

impl Report {
    pub(super) fn new(options: &Options, timings: &Timings, state_hash: String) -> Self {
        let Summary { min, median, max } = timings.tick();
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

    /// The results as text for a terminal.
    pub fn table(&self) -> String {
        let mut table = String::new();
        let mut row = |name: &str, value: String| {
            let _ = writeln!(table, "{name:<24} {value}");
        };
        let Nanoseconds { median, min, max } = self.ns_per_agent_tick;
        row("agents", format!("{} ({}, {})", self.agents, self.behaviors, self.plane));
        row("threads", self.threads.to_string());
        row("ns per agent and tick", format!("{median:.1} (min {min:.1}, max {max:.1})"));
        row("ms per tick", format!("{:.3}", median * f64::from(self.agents) * 1e-6));
        for (stage, milliseconds) in &self.stages_ms {
            row(&format!("  {stage}"), format!("{:.3}", milliseconds.as_f64().unwrap_or_default()));
        }
        row("true neighbours", format!("{:.2}", self.true_neighbors));
        row("peak memory", format!("{:.1} MB", self.peak_memory_bytes as f64 * 1e-6));
        let each = self.index_memory_bytes as f64 / f64::from(self.agents);
        row("  neighbour index", format!("{each:.1} bytes per agent"));
        row("state hash", self.state_hash.clone());
        table
    }
}

/// The hash of the places and velocities of all agents.
pub(super) fn hash_of_agents(world: &mut World) -> String {
    let mut agents = world.query_filtered::<(&AgentId, &Transform, &Velocity), With<Vehicle>>();
    let states = agents.iter(world).map(|(&id, transform, velocity)| {
        let ([a, b, c], [d, e, f]) = (transform.translation.to_array(), velocity.to_array());
        (id, [a, b, c, d, e, f])
    });
    state_hash(states.collect())
}
