use bevy::prelude::*;
use bevy_steer::prelude::*;

fn main() {
    let plugins = (DefaultPlugins, SteeringPlugin::default());
    let bounds = WorldBounds(Rect::new(-600.0, -340.0, 600.0, 340.0).into());
    App::new().add_plugins(plugins).insert_resource(bounds).add_systems(Startup, spawn).run();
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    let look = |hue| Sprite::from_color(Color::hsl(hue, 1.0, 0.7), Vec2::new(30.0, 14.0));
    let flight = Evade::new(Target::nearest(SteeringLayers::ALL, 150.0));
    let hare = commands.spawn((Vehicle::new(170.0), Wander::default(), flight, look(200.0))).id();
    let start = Transform::from_xyz(-400.0, 200.0, 0.0);
    commands.spawn((Vehicle::new(150.0), Pursue::new(hare), look(20.0), start));
}

#[test]
fn the_hare_of_the_readme_flees_from_the_fox() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default()).add_systems(Startup, spawn);
    let (mut nearest, mut is_afraid) = (f32::INFINITY, false);
    for _ in 0..1920 {
        app.update();
        let mut foxes = app.world_mut().query_filtered::<&Transform, With<Pursue>>();
        let fox = foxes.single(app.world()).unwrap().translation;
        let mut hares = app.world_mut().query::<(&Transform, &Evade, &bevy_steer::Velocity)>();
        let (hare, _, velocity) = hares.single(app.world()).unwrap();
        let offset = hare.translation - fox;
        nearest = nearest.min(offset.length());
        is_afraid |= offset.length() < 150.0 && velocity.dot(offset) > 0.0;
    }
    assert!(is_afraid && nearest > 30.0 && nearest < 150.0, "{nearest}");
}
