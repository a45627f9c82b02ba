//! The words of the game: who is in it, how large the arena is, what is counted.

use bevy::{
    ecs::{intern::Interned, schedule::ScheduleLabel},
    prelude::*,
};
use bevy_steer::prelude::*;
use rand_pcg::Pcg32;

use super::{options::Options, rules, spawn};

/// What hunters look for.
pub const PREY: SteeringLayers = SteeringLayers::layer(1);
/// What prey run from.
pub const HUNTER: SteeringLayers = SteeringLayers::layer(2);
/// What prey like: the mouse, and lures.
pub const LURE: SteeringLayers = SteeringLayers::layer(3);

/// Half the arena's width and height, in units.
pub const ARENA: Vec2 = Vec2::new(620.0, 292.0);

/// Hunts while it has stamina.
#[derive(Component, Clone, Debug)]
pub struct Hunter {
    /// Seconds of chase that are left in it.
    pub stamina: f32,
}

impl Hunter {
    /// Seconds that a rested hunter can chase.
    pub const STAMINA: f32 = 5.0;
    /// Seconds of rest that it takes to be rested again.
    pub const REST: f32 = 4.0;
    /// How far it sees, in units.
    pub const SIGHT: f32 = 220.0;
    /// Its top speed after prey, in units a second.
    pub const CHASE: f32 = 135.0;
    /// Its top speed otherwise.
    pub const STROLL: f32 = 55.0;
    /// Its radius, in units.
    pub const RADIUS: f32 = 12.0;
}

/// Is hunted.
#[derive(Component, Clone, Debug)]
pub struct Prey;

impl Prey {
    /// How near a hunter must be to be feared, in units.
    pub const FEAR: f32 = 130.0;
    /// From how far it follows the mouse or a lure, in units.
    pub const LURED: f32 = 300.0;
    /// Within how many units of it it slows down.
    pub const SLOW: f32 = 30.0;
    /// How near it wants to be, in units.
    pub const CONTENT: f32 = 20.0;
    /// Its top speed in fear, in units a second.
    pub const RUN: f32 = 118.0;
    /// Its top speed otherwise.
    pub const STROLL: f32 = 70.0;
    /// Its radius, in units.
    pub const RADIUS: f32 = 8.0;
}

/// What has happened.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Prey that were caught.
    pub catches: u32,
    /// Chases that ended without a catch: the hunter lost sight, or its breath.
    pub escapes: u32,
}

/// The game's own dice; steering has its own.
#[derive(Resource, Clone, Debug)]
pub struct Dice(pub Pcg32);

impl Dice {
    /// Dice that fall the same way for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(Pcg32::new(seed, 0x5EED))
    }
}

/// How many of each, and the seed.
#[derive(Resource, Clone, Debug)]
pub struct Setup {
    /// What the command line says.
    pub options: Options,
}

/// The arena as [`Bounds`].
pub fn arena(edge: BoundsEdge) -> Bounds {
    Bounds::rect(-ARENA, ARENA, edge)
}

/// The game without anything to see: agents and rules.
pub struct GamePlugin {
    options: Options,
    schedule: Interned<dyn ScheduleLabel>,
}

impl GamePlugin {
    /// The game with these options, in `FixedUpdate`.
    pub fn new(options: Options) -> Self {
        Self { options, schedule: FixedUpdate.intern() }
    }

    /// In this schedule.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }
}

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        let edge = if self.options.bounce { BoundsEdge::Bounce } else { BoundsEdge::Wrap };
        app.add_plugins(SteeringPlugin::new(self.schedule).with_seed(self.options.seed))
            .insert_resource(WorldBounds(arena(edge)))
            .insert_resource(Setup { options: self.options.clone() })
            .insert_resource(Dice::new(self.options.seed))
            .init_resource::<Score>()
            .add_systems(Startup, spawn::populate)
            .add_observer(rules::count_escapes)
            .add_systems(
                SteeringSchedule,
                (rules::catch_prey, rules::hunt_and_rest, rules::fear_and_follow)
                    .chain()
                    .in_set(SteeringSystems::Decide),
            )
            .add_systems(self.schedule, spawn::wall_in.before(RunSteering))
            .add_systems(self.schedule, rules::bounce_obstacles.after(RunSteering));
    }
}
