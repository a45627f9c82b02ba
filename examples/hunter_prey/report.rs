//! The results of a headless run.

use bevy::prelude::*;
use bevy_steer::{AgentId, Velocity};
use serde::Serialize;

use super::{
    game::{Hunter, Score, Setup},
    watch::Watch,
};
use crate::state_hash::state_hash;

/// The results of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Simulated seconds.
    pub seconds: f64,
    /// Number of ticks.
    pub ticks: u64,
    /// Number of hunters and prey.
    pub agents: u32,
    /// Number of hunters.
    pub hunters: u32,
    /// Number of prey.
    pub prey: u32,
    /// Number of obstacles.
    pub obstacles: u32,
    /// Seed of the world.
    pub seed: u64,
    /// Prey caught.
    pub catches: u32,
    /// Chases that ended without a catch.
    pub escapes: u32,
    /// Share of ticks in which no hunter chases.
    pub nobody_chases_share: f64,
    /// Share of ticks in which all hunters chase.
    pub all_chase_share: f64,
    /// Mean speed of the hunters, in units a second.
    pub mean_speed_hunters: f64,
    /// Mean speed of the prey, in units a second.
    pub mean_speed_prey: f64,
    /// Share of agent ticks in which the agent overlaps an obstacle.
    pub obstacle_overlap_share: f64,
    /// Share of agent ticks in which the agent has stayed in one place for 5 s.
    pub stuck_share: f64,
    /// Share of prey ticks within two radii of the arena's edge, where 8 % of the arena is.
    pub prey_at_edge_share: f64,
    /// Agent ticks with a state that is not finite.
    pub not_finite: u64,
    /// Duration of the run, in seconds.
    pub wall_seconds: f64,
    /// Nanoseconds per agent tick, with the game's rules and these statistics included.
    pub ns_per_agent_tick: f64,
    /// Hash of the final state: the same for the same options, whatever the number of threads.
    pub state_hash: String,
}

impl Report {
    pub(super) fn of(world: &mut World, wall_seconds: f64) -> Self {
        let state_hash = hash_of_agents(world);
        let tick = world.resource::<Time<Fixed>>().timestep().as_secs_f64();
        let options = world.resource::<Setup>().options.clone();
        let (watch, score) = (world.resource::<Watch>(), world.resource::<Score>());
        let share = |count: u64| count as f64 / watch.agent_ticks.max(1) as f64;
        let share_of_ticks = |count: u64| count as f64 / watch.ticks.max(1) as f64;
        Self {
            seconds: watch.ticks as f64 * tick,
            ticks: watch.ticks,
            agents: options.hunters + options.prey,
            hunters: options.hunters,
            prey: options.prey,
            obstacles: options.obstacles,
            seed: options.seed,
            catches: score.catches,
            escapes: score.escapes,
            nobody_chases_share: share_of_ticks(watch.nobody_chases),
            all_chase_share: share_of_ticks(watch.all_chase),
            mean_speed_hunters: watch.hunters.mean(),
            mean_speed_prey: watch.prey.mean(),
            obstacle_overlap_share: share(watch.overlaps),
            stuck_share: share(watch.stuck),
            prey_at_edge_share: watch.at_edge as f64 / watch.prey.count().max(1) as f64,
            not_finite: watch.not_finite,
            wall_seconds,
            ns_per_agent_tick: wall_seconds * 1e9 / watch.agent_ticks.max(1) as f64,
            state_hash,
        }
    }

    /// The results as text for a terminal.
    pub fn table(&self) -> String {
        let rows = [
            (
                "simulated",
                format!("{:.1} s in {} ticks, seed {}", self.seconds, self.ticks, self.seed),
            ),
            (
                "hunters, prey, obstacles",
                format!("{}, {}, {}", self.hunters, self.prey, self.obstacles),
            ),
            ("catches", self.catches.to_string()),
            ("escapes", self.escapes.to_string()),
            ("nobody chases", format!("{:.1} % of the time", self.nobody_chases_share * 100.0)),
            ("all hunters chase", format!("{:.1} % of the time", self.all_chase_share * 100.0)),
            ("mean speed of hunters", format!("{:.1} units/s", self.mean_speed_hunters)),
            ("mean speed of prey", format!("{:.1} units/s", self.mean_speed_prey)),
            (
                "overlaps with obstacles",
                format!("{:.3} % of agent ticks", self.obstacle_overlap_share * 100.0),
            ),
            ("stuck for 5 s", format!("{:.3} % of agent ticks", self.stuck_share * 100.0)),
            ("prey at the edge", format!("{:.1} % of the time", self.prey_at_edge_share * 100.0)),
            ("not finite", format!("{} agent ticks", self.not_finite)),
            ("wall time", format!("{:.2} s", self.wall_seconds)),
            ("time per agent tick", format!("{:.0} ns", self.ns_per_agent_tick)),
            ("state hash", self.state_hash.clone()),
        ];
        let widest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        rows.iter().map(|(name, value)| format!("{name:widest$}  {value}\n")).collect()
    }
}

/// The hash of the places, velocities, rotations and stamina of all agents.
fn hash_of_agents(world: &mut World) -> String {
    let mut agents = world.query::<(&AgentId, &Transform, &Velocity, Option<&Hunter>)>();
    let states = agents.iter(world).map(|(&id, transform, velocity, hunter)| {
        let ([a, b, c], [d, e, f]) = (transform.translation.to_array(), velocity.to_array());
        let [x, y, z, w] = transform.rotation.to_array();
        let stamina = hunter.map_or(0.0, |hunter| hunter.stamina);
        (id, [a, b, c, d, e, f, x, y, z, w, stamina])
    });
    state_hash(states.collect())
}
