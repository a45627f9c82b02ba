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
    app.add_plugins(SteeringPlugin::default()).add_systems(Startup, spawn);
    // An observer of the app receives the events of all agents, `commands.entity(agent).observe(…)`
    // those of one agent.
    app.add_observer(|passed: On<WaypointReached>, mut log: Single<&mut Text>| {
        log.0 = format!("The guard passes point {} of its round\n{}", passed.index, log.0);
    });
    app.add_observer(|done: On<PathFinished>, mut guards: Query<&mut PathFollow>| {
        let Ok(mut follow) = guards.get_mut(done.entity) else { return };
        let back: Vec<_> = follow.path.points().iter().rev().copied().collect();
        *follow = PathFollow::new(back).by_waypoints(20.0);
    });
    app.add_observer(deliver);
    app.add_observer(|_: On<TargetFound>, mut log: Single<&mut Text>| {
        log.0 = format!("The dog sees the postman\n{}", log.0);
    });
    app.add_observer(|_: On<TargetLost>, mut log: Single<&mut Text>| {
        log.0 = format!("The dog has lost the postman\n{}", log.0);
    });
}

const POSTMAN: SteeringLayers = SteeringLayers::layer(1);

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn(Text::default());
    let line = Text2d::new("A postman, a guard and a dog, and the events that they trigger");
    commands.spawn((line, Transform::from_xyz(0.0, -320.0, 0.0)));
    let agent = |speed: f32, color: Color, x: f32, y: f32| {
        let look = Sprite::from_color(color, vec2(30.0, 16.0));
        (Vehicle::new(speed).with_radius(15.0), look, Transform::from_xyz(x, y, 0.0))
    };
    let to_a_house = Arrive::new(vec2(450.0, -200.0)).with_stop_radius(5.0);
    commands.spawn((agent(250.0, Color::WHITE, -450.0, -200.0), POSTMAN, to_a_house));

    let round = PathFollow::new([vec2(-450.0, 250.0), vec2(0.0, 80.0), vec2(450.0, 250.0)]);
    let guard = agent(150.0, Color::srgb(0.35, 0.7, 0.9), -450.0, 250.0);
    commands.spawn((guard, round.by_waypoints(20.0)));

    // The dog sees 150 units far and stays in its yard.
    let yard = Bounds::rect(vec2(-150.0, -250.0), vec2(150.0, -100.0), BoundsEdge::Bounce);
    let chase = Pursue::new(Target::nearest(POSTMAN, 150.0));
    let dog = agent(120.0, Color::srgb(0.9, 0.5, 0.1), 0.0, -150.0);
    commands.spawn((dog, chase, Wander::default(), yard));
}

/// Sends an agent that has come to rest at a house to the house on the other side.
fn deliver(arrived: On<Arrived>, mut agents: Query<&mut Arrive>, mut log: Single<&mut Text>) {
    let Ok(mut arrive) = agents.get_mut(arrived.entity) else { return };
    if let Target::Point(Point::Plane(house)) = &mut arrive.target {
        house.x = -house.x;
    }
    log.0 = format!("The postman brings a letter\n{}", log.0);
}
