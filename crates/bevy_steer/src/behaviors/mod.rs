//! The built-in behaviours. One file or folder each: the formula, the component, and its tests.

mod align;
mod arrival;
mod arrive;
mod avoid_agents;
mod avoid_obstacles;
mod avoid_walls;
mod built_in;
mod cruise;
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
mod stop;
mod threats;
mod turning;
mod wander;
mod wish;

pub use align::{Align, Bearing};
pub use arrival::{Arrival, ArriveProfile, Hold};
pub use arrive::{Arrive, ArriveMemory};
pub use avoid_agents::{AvoidAgents, AvoidAgentsMemory, Avoidance, StandingPlace};
pub use avoid_obstacles::{AvoidObstacles, Passing};
pub use avoid_walls::{AvoidWalls, AvoidWallsWith, Feelers};
pub(crate) use built_in::register_built_in_behaviors;
pub use built_in::{BehaviorVisitor, visit_built_in_behaviors};
pub use cruise::Cruise;
pub use evade::Evade;
pub use face::Face;
pub use feelers::{FeelerCaster, FeelerHit, ObstacleCaster};
pub use flee::Flee;
pub use flock::Flock;
pub(crate) use flock::{demand_index, steer_flocks};
pub use look_where_you_go::LookWhereYouGo;
pub use match_velocity::MatchVelocity;
pub use offset_pursue::{OffsetPursue, OffsetPursueMemory};
pub use path_follow::{PathEnd, PathFollow, PathProgress, PathStyle};
pub use prediction::Prediction;
pub use pursue::Pursue;
pub use seek::Seek;
pub use stop::Stop;
pub use threats::FearMemory;
pub use turning::TurnLimits;
pub use wander::{Wander, WanderMemory};
pub use wish::{SteeringWish, Wish, WishKind};

/// The formulas of the behaviours as plain functions, for use without an ECS. `OffsetPursue`,
/// `PathFollow` and `Stop` have none of their own.
///
/// They take and return `Vec3`s in world units and seconds; most return a requested change of
/// velocity. None of them panics or divides by zero; for input within
/// [`MAX_MAGNITUDE`](crate::MAX_MAGNITUDE) the result is finite. The behaviours compute the same:
/// most call these functions, the rest the same formula for eight agents at a time.
pub mod formulas {
    pub use super::arrival::{ArriveLimits, arrive};
    pub use super::avoid_agents::{RelativeMotion, closest_approach, velocity_obstacle};
    pub use super::avoid_obstacles::{ObstacleApproach, ObstaclePass, avoid_obstacle};
    pub use super::avoid_walls::{WallTouch, avoid_wall};
    pub use super::cruise::cruise;
    pub use super::evade::evade;
    pub use super::flee::flee;
    pub use super::flock::{alignment, cohesion, separation_share};
    pub use super::match_velocity::match_velocity;
    pub use super::prediction::{LookAhead, MovingPoint, intercept_time, prediction_time};
    pub use super::pursue::pursue;
    pub use super::seek::seek;
    pub use super::turning::{align, turn_towards};
    pub use super::wander::{WanderCircle, wander};
    pub use crate::behavior::braking::stoppable_speed;
}
