//! Agents that no behaviour drives.

use bevy::prelude::*;
use bevy_steer::{Arbitration, SkipIntegration, Velocity, prelude::*};

use crate::common::{Sim, at, hostile::bits};

/// A walker with a target, after two seconds on its way.
fn under_way(bundle: impl Bundle) -> (Sim, Entity, Entity) {
    let mut sim = Sim::new();
    let goal = sim.spawn(at(1e3, 0.0));
    let agent = sim.spawn((Vehicle::default(), Seek::new(goal), at(0.0, 0.0), bundle));
    sim.run(2.0);
    assert!(sim.velocity(agent).x > 4.99);
    (sim, agent, goal)
}

#[test]
fn an_agent_brakes_when_nothing_drives_it_any_more() {
    let ways: [fn(&mut World, Entity, Entity); 4] = [
        |world, agent, _| _ = world.entity_mut(agent).remove::<Seek>(),
        |world, agent, _| world.get_mut::<Seek>(agent).unwrap().set_enabled(false),
        |world, _, goal| _ = world.despawn(goal),
        |world, agent, _| world.get_mut::<Seek>(agent).unwrap().blend.weight = 0.0,
    ];
    for (i, stop) in ways.into_iter().enumerate() {
        let (mut sim, agent, goal) = under_way(());
        let from = sim.position(agent).x;
        stop(sim.app.world_mut(), agent, goal);
        sim.run(2.0);
        // 5²/(2·20) to brake, and the response time.
        let gone = sim.position(agent).x - from;
        assert!((0.5..1.3).contains(&gone), "way {i}: {gone}");
        assert_eq!(sim.velocity(agent), Vec3::ZERO, "way {i}");
    }
}

#[test]
fn drag_and_coast_are_other_ways_to_go_on() {
    let speed = |idle: WhenIdle| {
        let (mut sim, agent, goal) = under_way(idle);
        sim.app.world_mut().despawn(goal);
        sim.run(2.0);
        sim.velocity(agent).x
    };
    assert!((speed(WhenIdle::Drag(2.0)) - 5.0 * 0.3679).abs() < 0.05);
    assert_eq!(speed(WhenIdle::Drag(0.0)), 0.0);
    assert!(speed(WhenIdle::Coast) > 4.99);
}

#[test]
fn a_driven_agent_keeps_its_speed() {
    // On the axis it wishes exactly nothing once it is as fast as it can be.
    let (mut sim, agent, _) = under_way(());
    let top = sim.velocity(agent).x;
    sim.run_with(2.0, |world| assert_eq!(world.get::<Velocity>(agent).unwrap().x, top));
}

#[test]
fn behaviors_that_avoid_do_not_drive() {
    let mut sim = Sim::new();
    sim.spawn((Obstacle::sphere(1.0), at(3.0, 0.5)));
    let avoid = (AvoidObstacles::default(), AvoidAgents::default(), AvoidWalls::default());
    let agent = sim.spawn((Vehicle::default(), avoid, Velocity(Vec3::X * 5.0), at(0.0, 0.0)));
    sim.run(4.0);
    assert!(sim.velocity(agent).length() < 1e-3, "{}", sim.velocity(agent));
}

#[test]
fn thinking_seldom_an_idle_agent_still_comes_to_rest() {
    let vehicle = Vehicle::new(5.0).with_response(0.0).with_max_force(1e4);
    let mut sim = Sim::new();
    let velocity = Velocity(Vec3::X * 5.0);
    let agent = sim.spawn((vehicle, velocity, ThinkEvery(8), at(0.0, 0.0)));
    sim.run_with(2.0, |world| {
        let speed = world.get::<Velocity>(agent).unwrap().x;
        assert!(speed >= -1e-5, "it goes back at {speed}");
    });
    assert!(sim.velocity(agent).length() < 1e-5);
}

#[test]
fn a_crowd_brakes_as_each_agent_by_itself() {
    let crowd = |one_by_one: bool| -> Vec<[u32; 3]> {
        let mut sim = Sim::new();
        let agents: Vec<Entity> = (0..20)
            .map(|i| {
                let velocity = SteeringPlane::Xy.direction(i as f32) * (0.4 * i as f32);
                let agent = sim.spawn((Vehicle::default(), Velocity(velocity)));
                if one_by_one {
                    sim.app.world_mut().entity_mut(agent).insert(WhenIdle::Brake);
                }
                agent
            })
            .collect();
        sim.run(0.5);
        agents.iter().map(|&agent| bits(sim.velocity(agent))).collect()
    };
    assert_eq!(crowd(false), crowd(true));
}

#[test]
fn stop_brakes_an_agent_that_would_coast() {
    let (mut sim, agent, _) = under_way((Stop::default().disabled(), WhenIdle::Coast));
    sim.get_mut::<Seek>(agent).set_enabled(false);
    sim.run(1.0);
    assert!(sim.velocity(agent).x > 4.99);
    sim.get_mut::<Stop>(agent).set_enabled(true);
    sim.run(2.0);
    assert_eq!(sim.velocity(agent), Vec3::ZERO);
    sim.get_mut::<Stop>(agent).set_enabled(false);
    sim.get_mut::<Seek>(agent).set_enabled(true);
    sim.run(2.0);
    assert!(sim.velocity(agent).x > 4.99);
}

/// How fast an agent under way to its target goes on, of 5, once it has been given something.
fn speed_with(bundle: impl Bundle) -> f32 {
    let (mut sim, agent, _) = under_way(());
    sim.app.world_mut().entity_mut(agent).insert(bundle);
    sim.run(3.0);
    let from = sim.position(agent).x;
    sim.run(1.0);
    sim.position(agent).x - from
}

#[test]
fn stop_beside_seek_is_one_wish_among_others() {
    // As `Stop` tells.
    let stop = Stop::default();
    for (found, expected) in [
        (speed_with(stop), 2.5),
        (speed_with(stop.with_weight(9.0)), 0.5),
        // What is left of 20 N in 0.1 s: as much as it spends.
        (speed_with(stop.with_priority(Priority::High)), 1.0),
    ] {
        assert!((found - expected).abs() < 0.01, "{found} instead of {expected}");
    }
    let first = Arbitration::FirstActive { epsilon: 0.0 };
    let creeps = speed_with((stop.with_priority(Priority::High), first));
    assert!(creeps > 0.0 && creeps < 0.02 * 5.0, "{creeps}");
    // What holds it.
    assert_eq!(speed_with((stop, Seek::new(Vec2::X * 1e3).disabled())), 0.0);
    assert_eq!(speed_with(Vehicle::new(0.0).with_radius(0.5).with_max_force(20.0)), 0.0);
}

#[test]
fn cruise_keeps_its_speed_along_the_heading() {
    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::default(), Cruise::new(0.5), at(0.0, 0.0)));
    sim.run(2.0);
    assert!(sim.velocity(agent).distance(Vec3::X * 2.5) < 0.01, "{}", sim.velocity(agent));
    // A car: it goes where it looks.
    sim.app.world_mut().entity_mut(agent).insert(Align::to_angle(2.0));
    sim.run(3.0);
    let expected = SteeringPlane::Xy.direction(2.0) * 2.5;
    assert!(sim.velocity(agent).distance(expected) < 0.05, "{}", sim.velocity(agent));
}

#[test]
fn an_agent_may_be_left_out_of_integration() {
    let mut sim = Sim::new();
    let seek = (Vehicle::default(), Seek::new(Vec2::X * 50.0), Velocity(Vec3::Y));
    let [held, free] = [sim.spawn((seek, SkipIntegration)), sim.spawn(seek)];
    sim.run(1.0);
    assert!(sim.get::<SteeringForce>(held).linear.x > 1.0, "its force is computed");
    assert_eq!((sim.position(held), sim.velocity(held)), (Vec3::ZERO, Vec3::Y));
    assert!(sim.position(free).x > 2.0);
    sim.app.world_mut().entity_mut(held).remove::<SkipIntegration>();
    sim.run(1.0);
    assert!(sim.position(held).x > 2.0);
}
