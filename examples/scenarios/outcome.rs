//! [`Outcome`]: how a scenario went.

/// How a scenario went, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How many there were.
    pub agents: usize,
    /// How many have come within a radius of their goals.
    pub arrived: usize,
    /// How many pairs of agents have touched by more than a hundredth of a radius.
    pub contacts: usize,
    /// How far the bodies of two agents have overlapped, in radii.
    pub deepest_contact: f32,
    /// How many pairs of an agent and an obstacle or a wall have touched by more than a hundredth of a radius.
    pub bumps: usize,
    /// How far a body has been inside an obstacle or a wall, in radii.
    pub deepest_bump: f32,
    /// The mean over those who have arrived: their time, by the time that their way takes at top speed.
    pub mean_time: f32,
    /// The same of the slowest.
    pub longest_time: f32,
    /// By how much the rate at which an agent turns (radians a second) changes from one tick to the next: the mean over its way, and
    /// over the agents. A smooth curve has some hundredths, as it takes many ticks to go into it and out of it; who trembles turns
    /// one way in one tick and the other way in the next, and has one or more.
    pub jitter: f32,
    /// When the last one had arrived, in simulated seconds.
    pub seconds: f32,
}

impl Outcome {
    /// Several as one: sums of what is counted, the mean of what is a mean, the most of the rest.
    ///
    /// # Panics
    /// If there is none.
    pub fn of_all(all: &[Self]) -> Self {
        assert!(!all.is_empty(), "no outcome");
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
        }
    }
}
