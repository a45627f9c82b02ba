//! Every example runs and shows what it promises: with all of Bevy's plugins, but without a window
//! and a graphics card.
#![allow(dead_code, reason = "the `main` of each example, which opens a window")]

use std::{fs, path::Path};

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_navigation::{FlowFollow, NavigateTo, NavigationFinished};
use bevy_steer_tests::windowless::without_window;
use vleue_navigator::prelude::PrimitiveObstacle;

#[path = "../examples/flow_field.rs"]
mod flow_field;
#[path = "../examples/grid_maze.rs"]
mod grid_maze;
#[path = "../examples/mesh_floors.rs"]
mod mesh_floors;
#[path = "../examples/mesh_gates.rs"]
mod mesh_gates;

/// How often agents have arrived.
#[derive(Resource, Default)]
struct Arrivals(usize);

/// An example that runs, at one tick of 1/64 of a second in each update. `E` is the event of an
/// agent that arrives.
fn run_game<E: Event>(
    plugins: impl FnOnce(&mut App),
    seconds: usize,
    mut each: impl FnMut(&mut World),
) -> App {
    let mut app = without_window(plugins);
    app.init_resource::<Arrivals>();
    app.add_observer(|_: On<E>, mut arrivals: ResMut<Arrivals>| arrivals.0 += 1);
    each(app.world_mut());
    for _ in 0..seconds * 64 {
        app.update();
        each(app.world_mut());
    }
    let world = app.world_mut();
    let longest = world.query::<&Text>().iter(world).map(|text| text.0.len()).max().unwrap_or(0);
    assert!(longest > 25, "no sentence says what to look at");
    app
}

/// Where the agents are.
fn agents(world: &mut World) -> Vec<Vec3> {
    let mut places = world.query_filtered::<&Transform, With<NavigateTo>>();
    places.iter(world).map(|place| place.translation).collect()
}

#[test]
fn no_example_is_left_out() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The published package has no README of the repository.
    let readme = fs::read_to_string(package.join("../../README.md")).unwrap_or_default();
    for file in fs::read_dir(package.join("examples")).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(include_str!("examples.rs").contains(&format!("{name}::game")), "{name}");
        assert!(readme.is_empty() || readme.contains(&format!("| `{name}` |")), "{name}");
    }
}

#[test]
fn flow_field_leads_all_to_the_goal_and_through_no_house() {
    let mut in_front = 0;
    let app = run_game::<Arrived>(
        |app| _ = app.add_plugins(flow_field::game),
        23,
        |world| {
            let mut walkers = world.query_filtered::<&Transform, With<FlowFollow>>();
            in_front = 0;
            for walker in walkers.iter(world) {
                let place = walker.translation.truncate();
                let is_inside = |&&[x, y, width, height]: &&[f32; 4]| {
                    let house = Rect::from_center_size(vec2(x, y), vec2(width, height));
                    place.distance(place.clamp(house.min, house.max)) < 5.0
                };
                assert_eq!(flow_field::HOUSES.iter().find(is_inside), None, "{place}");
                in_front += usize::from(place.distance(flow_field::GOALS[0]) < 180.0);
            }
        },
    );
    // The crowd at the goal is about 130 units wide to each side.
    assert!(in_front > 300, "{in_front} of 400");
    let arrivals = app.world().resource::<Arrivals>().0;
    assert!(arrivals > 100, "{arrivals}");
}

#[test]
fn grid_maze_leads_the_crowd_to_the_goal_and_through_no_wall() {
    let mut app = run_game::<NavigationFinished>(
        |app| _ = app.add_plugins(grid_maze::game),
        20,
        |world| {
            let mut walls = world.query_filtered::<&Transform, (With<Obstacle>, With<Sprite>)>();
            let walls: Vec<Vec3> = walls.iter(world).map(|wall| wall.translation).collect();
            for agent in agents(world) {
                let is_inside = |wall: &&Vec3| {
                    let offset = (agent - **wall).truncate().abs();
                    // All but the door are squares of 50 units.
                    offset.max_element() < 25.0 && wall.truncate() != Vec2::new(100.0, 0.0)
                };
                assert_eq!(walls.iter().find(is_inside), None, "{agent}");
            }
        },
    );
    let arrivals = app.world().resource::<Arrivals>().0;
    assert!(arrivals > 15, "{arrivals}");
    assert!(agents(app.world_mut()).len() > 40);
}

#[test]
fn mesh_floors_has_walkers_on_both_floors_and_on_the_ramp() {
    let (mut low, mut between, mut high) = (0, 0, 0);
    let app = run_game::<NavigationFinished>(
        |app| _ = app.add_plugins((mesh_floors::game, mesh_floors::picture)),
        40,
        |world| {
            for agent in agents(world) {
                match agent.y {
                    ..0.5 => low += 1,
                    2.5.. => high += 1,
                    _ => between += 1,
                }
                // On the house, and below its roof.
                assert!(agent.x.abs() < 10.0 && agent.z.abs() < 8.0 && agent.y < 3.3, "{agent}");
            }
        },
    );
    let ticks = 16 * 40 * 64;
    assert!(low > ticks / 8 && high > ticks / 8 && between > ticks / 20, "{low} {between} {high}");
    assert!(app.world().resource::<Arrivals>().0 >= 12);
}

#[test]
fn mesh_gates_are_passed_where_they_are_open_and_the_wall_nowhere() {
    let mut passed = [0; 4];
    let app = run_game::<NavigationFinished>(
        |app| _ = app.add_plugins(mesh_gates::game),
        60,
        |world| {
            let mut closed = world.query_filtered::<&mesh_gates::Gate, With<PrimitiveObstacle>>();
            let closed: Vec<usize> = closed.iter(world).map(|gate| gate.0).collect();
            for agent in agents(world) {
                assert!(agent.x.abs() < 600.0 && agent.y.abs() < 300.0, "{agent}");
                let gate = mesh_gates::GATES.iter().position(|gate| (agent.y - gate).abs() < 40.0);
                if agent.x.abs() < 20.0 {
                    // The walls between the gates.
                    let gate = gate.unwrap_or_else(|| panic!("in the wall: {agent}"));
                    // A gate may touch a walker when it closes.
                    let is_deep = agent.x.abs() < 12.0;
                    assert!(!is_deep || !closed.contains(&gate), "in gate {gate}: {agent}");
                    passed[gate] += 1;
                }
            }
        },
    );
    // Which gates are open when the walkers come is by chance. Each takes 23 ticks to pass one.
    assert!(passed.iter().all(|&ticks| ticks > 20), "{passed:?}");
    let arrivals = app.world().resource::<Arrivals>().0;
    assert!(arrivals >= 80, "{arrivals}");
}
