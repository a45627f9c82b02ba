//! What a tick costs, for those who ask.

mod common;

use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy_steer::prelude::*;
use common::Sim;

#[test]
fn each_stage_has_its_time_and_they_add_up() {
    let mut sim = Sim::new();
    sim.app.add_plugins(SteeringDiagnosticsPlugin);
    for _ in 0..50 {
        sim.spawn((Vehicle::default(), Wander::default()));
    }
    sim.tick();
    let store = sim.app.world().resource::<DiagnosticsStore>();
    let value = |path| store.get(&path).and_then(Diagnostic::value);
    assert_eq!(value(SteeringDiagnosticsPlugin::AGENTS), Some(50.0));
    let whole = value(SteeringDiagnosticsPlugin::TICK).expect("the whole");
    let stages = SteeringSystems::ALL.map(|stage| {
        value(SteeringDiagnosticsPlugin::stage(stage)).expect("every stage is measured")
    });
    let sum: f64 = stages.iter().sum();
    assert!(whole > 0.0 && (whole - sum).abs() < 1e-6, "{whole} {stages:?}");
    assert!(stages.iter().all(|&stage| stage >= 0.0));
}

#[test]
fn nothing_is_measured_unasked() {
    let mut sim = Sim::new();
    sim.spawn((Vehicle::default(), Wander::default()));
    sim.tick();
    assert!(sim.app.world().get_resource::<DiagnosticsStore>().is_none());
}
