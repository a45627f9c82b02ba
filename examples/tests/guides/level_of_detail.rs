use std::time::Duration;

use bevy::{prelude::*, time::common_conditions::on_timer};
use bevy_steer::prelude::*;

/// Agents near the camera decide in every tick, distant ones more rarely.
fn think_by_distance(
    camera: Single<&Transform, With<Camera>>,
    mut agents: Query<(&Transform, &mut ThinkEvery), Without<Camera>>,
) {
    for (transform, mut think) in &mut agents {
        let ticks = match transform.translation.distance(camera.translation) {
            ..40.0 => 1,
            40.0..120.0 => 4,
            _ => 16,
        };
        think.set_if_neq(ThinkEvery(ticks));
    }
}

fn plugin(app: &mut App) {
    let sometimes = on_timer(Duration::from_millis(250));
    app.add_plugins(SteeringPlugin::default())
        .add_systems(FixedUpdate, think_by_distance.before(RunSteering).run_if(sometimes));
}

fn walker(place: Vec3) -> impl Bundle {
    // `ThinkEvery` is there from the start: inserting it later would move the entity to another
    // archetype.
    let body = (Vehicle::new(5.0), ThinkEvery::default());
    (body, Wander::default(), AvoidAgents::default(), Transform::from_translation(place))
}

#[test]
fn distant_agents_decide_more_rarely() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin);
    let camera = (Camera::default(), Transform::default());
    let camera = app.world_mut().spawn(camera).id();
    let agents = [0.0, 80.0, 400.0].map(|x| app.world_mut().spawn(walker(Vec3::X * x)).id());
    let decisions = |app: &mut App| {
        (0..32).for_each(|_| app.update());
        let mut counts = [0; 3];
        let forces =
            |app: &App| agents.map(|agent| app.world().get::<SteeringForce>(agent).unwrap().linear);
        for _ in 0..64 {
            let before = forces(app);
            app.update();
            let after = forces(app);
            (0..3).for_each(|i| counts[i] += usize::from(before[i] != after[i]));
        }
        counts
    };
    let [near, far, farthest] = decisions(&mut app);
    assert!(near > 56 && (12..=17).contains(&far) && (3..=5).contains(&farthest));
    app.world_mut().get_mut::<Transform>(camera).unwrap().translation.x = 400.0;
    let [.., near] = decisions(&mut app);
    assert!(near > 56, "the camera has come to it: {near}");
}
