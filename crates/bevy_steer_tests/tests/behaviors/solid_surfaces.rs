//! Surfaces are solid for agents that avoid them, whatever their velocity and the time step.

use bevy::{math::ops, prelude::*};
use bevy_steer::{SkipIntegration, Velocity, prelude::*};

use super::modes;
use crate::common::{Sim, place};

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
    [Vec2::X, Vec2::Y].map(|axis| place(plane, axis))
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

/// What an agent is knocked into, a surface on its way along the x axis of a plane.
#[derive(Clone, Copy, Debug)]
enum Surface {
    Sphere,
    TurnedBox,
    Capsule,
    ShortWall,
}

impl Surface {
    const ALL: [Self; 4] = [Self::Sphere, Self::TurnedBox, Self::Capsule, Self::ShortWall];

    /// Spawns it at the origin, for bodies of this size.
    fn spawn(self, sim: &mut Sim, plane: SteeringPlane, size: f32) {
        let [x, y] = axes(plane).map(|axis| axis * size);
        let turned = |angle| Transform::from_rotation(Quat::from_axis_angle(plane.normal(), angle));
        match self {
            Self::Sphere => sim.spawn(Obstacle::sphere(3.0 * size)),
            Self::TurnedBox => {
                let sides = (x.abs() + y.abs() + plane.normal() * size) * 4.0;
                sim.spawn((Obstacle::cuboid(sides), turned(0.6)))
            }
            Self::Capsule => sim.spawn((Obstacle::capsule(size, 6.0 * size), turned(0.3))),
            Self::ShortWall => sim.spawn(Wall::new((y - x) * 2.0, (x - y) * 2.0)),
        };
    }
}

/// How deep a body at a place is in a surface of this size.
fn depth(surface: Surface, plane: SteeringPlane, size: f32, place: Vec3, radius: f32) -> f32 {
    let [x, y] = axes(plane).map(|axis| place.dot(axis) / size);
    let own = Vec2::new(x, y);
    let distance = match surface {
        Surface::Sphere => place.length() / size - 3.0,
        Surface::TurnedBox => {
            let q = Vec2::from_angle(-0.6).rotate(own).abs() - 2.0;
            q.max(Vec2::ZERO).length() + q.max_element().min(0.0)
        }
        Surface::Capsule | Surface::ShortWall => {
            let (end, thick) = match surface {
                Surface::ShortWall => (Vec2::new(2.0, -2.0), 0.0),
                _ => (Vec2::from_angle(0.3).rotate(Vec2::Y) * 2.0, 1.0),
            };
            let along = (own.dot(end) / end.length_squared()).clamp(-1.0, 1.0);
            own.distance(end * along) - thick
        }
    };
    radius - size * distance
}

#[test]
fn bodies_of_all_sizes_are_stopped_by_surfaces_of_all_shapes() {
    for plane in [SteeringPlane::Xy, SteeringPlane::Xz] {
        for surface in Surface::ALL {
            for (size, radius) in [(1.0, 0.5), (1.0, 0.1), (1.0, 2.0), (10.0, 0.5), (0.2, 0.1)] {
                for mode in modes() {
                    // A capsule's own length is along y, which is up on the ground.
                    if matches!((surface, plane), (Surface::Capsule, SteeringPlane::Xz)) {
                        continue;
                    }
                    let mut sim = Sim::in_plane(plane);
                    surface.spawn(&mut sim, plane, size);
                    let [x, y] = axes(plane);
                    let agents = [0.0, 0.7, 1.9, 2.6, 4.0, 5.1].map(|angle: f32| {
                        let away = x * ops::cos(angle) + y * ops::sin(angle);
                        let all = (AvoidWalls::default(), AvoidObstacles::default());
                        sim.spawn((
                            Vehicle::default().with_radius(radius),
                            Velocity(away * -60.0 * size),
                            SteeringLayers::NONE,
                            (all, mode.clone()),
                            Transform::from_translation(away * (6.0 * size + radius)),
                        ))
                    });
                    let mut deepest = f32::MIN;
                    sim.run_with(1.0, |world| {
                        for agent in agents {
                            let place = world.get::<Transform>(agent).unwrap().translation;
                            deepest = deepest.max(depth(surface, plane, size, place, radius));
                        }
                    });
                    let case = format!("{plane:?} {surface:?} of {size}, {radius} {mode:?}");
                    assert!(deepest < 0.05 * radius, "{case}: {deepest}");
                    assert!(deepest > -0.1 * size, "{case}: {deepest} is a test of nothing");
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
    let usual = (SteeringPlane::Xy, Arbitration::default(), ThinkEvery(1), Vehicle::default());
    let planes = SteeringPlane::ALL.map(|plane| (plane, usual.1.clone(), usual.2, usual.3));
    let modes = modes().map(|mode| (usual.0, mode, usual.2, usual.3));
    let bodies = [(0.2, 5.0), (2.0, 5.0), (0.5, 2.0), (0.5, 20.0)];
    let bodies = bodies.map(|(radius, speed)| Vehicle::new(speed).with_radius(radius));
    let bodies = bodies.map(|body| (usual.0, usual.1.clone(), usual.2, body));
    let seldom = (usual.0, usual.1.clone(), ThinkEvery(3), usual.3);
    let cases = planes.into_iter().chain(modes).chain(bodies).chain([seldom]);
    for (plane, mode, think, body) in cases {
        for avoids_both in [false, true] {
            let mut sim = Sim::in_plane(plane);
            let [x, y] = axes(plane);
            sim.spawn(Wall::new(x * -20.0, x * 20.0));
            let decides = (Seek::new(x * 30.0), AvoidWalls::default(), mode.clone(), think);
            let agent = sim.spawn((body, decides));
            if avoids_both {
                sim.app.world_mut().entity_mut(agent).insert(AvoidObstacles::default());
            }
            // The default agent takes a second.
            sim.run((10.0 * body.radius / body.max_speed).max(1.0));
            let off = sim.position(agent).dot(y).abs();
            let case = format!("{plane:?} {mode:?} {think:?} {body:?} {avoids_both}");
            assert!(off > 0.95 * body.radius, "{case}: {off}");
            sim.run(5.0);
            let along = sim.position(agent).dot(x);
            assert!(along > (3.0 * body.max_speed).min(18.0), "{case}: {along}");
        }
    }
}
