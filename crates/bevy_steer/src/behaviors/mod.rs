//! The built-in behaviours. One file each: the formula, the component, and its tests.

mod align;
mod arrive;
mod avoid_agents;
mod avoid_obstacles;
mod avoid_walls;
mod built_in;
mod evade;
mod face;
mod feelers;
mod flee;
mod flock;
mod look_where_you_go;
mod match_velocity;
mod offset_pursue;
mod path_follow;
mod prediction;
mod pursue;
mod seek;
mod surfaces;
mod turning;
mod urgent;
mod wander;

pub use align::{Align, Bearing};
pub use arrive::{Arrive, ArriveProfile};
pub use avoid_agents::AvoidAgents;
pub use avoid_obstacles::{AvoidObstacles, Passing};
pub use avoid_walls::{AvoidWalls, AvoidWallsWith, Feelers};
pub(crate) use built_in::register_built_in_behaviors;
pub use built_in::{BehaviorVisitor, visit_built_in_behaviors};
pub use evade::Evade;
pub use face::Face;
pub use feelers::{FeelerCaster, FeelerHit, ObstacleCaster};
pub use flee::Flee;
pub use flock::Flock;
pub(crate) use flock::{CommonBlend, demand_index, steer_flocks};
pub use look_where_you_go::LookWhereYouGo;
pub use match_velocity::MatchVelocity;
pub use offset_pursue::OffsetPursue;
pub use path_follow::{PathEnd, PathFollow, PathProgress, PathStyle};
pub use prediction::Prediction;
pub use pursue::Pursue;
pub use seek::Seek;
pub use turning::TurnLimits;
pub use wander::Wander;

/// The formulas of the behaviours as plain functions, for use without an ECS.
///
/// All take and return `Vec3`s in world units and seconds, and give the wished change of velocity for an agent that is at
/// `position` with `velocity`. None of them panics or divides by zero; for finite input of sensible size the result is
/// finite.
pub mod formulas {
    pub use super::align::align;
    pub use super::arrive::{arrive, stoppable_speed};
    pub use super::avoid_agents::{closest_approach, velocity_obstacle};
    pub use super::avoid_obstacles::avoid_obstacle;
    pub use super::avoid_walls::avoid_wall;
    pub use super::evade::evade;
    pub use super::flee::flee;
    pub use super::flock::formulas::{alignment, cohesion, separation_share};
    pub use super::match_velocity::match_velocity;
    pub use super::prediction::{intercept_time, prediction_time};
    pub use super::pursue::pursue;
    pub use super::seek::seek;
    pub use super::turning::turn_towards;
    pub use super::wander::wander;
}
