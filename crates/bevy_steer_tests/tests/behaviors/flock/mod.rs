//! `Flock`: separation, alignment and cohesion.

mod changes;
mod cruising;
mod kernel;
mod view;

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at};

fn flock_of(count: usize, flock: Flock, sim: &mut Sim) -> Vec<Entity> {
    (0..count)
        .map(|i| {
            let angle = i as f32 * 2.4;
            let out = (i as f32).sqrt() * 1.2;
            let place = Transform::from_translation(SteeringPlane::Xy.direction(angle) * out);
            let way = SteeringPlane::Xy.direction(i as f32 * 1.7);
            let drift = Vec3::new(1.5, 0.0, 0.0);
            sim.spawn((Vehicle::default(), flock, Velocity(way * 2.0 + drift), place))
        })
        .collect()
}

fn order(sim: &Sim, agents: &[Entity]) -> f32 {
    let sum: Vec3 = agents.iter().map(|&agent| sim.velocity(agent).normalize_or_zero()).sum();
    sum.length() / agents.len() as f32
}

#[test]
fn flock_aligns_and_keeps_distance() {
    let mut sim = Sim::new();
    let agents = flock_of(30, Flock::new(6.0).with_separation_radius(2.0), &mut sim);
    let before = order(&sim, &agents);
    sim.run(15.0);
    let places: Vec<Vec3> = agents.iter().map(|&agent| sim.position(agent)).collect();
    let middle = places.iter().sum::<Vec3>() / places.len() as f32;
    let widest = places.iter().fold(0.0_f32, |w, p| w.max(p.distance(middle)));
    let mut least = f32::MAX;
    for (i, a) in places.iter().enumerate() {
        least = places[i + 1..].iter().fold(least, |least, b| least.min(a.distance(*b)));
    }
    assert!(order(&sim, &agents) > 0.95, "same way: {before} to {}", order(&sim, &agents));
    assert!(widest < 12.0, "together: {widest}");
    assert!(least > 0.7, "apart: {least}");
}

#[test]
fn each_flock_rule_works_alone() {
    let run = |flock: Flock| {
        let mut sim = Sim::new();
        let [a, b] = [-1.0, 1.0].map(|side| {
            let motion = (Velocity(Vec3::Y * (-2.0 * side)), at(2.0 * side, 0.0));
            sim.spawn((Vehicle::default(), flock, WhenIdle::Coast, motion))
        });
        sim.run(0.3);
        (sim.position(b) - sim.position(a), sim.velocity(b) - sim.velocity(a))
    };
    let flock = Flock::new(8.0).with_separation_radius(6.0).with_cruise(0.0);
    let (apart, _) = run(flock.with_rules(1.0, 0.0, 0.0));
    assert!(apart.x > 4.1, "separation: {apart}");
    let (near, _) = run(flock.with_rules(0.0, 0.0, 1.0));
    assert!(near.x < 3.9, "cohesion: {near}");
    let (_, relative) = run(flock.with_rules(0.0, 1.0, 0.0));
    assert!(relative.length() < 0.5, "alignment: {relative}");
    let (offset, relative) = run(flock.with_rules(0.0, 0.0, 0.0));
    assert_eq!((offset.x, relative), (4.0, Vec3::Y * -4.0), "no rule, no force");
}

#[test]
fn a_narrow_view_hides_mates_behind() {
    let run = |view_angle| {
        let mut sim = Sim::new();
        let flock = Flock::new(8.0).with_view_angle(view_angle).with_cruise(0.0);
        sim.spawn((Vehicle::default(), at(-3.0, 0.0)));
        let motion = (Velocity(Vec3::X), at(0.0, 0.0));
        let agent = sim.spawn((Vehicle::default(), flock, WhenIdle::Coast, motion));
        sim.run(0.1);
        sim.get::<SteeringForce>(agent).linear
    };
    assert_eq!(run(4.0), Vec3::ZERO);
    assert_ne!(run(core::f32::consts::TAU), Vec3::ZERO);
}

#[test]
fn flock_ignores_other_layers() {
    let mut sim = Sim::new();
    sim.spawn((Vehicle::default(), SteeringLayers::layer(3), at(2.0, 0.0)));
    let flock = Flock::new(8.0).with_cruise(0.0);
    let agent = sim.spawn((Vehicle::default(), flock, at(0.0, 0.0)));
    sim.run(1.0);
    assert_eq!(sim.position(agent), Vec3::ZERO);
}

#[test]
fn flock_keeps_together_in_free_space() {
    let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(SteeringPlane::Free), 64.0);
    let agents: Vec<_> = (0..27)
        .map(|i| {
            let cell = IVec3::new(i % 3, i / 3 % 3, i / 9).as_vec3() * 2.0;
            let way =
                SteeringPlane::Xz.direction(i as f32) + SteeringPlane::Xy.direction(i as f32 * 1.3);
            let bundle = (Vehicle::default(), Flock::new(6.0), Velocity(way * 2.0));
            sim.spawn((bundle, Transform::from_translation(cell)))
        })
        .collect();
    sim.run(15.0);
    assert!(order(&sim, &agents) > 0.95, "{}", order(&sim, &agents));
}

#[test]
fn flocks_in_other_layers_order_themselves_and_ignore_each_other() {
    let flocks = |layers: &[u32], seconds: f32| {
        let mut sim = Sim::new();
        let all: Vec<Vec<Entity>> = layers
            .iter()
            .map(|&layer| {
                let flock = flock_of(25, Flock::new(6.0), &mut sim);
                let layers = SteeringLayers::layer(layer);
                for &agent in &flock {
                    sim.app.world_mut().entity_mut(agent).insert(layers);
                    sim.get_mut::<Transform>(agent).translation.x += 0.3 * layer as f32;
                    let turn = Quat::from_rotation_z(layer as f32);
                    let velocity = turn * sim.velocity(agent);
                    sim.get_mut::<Velocity>(agent).0 = velocity;
                }
                flock
            })
            .collect();
        sim.run(seconds);
        (sim, all)
    };
    let (sim, both) = flocks(&[1, 4], 15.0);
    for flock in &both {
        assert!(order(&sim, flock) > 0.9, "{}", order(&sim, flock));
    }
    let ((together, both), (apart, one)) = (flocks(&[1, 4], 1.0), flocks(&[1], 1.0));
    for (agent, alone) in both[0].iter().zip(&one[0]) {
        let off = together.position(*agent).distance(apart.position(*alone));
        assert!(off < 1e-3, "the others make a difference of {off}");
    }
}
