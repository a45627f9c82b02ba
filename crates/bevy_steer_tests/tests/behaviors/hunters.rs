//! Hunters that avoid other agents reach what they hunt, whatever that does.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::modes;
use crate::common::Sim;

/// Gives an agent a behaviour; the entity is the other one.
type Give = fn(&mut EntityWorldMut, Entity);

const HUNTS: [(&str, Give); 3] = [
    ("Pursue", |hunter, prey| _ = hunter.insert(Pursue::new(prey))),
    ("Seek", |hunter, prey| _ = hunter.insert(Seek::new(prey))),
    ("nearest", |hunter, _| {
        _ = hunter.insert(Pursue::new(Target::nearest(SteeringLayers::layer(7), 50.0)));
    }),
];

const ESCAPES: [(&str, Give); 4] = [
    ("goes", |prey, _| _ = prey.insert(Seek::new(Vec3::ONE * 100.0))),
    ("flees", |prey, hunter| _ = prey.insert(Flee::new(hunter).within(8.0))),
    ("evades", |prey, hunter| _ = prey.insert(Evade::new(hunter).within(8.0))),
    ("wanders", |prey, _| _ = prey.insert(Wander::default())),
];

/// How near a hunter comes to prey that is slower, in units: their bodies touch at 1.
fn least_distance(plane: SteeringPlane, hunt: Give, escape: Give, own: impl Bundle + Clone) -> f32 {
    let mut sim = Sim::in_plane(plane);
    let forward = plane.forward();
    let start = Transform::from_translation(plane.left(forward) * 3.0 - forward * 10.0);
    let layers = SteeringLayers::layer(7).or(SteeringLayers(1));
    let prey = sim.spawn((Vehicle::new(3.0), AvoidAgents::default(), layers, own.clone()));
    let hunter = sim.spawn((Vehicle::new(5.0), AvoidAgents::default(), start, own));
    escape(&mut sim.app.world_mut().entity_mut(prey), hunter);
    hunt(&mut sim.app.world_mut().entity_mut(hunter), prey);
    let mut least = f32::INFINITY;
    sim.run_with(8.0, |world| {
        let [a, b] = [prey, hunter].map(|agent| world.get::<Transform>(agent).unwrap().translation);
        least = least.min(a.distance(b));
    });
    least
}

#[test]
fn hunters_touch_prey_that_moves() {
    for (hunts, hunt) in HUNTS {
        for (escapes, escape) in ESCAPES {
            for plane in SteeringPlane::ALL {
                let least = least_distance(plane, hunt, escape, ());
                assert!(least < 0.9, "{hunts}, it {escapes} in {plane:?}: {least}");
            }
            let plane = SteeringPlane::Xy;
            for mode in modes() {
                let least = least_distance(plane, hunt, escape, mode.clone());
                assert!(least < 0.9, "{hunts}, it {escapes}, {mode:?}: {least}");
            }
            let least = least_distance(plane, hunt, escape, ThinkEvery(4));
            assert!(least < 0.9, "{hunts}, it {escapes}, every fourth tick: {least}");
        }
    }
}
