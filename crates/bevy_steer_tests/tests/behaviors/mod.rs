//! Tests of each behaviour in a real app: what an observer of the agents would see.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, strong};

mod align;
mod arrive;
mod avoid_agents;
mod avoid_obstacles;
mod avoid_walls;
mod avoidance;
mod bodies;
mod builders;
mod carried_obstacles;
mod conversions;
mod courses;
mod detours;
mod doors;
mod encounters;
mod evade;
mod face;
mod far_out;
mod first_hour;
mod flee;
mod flock;
mod hunters;
mod idle;
mod layers;
mod limits;
mod look_where_you_go;
mod making_room;
mod match_velocity;
mod near_surfaces;
mod obstacle_scale;
mod offset_pursue;
mod own_arrive;
mod own_avoid_agents;
mod own_limits;
mod path_follow;
mod plane_points;
mod prediction;
mod pursue;
mod rotation;
mod rows;
mod runs_at_obstacles;
mod scale;
mod seek;
mod several;
mod solid_surfaces;
mod stepping_aside;
mod storeys;
mod switches;
mod taken_goals;
mod targets;
mod threats;
mod wander;
mod wishes;

/// All modes of arbitration.
fn modes() -> [Arbitration; 4] {
    [
        Arbitration::Prioritized,
        Arbitration::WeightedSum,
        Arbitration::FirstActive { epsilon: 0.01 },
        Arbitration::dithered(),
    ]
}

/// What is for now is requested three times as strongly as what has time: the reaction takes a
/// third of the response.
const URGENCY: f32 = 3.0;

/// What an agent that goes along `x` requests, with something in its way.
fn wish_in(plane: SteeringPlane, agent: impl Bundle, thing: impl Bundle) -> Vec3 {
    let plugin = SteeringPlugin::new(Update).with_plane(plane).without_integration();
    let mut sim = Sim::with(plugin, 64.0);
    sim.spawn(thing);
    let agent = sim.spawn((strong(5.0), WhenIdle::Coast, Velocity(Vec3::X * 5.0), agent));
    sim.tick();
    sim.wish(agent)
}
