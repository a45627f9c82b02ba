//! The events of agents that arrive, pass waypoints, finish paths, find and lose targets.
//!
//! `cargo run -p bevy_steer --example events`

use bevy::prelude::*;
use bevy_steer::{Point, prelude::*};

fn main() {
    let window = Window { title: "bevy_steer: events".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, (draw_scene, draw_trails));
    // An observer of the app receives the events of all agents, `commands.entity(agent).observe(…)`
    // those of one agent.
    app.add_observer(|passed: On<WaypointReached>, log: Single<&mut Text>| {
        write(log, &format!("The guard passes point {} of its round", passed.index));
    });
    app.add_observer(|done: On<PathFinished>, mut guards: Query<&mut PathFollow>| {
        let Ok(mut follow) = guards.get_mut(done.entity) else { return };
        let back: Vec<_> = follow.path.points().iter().rev().copied().collect();
        *follow = PathFollow::new(back).by_waypoints(20.0);
    });
    app.add_observer(deliver);
    app.add_observer(|_: On<TargetFound>, log: Single<&mut Text>| {
        write(log, "The dog sees the postman");
    });
    app.add_observer(|_: On<TargetLost>, log: Single<&mut Text>| {
        write(log, "The dog has lost the postman");
    });
}

/// Writes a line above the last few.
fn write(mut log: Single<&mut Text>, line: &str) {
    let last: Vec<&str> = log.0.lines().take(7).collect();
    log.0 = format!("{line}\n{}", last.join("\n"));
}

/// Sends an agent that has come to rest at a house to the house on the other side.
fn deliver(arrived: On<Arrived>, mut agents: Query<&mut Arrive>, log: Single<&mut Text>) {
    let Ok(mut arrive) = agents.get_mut(arrived.entity) else { return };
    if let Target::Point(Point::Plane(house)) = &mut arrive.target {
        house.x = -house.x;
    }
    write(log, "The postman brings a letter");
}

const POSTMAN: SteeringLayers = SteeringLayers::layer(1);
/// How far the dog sees.
const SIGHT: f32 = 150.0;
/// The points of the guard's round.
const ROUND: [Vec2; 3] = [vec2(-450.0, 130.0), vec2(0.0, 50.0), vec2(450.0, 130.0)];

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn(Text::default());
    let line =
        "A white postman, a blue guard and a dog in its yard, and the events that they trigger";
    commands.spawn((Text2d::new(line), Transform::from_xyz(0.0, -336.0, 0.0)));
    let mut area = |name: &str, color: Color, size: Vec2, x: f32, y: f32| {
        let look = (Sprite::from_color(color, size), Transform::from_xyz(x, y, -1.0));
        let below = Transform::from_xyz(0.0, -0.5 * size.y - 14.0, 0.0);
        commands.spawn(look).with_child((Text2d::new(name), below));
    };
    let (brick, grass) = (Color::srgb(0.45, 0.22, 0.16), Color::srgb(0.13, 0.27, 0.13));
    area("House", brick, vec2(90.0, 90.0), -515.0, -120.0);
    area("House", brick, vec2(90.0, 90.0), 515.0, -120.0);
    area("Yard", grass, vec2(330.0, 180.0), 0.0, -95.0);

    let agent = |speed: f32, color: Color, x: f32, y: f32| {
        let look = Sprite::from_color(color, vec2(30.0, 16.0));
        (Vehicle::new(speed).with_radius(15.0), look, Transform::from_xyz(x, y, 0.0))
    };
    let to_a_house = Arrive::new(vec2(450.0, -120.0)).with_stop_radius(5.0);
    commands.spawn((agent(250.0, Color::WHITE, -450.0, -120.0), POSTMAN, to_a_house));

    let guard = agent(150.0, Color::srgb(0.35, 0.7, 0.9), ROUND[0].x, ROUND[0].y);
    commands.spawn((guard, PathFollow::new(ROUND).by_waypoints(20.0)));

    let yard = Bounds::rect(vec2(-150.0, -170.0), vec2(150.0, -20.0), BoundsEdge::Bounce);
    let chase = Pursue::new(Target::nearest(POSTMAN, SIGHT));
    let dog = agent(120.0, Color::srgb(0.9, 0.5, 0.1), 0.0, -70.0);
    commands.spawn((dog, chase, Wander::default(), yard));
}

/// Draws the guard's round and how far the dog sees.
fn draw_scene(dogs: Query<&Transform, With<Pursue>>, mut gizmos: Gizmos) {
    gizmos.linestrip_2d(ROUND, Color::srgb(0.25, 0.4, 0.5));
    for point in ROUND {
        gizmos.circle_2d(point, 20.0, Color::srgb(0.25, 0.4, 0.5));
    }
    for dog in &dogs {
        gizmos.circle_2d(dog.translation.truncate(), SIGHT, Color::srgb(0.5, 0.3, 0.1));
    }
}

/// Draws where the agents have been.
fn draw_trails(
    agents: Query<&Transform, With<Vehicle>>,
    mut trails: Local<Vec<Vec2>>,
    mut gizmos: Gizmos,
) {
    trails.extend(agents.iter().map(|agent| agent.translation.truncate()));
    let old = trails.len().saturating_sub(600);
    trails.drain(..old);
    for &place in &*trails {
        gizmos.circle_2d(place, 1.0, Color::srgb(0.5, 0.52, 0.55)).resolution(4);
    }
}
