//! Surfaces are solid for agents that avoid them, whatever their velocity and the time step.

use bevy::prelude::*;
use bevy_steer::{SkipIntegration, Velocity, prelude::*};

use crate::common::Sim;

/// What an agent that is knocked towards a surface avoids with.
#[derive(Clone, Copy, Debug)]
enum Avoids {
    Walls,
    Obstacles,
    Agents,
    All,
    /// Like `All`, but it rarely decides.
    Seldom,
    SeveralTimes,
}

impl Avoids {
    const ALL: [Self; 6] =
        [Self::Walls, Self::Obstacles, Self::Agents, Self::All, Self::Seldom, Self::SeveralTimes];

    fn add_to(self, agent: &mut EntityWorldMut) {
        let all = (AvoidWalls::default(), AvoidObstacles::default(), AvoidAgents::default());
        match self {
            Self::Walls => agent.insert(AvoidWalls::default()),
            Self::Obstacles => agent.insert(AvoidObstacles::default()),
            Self::Agents => agent.insert(AvoidAgents::default()),
            Self::All => agent.insert(all),
            Self::Seldom => agent.insert((all, ThinkEvery(7))),
            Self::SeveralTimes => agent.insert(Several::new([AvoidObstacles::default(); 2])),
        };
    }
}

/// Unit vectors of a plane.
fn axes(plane: SteeringPlane) -> [Vec3; 2] {
    [0.0, core::f32::consts::FRAC_PI_2].map(|turn| plane.direction(turn))
}

#[test]
fn a_knocked_agent_does_not_get_into_a_surface() {
    for plane in SteeringPlane::ALL {
        for hz in [64.0, 20.0, 4.0] {
            for avoids in Avoids::ALL {
                for speed in [6.0, 10.0, 30.0, 200.0] {
                    for is_wall in [true, false] {
                        if is_wall && matches!(avoids, Avoids::Obstacles | Avoids::SeveralTimes) {
                            continue;
                        }
                        let (mut sim, case) = (
                            Sim::with(SteeringPlugin::new(Update).with_plane(plane), hz),
                            format!("{plane:?} {hz} {avoids:?} {speed} {is_wall}"),
                        );
                        let [x, y] = axes(plane);
                        if is_wall {
                            sim.spawn(Wall::new(x * 3.0 - y * 500.0, x * 3.0 + y * 500.0));
                        } else {
                            // So long that no agent slides past its end.
                            let size = (Vec3::ONE + y.abs() * 99.0) * 10.0;
                            let place = Transform::from_translation(x * 8.0);
                            sim.spawn((Obstacle::cuboid(size), place));
                        }
                        // A whole block of them and some more, at several angles.
                        let agents: Vec<Entity> = (0..10)
                            .map(|i| {
                                let lane = (i as f32 - 4.5) * 0.5;
                                let along = (x + y * 0.15 * lane).normalize();
                                let near = if i % 2 == 0 { 0.7 } else { 2.0 };
                                let place = x * (3.0 - near) + y * lane;
                                let agent = sim.spawn((
                                    Vehicle::default(),
                                    Velocity(along * speed),
                                    SteeringLayers(1 << i),
                                    Transform::from_translation(place),
                                ));
                                avoids.add_to(&mut sim.app.world_mut().entity_mut(agent));
                                agent
                            })
                            .collect();
                        let mut deepest = f32::NEG_INFINITY;
                        for _ in 0..(1.5 * hz) as usize {
                            sim.tick();
                            for &agent in &agents {
                                deepest = deepest.max(sim.position(agent).dot(x));
                            }
                        }
                        assert!(deepest < 2.5 + 0.05 * 0.5, "{case}: {deepest}");
                        let touched = deepest > 2.4;
                        assert!(touched || speed < 30.0, "{case}: {deepest} is a test of nothing");
                    }
                }
            }
        }
    }
}

#[test]
fn what_does_not_avoid_or_is_moved_by_others_is_not_stopped() {
    let end = |agent: &dyn Fn(&mut EntityWorldMut)| {
        let mut sim = Sim::new();
        sim.spawn(Wall::new(Vec2::new(3.0, -50.0), Vec2::new(3.0, 50.0)));
        let start = (Vehicle::default(), WhenIdle::Coast, Velocity(Vec3::X * 5.0));
        let entity = sim.spawn(start);
        agent(&mut sim.app.world_mut().entity_mut(entity));
        sim.run(2.0);
        sim.position(entity).x
    };
    assert!(end(&|_| ()) > 9.0, "it avoids nothing");
    assert!(end(&|agent| _ = agent.insert(AvoidWalls::default().disabled())) > 9.0);
    assert!(
        end(&|agent| _ = agent.insert(AvoidObstacles::default())) > 9.0,
        "walls are no obstacles"
    );
    let other = AvoidWalls::default().with_layers(SteeringLayers(0));
    assert!(end(&|agent| _ = agent.insert(other)) > 9.0, "in other layers");
    assert!(end(&|agent| _ = agent.insert((AvoidWalls::default(), SkipIntegration))) == 0.0);
    assert!(end(&|agent| _ = agent.insert(AvoidWalls::default())) < 2.6);
}

#[test]
fn an_agent_on_the_line_of_a_wall_gets_off_it() {
    for plane in SteeringPlane::ALL {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane), 64.0);
        let [x, y] = axes(plane);
        sim.spawn(Wall::new(x * -20.0, x * 20.0));
        let seek = Seek::new(x * 30.0);
        let agent = sim.spawn((Vehicle::default(), seek, AvoidWalls::default()));
        sim.run(1.0);
        let off = sim.position(agent).dot(y).abs();
        assert!(off > 0.475, "{plane:?}: {off}");
        sim.run(5.0);
        assert!(sim.position(agent).dot(x) > 15.0, "{}", sim.position(agent));
    }
}
