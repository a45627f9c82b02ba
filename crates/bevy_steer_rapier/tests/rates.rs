//! The same motion at any fixed rate, as without bodies.

use bevy::prelude::*;
use bevy_rapier2d::prelude::{Collider, CollisionGroups, Group, RigidBody};
use bevy_steer::prelude::*;

use crate::common::{at, two_at, vehicle};

#[test]
fn bodies_move_as_agents_without_at_30_64_and_144_hertz() {
    for hz in [30.0, 64.0, 144.0] {
        let mut sim = two_at(hz);
        let goal = Vec2::new(9.0, -4.0);
        sim.spawn((RigidBody::Fixed, Collider::ball(1.0), at(4.0, -1.5)));
        let mut spawn = |body: Option<RigidBody>| {
            let behaviors = (Arrive::new(goal), AvoidObstacles::default());
            let agent = sim.spawn((vehicle(), behaviors, SteeringLayers::NONE));
            if let Some(body) = body {
                let groups = CollisionGroups::new(Group::GROUP_2, Group::NONE);
                let body = (body, Collider::ball(0.5), groups);
                sim.app.world_mut().entity_mut(agent).insert(body);
            }
            agent
        };
        let kinematic = RigidBody::KinematicVelocityBased;
        let agents = [None, Some(RigidBody::Dynamic), Some(kinematic)].map(&mut spawn);
        let mut farthest = 0.0f32;
        sim.run_with(4.0, |sim| {
            let [plain, bodies @ ..] = agents.map(|agent| sim.position(agent));
            for body in bodies {
                farthest = farthest.max(body.distance(plain));
            }
        });
        assert!(farthest < 0.1, "{farthest} at {hz} Hz");
        for agent in agents {
            let off = sim.position(agent).distance(goal.extend(0.0));
            assert!(off < 0.1, "{off} at {hz} Hz");
        }
    }
}
