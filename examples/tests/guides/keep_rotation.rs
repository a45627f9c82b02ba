use bevy::prelude::*;
use bevy_steer::{Heading, prelude::*};

fn spawn(mut commands: Commands) {
    commands.spawn((
        (Vehicle::new(100.0), Seek::new(Vec2::new(-1e5, 1e4)), KeepRotation),
        Sprite::from_color(Color::WHITE, Vec2::new(20.0, 30.0)),
    ));
}

/// A picture from the side, which looks to the right, is mirrored on the way to the left.
fn look_left_or_right(mut agents: Query<(&Heading, &mut Sprite)>) {
    for (heading, mut sprite) in &mut agents {
        let flip_x = heading.x < 0.0;
        if sprite.flip_x != flip_x {
            sprite.flip_x = flip_x;
        }
    }
}

#[test]
fn the_picture_is_mirrored_but_not_turned() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, look_left_or_right);
    (0..128).for_each(|_| app.update());
    let mut agents = app.world_mut().query::<(&Transform, &Sprite, &Heading)>();
    let (transform, sprite, heading) = agents.single(app.world()).unwrap();
    assert_eq!(transform.rotation, Quat::IDENTITY);
    assert!(transform.translation.x < -50.0 && sprite.flip_x && heading.x < -0.9);
}
