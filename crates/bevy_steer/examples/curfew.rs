//! A custom velocity constraint: no agent crosses the line after dark, whatever other behaviours
//! request.
//!
//! `cargo run -p bevy_steer --example curfew`

use bevy::{color::palettes::css, ecs::system::lifetimeless::SRes, prelude::*};
use bevy_steer::prelude::*;

/// The length of a day and a night together, in seconds.
const DAY: f32 = 10.0;

fn main() {
    let window = Window { title: "bevy_steer: curfew".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), SteeringGizmosPlugin))
        .insert_resource(WorldBounds(Bounds::rect(
            vec2(-500.0, -280.0),
            vec2(500.0, 280.0),
            BoundsEdge::Bounce,
        )))
        .add_steering_behavior::<Curfew>()
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(Camera2d);
            commands.spawn(Text::default());
            for i in 0..12 {
                let square = Sprite::from_color(css::GOLD, vec2(20.0, 12.0));
                let place =
                    Transform::from_xyz(-400.0 + 30.0 * i as f32, 40.0 * (i % 5) as f32, 0.0);
                let body = Vehicle::new(120.0);
                commands.spawn((body, Wander::default(), Curfew::default(), square, place));
            }
        })
        .add_systems(Update, show_time_of_day);
}

fn show_time_of_day(time: Res<Time>, mut gizmos: Gizmos, mut text: Single<&mut Text>) {
    let (color, line) = if is_dark(time.elapsed_secs()) {
        (css::RED, "Night: no agent crosses the line")
    } else {
        (css::LIME, "Day: agents cross the line as they like")
    };
    gizmos.line_2d(vec2(0.0, -280.0), vec2(0.0, 280.0), color);
    text.set_if_neq(Text::new(line));
}

fn is_dark(seconds: f32) -> bool {
    seconds % DAY > 0.5 * DAY
}

/// Keeps the agent on its side of the `y` axis after dark.
#[derive(Component, Reflect, Default)]
#[reflect(Component, Default)]
struct Curfew {
    blend: Blend,
}

impl SteeringBehavior for Curfew {
    type Param = SRes<Time>;
    const PRIORITY: Priority = Priority::Critical;
    /// It does not move the agent, it only limits its velocity.
    const DRIVES: bool = false;
    const LIMITS: bool = true;
    bevy_steer::blend_field!();

    fn steer(&mut self, _: &Agent, _: &ParamOf<Self>) -> Steering {
        Steering::NONE
    }

    fn limits(&mut self, agent: &Agent, time: &ParamOf<Self>, limits: &mut VelocityLimits) {
        if is_dark(time.elapsed_secs()) {
            // Towards the line at most as fast as the agent can stop before it.
            let away = Vec3::X * agent.position.x.signum();
            let speed = agent.approach_speed(agent.position.x.abs());
            limits.add(VelocityLimit::hard(away, -speed));
        }
    }
}
