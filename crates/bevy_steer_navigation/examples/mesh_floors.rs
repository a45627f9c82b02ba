//! Two floors of a house and a ramp: the map is a navigation mesh that rerecast has generated.
//!
//! `cargo run -p bevy_steer_navigation --features rerecast --example mesh_floors`

use bevy::{core_pipeline::tonemapping::Tonemapping, math::ops, prelude::*};
use bevy_steer::prelude::*;
use bevy_steer_examples::{camera::WindowCamera, paths::draw_paths, window::run_in_window};
use bevy_steer_navigation::{
    MeshPlanner, NavigateTo, NavigationFinished, NavigationMap, NavigationPlugin, PolygonMesh,
    StandOnMap,
};
use rerecast::{AreaType, ConfigBuilder, HeightfieldBuilder, PolygonNavmesh, TriMesh};

fn main() -> AppExit {
    run_in_window("bevy_steer: two floors", game, picture)
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    let steering = SteeringPlugin::default().with_plane(SteeringPlane::Xz);
    app.add_plugins((steering, NavigationPlugin::default()))
        .add_systems(Startup, spawn)
        .add_observer(go_on);
}

const RADIUS: f32 = 0.3;
/// The height of the upper floor.
const STOREY: f32 = 3.0;

/// A part of the house: a box, turned about `z`.
#[derive(Component, Clone, Copy)]
struct Part {
    middle: Vec3,
    size: Vec3,
    slope: f32,
    is_floor: bool,
}

/// The house: two floors, a ramp between them, and walls.
fn house() -> Vec<Part> {
    let part = |middle: [f32; 3], size: [f32; 3], is_floor| {
        let [middle, size] = [middle, size].map(Vec3::from);
        Part { middle, size, slope: 0.0, is_floor }
    };
    let floor = |middle, size| part(middle, size, true);
    let wall = |middle, size| part(middle, size, false);
    // As long as it must be to reach the upper floor, twelve units away.
    let ramp = Part {
        slope: -ops::atan(STOREY / 12.0),
        ..floor([0.0, 0.5 * STOREY - 0.1, 6.0], [ops::hypot(STOREY, 12.0) + 0.4, 0.2, 3.0])
    };
    vec![
        floor([0.0, -0.1, 0.0], [20.0, 0.2, 16.0]),
        // Above the back half of the lower floor, and a landing at the top of the ramp.
        floor([0.0, STOREY - 0.1, -4.0], [20.0, 0.2, 8.0]),
        floor([-8.0, STOREY - 0.1, 3.75], [4.0, 0.2, 7.5]),
        ramp,
        wall([-3.0, 0.9, -3.0], [0.3, 1.8, 7.0]),
        wall([4.0, 0.9, -1.0], [0.3, 1.8, 9.0]),
        wall([0.0, STOREY + 0.5, -4.5], [0.3, 1.0, 5.0]),
        wall([5.5, STOREY + 0.5, -3.0], [0.3, 1.0, 5.0]),
    ]
}

/// A navigation mesh for agents of this radius, 1.8 units high. With `bevy_rerecast` its
/// `NavmeshGenerator` does this, from the meshes or colliders of the world.
pub(crate) fn generate(
    triangles: TriMesh,
    agent_radius: f32,
) -> Result<PolygonNavmesh, Box<dyn core::error::Error>> {
    let mut triangles = triangles;
    let aabb = triangles.compute_aabb().ok_or("no triangles")?;
    let settings =
        ConfigBuilder { agent_radius, agent_height: 1.8, walkable_climb: 0.3, aabb, ..default() };
    let config = settings.build();
    triangles.mark_walkable_triangles(config.walkable_slope_angle);
    let mut field = HeightfieldBuilder {
        aabb: config.aabb,
        cell_size: config.cell_size,
        cell_height: config.cell_height,
    }
    .build()?;
    field.rasterize_triangles(&triangles, config.walkable_climb)?;
    field.filter_low_hanging_walkable_obstacles(config.walkable_climb);
    field.filter_ledge_spans(config.walkable_height, config.walkable_climb);
    field.filter_walkable_low_height_spans(config.walkable_height);
    let mut field = field.into_compact(config.walkable_height, config.walkable_climb)?;
    field.erode_walkable_area(config.walkable_radius);
    field.build_distance_field();
    field.build_regions(config.border_size, config.min_region_area, config.merge_region_area)?;
    let contours = field.build_contours(
        config.max_simplification_error,
        config.max_edge_len,
        config.contour_flags,
    );
    Ok(contours.into_polygon_mesh(config.max_vertices_per_polygon)?)
}

/// The triangles of a box.
fn triangles_of(part: &Part) -> TriMesh {
    let turn = Quat::from_rotation_z(part.slope);
    let corners = (0..8_u8).map(|i| {
        let sign = |bit: u8| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
        part.middle + turn * (part.size * Vec3::new(sign(0), sign(1), sign(2)))
    });
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    TriMesh {
        vertices: corners.map(Into::into).collect(),
        indices: halves.map(UVec3::from).collect(),
        area_types: vec![AreaType::NOT_WALKABLE; 12],
    }
}

/// Where walkers go, in turn.
const GOALS: [Vec3; 4] = [
    vec3(-7.0, 0.0, -5.0),
    vec3(8.0, STOREY, -5.0),
    vec3(8.0, 0.0, -5.0),
    vec3(-6.0, STOREY, -5.0),
];

/// The index of the goal that a walker goes to.
#[derive(Component)]
struct Turn(usize);

fn spawn(mut commands: Commands) {
    let mut triangles = TriMesh::default();
    for part in house() {
        triangles.extend(triangles_of(&part));
        commands.spawn(part);
    }
    match generate(triangles, RADIUS) {
        Ok(mesh) => {
            let planner = MeshPlanner::new(PolygonMesh::from_rerecast(&mesh, RADIUS));
            // The walls along its borders hold the agents of one floor.
            commands.spawn(NavigationMap::new(planner).with_border_height(1.0));
        }
        Err(error) => error!("there is no navigation mesh: {error}"),
    }
    for i in 0..16 {
        let turn = i % GOALS.len();
        let aside = vec3((i / 4) as f32 - 1.5, 0.0, 0.0) * 0.8;
        let from = GOALS[(turn + 3) % GOALS.len()] + aside;
        commands.spawn((
            Vehicle::new(2.5).with_radius(RADIUS),
            (NavigateTo::new(GOALS[turn] + aside), Turn(turn), StandOnMap::default()),
            (AvoidAgents::default(), SteeringHeight(1.8)),
            Transform::from_translation(from),
        ));
    }
}

/// A walker that has arrived goes to the next place.
fn go_on(
    arrived: On<NavigationFinished>,
    mut walkers: Query<(&mut NavigateTo, &mut Turn, &Transform)>,
) {
    let Ok((mut navigate, mut turn, place)) = walkers.get_mut(arrived.entity) else { return };
    let aside = place.translation.x - GOALS[turn.0].x;
    turn.0 = (turn.0 + 1) % GOALS.len();
    navigate.target = (GOALS[turn.0] + Vec3::X * aside.clamp(-1.2, 1.2)).into();
}

/// What is seen of it.
pub(crate) fn picture(app: &mut App) {
    let paths = draw_paths(Vec3::Y * 0.15, Color::srgba(1.0, 0.85, 0.4, 0.7));
    app.add_systems(Startup, light)
        .add_systems(Update, (show_house, show_walkers, draw_goals, paths));
}

fn light(mut commands: Commands) {
    let camera = WindowCamera::solid(vec3(3.0, 14.0, 17.0), vec3(0.0, 0.0, 0.9));
    commands.spawn((Camera3d::default(), Tonemapping::Reinhard, camera));
    let sun = Transform::from_xyz(4.0, 9.0, 6.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight::default(), sun));
    commands.spawn((
        Text::new(
            "Walkers go up and down the ramp, from place to place on two floors; \
            lines are their paths",
        ),
        Node { left: px(12), top: px(8), ..default() },
    ));
}

fn show_house(
    mut commands: Commands,
    parts: Query<(Entity, &Part), Without<Mesh3d>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for (entity, part) in &parts {
        let color = match (part.is_floor, part.middle.y > 0.5 * STOREY) {
            _ if part.slope != 0.0 => Color::srgb(0.62, 0.5, 0.3),
            // Transparent: agents on the lower floor stay visible.
            (true, true) => Color::srgba(0.35, 0.5, 0.65, 0.45),
            (true, false) => Color::srgb(0.3, 0.42, 0.34),
            (false, _) => Color::srgb(0.6, 0.56, 0.5),
        };
        let material = StandardMaterial {
            base_color: color,
            alpha_mode: if color.alpha() < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque },
            ..default()
        };
        commands.entity(entity).insert((
            Mesh3d(meshes.add(Cuboid::from_size(part.size))),
            MeshMaterial3d(materials.add(material)),
            Transform::from_translation(part.middle)
                .with_rotation(Quat::from_rotation_z(part.slope)),
        ));
    }
}

fn show_walkers(
    mut commands: Commands,
    walkers: Query<Entity, (With<Turn>, Without<Children>)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    if walkers.is_empty() {
        return;
    }
    // Their transforms are at their feet.
    let body = Mesh3d(meshes.add(Capsule3d::new(RADIUS, 1.2)));
    let orange = MeshMaterial3d(materials.add(Color::srgb(0.95, 0.5, 0.15)));
    for walker in &walkers {
        let body = (body.clone(), orange.clone(), Transform::from_xyz(0.0, 0.9, 0.0));
        commands.entity(walker).insert(Visibility::default()).with_child(body);
    }
}

fn draw_goals(mut gizmos: Gizmos) {
    for goal in GOALS {
        let flat = Quat::from_rotation_x(core::f32::consts::FRAC_PI_2);
        gizmos.circle(
            Isometry3d::new(goal + Vec3::Y * 0.15, flat),
            1.5,
            Color::srgb(1.0, 0.9, 0.3),
        );
    }
}
