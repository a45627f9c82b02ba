//! Every component can be written with serde and read back, in the middle of a run and with all that it remembers.
#![cfg(feature = "serialize")]

mod common;

use bevy::{ecs::component::Mutable, prelude::*};
use bevy_steer::{
    AgentId, AngularVelocity, Heading, KeepRotation, NextAgentId, Path, SteeringSettings, Velocity,
    prelude::*,
};
use common::{Sim, at};
use core::fmt::Debug;
use serde::{Serialize, de::DeserializeOwned};

/// Reads back what was written. Entities are written as they are.
fn reread<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("writing");
    let back: T = serde_json::from_str(&text).expect("reading");
    assert_eq!(*value, back, "{text}");
}

fn reread_component<C>(sim: &mut Sim)
where
    C: Component<Mutability = Mutable> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let mut all = sim.app.world_mut().query::<&C>();
    let mut found = 0;
    for component in all.iter(sim.app.world()) {
        reread(component);
        found += 1;
    }
    assert!(found > 0, "nobody has a {}", core::any::type_name::<C>());
}

#[test]
fn everything_is_read_back_as_it_was() {
    let mut sim = Sim::new();
    let goal = sim.spawn((at(9.0, 5.0), Velocity(Vec3::X)));
    let path = Path::new([Vec2::ZERO, Vec2::new(5.0, 0.0), Vec2::new(5.0, 5.0)]);
    let getting_there = (
        Seek::new(goal),
        Flee::new(Target::nearest(SteeringLayers::ALL, 20.0)).within(8.0),
        Arrive::new(goal).with_profile(ArriveProfile::SlowRadius(4.0)),
        Pursue::new(goal),
        Evade::new(goal).within(9.0),
        OffsetPursue::new(goal, Vec3::X),
        PathFollow::new(path).along_corridor(1.0, 0.5).with_end(PathEnd::PingPong),
        MatchVelocity::new(goal),
    );
    let others = (
        Wander::default(),
        Flock::new(8.0).with_rules(1.0, 2.0, 0.5),
        AvoidObstacles::default(),
        AvoidWalls::default(),
        AvoidAgents::default().with_priority(Priority::High),
        Align::to_angle(1.0),
        Face::new(goal),
        LookWhereYouGo::default().with_weight(0.5),
    );
    let own = (Arbitration::dithered(), SteeringPlane::Xy, KeepRotation);
    let bounds = Bounds::cuboid(Vec3::splat(-50.0), Vec3::splat(50.0), BoundsEdge::Bounce);
    sim.spawn((Vehicle::default(), getting_there, others, own, bounds));
    sim.spawn((Vehicle::default(), Obstacle::capsule(1.0, 2.0), at(6.0, 1.0)));
    sim.spawn(Wall::new(Vec2::ZERO, Vec2::ONE));
    sim.run(1.5);

    reread_component::<Seek>(&mut sim);
    reread_component::<Flee>(&mut sim);
    reread_component::<Arrive>(&mut sim);
    reread_component::<Pursue>(&mut sim);
    reread_component::<Evade>(&mut sim);
    reread_component::<OffsetPursue>(&mut sim);
    reread_component::<PathFollow>(&mut sim);
    reread_component::<MatchVelocity>(&mut sim);
    reread_component::<Wander>(&mut sim);
    reread_component::<Flock>(&mut sim);
    reread_component::<AvoidObstacles>(&mut sim);
    reread_component::<AvoidWalls>(&mut sim);
    reread_component::<AvoidAgents>(&mut sim);
    reread_component::<Align>(&mut sim);
    reread_component::<Face>(&mut sim);
    reread_component::<LookWhereYouGo>(&mut sim);
    reread_component::<Vehicle>(&mut sim);
    reread_component::<Velocity>(&mut sim);
    reread_component::<AngularVelocity>(&mut sim);
    reread_component::<Heading>(&mut sim);
    reread_component::<SteeringForce>(&mut sim);
    reread_component::<SteeringLayers>(&mut sim);
    reread_component::<SteeringPlane>(&mut sim);
    reread_component::<AgentId>(&mut sim);
    reread_component::<Arbitration>(&mut sim);
    reread_component::<KeepRotation>(&mut sim);
    reread_component::<Bounds>(&mut sim);
    reread_component::<Obstacle>(&mut sim);
    reread_component::<Wall>(&mut sim);
    reread(sim.app.world().resource::<SteeringSettings>());
    reread(&WorldBounds(bounds));
    reread(sim.app.world().resource::<NextAgentId>());
}
