//! Agents that follow flow fields.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_navigation::{FlowField, FlowFollow, GridFlow, NavigationPlugin, ObstacleGrid};
use bevy_steer_tests::{Sim, at};

use crate::navigating;

const RADIUS: f32 = 0.4;
const GOAL: Vec2 = Vec2::new(52.0, 20.0);

/// The walls of a town of 60 by 40 units: two across, with gates, and a house between them.
fn walls() -> [Rect; 4] {
    [
        [18.0, 0.0, 20.0, 26.0],
        [18.0, 32.0, 20.0, 40.0],
        [38.0, 12.0, 40.0, 40.0],
        [26.0, 14.0, 32.0, 22.0],
    ]
    .map(|[left, low, right, high]| Rect::new(left, low, right, high))
}

fn distance_to(wall: &Rect, place: Vec2) -> f32 {
    place.distance(place.clamp(wall.min, wall.max))
}

/// A world with navigation in this plane, and the walls of the town in this order.
fn town(plane: SteeringPlane, walls: impl IntoIterator<Item = Rect>) -> Sim {
    let mut sim = navigating(plane, NavigationPlugin::default());
    for wall in walls {
        let place = Transform::from_translation(plane.point(wall.center()));
        let size = plane.point(wall.size()) + plane.normal();
        sim.spawn((Obstacle::cuboid(size), place));
    }
    sim
}

fn map() -> ObstacleGrid {
    ObstacleGrid::new(Vec2::ZERO, Vec2::new(60.0, 40.0), RADIUS)
}

fn walker(sim: &mut Sim, from: Vec2) -> Entity {
    let plane = sim.app.world().resource::<bevy_steer::SteeringSettings>().plane;
    let body = Vehicle::new(4.0).with_radius(RADIUS);
    let behaviors = (FlowFollow::default(), AvoidWalls::default(), AvoidAgents::default());
    sim.spawn((body, behaviors, Transform::from_translation(plane.point(from))))
}

/// A town with agents at its left end, which go to the goal at its right end.
pub(crate) fn crowd(plane: SteeringPlane, agents: usize) -> (Sim, Vec<Entity>) {
    let mut sim = town(plane, walls());
    sim.spawn((map(), GridFlow::new(GOAL).with_radius(RADIUS)));
    let places = (0..agents).map(|i| Vec2::new(2.0 + (i % 14) as f32, 2.0 + (i / 14) as f32 * 1.3));
    let places: Vec<Vec2> = places.collect();
    let agents = places.into_iter().map(|from| walker(&mut sim, from)).collect();
    (sim, agents)
}

fn place(sim: &Sim, agent: Entity) -> Vec2 {
    let place = sim.position(agent);
    if sim.plane(agent) == SteeringPlane::Xy { place.truncate() } else { place.xz() }
}

fn field(sim: &Sim, entity: Entity) -> FlowField {
    sim.get::<FlowField>(entity).clone()
}

#[test]
fn two_hundred_agents_gather_at_the_goal_and_touch_no_wall() {
    for plane in [SteeringPlane::Xy, SteeringPlane::Xz] {
        let (mut sim, agents) = crowd(plane, 200);
        let (mut nearest, mut seconds) = (f32::INFINITY, 0.0);
        let has_arrived = |sim: &Sim| {
            agents.iter().filter(|&&one| sim.get::<FlowFollow>(one).has_arrived()).count()
        };
        while has_arrived(&sim) < agents.len() && seconds < 120.0 {
            for _ in 0..64 {
                sim.tick();
                for &agent in &agents {
                    let place = place(&sim, agent);
                    let gaps = walls().map(|wall| distance_to(&wall, place));
                    nearest = nearest.min(gaps.into_iter().fold(f32::INFINITY, f32::min));
                }
            }
            seconds += 1.0;
        }
        let farthest = agents.iter().map(|&agent| place(&sim, agent).distance(GOAL));
        let farthest = farthest.fold(0.0, f32::max);
        let count = has_arrived(&sim);
        println!("{plane:?}: {count} in {seconds} s, nearest {nearest}, farthest {farthest}");
        assert_eq!(count, agents.len(), "after {seconds} s");
        assert!(nearest > RADIUS, "{nearest}");
        // Side by side they fill a circle of 6 units.
        assert!(farthest < 11.0, "{farthest}");
        // They stand still.
        let before: Vec<Vec2> = agents.iter().map(|&agent| place(&sim, agent)).collect();
        sim.run(5.0);
        let after = agents.iter().map(|&agent| place(&sim, agent));
        let ways: Vec<f32> =
            after.zip(before).map(|(after, before)| after.distance(before)).collect();
        let restless = ways.iter().filter(|&&way| way > RADIUS).count();
        println!(
            "{restless} have moved, the longest way is {}",
            ways.iter().fold(0.0, |a, &b| f32::max(a, b))
        );
        assert!(restless <= 2, "{restless}");
    }
}

#[test]
fn agents_that_think_seldom_arrive_too() {
    let (mut sim, agents) = crowd(SteeringPlane::Xy, 10);
    for &agent in &agents {
        sim.app.world_mut().entity_mut(agent).insert(ThinkEvery(8));
    }
    sim.run(40.0);
    for agent in agents {
        let place = place(&sim, agent);
        assert!(sim.get::<FlowFollow>(agent).has_arrived(), "{place}");
        assert!(place.distance(GOAL) < 4.0, "{place}");
    }
}

#[test]
fn the_field_is_built_again_when_a_wall_comes_or_goes() {
    let mut sim = town(SteeringPlane::Xy, walls());
    let flow = sim.spawn((map(), GridFlow::new(GOAL).with_radius(RADIUS)));
    sim.tick();
    let open = field(&sim, flow);
    assert!(open.sample(Vec2::new(10.0, 4.0)).unwrap().y > 0.5, "to the gate");
    // Nothing has changed.
    sim.run(1.0);
    assert!(core::ptr::eq(open.vectors(), field(&sim, flow).vectors()), "built again");

    let gate = sim.spawn((Obstacle::rect(Vec2::new(2.0, 6.0)), at(19.0, 29.0)));
    sim.run(0.5);
    let closed = field(&sim, flow);
    assert_eq!(closed.sample(Vec2::new(10.0, 4.0)), Some(Vec2::ZERO), "no way");
    assert_eq!(closed.sample(Vec2::new(45.0, 4.0)), open.sample(Vec2::new(45.0, 4.0)));
    let agent = walker(&mut sim, Vec2::new(10.0, 20.0));
    sim.run(2.0);
    assert!(place(&sim, agent).distance(Vec2::new(10.0, 20.0)) < 0.01, "it stays");

    sim.app.world_mut().despawn(gate);
    sim.run(0.5);
    assert_eq!(field(&sim, flow), open);
    sim.run(25.0);
    assert!(place(&sim, agent).distance(GOAL) < 0.2, "{}", place(&sim, agent));
}

#[test]
fn goals_are_followed_and_of_several_the_nearest_counts() {
    let mut sim = town(SteeringPlane::Xy, []);
    let goal = sim.spawn(at(30.0, 20.0));
    let flow = sim.spawn((map(), GridFlow::new(goal).with_radius(RADIUS)));
    let agent = walker(&mut sim, Vec2::new(10.0, 20.0));
    sim.run(8.0);
    assert!(place(&sim, agent).distance(Vec2::new(30.0, 20.0)) < 0.1);
    let before = field(&sim, flow);
    // Within its cell: the field stays, and the agent follows.
    let near = Vec3::new(30.1, 20.1, 0.0);
    sim.get_mut::<Transform>(goal).translation = near;
    sim.run(1.0);
    assert!(core::ptr::eq(before.vectors(), field(&sim, flow).vectors()), "built again");
    assert!(sim.position(agent).distance(near) < 0.1, "{}", sim.position(agent));
    // To another cell.
    let far = Vec3::new(50.0, 5.0, 0.0);
    sim.get_mut::<Transform>(goal).translation = far;
    sim.run(0.5);
    assert!(!sim.get::<FlowFollow>(agent).has_arrived());
    sim.run(8.0);
    assert!(sim.position(agent).distance(far) < 0.1, "{}", sim.position(agent));
    assert!(sim.get::<FlowFollow>(agent).has_arrived());
    // Another one, which is nearer.
    sim.get_mut::<GridFlow>(flow).goals.push(Vec2::new(55.0, 10.0).into());
    sim.get_mut::<GridFlow>(flow).goals[0] = Vec2::new(5.0, 5.0).into();
    sim.run(5.0);
    assert!(place(&sim, agent).distance(Vec2::new(55.0, 10.0)) < 0.1, "{}", place(&sim, agent));
    // Nowhere: it stops, also on its way.
    sim.get_mut::<GridFlow>(flow).goals = vec![Vec2::new(5.0, 5.0).into()];
    sim.run(2.0);
    sim.get_mut::<GridFlow>(flow).goals.clear();
    sim.run(1.0);
    assert!(sim.velocity(agent).length() < 0.01);
    assert!(field(&sim, flow).vectors().iter().all(|&vector| vector == Vec2::ZERO));
}

/// In a crowd agents are pushed about.
#[test]
fn agents_that_were_pushed_off_the_map_come_back() {
    let mut sim = town(SteeringPlane::Xy, walls());
    sim.spawn((map(), GridFlow::new(GOAL).with_radius(RADIUS)));
    let agents =
        [[-2.0, 20.0], [45.0, 43.0], [61.0, -1.0]].map(|from| walker(&mut sim, from.into()));
    sim.run(30.0);
    let gaps = agents.map(|agent| place(&sim, agent).distance(GOAL));
    assert!(gaps.iter().all(|&gap| gap < 2.0), "{gaps:?}");
}

/// Without a radius of rest agents run through the goal, where a game takes them out.
#[test]
fn agents_that_do_not_rest_keep_their_speed() {
    let mut sim = town(SteeringPlane::Xy, []);
    sim.spawn((map(), GridFlow::new(Vec2::splat(20.0)).with_rest_radius(0.0)));
    let agent = walker(&mut sim, Vec2::new(5.0, 20.0));
    let mut slowest = f32::INFINITY;
    while place(&sim, agent).distance(Vec2::splat(20.0)) > 1.0 {
        sim.tick();
        if place(&sim, agent).x > 8.0 {
            slowest = slowest.min(sim.velocity(agent).length());
        }
    }
    assert!(slowest > 3.5, "{slowest}");
}

#[test]
fn goals_in_obstacles_are_surrounded() {
    let castle = Rect::new(24.0, 16.0, 32.0, 24.0);
    let mut sim = town(SteeringPlane::Xy, [castle]);
    let goal = castle.center();
    sim.spawn((map(), GridFlow::new(goal).with_radius(RADIUS)));
    let places = (0..24).map(|i| Vec2::from_angle(i as f32 * 0.26) * 15.0 + goal);
    let places: Vec<Vec2> = places.collect();
    let agents: Vec<Entity> = places.into_iter().map(|from| walker(&mut sim, from)).collect();
    sim.run(20.0);
    for &agent in &agents {
        let gap = distance_to(&castle, place(&sim, agent));
        assert!((RADIUS..4.0).contains(&gap), "{gap}");
        assert!(sim.velocity(agent).length() < 0.1, "{}", sim.velocity(agent));
    }
}

#[test]
fn fields_by_hand_say_direction_and_speed() {
    for plane in SteeringPlane::ALL {
        let mut sim = navigating(plane, NavigationPlugin::default());
        let vector = |place: Vec2| if place.y < 5.0 { Vec2::X * 0.5 } else { Vec2::Y * 3.0 };
        sim.spawn(FlowField::from_fn(Vec2::ZERO, 1.0, 40, 40, vector).unwrap());
        let mut agent = |from: Vec2| {
            let body = (Vehicle::new(4.0), FlowFollow::default());
            sim.spawn((body, Transform::from_translation(plane.point(from))))
        };
        let agents = [[3.0, 2.0], [3.0, 8.0], [-3.0, 8.0]].map(|from| agent(from.into()));
        sim.run(2.0);
        let velocities = agents.map(|agent| sim.velocity(agent));
        let expected = [Vec2::X * 2.0, Vec2::Y * 4.0, Vec2::ZERO].map(|v| plane.point(v));
        for (velocity, expected) in velocities.into_iter().zip(expected) {
            assert!(velocity.distance(expected) < 0.05, "{plane:?} {velocity} {expected}");
        }
        // Beyond the end of the field nothing is requested, and the agent stops.
        sim.run(20.0);
        assert_eq!(sim.velocity(agents[1]), Vec3::ZERO);
        let place = sim.position(agents[1]).dot(plane.point(Vec2::Y));
        assert!((40.0..42.0).contains(&place), "{place}");
    }
}

#[test]
fn among_several_fields_an_agent_names_its_own() {
    let mut sim = town(SteeringPlane::Xy, []);
    let along = |vector: Vec2| {
        FlowField::from_fn(Vec2::splat(-20.0), 2.0, 20, 20, move |_| vector).unwrap()
    };
    let [_first, second] = [Vec2::X, Vec2::Y].map(|vector| sim.spawn(along(vector)));
    let named = sim.spawn((Vehicle::new(4.0), FlowFollow::new(second)));
    let unnamed = sim.spawn((FlowFollow::default(), at(0.0, 9.0)));
    let nothing = sim.spawn((FlowFollow::new(named), at(9.0, 0.0)));
    sim.run(2.0);
    assert!(sim.velocity(named).distance(Vec3::Y * 4.0) < 0.01);
    assert_eq!([unnamed, nothing].map(|agent| sim.velocity(agent)), [Vec3::ZERO; 2]);
}

#[test]
fn each_team_may_have_its_field_on_one_map() {
    let mut sim = town(SteeringPlane::Xy, walls());
    let map = sim.spawn(map());
    let flow = |goal: Vec2| GridFlow::new(goal).with_radius(RADIUS);
    let [left, right] =
        [sim.spawn(flow(Vec2::new(5.0, 20.0))), sim.spawn(flow(GOAL).with_map(map))];
    let fields = [left, right].map(|flow| field(&sim, flow));
    assert!(fields.iter().all(|field| field.vectors().is_empty()), "nothing has run yet");
    sim.tick();
    let at = |flow: Entity| field(&sim, flow).sample(Vec2::new(23.0, 29.0)).unwrap();
    assert!(at(left).x < -0.9 && at(right).x > 0.3, "{} {}", at(left), at(right));
}

fn state(sim: &Sim, agents: &[Entity]) -> Vec<[u32; 6]> {
    let of = |&agent: &Entity| {
        let (place, velocity) = (sim.position(agent), sim.get::<Velocity>(agent).0);
        [place.x, place.y, place.z, velocity.x, velocity.y, velocity.z].map(f32::to_bits)
    };
    agents.iter().map(of).collect()
}

#[test]
fn the_same_bits_twice_and_in_any_order_of_walls() {
    let run = |walls: Vec<Rect>, map_is_first: bool| {
        let mut sim = town(SteeringPlane::Xy, []);
        let spawn_map = |sim: &mut Sim| {
            sim.spawn((map(), GridFlow::to_nearest([GOAL, Vec2::new(52.0, 4.0)])));
        };
        if map_is_first {
            spawn_map(&mut sim);
        }
        for wall in walls {
            sim.spawn((Obstacle::rect(wall.size()), at(wall.center().x, wall.center().y)));
        }
        if !map_is_first {
            spawn_map(&mut sim);
        }
        let places = (0..60).map(|i| Vec2::new(2.0 + (i % 10) as f32, 4.0 + (i / 10) as f32 * 5.0));
        let agents: Vec<Entity> = places.map(|from| walker(&mut sim, from)).collect();
        sim.run(12.0);
        state(&sim, &agents)
    };
    let first = run(walls().to_vec(), true);
    assert!(first == run(walls().to_vec(), true), "twice");
    assert!(first == run(walls().into_iter().rev().collect(), false), "another order");
}

#[test]
fn bad_numbers_do_no_harm() {
    let mut sim = town(SteeringPlane::Xy, walls());
    let map = sim.spawn(map());
    for (i, bad) in [f32::NAN, f32::INFINITY, -1.0, 1e30].into_iter().enumerate() {
        let goal = GridFlow::new(Vec2::splat(bad)).with_map(map);
        let flows = [
            goal.clone(),
            goal.clone().with_radius(bad),
            goal.with_rest_radius(bad).with_check_every(0),
            GridFlow::new(GOAL).with_map(map).with_radius(bad),
        ];
        for flow in flows {
            let flow = sim.spawn(flow);
            let follow = FlowFollow::new(flow).with_look_ahead(bad).with_stop_radius(bad);
            sim.spawn((follow, at(5.0, 5.0 + i as f32)));
        }
    }
    let gone = sim.spawn(Transform::default());
    sim.app.world_mut().despawn(gone);
    sim.spawn(GridFlow::new(gone).with_map(map));
    sim.spawn(GridFlow::new(GOAL).with_map(gone));
    sim.run(2.0);
    let mut agents = sim.app.world_mut().query_filtered::<&Transform, With<FlowFollow>>();
    assert!(agents.iter(sim.app.world()).all(Transform::is_finite));
}

fn written_and_read<T: serde::Serialize + serde::de::DeserializeOwned>(data: &T) -> T {
    serde_json::from_str(&serde_json::to_string(data).expect("written")).expect("read")
}

#[test]
fn what_is_written_is_read() {
    let (mut sim, agents) = crowd(SteeringPlane::Xy, 2);
    sim.run(1.0);
    let mut flows = sim.app.world_mut().query::<(&GridFlow, &FlowField)>();
    let (flow, field) = flows.single(sim.app.world()).unwrap();
    let copy = written_and_read(flow);
    assert_eq!((&copy, &*copy.state), (flow, &*flow.state));
    assert_eq!(written_and_read(field), *field);
    let follow = sim.get::<FlowFollow>(agents[0]);
    let copy = written_and_read(follow);
    assert_eq!((&copy, *copy.progress), (follow, *follow.progress));
}

/// A goal that changes while the field of the last one is being built.
#[test]
fn the_last_of_two_changes_counts() {
    let mut sim = town(SteeringPlane::Xy, []);
    let flow = GridFlow::new(GOAL).with_radius(RADIUS).with_check_every(1_000_000);
    let flow = sim.spawn((map(), flow));
    sim.run(0.5);
    for goal in [Vec2::new(5.0, 5.0), Vec2::new(5.0, 35.0)] {
        sim.get_mut::<GridFlow>(flow).goals = vec![goal.into()];
        sim.tick();
    }
    sim.run(0.5);
    let vector = sim.get::<FlowField>(flow).sample(Vec2::new(5.0, 20.0));
    assert!(vector.is_some_and(|vector| vector.y > 0.9), "{vector:?}");
}
