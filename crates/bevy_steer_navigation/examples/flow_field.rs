//! A crowd with one goal: a field of directions, built once for all of them.
//!
//! `cargo run -p bevy_steer_navigation --example flow_field`

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_examples::{
    camera::{PointerSystems, WindowCamera, fit},
    mouse::Mouse,
    selection::inspector_is_closed,
    window::run_in_window,
};
use bevy_steer_navigation::{FlowField, FlowFollow, GridFlow, NavigationPlugin, ObstacleGrid};

fn main() -> AppExit {
    run_in_window("bevy_steer: a flow field", game, picture)
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), NavigationPlugin::default()))
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, move_goal.before(RunSteering));
}

/// What is only seen in a window.
pub(crate) fn picture(app: &mut App) {
    let click = move_goal_by_mouse.run_if(inspector_is_closed);
    app.add_systems(PreUpdate, click.in_set(PointerSystems))
        .add_systems(Startup, hide_outlines)
        .add_systems(Update, draw_field);
}

/// Half the size of the town.
const TOWN: Vec2 = vec2(620.0, 320.0);
const RADIUS: f32 = 5.0;
/// The middles of the houses, and their sizes.
pub(crate) const HOUSES: [[f32; 4]; 10] = [
    [-380.0, 190.0, 120.0, 160.0],
    [-380.0, -30.0, 120.0, 160.0],
    [-400.0, -230.0, 160.0, 90.0],
    [-190.0, 90.0, 130.0, 240.0],
    [-180.0, -190.0, 150.0, 170.0],
    [40.0, 200.0, 200.0, 130.0],
    [30.0, 0.0, 130.0, 130.0],
    [50.0, -210.0, 180.0, 140.0],
    [260.0, 110.0, 110.0, 290.0],
    [290.0, -190.0, 170.0, 130.0],
];

#[derive(Component)]
struct Goal;

fn spawn(mut commands: Commands) {
    commands.spawn((Camera2d, fit(vec2(1280.0, 720.0)), WindowCamera::flat()));
    let line = "All of them follow one field of directions to the yellow square: click to move it";
    let font = TextFont { font_size: FontSize::Px(16.0), ..default() };
    commands.spawn((Text::new(line), font, Node { left: px(12), top: px(6), ..default() }));

    let look = Sprite::from_color(Color::srgb(0.95, 0.9, 0.3), Vec2::splat(18.0));
    let goal = commands.spawn((Goal, look, Transform::from_translation(GOALS[0].extend(2.0)))).id();
    // The map with cells of about the radius of an agent, and the field on it. It is built again
    // when the goal has moved to another cell.
    let map = ObstacleGrid::new(-TOWN, TOWN, 1.6 * RADIUS);
    commands.spawn((map, GridFlow::new(goal).with_radius(RADIUS)));

    let stone = Color::srgb(0.27, 0.3, 0.38);
    for [x, y, width, height] in HOUSES {
        let size = vec2(width, height);
        let look = Sprite::from_color(stone, size);
        commands.spawn((Obstacle::rect(size), look, Transform::from_xyz(x, y, 0.0)));
    }
    // Nobody is pushed out of the town.
    let corners = [vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0)];
    for (i, corner) in corners.into_iter().enumerate() {
        commands.spawn(Wall::new(corner * TOWN, corners[(i + 1) % 4] * TOWN));
    }
    // The crowd comes from the left.
    for i in 0..400 {
        let place = vec2(-605.0 + 13.0 * (i % 9) as f32, -290.0 + 13.0 * (i / 9) as f32);
        commands.spawn((
            Vehicle::new(100.0).with_radius(RADIUS),
            FlowFollow::default(),
            (AvoidWalls::default(), AvoidAgents::default()),
            Sprite::from_color(Color::srgb(0.95, 0.55, 0.2), vec2(11.0, 7.0)),
            Transform::from_translation(place.extend(1.0)),
        ));
    }
}

/// Where the goal is, in turn.
pub(crate) const GOALS: [Vec2; 3] = [vec2(480.0, 60.0), vec2(150.0, -90.0), vec2(-540.0, 0.0)];

/// Moves the goal every 24 seconds.
fn move_goal(
    time: Res<Time>,
    mut goal: Single<&mut Transform, With<Goal>>,
    mut turn: Local<usize>,
) {
    let now = (time.elapsed_secs() / 24.0) as usize;
    if now != *turn {
        *turn = now;
        goal.translation = GOALS[now % GOALS.len()].extend(2.0);
    }
}

fn move_goal_by_mouse(mouse: Mouse, mut goal: Single<&mut Transform, With<Goal>>) {
    if let Some(place) = mouse.pressed_at() {
        goal.translation = place.extend(2.0);
    }
}

/// The houses are seen well enough.
fn hide_outlines(mut store: ResMut<GizmoConfigStore>) {
    store.config_mut::<SteeringGizmos>().1.obstacles = None;
}

/// Draws the vectors of every third cell.
fn draw_field(field: Single<&FlowField>, mut gizmos: Gizmos) {
    let color = Color::srgba(0.5, 0.75, 0.95, 0.35);
    for (index, (place, vector)) in field.cells().enumerate() {
        let [column, row] = [index % field.columns(), index / field.columns()];
        let is_inside = HOUSES.iter().any(|&[x, y, width, height]| {
            Rect::from_center_size(vec2(x, y), vec2(width, height)).contains(place)
        });
        if column % 3 == 1 && row % 3 == 1 && !is_inside && vector != Vec2::ZERO {
            let half = vector * field.cell_size();
            gizmos.arrow_2d(place - half, place + half, color).with_tip_length(5.0);
        }
    }
}
