//! The game's components, constants and resources, and the plugin that runs it.

use bevy::{
    ecs::{intern::Interned, schedule::ScheduleLabel},
    prelude::*,
};
use bevy_steer::prelude::*;
use rand_pcg::Pcg32;

use super::{options::Options, rules, spawn};

/// The layer of prey, which hunters pursue.
pub const PREY: SteeringLayers = SteeringLayers::layer(1);
/// The layer of hunters that hunt, which prey evade.
pub const HUNTER: SteeringLayers = SteeringLayers::layer(2);
/// The layer of hunters that rest: prey in a corner need not stay there until one has gone.
pub const RESTING: SteeringLayers = SteeringLayers::layer(4);
/// The layer of the mouse pointer and of lures, which prey follow.
pub const LURE: SteeringLayers = SteeringLayers::layer(3);

/// Half the arena's width and height, in units.
pub const ARENA: Vec2 = Vec2::new(640.0, 360.0);

/// Pursues prey while it has stamina.
#[derive(Component, Clone, Debug)]
pub struct Hunter {
    /// Remaining seconds of chase.
    pub stamina: f32,
    /// The number of its trio.
    pub trio: u32,
}

impl Hunter {
    /// Seconds that a rested hunter can chase for.
    pub const STAMINA: f32 = 5.0;
    /// Seconds of rest that restore full stamina while half of the other trios' hunters chase.
    pub const REST: f32 = 4.0;
    /// The distance at which it notices prey, in units.
    pub const SIGHT: f32 = 220.0;
    /// Top speed in a chase, in units a second.
    pub const CHASE: f32 = 142.0;
    /// Top speed otherwise.
    pub const STROLL: f32 = 60.0;
    /// By this factor flankers are faster as long as they keep beside their leader.
    pub const CATCH_UP: f32 = 1.2;
    /// Radius, in units.
    pub const RADIUS: f32 = 12.0;
    /// The distance from its prey at which it leaves its place in the trio and strikes, in units.
    pub const STRIKE: f32 = 80.0;
    /// The place of a flanker beside the leader of its trio, which faces along `x`; the other
    /// flanker mirrors it. In units.
    pub const FLANK: Vec2 = Vec2::new(10.0, 95.0);
}

/// Evades hunters; follows the mouse pointer and lures.
#[derive(Component, Clone, Debug)]
pub struct Prey;

impl Prey {
    /// The distance within which it evades a hunter, in units.
    pub const FEAR: f32 = 110.0;
    /// The distance within which it follows the pointer or a lure, in units.
    pub const LURED: f32 = 300.0;
    /// The distance from the pointer or lure at which it slows down, in units.
    pub const SLOW: f32 = 30.0;
    /// The distance from the pointer or lure at which it stops, in units.
    pub const CONTENT: f32 = 20.0;
    /// Top speed while it evades, in units a second.
    pub const RUN: f32 = 138.0;
    /// Top speed otherwise.
    pub const STROLL: f32 = 80.0;
    /// Radius, in units.
    pub const RADIUS: f32 = 5.0;
    /// The distance within which it schools with others, in units.
    pub const SCHOOL: f32 = 48.0;
}

/// Triggered when prey is caught.
#[derive(Event, Clone, Copy, Debug)]
pub struct Caught {
    /// Where it was.
    pub place: Vec3,
}

/// Counts of what has happened so far.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Prey caught.
    pub catches: u32,
    /// Chases that ended without a catch: the hunter lost its target or ran out of stamina.
    pub escapes: u32,
}

/// The game's random number generator. Steering has its own streams.
#[derive(Resource, Clone, Debug)]
pub struct Dice(pub Pcg32);

impl Dice {
    /// The generator for a seed; the same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(Pcg32::new(seed, 0x5EED))
    }
}

/// The game's settings.
#[derive(Resource, Clone, Debug)]
pub struct Setup {
    /// The command line.
    pub options: Options,
}

/// The arena as [`Bounds`].
pub fn arena(edge: BoundsEdge) -> Bounds {
    Bounds::rect(-ARENA, ARENA, edge)
}

/// Agents and rules, without anything visible.
pub struct GamePlugin {
    options: Options,
    schedule: Interned<dyn ScheduleLabel>,
}

impl GamePlugin {
    /// A game with these options that runs in `FixedUpdate`.
    pub fn new(options: Options) -> Self {
        Self { options, schedule: FixedUpdate.intern() }
    }

    /// Runs the game in another schedule.
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
                (
                    rules::catch_prey,
                    rules::hunt_and_rest,
                    rules::take_flanks,
                    rules::fear_and_follow,
                )
                    .chain()
                    .in_set(SteeringSystems::Decide),
            )
            .add_systems(self.schedule, spawn::wall_in.before(RunSteering))
            .add_systems(self.schedule, rules::bounce_obstacles.after(RunSteering));
    }
}
