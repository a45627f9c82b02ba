//! [`free_place`]: where an agent's body fits.

use bevy::prelude::*;

use crate::{
    behavior::{Agent, braking::BODY},
    obstacles::{PlacedObstacle, field::SLACK},
    space::vector::{direction, split},
};

/// The maximum number of times that a goal is moved out of what it is in.
const MOVES: usize = 4;
/// A goal in the middle of something is moved out on the side of the agent: as if it were this
/// share of the way nearer to it, or this part of a radius if that is more. Else the agent might
/// change its mind on the way.
const NEARER: f32 = 0.02;
const NEARER_RADII: f32 = 0.1;

/// Whether the agent's body fits at `offset` from where it is.
pub(super) fn fits(agent: &Agent, surfaces: &[&PlacedObstacle], offset: Vec3) -> bool {
    let radius = agent.vehicle.radius * (1.0 - SLACK);
    surfaces.iter().all(|obstacle| gap(agent, obstacle, offset).distance >= radius)
}

/// The distance of a place from a surface, and the direction away from that.
struct Gap {
    distance: f32,
    normal: Vec3,
}

fn gap(agent: &Agent, obstacle: &PlacedObstacle, offset: Vec3) -> Gap {
    let seen = obstacle.plane(agent.plane);
    let from = seen.flatten(offset - agent.towards(obstacle.position));
    let (distance, normal) = obstacle.shape.distance(from, &obstacle.axes, seen);
    Gap { distance, normal: direction(agent.plane.flatten(normal)) }
}

/// How far off an obstacle the agent's goal is.
pub(crate) fn goal_distance(agent: &Agent, goal: Vec3, obstacle: &PlacedObstacle) -> f32 {
    gap(agent, obstacle, goal).distance
}

/// The place nearest to `offset` at which the body keeps clear of these surfaces.
pub(super) fn free_place(agent: &Agent, surfaces: &[&PlacedObstacle], offset: Vec3) -> Vec3 {
    let room = agent.vehicle.radius * BODY;
    let mut place = offset;
    for turn in 0..MOVES {
        let mut is_moved = false;
        for obstacle in surfaces {
            let Gap { distance, .. } = gap(agent, obstacle, place);
            if distance >= room * (1.0 - f32::EPSILON * 8.0) {
                continue;
            }
            // Of two ways out that are about as short the one nearer to the agent.
            let (to_place, length) = split(place);
            let depth = if turn == 0 { room - distance } else { 0.0 };
            let shift = (NEARER * length).max(NEARER_RADII * room).min(depth).min(length);
            let nearer = place - to_place * shift;
            let Gap { normal, distance: out } = gap(agent, obstacle, nearer);
            let (normal, distance) = if out < room { (normal, out) } else { (normal, distance) };
            let normal = if normal == Vec3::ZERO { -direction(place) } else { normal };
            let from = if out < room { nearer } else { place };
            place = from + normal * (room - distance);
            is_moved = true;
        }
        if !is_moved {
            break;
        }
    }
    place
}
