//! `Flee`.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use crate::common::{Sim, at};

#[test]
fn flee_stops_beyond_the_panic_distance() {
    let mut sim = Sim::new();
    let lion = sim.spawn(at(3.0, 4.0));
    let flee = Flee::new(lion).within(20.0);
    let agent = sim.spawn((Vehicle::new(5.0), flee, at(0.0, 0.0)));
    sim.run(1.0);
    assert!(sim.velocity(agent).normalize().dot(Vec3::new(-0.6, -0.8, 0.0)) > 0.999);
    sim.run(9.0);
    let distance = sim.position(agent).distance(Vec3::new(3.0, 4.0, 0.0));
    assert!((24.0..25.0).contains(&distance), "it is calm again at 24: {distance}");
    assert!(!sim.get::<Flee>(agent).is_afraid() && sim.velocity(agent) == Vec3::ZERO, "it rests");
    assert_eq!(sim.get::<SteeringForce>(agent).linear, Vec3::ZERO, "safe: no more force");
}

#[test]
fn flee_works_from_the_position_of_the_threat() {
    let mut sim = Sim::new();
    let agents: Vec<_> = (0..8)
        .map(|_| sim.spawn((Vehicle::new(5.0), Flee::new(Vec2::new(1.0, 1.0)), at(1.0, 1.0))))
        .collect();
    sim.run(2.0);
    for agent in agents {
        assert!(sim.position(agent).distance(Vec3::new(1.0, 1.0, 0.0)) > 5.0);
        assert_eq!(sim.position(agent).z, 0.0);
    }
}
