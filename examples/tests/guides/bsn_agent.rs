use bevy::prelude::*;
use bevy_steer::prelude::*;

fn hunter() -> impl Scene {
    bsn! {
        Vehicle::new(120.0).with_radius(8.0)
        SteeringPlane::Xz
        Pursue { target: Target::Nearest { layers: {SteeringLayers::layer(1)}, within: 200.0, switch_ratio: 0.8 } }
        AvoidObstacles { look_ahead: 0.5, blend: Blend { weight: 2.0 } }
        Wander
    }
}

#[test]
fn a_scene_has_the_components_of_a_hunter() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy::scene::ScenePlugin));
    app.add_plugins(SteeringPlugin::default());
    let agent = app.world_mut().spawn_scene(hunter()).unwrap();
    assert_eq!(agent.get::<Vehicle>().map(|vehicle| vehicle.max_speed), Some(120.0));
    assert_eq!(agent.get::<SteeringPlane>(), Some(&SteeringPlane::Xz));
    assert!(agent.contains::<Pursue>() && agent.contains::<Wander>());
    assert_eq!(agent.get::<AvoidObstacles>().map(|avoid| avoid.blend.weight), Some(2.0));
}
