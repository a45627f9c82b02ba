use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_navigation::{MeshPlanner, NavigateTo, NavigationMap, PolygonMesh, StandOnMap};

/// A ground floor, a ramp that leads up from it, and a roof terrace at its upper end.
fn spawn(mut commands: Commands) {
    let vertices = [
        Vec3::new(0.0, 0.0, 0.0),
        Vec3::new(10.0, 0.0, 0.0),
        Vec3::new(10.0, 0.0, 10.0),
        Vec3::new(0.0, 0.0, 10.0),
        Vec3::new(10.0, 3.0, 18.0),
        Vec3::new(0.0, 3.0, 18.0),
        Vec3::new(10.0, 3.0, 26.0),
        Vec3::new(0.0, 3.0, 26.0),
    ];
    // Convex polygons; those that share an edge are connected.
    let mesh = PolygonMesh::new(vertices, [[0, 1, 2, 3], [3, 2, 4, 5], [5, 4, 6, 7]]);
    // The border of the mesh becomes walls, a unit high: agents above and below ignore them.
    commands.spawn(NavigationMap::new(MeshPlanner::new(mesh)).with_border_height(1.0));
    commands.spawn((
        Vehicle::new(3.0),
        NavigateTo::new(Vec3::new(2.0, 3.0, 24.0)),
        // Goes up and down with the surface.
        StandOnMap::default(),
        AvoidAgents::default(),
        Transform::from_xyz(8.0, 0.0, 2.0),
    ));
}

#[test]
fn it_goes_up_to_the_terrace() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    let steering = SteeringPlugin::default().with_plane(SteeringPlane::Xz);
    app.add_plugins((steering, bevy_steer_navigation::NavigationPlugin::default()))
        .add_systems(Startup, spawn);
    (0..64 * 20).for_each(|_| app.update());
    let world = app.world_mut();
    let mut agents = world.query_filtered::<&Transform, With<NavigateTo>>();
    let place = agents.single(world).expect("the agent").translation;
    assert!(place.distance(Vec3::new(2.0, 3.0, 24.0)) < 0.3, "{place}");
}
