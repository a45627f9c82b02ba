//! The list of built-in behaviours: registration, saved state and tests all go by it.

use bevy::prelude::*;

use crate::{
    behavior::steering_behavior::SteeringBehavior,
    behaviors::{
        Align, Arrive, AvoidAgents, AvoidObstacles, AvoidWalls, Cruise, Evade, Face, Flee, Flock,
        LookWhereYouGo, MatchVelocity, OffsetPursue, PathFollow, Pursue, Seek, Stop, Wander, Wish,
    },
    ecs::state_data::StateData,
    pipeline::{behave_scalar::Scalar, behave_simd::Simd, register::register},
};

/// Is shown each built-in behaviour as a type, see [`visit_built_in_behaviors`].
pub trait BehaviorVisitor {
    /// Called once for each behaviour, in the order in which they run.
    fn visit<B: SteeringBehavior + StateData + Default>(&mut self);
}

/// From a behaviour and its batch strategy to everything that goes over all of them.
macro_rules! built_in_behaviors {
    ($($behavior:ident: $strategy:ident,)+) => {
        /// Registers all of them. What the game itself wishes comes first: avoidance heeds it.
        pub(crate) fn register_built_in_behaviors(app: &mut App) {
            register::<Wish, Scalar>(app);
            $(register::<$behavior, $strategy>(app);)+
        }

        /// Shows the visitor each built-in behaviour as a type.
        ///
        /// For what has to know the types at compile time: registering them with a netcode library,
        /// or a test that goes over all of them. Tools that work at run time use
        /// [`BehaviorRegistry`](crate::BehaviorRegistry), which has a game's own behaviours too.
        pub fn visit_built_in_behaviors(visitor: &mut impl BehaviorVisitor) {
            $(visitor.visit::<$behavior>();)+
        }
    };
}

// The order in which they run: what keeps an agent from harm first, aimless wandering last.
built_in_behaviors! {
    AvoidObstacles: Simd,
    AvoidWalls: Simd,
    AvoidAgents: Scalar,
    Flee: Scalar,
    Evade: Scalar,
    Seek: Simd,
    Arrive: Simd,
    Pursue: Scalar,
    OffsetPursue: Scalar,
    PathFollow: Scalar,
    MatchVelocity: Scalar,
    Cruise: Scalar,
    Stop: Scalar,
    Flock: Simd,
    Wander: Simd,
    Align: Scalar,
    Face: Scalar,
    LookWhereYouGo: Scalar,
}
