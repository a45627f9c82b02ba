//! The same motion at any fixed rate, as without bodies.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::prelude::*;

use crate::common::{at, two_at, vehicle};

#[test]
fn bodies_move_as_agents_without_at_30_64_and_144_hertz() {
    for hz in [30.0, 64.0, 144.0] {
        let mut sim = two_at(hz);
        let goal = Vec2::new(9.0, -4.0);
        sim.spawn((RigidBody::Static, Collider::circle(1.0), at(4.0, -1.5)));
        let mut spawn = |body: Option<RigidBody>| {
            let behaviors = (Arrive::new(goal), AvoidObstacles::default());
            let agent = sim.spawn((vehicle(), behaviors, SteeringLayers::NONE));
            if let Some(body) = body {
                let layers = CollisionLayers::new(LayerMask(2), LayerMask::NONE);
                let body = (body, Collider::circle(0.5), layers);
                sim.app.world_mut().entity_mut(agent).insert(body);
            }
            agent
        };
        let agents = [None, Some(RigidBody::Dynamic), Some(RigidBody::Kinematic)].map(&mut spawn);
        let mut farthest = 0.0f32;
        sim.run_with(4.0, |sim| {
            let [plain, bodies @ ..] = agents.map(|agent| sim.position(agent));
            for body in bodies {
                farthest = farthest.max(body.distance(plain));
            }
        });
        assert!(farthest < 0.05, "{farthest} at {hz} Hz");
        for agent in agents {
            let off = sim.position(agent).distance(goal.extend(0.0));
            assert!(off < 0.1, "{off} at {hz} Hz");
        }
    }
}

#[test]
fn each_step_of_the_engine_uses_the_velocity_of_the_same_tick() {
    for hz in [30.0, 64.0, 144.0] {
        let mut sim = two_at(hz);
        let agent = sim.spawn((
            vehicle(),
            Seek::new(Vec2::X * 90.0),
            RigidBody::Dynamic,
            Collider::circle(0.5),
        ));
        sim.run_with(1.0, |sim| {
            let from = sim.position(agent);
            sim.tick();
            let moved = (sim.position(agent) - from).x;
            let velocity = sim.get::<LinearVelocity>(agent).x;
            assert!((moved - velocity / hz as f32).abs() < 1e-4, "{moved} {velocity} at {hz} Hz");
        });
        assert!(sim.velocity(agent).x > 4.9);
    }
}
