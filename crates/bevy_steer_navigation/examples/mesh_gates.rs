//! A wall with gates that open and close: the map is a navigation mesh of `vleue_navigator`, which
//! builds it anew whenever a gate changes.
//!
//! `cargo run -p bevy_steer_navigation --features vleue_navigator --example mesh_gates`

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_examples::{
    camera::{WindowCamera, fit},
    paths::draw_paths,
    window::run_in_window,
};
use bevy_steer_navigation::{NavigateTo, NavigationFinished, NavigationMap, NavigationPlugin};
use vleue_navigator::prelude::{
    NavMeshSettings, NavMeshUpdateMode, NavMeshUpdateModeBlocking, NavmeshUpdaterPlugin,
    PrimitiveObstacle, Triangulation, VleueNavigatorPlugin,
};

fn main() -> AppExit {
    run_in_window("bevy_steer: gates", game, picture)
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), NavigationPlugin::default()))
        .add_plugins((VleueNavigatorPlugin, NavmeshUpdaterPlugin::<PrimitiveObstacle>::default()))
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, move_gates.before(RunSteering))
        .add_observer(turn_round);
}

/// What is only seen in a window.
pub(crate) fn picture(app: &mut App) {
    app.add_systems(Update, draw_paths(Vec3::ZERO, Color::srgba(0.95, 0.8, 0.4, 0.2)));
}

/// Half the size of the yard.
const YARD: Vec2 = vec2(600.0, 300.0);
const RADIUS: f32 = 8.0;
/// The middles of the gates, and the sizes of them and of the wall between them.
pub(crate) const GATES: [f32; 4] = [225.0, 75.0, -75.0, -225.0];
const GATE: Vec2 = vec2(40.0, 80.0);
const PILLAR: Vec2 = vec2(40.0, 70.0);
const OPEN: Color = Color::srgba(0.3, 0.85, 0.4, 0.15);
const CLOSED: Color = Color::srgb(0.85, 0.2, 0.2);

/// A gate, with its number.
#[derive(Component)]
pub(crate) struct Gate(pub(crate) usize);

fn spawn(mut commands: Commands) {
    commands.spawn((Camera2d, fit(2.0 * YARD + 80.0), WindowCamera::flat()));
    let line = "All walk from one side to the other, through the gates that are open; \
        lines are their paths";
    let font = TextFont { font_size: FontSize::Px(16.0), ..default() };
    commands.spawn((Text::new(line), font, Node { left: px(12), top: px(6), ..default() }));

    // The mesh and the map on it, which follows each change. The mesh reaches up to the walls: the
    // planner keeps each path off them by the radius of its agent.
    let corners = [vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0)];
    let fixed = Triangulation::from_outer_edges(&corners.map(|corner| corner * YARD));
    let settings = NavMeshSettings { fixed, merge_steps: 2, ..default() };
    // So small a mesh may be built at once.
    let mode = (NavMeshUpdateMode::Direct, NavMeshUpdateModeBlocking);
    commands.spawn((settings, mode, NavigationMap::default()));

    let ground = Sprite::from_color(Color::srgb(0.13, 0.15, 0.19), 2.0 * YARD);
    commands.spawn((ground, Transform::from_xyz(0.0, 0.0, -1.0)));
    for y in [300.0, 150.0, 0.0, -150.0, -300.0] {
        let stone = Sprite::from_color(Color::srgb(0.4, 0.44, 0.52), PILLAR);
        let wall = PrimitiveObstacle::Rectangle(Rectangle::from_size(PILLAR));
        commands.spawn((wall, stone, Transform::from_xyz(0.0, y, 0.0)));
    }
    for (number, y) in GATES.into_iter().enumerate() {
        let look = Sprite::from_color(OPEN, GATE);
        commands.spawn((Gate(number), look, Transform::from_xyz(0.0, y, 0.0)));
    }
    for i in 0..40 {
        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
        let (column, row) = (i / 2 % 2, i / 4);
        let from = vec2(side * (540.0 - 60.0 * column as f32), 250.0 - 55.0 * row as f32);
        let color =
            if side > 0.0 { Color::srgb(0.95, 0.55, 0.2) } else { Color::srgb(0.35, 0.7, 0.9) };
        commands.spawn((
            Vehicle::new(110.0).with_radius(RADIUS),
            NavigateTo::new(vec2(-from.x, from.y)),
            AvoidAgents::default(),
            Sprite::from_color(color, vec2(18.0, 11.0)),
            Transform::from_translation(from.extend(1.0)),
        ));
    }
}

/// Every six seconds the open gates close, as soon as no walker is in them, and the others open.
/// Nothing else is needed: closed gates are obstacles of the mesh, and walkers that are on their
/// way get another path.
fn move_gates(
    time: Res<Time>,
    mut commands: Commands,
    gates: Query<(Entity, &Gate, &mut Sprite, &Transform, Has<PrimitiveObstacle>)>,
    walkers: Query<&Transform, With<NavigateTo>>,
) {
    let turn = (time.elapsed_secs() / 6.0) as usize;
    for (entity, gate, mut look, place, is_closed) in gates {
        let closes = (gate.0 + turn) % 2 == 1;
        let is_inside = |walker: &Transform| {
            let offset = (walker.translation - place.translation).truncate().abs();
            offset.cmplt(0.5 * GATE + RADIUS).all()
        };
        if closes && !is_closed && !walkers.iter().any(is_inside) {
            let closed = PrimitiveObstacle::Rectangle(Rectangle::from_size(GATE));
            commands.entity(entity).insert(closed);
            look.color = CLOSED;
        } else if !closes && is_closed {
            commands.entity(entity).remove::<PrimitiveObstacle>();
            look.color = OPEN;
        }
    }
}

/// A walker that has arrived goes back.
fn turn_round(arrived: On<NavigationFinished>, mut walkers: Query<(&mut NavigateTo, &Transform)>) {
    let Ok((mut navigate, place)) = walkers.get_mut(arrived.entity) else { return };
    let place = place.translation;
    navigate.target = vec2(-place.x.signum() * place.x.abs().clamp(480.0, 540.0), place.y).into();
}
