//! Many agents in a maze.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_navigation::{NavigateTo, NavigationStatus, ObstacleGrid};
use bevy_steer_tests::Sim;

use crate::{flat_world, said, status};

/// A cell is three units wide.
const MAZE: [&str; 13] = [
    "#####################",
    "#...#.......#.......#",
    "#.#.#.#####.#.#####.#",
    "#.#...#...#...#...#.#",
    "#.#####.#.#####.#.#.#",
    "#.....#.#.......#...#",
    "#####.#.#########.###",
    "#.....#.....#...#...#",
    "#.#########.#.#.###.#",
    "#.#.......#...#.#...#",
    "#.#.#####.#####.#.#.#",
    "#...#...........#.#.#",
    "#####################",
];
const CELL: f32 = 3.0;

/// The rectangles of the walls: runs of cells in a row.
fn walls() -> Vec<Rect> {
    let mut walls = Vec::new();
    for (row, cells) in MAZE.iter().enumerate() {
        let mut column = 0;
        for run in cells.as_bytes().chunk_by(|a, b| a == b) {
            let corner = |column: usize, row: usize| Vec2::new(column as f32, row as f32) * CELL;
            if run[0] == b'#' {
                let (min, max) = (corner(column, row), corner(column + run.len(), row + 1));
                walls.push(Rect::from_corners(min, max));
            }
            column += run.len();
        }
    }
    walls
}

/// The middles of the cells that are open.
fn open_cells() -> Vec<Vec2> {
    let cells = MAZE.iter().enumerate().flat_map(|(row, cells)| {
        let open = cells.bytes().enumerate().filter(|&(_, cell)| cell == b'.');
        open.map(move |(column, _)| (Vec2::new(column as f32, row as f32) + 0.5) * CELL)
    });
    cells.collect()
}

fn distance_to(wall: &Rect, place: Vec2) -> f32 {
    place.distance(place.clamp(wall.min, wall.max))
}

/// The maze with agents that go to the other end of it, each to its own place.
pub(crate) fn maze(agents: usize) -> (Sim, Vec<Entity>) {
    let mut sim = flat_world();
    for wall in walls() {
        let place = Transform::from_translation(wall.center().extend(0.0));
        sim.spawn((Obstacle::rect(wall.size()), place));
    }
    let size = Vec2::new(MAZE[0].len() as f32, MAZE.len() as f32) * CELL;
    sim.spawn(ObstacleGrid::new(Vec2::ZERO, size, 0.4));
    let cells = open_cells();
    let spawned = (0..agents).map(|i| {
        let from = cells[i * cells.len() / agents];
        // A permutation of the cells.
        let to = cells[(i * cells.len() / agents + cells.len() / 2) % cells.len()];
        sim.spawn((
            Vehicle::new(4.0).with_radius(0.4),
            NavigateTo::new(to).with_replan_every(0.5),
            AvoidAgents::default(),
            Transform::from_translation(from.extend(0.0)),
        ))
    });
    let spawned = spawned.collect();
    (sim, spawned)
}

#[test]
fn fifty_agents_arrive_and_touch_no_wall() {
    let (mut sim, agents) = maze(50);
    let walls = walls();
    let mut nearest = f32::INFINITY;
    let mut seconds = 0.0;
    // One that others have pushed away from its goal comes back.
    let is_there = |sim: &Sim, agent| status(sim, agent) == NavigationStatus::Finished;
    while !agents.iter().all(|&agent| is_there(&sim, agent)) && seconds < 120.0 {
        sim.run_with(1.0, |world| {
            let mut places = world.query_filtered::<&Transform, With<Vehicle>>();
            for place in places.iter(world) {
                let place = place.translation.truncate();
                let gap = walls.iter().map(|wall| distance_to(wall, place));
                nearest = nearest.min(gap.fold(f32::INFINITY, f32::min));
            }
        });
        seconds += 1.0;
    }
    println!("{} arrivals in {seconds} s, nearest {nearest}", said(&sim).finished.len());
    assert_eq!(said(&sim).failed, []);
    assert!(seconds < 120.0, "they arrive");
    // Their radius is 0.4.
    assert!(nearest > 0.4, "{nearest}");
    for agent in agents {
        let NavigateTo { target, .. } = *sim.get::<NavigateTo>(agent);
        let goal = match target {
            bevy_steer_navigation::NavigationTarget::Point(point) => {
                point.in_plane(SteeringPlane::Xy)
            }
            _ => Vec3::NAN,
        };
        assert!(sim.position(agent).distance(goal) < 0.9, "{}", sim.position(agent));
    }
}
