//! A crowd in a maze: the map is a grid, built from the obstacles of the world.
//!
//! `cargo run -p bevy_steer_navigation --example grid_maze`

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_examples::{
    camera::{PointerSystems, WindowCamera, fit},
    mouse::Mouse,
    paths::draw_paths,
    selection::inspector_is_closed,
    window::run_in_window,
};
use bevy_steer_navigation::{
    NavigateTo, NavigationFailed, NavigationFinished, NavigationPlugin, ObstacleGrid,
};

fn main() -> AppExit {
    run_in_window("bevy_steer: a maze", game, picture)
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), NavigationPlugin::default()))
        .init_resource::<Tally>()
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, (move_goal, move_door).before(RunSteering))
        .add_systems(Update, write_tally.run_if(resource_changed::<Tally>))
        .add_observer(|_: On<NavigationFinished>, mut tally: ResMut<Tally>| tally.arrivals += 1)
        .add_observer(|_: On<NavigationFailed>, mut tally: ResMut<Tally>| tally.failures += 1);
}

/// What is only seen in a window.
pub(crate) fn picture(app: &mut App) {
    let click = move_goal_by_mouse.run_if(inspector_is_closed);
    app.add_systems(PreUpdate, click.in_set(PointerSystems))
        .add_systems(Startup, hide_outlines)
        .add_systems(Update, draw_paths(Vec3::ZERO, Color::srgba(0.95, 0.6, 0.3, 0.25)));
}

/// `D` is the door.
const MAZE: [&str; 13] = [
    "#####################",
    "#...#.......#.......#",
    "#.#.#.#####.#.#####.#",
    "#.#...#...#.....#...#",
    "#.#####.#.###.#.#.#.#",
    "#.....#.#.....#...#.#",
    "#####.#.####D####.#.#",
    "#.....#.....#.....#.#",
    "#.#.#######.#.#####.#",
    "#.#...#.....#.#.....#",
    "#.###.#.#####.#.#.#.#",
    "#.....#.........#...#",
    "#####################",
];
const CELL: f32 = 50.0;
const RADIUS: f32 = 8.0;

/// How often agents have arrived, and how often they found no way.
#[derive(Resource, Default)]
struct Tally {
    arrivals: usize,
    failures: usize,
}

#[derive(Component)]
struct Goal;

#[derive(Component)]
struct Door;

/// The middle of a cell of the maze.
fn middle_of(column: usize, row: usize) -> Vec2 {
    let size = vec2(MAZE[0].len() as f32, MAZE.len() as f32);
    let cell = vec2(column as f32 + 0.5, row as f32 + 0.5);
    vec2(cell.x - 0.5 * size.x, 0.5 * size.y - cell.y) * CELL
}

fn spawn(mut commands: Commands) {
    commands.spawn((Camera2d, fit(vec2(1280.0, 720.0)), WindowCamera::flat()));
    let font = TextFont { font_size: FontSize::Px(16.0), ..default() };
    let line =
        "All seek a way to the yellow square: click to move it. The red door opens and closes.  ";
    commands
        .spawn((Text::new(line), font.clone(), Node { left: px(12), top: px(6), ..default() }))
        .with_child((TextSpan::default(), font, TallyLine));

    // The map covers the whole maze, with cells of about the radius of an agent.
    let corner = middle_of(MAZE[0].len() - 1, 0) + CELL;
    commands.spawn(ObstacleGrid::new(-corner, corner, RADIUS));

    let stone = Color::srgb(0.27, 0.3, 0.38);
    let goal = Sprite::from_color(Color::srgb(0.95, 0.9, 0.3), Vec2::splat(22.0));
    let goal = commands.spawn((Goal, goal, Transform::from_translation(GOALS[0].extend(0.0)))).id();
    let mut open = 0;
    for (row, cells) in MAZE.iter().enumerate() {
        for (column, cell) in cells.bytes().enumerate() {
            let place = Transform::from_translation(middle_of(column, row).extend(0.0));
            match cell {
                b'#' => {
                    let wall = Obstacle::rect(Vec2::splat(CELL));
                    commands.spawn((wall, Sprite::from_color(stone, Vec2::splat(CELL)), place));
                }
                b'D' => {
                    let look = Sprite::from_color(Color::NONE, Vec2::new(CELL, 0.4 * CELL));
                    commands.spawn((Door, look, place));
                }
                _ => {
                    open += 1;
                    // In every second cell one walker.
                    if open % 2 == 0 {
                        commands.spawn((
                            Vehicle::new(110.0).with_radius(RADIUS),
                            NavigateTo::new(goal),
                            AvoidAgents::default(),
                            Sprite::from_color(Color::srgb(0.95, 0.55, 0.2), vec2(18.0, 11.0)),
                            place.with_translation(place.translation.with_z(1.0)),
                        ));
                    }
                }
            }
        }
    }
}

/// Where the goal is, in turn.
const GOALS: [Vec2; 3] = [vec2(450.0, -250.0), vec2(-450.0, 250.0), vec2(-450.0, -250.0)];

/// Moves the goal every 14 seconds.
fn move_goal(
    time: Res<Time>,
    mut goal: Single<&mut Transform, With<Goal>>,
    mut turn: Local<usize>,
) {
    let now = (time.elapsed_secs() / 14.0) as usize;
    if now != *turn {
        *turn = now;
        goal.translation = GOALS[now % GOALS.len()].extend(0.0);
    }
}

/// Opens and closes the door every five seconds. The map notices by itself.
fn move_door(
    time: Res<Time>,
    mut commands: Commands,
    door: Single<(Entity, &mut Sprite, Has<Obstacle>), With<Door>>,
) {
    let (door, mut look, is_closed) = door.into_inner();
    let closes = (time.elapsed_secs() / 5.0) as usize % 2 == 1;
    if closes && !is_closed {
        commands.entity(door).insert(Obstacle::rect(Vec2::new(CELL, 0.4 * CELL)));
        look.color = Color::srgb(0.85, 0.2, 0.2);
    } else if !closes && is_closed {
        commands.entity(door).remove::<Obstacle>();
        look.color = Color::srgba(0.85, 0.2, 0.2, 0.15);
    }
}

/// The cells of the walls are seen well enough.
fn hide_outlines(mut store: ResMut<GizmoConfigStore>) {
    store.config_mut::<SteeringGizmos>().1.obstacles = None;
}

fn move_goal_by_mouse(mouse: Mouse, mut goal: Single<&mut Transform, With<Goal>>) {
    if let Some(place) = mouse.pressed_at() {
        goal.translation = place.extend(0.0);
    }
}

#[derive(Component)]
struct TallyLine;

fn write_tally(tally: Res<Tally>, mut line: Single<&mut TextSpan, With<TallyLine>>) {
    line.0 = format!("{} arrivals, {} times no way.", tally.arrivals, tally.failures);
}
