//! The list of built-in behaviours, for registration, saved state and tests.

use bevy::prelude::*;

use crate::{
    behavior::SteeringBehavior,
    behaviors::{
        Align, Arrive, AvoidAgents, AvoidObstacles, AvoidWalls, Cruise, Evade, Face, Flee, Flock,
        LookWhereYouGo, MatchVelocity, OffsetPursue, PathFollow, Pursue, Seek, Stop, Wander, Wish,
        wish::{clear_wishes, note_straight},
    },
    ecs::StateData,
    pipeline::{
        behave::{Scalar, Simd, steer_agents},
        registry::{BehaviorRegistry, register},
        schedule::{BehaviorStep, SteeringSchedule, Step},
    },
};

/// Visits each built-in behaviour as a type, see [`visit_built_in_behaviors`].
pub trait BehaviorVisitor {
    /// Called once for each behaviour, in the order in which they run.
    fn visit<B: SteeringBehavior + StateData + Default>(&mut self);
}

/// Generates the functions that go over all behaviours from the list of behaviours and their batch
/// strategies.
macro_rules! built_in_behaviors {
    ($($behavior:ident: $strategy:ident,)+) => {
        /// Registers all of them. [`Wish`] comes first, because avoidance depends on it.
        pub(crate) fn register_built_in_behaviors(app: &mut App) {
            register::<Wish, Scalar>(app);
            let wish = app.world().resource::<BehaviorRegistry>().index_of::<Wish>();
            let finish = (note_straight, clear_wishes).chain();
            app.add_systems(
                SteeringSchedule,
                finish.in_set(BehaviorStep(Step::Move, wish)).after(steer_agents::<Wish, Scalar>),
            );
            $(register::<$behavior, $strategy>(app);)+
        }

        /// Calls the visitor with each built-in behaviour as a type.
        ///
        /// For code that needs the types at compile time: to register them with a netcode library,
        /// or to test all of them. Tools that work at run time use [`BehaviorRegistry`], which
        /// includes your own behaviours.
        pub fn visit_built_in_behaviors(visitor: &mut impl BehaviorVisitor) {
            $(visitor.visit::<$behavior>();)+
        }
    };
}

// The order in which they run, but for those that only correct others: avoidance comes last.
built_in_behaviors! {
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
    AvoidObstacles: Simd,
    AvoidWalls: Simd,
    AvoidAgents: Scalar,
}
