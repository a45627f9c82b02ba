//! A custom behaviour, with an event, a drawing and sliders in the inspector.
//!
//! `cargo run -p bevy_steer --example custom_behavior`

use bevy::prelude::*;
use bevy_steer::{DebugLayer, Memory, ParameterRange, Unit, prelude::*};

fn main() {
    let window = Window { title: "bevy_steer: custom behaviour".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), SteeringGizmosPlugin))
        .add_steering_behavior::<Orbit>()
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(Camera2d);
            commands.spawn(Text::default());
            let line = Text2d::new("A behaviour of the game's own keeps each agent on its circle");
            commands.spawn((line, Transform::from_xyz(0.0, -320.0, 0.0)));
            for (name, radius) in [("Inner", 80.0), ("Middle", 160.0), ("Outer", 240.0)] {
                let square = Sprite::from_color(Color::srgb(0.95, 0.85, 0.3), vec2(24.0, 14.0));
                let orbit = Orbit { radius, ..default() };
                let body = Vehicle::new(200.0).with_radius(10.0);
                commands.spawn((Name::new(name), body, orbit, square));
            }
        })
        .add_observer(|round: On<RoundDone>, names: Query<&Name>, mut log: Single<&mut Text>| {
            let Ok(name) = names.get(round.entity) else { return };
            // The last few lines are enough.
            let last: Vec<&str> = log.0.lines().take(5).collect();
            log.0 = format!("{name} has gone round\n{}", last.join("\n"));
        });
}

/// Circles around a point, counterclockwise.
#[derive(Component, Reflect, Default)]
#[reflect(Component, Default)]
struct Orbit {
    center: Vec3,
    /// The distance from the centre. The attributes give the inspector its unit and a slider.
    #[reflect(@Unit::Length, @ParameterRange::up_to(300.0))]
    radius: f32,
    /// The angle covered in the current round, in radians.
    turned: Memory<f32>,
    blend: Blend,
}

/// An agent has completed a round of its [`Orbit`].
#[derive(EntityEvent)]
struct RoundDone {
    entity: Entity,
}

impl SteeringBehavior for Orbit {
    /// The data that it reads besides its agent: any read-only system parameter.
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, _: &ParamOf<Self>) -> Steering {
        let (inward, distance) = agent.towards(self.center).normalize_and_length();
        let along = agent.plane.left(-inward);
        *self.turned += agent.velocity.dot(along) * agent.dt / distance.max(1.0);
        if *self.turned > std::f32::consts::TAU {
            *self.turned = 0.0;
            agent.emit(RoundDone { entity: agent.entity });
        }
        // A behaviour requests a change of velocity. Arbitration combines the requests to a force.
        let wanted = along * agent.vehicle.max_speed + inward * (distance - self.radius) * 5.0;
        Steering::linear(wanted.clamp_length_max(agent.vehicle.max_speed) - agent.velocity)
    }

    fn debug_draw(&self, _: &Agent, _: &ParamOf<Self>, draw: &mut DebugDraw) {
        draw.circle(DebugLayer::Path, self.center, self.radius);
    }
}
