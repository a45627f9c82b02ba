use bevy::prelude::*;
use bevy_steer::prelude::*;

fn spawn(mut commands: Commands) {
    for floor in [0.0, 4.0] {
        let walker = (Vehicle::new(5.0), SteeringHeight(1.8), Seek::new(Vec3::X * 1e3));
        commands.spawn((walker, AvoidObstacles::default(), Transform::from_xyz(0.0, floor, 0.0)));
    }
    // A pillar on the upper floor.
    commands.spawn((Obstacle::sphere(1.0), Transform::from_xyz(10.0, 4.0, 0.1)));
}

#[test]
fn a_pillar_is_in_the_way_on_its_storey_only() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default().with_plane(SteeringPlane::Xz));
    app.add_systems(Startup, spawn);
    let mut aside = [0.0_f32; 2];
    for _ in 0..240 {
        app.update();
        let mut walkers = app.world_mut().query_filtered::<&Transform, With<Vehicle>>();
        for place in walkers.iter(app.world()).map(|transform| transform.translation) {
            let floor = usize::from(place.y > 2.0);
            aside[floor] = aside[floor].max(place.z.abs());
        }
    }
    assert!(aside[0] < 1e-3 && aside[1] > 0.5, "{aside:?}");
}
