//! Several floors above each other, on a navigation mesh.

use bevy::prelude::*;
use bevy_steer::{AgentId, prelude::*};
use bevy_steer_navigation::{
    BorderOf, MeshPlanner, NavigateTo, NavigationMap, NavigationPlugin, NavigationStatus,
    PathPlanner, PolygonMesh, StandOnMap,
};
use bevy_steer_tests::Sim;

use crate::{navigating, said, status};

/// The height of the upper floor.
const UP: f32 = 3.0;

fn at(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Two floors of 20 by 10 units above each other, and beside them a ramp that leads from the lower
/// one to the upper one.
///
/// ```text
///      0         16   20
///    0 +----------+----+
///      |  floors       |
///   10 +----------+----+
///      | ramp up  <-   |
///   14 +----------+----+
/// ```
fn house() -> PolygonMesh {
    let vertices = [
        // The lower floor.
        at(0.0, 0.0, 0.0),
        at(20.0, 0.0, 0.0),
        at(20.0, 0.0, 10.0),
        at(16.0, 0.0, 10.0),
        at(0.0, 0.0, 10.0),
        // A landing beside it, from which the ramp goes up.
        at(20.0, 0.0, 14.0),
        at(16.0, 0.0, 14.0),
        // The upper landing, and the upper floor.
        at(4.0, UP, 10.0),
        at(4.0, UP, 14.0),
        at(0.0, UP, 14.0),
        at(0.0, UP, 10.0),
        at(0.0, UP, 0.0),
        at(20.0, UP, 0.0),
        at(20.0, UP, 10.0),
    ];
    let polygons = [
        vec![0, 1, 2, 3, 4],
        vec![3, 2, 5, 6],
        vec![7, 3, 6, 8],
        vec![10, 7, 8, 9],
        vec![11, 12, 13, 7, 10],
    ];
    PolygonMesh::new(vertices, polygons)
}

fn in_the_house(agents: impl Fn(usize) -> [Vec3; 2], count: usize) -> (Sim, Vec<Entity>) {
    let mut sim = navigating(SteeringPlane::Xz, NavigationPlugin::default());
    let map = NavigationMap::new(MeshPlanner::new(house())).with_border_height(1.0);
    sim.spawn(map);
    let agents = (0..count).map(|i| {
        let [from, to] = agents(i);
        sim.spawn((
            Vehicle::new(3.0).with_radius(0.3),
            NavigateTo::new(to),
            (StandOnMap::default(), SteeringHeight(1.0), AvoidAgents::default()),
            Transform::from_translation(from),
        ))
    });
    let agents = agents.collect();
    (sim, agents)
}

/// On the mesh, at the height of a floor or of the ramp.
fn assert_stands_on(mesh: &MeshPlanner, place: Vec3) {
    let ground = mesh.ground(place).unwrap_or(Vec3::NAN);
    assert!(ground.distance(place) < 0.05, "{place} is off the mesh: {ground}");
}

#[test]
fn up_the_ramp_to_the_place_above() {
    let (mut sim, agents) = in_the_house(|_| [at(3.0, 0.0, 2.0), at(3.0, UP, 2.0)], 1);
    let mesh = MeshPlanner::new(house());
    let mut way = 0.0;
    let mut last = sim.position(agents[0]);
    for _ in 0..30 * 64 {
        sim.tick();
        let place = sim.position(agents[0]);
        assert_stands_on(&mesh, place);
        way += place.distance(last);
        last = place;
    }
    assert_eq!(status(&sim, agents[0]), NavigationStatus::Finished, "{last}");
    assert!(last.distance(at(3.0, UP, 2.0)) < 0.3, "{last}");
    // To the landing at the other end, and back up the ramp.
    assert!((34.0..46.0).contains(&way), "{way}");
    assert!(said(&sim).failed.is_empty());
}

/// A target in the coordinates of the plane is as high as the agent, and does not move with it.
#[test]
fn a_target_on_the_ramp_is_planned_once() {
    let (mut sim, agents) = in_the_house(|_| [at(18.0, 0.0, 12.0), Vec3::ZERO], 1);
    sim.get_mut::<NavigateTo>(agents[0]).target = Vec2::new(8.0, 12.0).into();
    sim.run(3.0);
    let NavigateTo { progress, .. } = sim.get::<NavigateTo>(agents[0]);
    assert!(progress.age > 2.5, "{progress:?}");
    sim.run(4.0);
    assert_eq!(status(&sim, agents[0]), NavigationStatus::Finished);
    assert!(sim.position(agents[0]).distance(at(8.0, 2.0, 12.0)) < 0.3);
}

/// Agents on both floors that cross each other: they avoid each other and nobody falls off.
#[test]
fn a_crowd_stays_on_the_mesh() {
    let ends = |i: usize| {
        let (column, row) = ((i % 8) as f32, (i / 8 % 3) as f32);
        let low = at(2.0 + 2.0 * column, 0.0, 1.0 + 3.0 * row);
        let high = at(18.0 - 2.0 * column, UP, 9.0 - 3.0 * row);
        if i.is_multiple_of(2) { [low, high] } else { [high, low] }
    };
    let (mut sim, agents) = in_the_house(ends, 24);
    let mesh = MeshPlanner::new(house());
    sim.run_with(60.0, |world| {
        let mut places = world.query_filtered::<&Transform, With<AgentId>>();
        places.iter(world).for_each(|place| assert_stands_on(&mesh, place.translation));
    });
    for (i, &agent) in agents.iter().enumerate() {
        let (place, goal) = (sim.position(agent), ends(i)[1]);
        assert!(place.distance(goal) < 1.5, "{place} for {goal}: {:?}", status(&sim, agent));
    }
    assert_eq!(said(&sim).finished.len(), agents.len());
}

/// Who would rather go straight through the border is held by it.
#[test]
fn borders_are_walls_of_their_floor() {
    let (mut sim, agents) =
        in_the_house(|i| [at(3.0, UP * i as f32, 2.0), at(4.0, UP * i as f32, 2.0)], 2);
    for &agent in &agents {
        sim.app
            .world_mut()
            .entity_mut(agent)
            .remove::<NavigateTo>()
            .insert(Seek::new(at(-30.0, 0.0, 2.0)));
    }
    sim.run(10.0);
    for &agent in &agents {
        assert!(sim.position(agent).x > 0.29, "{}", sim.position(agent));
    }
    let mut walls = sim.app.world_mut().query::<&BorderOf>();
    let before = walls.iter(sim.app.world()).count();
    assert!(before >= 12, "{before}");
    let mut maps = sim.app.world_mut().query_filtered::<Entity, With<NavigationMap>>();
    let map = maps.single(sim.app.world()).unwrap();
    sim.app.world_mut().despawn(map);
    assert_eq!(walls.iter(sim.app.world()).count(), 0, "they go with the map");
}

/// Maps for agents of two kinds: the borders of the one are not there for the other.
#[test]
fn borders_of_another_map_are_walls_unless_they_have_layers() {
    const CART: SteeringLayers = SteeringLayers::layer(2);
    let floor = |from: f32, to: f32| {
        [at(from, 0.0, 0.0), at(to, 0.0, 0.0), at(to, 0.0, 10.0), at(from, 0.0, 10.0)]
    };
    for (layers, is_held) in [(SteeringLayers::ALL, true), (CART, false)] {
        let mut sim = navigating(SteeringPlane::Xz, NavigationPlugin::default());
        let whole = MeshPlanner::new(PolygonMesh::new(floor(0.0, 20.0), [[0, 1, 2, 3]]));
        let whole = sim.spawn(NavigationMap::new(whole));
        let halves = [floor(0.0, 9.0), floor(11.0, 20.0)].concat();
        let halves = MeshPlanner::new(PolygonMesh::new(halves, [[0, 1, 2, 3], [4, 5, 6, 7]]));
        sim.spawn(NavigationMap::new(halves).with_border_layers(layers));
        let agent = sim.spawn((
            Vehicle::new(3.0).with_radius(0.3),
            NavigateTo::new(at(18.0, 0.0, 5.0)).with_map(whole),
            AvoidWalls::default().with_layers(SteeringLayers::ALL.without(CART)),
            Transform::from_translation(at(2.0, 0.0, 5.0)),
        ));
        sim.run(9.0);
        assert_eq!(sim.position(agent).x < 10.0, is_held, "{}", sim.position(agent));
    }
}

#[test]
fn borders_go_with_their_map() {
    let mut sim = navigating(SteeringPlane::Xz, NavigationPlugin::default());
    let map = sim.spawn(NavigationMap::new(MeshPlanner::new(house())));
    let left_over = sim.spawn(Wall::new(Vec2::ZERO, Vec2::X));
    sim.tick();
    let mut walls = sim.app.world_mut().query::<&Wall>();
    assert!(walls.iter(sim.app.world()).count() > 12);
    // As one that was loaded without its map.
    let gone = sim.spawn(());
    sim.app.world_mut().despawn(gone);
    sim.app.world_mut().entity_mut(left_over).insert(BorderOf(gone));
    sim.app.world_mut().entity_mut(map).remove::<NavigationMap>();
    sim.tick();
    assert_eq!(walls.iter(sim.app.world()).count(), 0);
}
