use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use bevy_steer::prelude::*;

fn spawn(mut commands: Commands) {
    // The picture points up. Turned to the right by a quarter, it points along +x, as agents do.
    let turned = Transform::from_rotation(Quat::from_rotation_z(-FRAC_PI_2));
    let picture = (Sprite::from_color(Color::WHITE, Vec2::new(12.0, 30.0)), turned);
    commands.spawn((
        (Vehicle::new(100.0), Seek::new(Vec2::new(300.0, 1e5))),
        (Visibility::default(), children![picture]),
    ));
}

#[test]
fn the_picture_points_along_the_motion() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default()).add_systems(Startup, spawn);
    (0..128).for_each(|_| app.update());
    let mut pictures = app.world_mut().query_filtered::<(&Transform, &ChildOf), With<Sprite>>();
    let (picture, child_of) = pictures.single(app.world()).unwrap();
    let agent = app.world().entity(child_of.parent());
    let up = agent.get::<Transform>().unwrap().rotation * picture.rotation * Vec3::Y;
    let along = agent.get::<bevy_steer::Velocity>().unwrap().normalize();
    assert!(along.y > 0.9 && up.distance(along) < 0.01, "{up} along {along}");
}
