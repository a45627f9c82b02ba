//! A leader and its formation: it waits for those that lag behind, and they close up.
//!
//! `cargo run -p bevy_steer_formations --example formation`

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_examples::{
    camera::{PointerSystems, WindowCamera, fit},
    keys::{Action, Actions, KeySystems},
    mouse::Mouse,
    palette,
    selection::inspector_is_closed,
    window::run_in_window,
};
use bevy_steer_formations::{Formation, FormationPlugin, FormationSlot, MemberOf, Pattern};

fn main() -> AppExit {
    run_in_window("bevy_steer: a formation", game, picture)
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), FormationPlugin))
        .insert_resource(WorldBounds(Bounds::rect(-2.0 * HALF, 2.0 * HALF, BoundsEdge::Clamp)))
        .init_resource::<Tour>()
        .add_systems(Startup, spawn)
        .add_systems(Update, write_state)
        .add_observer(go_on);
}

/// What only a window has.
pub(crate) fn picture(app: &mut App) {
    let click = send_by_mouse.run_if(inspector_is_closed).in_set(PointerSystems);
    app.insert_resource(ClearColor(palette::GROUND))
        .add_systems(PreUpdate, (click, choose_pattern.in_set(KeySystems)))
        .add_systems(Update, draw_slots);
}

const RADIUS: f32 = 8.0;
const MEMBERS: usize = 12;
/// Half the size of what is seen of the field.
const HALF: Vec2 = vec2(640.0, 360.0);
/// The places to which the leader goes by itself.
const PLACES: [Vec2; 4] =
    [vec2(240.0, 60.0), vec2(-240.0, -80.0), vec2(240.0, -60.0), vec2(-240.0, 80.0)];
/// The middles of the rocks, and their radii.
const ROCKS: [Vec3; 4] = [
    vec3(20.0, 40.0, 38.0),
    vec3(-140.0, 205.0, 30.0),
    vec3(130.0, -110.0, 26.0),
    vec3(-90.0, -205.0, 34.0),
];

/// The patterns of the keys.
fn patterns() -> [(&'static str, Pattern); 5] {
    [
        ("line", Pattern::Line),
        ("column", Pattern::Column),
        ("block", Pattern::Block { columns: 4 }),
        ("wedge", Pattern::Wedge),
        ("circle", Pattern::Circle),
    ]
}

/// The leader goes from place to place, each time with the next pattern, until the player takes
/// over.
#[derive(Resource, Default)]
pub(crate) struct Tour {
    /// How many places it has reached.
    pub(crate) reached: usize,
    has_ended: bool,
}

/// The line that says what the formation does.
#[derive(Component)]
struct StateLine;

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn((Camera2d, fit(2.0 * HALF), WindowCamera::flat()));
    let font = TextFont { font_size: FontSize::Px(16.0), ..default() };
    let line = "The yellow leader waits for its members.  Click to send it elsewhere.  \
        Keys: 1 line, 2 column, 3 block, 4 wedge, 5 circle\n";
    commands
        .spawn((
            Text::new(line),
            font.clone(),
            TextColor(palette::TEXT),
            Node { left: px(12), top: px(6), ..default() },
        ))
        .with_child((TextSpan::default(), font, TextColor(palette::GREEN), StateLine));

    let body = meshes.add(Triangle2d::new(
        vec2(1.5, 0.0) * RADIUS,
        vec2(-1.0, 0.9) * RADIUS,
        vec2(-1.0, -0.9) * RADIUS,
    ));
    let vehicle = Vehicle::new(90.0).with_radius(RADIUS);
    let avoid = || (AvoidAgents::default(), AvoidObstacles::default());
    let leader = (
        (vehicle, Arrive::new(PLACES[0]), avoid()),
        Formation::new(Pattern::Line),
        (Mesh2d(body.clone()), MeshMaterial2d(materials.add(palette::YELLOW))),
        Transform::from_xyz(-400.0, 60.0, 1.0),
    );
    let leader = commands.spawn(leader).id();
    let look = materials.add(palette::SKY);
    for i in 0..MEMBERS {
        // A disordered crowd.
        let (row, column) = (i / 5, i % 5);
        let place = vec2(-570.0 + 47.0 * row as f32, -90.0 + 53.0 * column as f32);
        let place = place + vec2(13.0 * (i * 5 % 7) as f32, 11.0 * (i * 3 % 5) as f32);
        commands.spawn((
            (vehicle, MemberOf(leader), avoid()),
            (Mesh2d(body.clone()), MeshMaterial2d(look.clone())),
            Transform::from_translation(place.extend(1.0)),
        ));
    }
    let stone = materials.add(palette::STONE);
    for rock in ROCKS {
        commands.spawn((
            Obstacle::sphere(rock.z),
            (Mesh2d(meshes.add(Circle::new(rock.z))), MeshMaterial2d(stone.clone())),
            Transform::from_translation(rock.truncate().extend(0.0)),
        ));
    }
}

/// To the next place, with the next pattern.
fn go_on(
    arrived: On<Arrived>,
    mut tour: ResMut<Tour>,
    mut leaders: Query<(&mut Arrive, &mut Formation)>,
) {
    // Members arrive in their slots, too.
    let Ok((mut arrive, mut formation)) = leaders.get_mut(arrived.entity) else { return };
    tour.reached += 1;
    if !tour.has_ended {
        arrive.target = PLACES[tour.reached % PLACES.len()].into();
        formation.pattern = patterns()[tour.reached % 5].1.clone();
    }
}

fn choose_pattern(actions: Actions, mut tour: ResMut<Tour>, mut formation: Single<&mut Formation>) {
    for (i, (_, pattern)) in patterns().into_iter().enumerate() {
        if actions.just_pressed(Action::Switch(i)) {
            formation.pattern = pattern;
            tour.has_ended = true;
        }
    }
}

fn send_by_mouse(
    mouse: Mouse,
    mut tour: ResMut<Tour>,
    mut leader: Single<&mut Arrive, With<Formation>>,
) {
    if let Some(place) = mouse.pressed_at() {
        leader.target = place.into();
        tour.has_ended = true;
    }
}

fn write_state(formation: Single<&Formation>, mut line: Single<&mut TextSpan, With<StateLine>>) {
    let named = patterns().into_iter().find(|(_, pattern)| *pattern == formation.pattern);
    let name = named.map_or("", |(name, _)| name);
    let state = match formation.cohesion() {
        ..=0.0 => "the leader stands until they are nearer",
        ..0.95 => "the leader waits",
        _ if formation.is_formed() => "formed",
        _ => "forming",
    };
    let text = format!("{name}: {state}");
    if line.0 != text {
        line.0 = text;
    }
}

/// Where each member should be.
fn draw_slots(
    leader: Single<(&Transform, &Arrive, &Formation)>,
    members: Query<&FormationSlot>,
    mut gizmos: Gizmos,
) {
    let (place, arrive, formation) = *leader;
    let faint = palette::SKY.with_alpha(0.35);
    let ahead = formation.memory.heading.truncate();
    for member in &members {
        let Some(slot) = formation.memory.slots.get(member.index as usize) else { continue };
        let offset = (ahead * slot.x + ahead.perp() * slot.y) * 4.0 * RADIUS;
        gizmos.circle_2d(place.translation.truncate() + offset, 1.2 * RADIUS, faint);
    }
    if let Target::Point(goal) = arrive.target {
        let goal = goal.in_plane(SteeringPlane::Xy).truncate();
        gizmos.circle_2d(goal, 1.2 * RADIUS, palette::GREEN);
    }
}
