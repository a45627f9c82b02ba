//! [`Outcome`]: the measures of a scenario.

/// The measures of a scenario that has been played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Number of agents.
    pub agents: usize,
    /// Number of agents that came within a radius of their goals.
    pub arrived: usize,
    /// Number of pairs of agents that overlapped by more than a hundredth of a radius.
    pub contacts: usize,
    /// The deepest overlap of two agents, in radii.
    pub deepest_contact: f32,
    /// Number of pairs of an agent and an obstacle or wall that overlapped by more than a hundredth
    /// of a radius.
    pub bumps: usize,
    /// The deepest overlap of an agent with an obstacle or wall, in radii.
    pub deepest_bump: f32,
    /// The travel time as a multiple of the time that the shortest path takes at top speed: the
    /// mean over the agents that arrived.
    pub mean_time: f32,
    /// The same of the slowest agent.
    pub longest_time: f32,
    /// The change of an agent's turn rate from one tick to the next, in radians a second: the mean
    /// over its path, and over the agents. Smooth curves have some hundredths; an agent that turns
    /// left and right alternately has one or more.
    pub jitter: f32,
    /// The simulated time of the last arrival, in seconds.
    pub seconds: f32,
    /// Number of agents that arrived within three times the shortest time.
    pub in_time: usize,
    /// Arrivals a second, without the first and the last tenth of them.
    pub flow: f32,
    /// The speed as a share of the top speed, from ten seconds after the start until the arrival:
    /// the mean over the agents. 0 if all have arrived by then.
    pub speed: f32,
}

impl Outcome {
    /// Combines several outcomes: sums of counts, means of means, maxima of the rest.
    ///
    /// # Panics
    /// If the slice is empty.
    pub fn combine(all: &[Self]) -> Self {
        assert!(!all.is_empty(), "no outcome to combine");
        let count = |of: fn(&Self) -> usize| all.iter().map(of).sum();
        let most = |of: fn(&Self) -> f32| all.iter().map(of).fold(0.0, f32::max);
        let mean = |of: fn(&Self) -> f32| all.iter().map(of).sum::<f32>() / all.len() as f32;
        Self {
            agents: count(|one| one.agents),
            arrived: count(|one| one.arrived),
            contacts: count(|one| one.contacts),
            deepest_contact: most(|one| one.deepest_contact),
            bumps: count(|one| one.bumps),
            deepest_bump: most(|one| one.deepest_bump),
            mean_time: mean(|one| one.mean_time),
            longest_time: most(|one| one.longest_time),
            jitter: mean(|one| one.jitter),
            seconds: most(|one| one.seconds),
            in_time: count(|one| one.in_time),
            flow: mean(|one| one.flow),
            speed: mean(|one| one.speed),
        }
    }
}
