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
