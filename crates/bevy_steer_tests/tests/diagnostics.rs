//! Measurements of a tick.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use bevy::{
    diagnostic::{Diagnostic, DiagnosticsStore},
    prelude::*,
};
use bevy_steer::{SteeringDiagnosticsPlugin, prelude::*};

use crate::common::Sim;

#[test]
fn stage_times_add_up_to_the_tick() {
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
fn times_are_wall_clock_milliseconds() {
    const PAUSE: Duration = Duration::from_millis(30);
    let mut sim = Sim::new();
    sim.app
        .add_plugins(SteeringDiagnosticsPlugin)
        .add_systems(SteeringSchedule, (|| sleep(PAUSE)).in_set(SteeringSystems::Decide));
    let start = Instant::now();
    sim.tick();
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let store = sim.app.world().resource::<DiagnosticsStore>();
    let value = |path| store.get(&path).and_then(Diagnostic::value).expect("it is measured");
    let decide = value(SteeringDiagnosticsPlugin::stage(SteeringSystems::Decide));
    let whole = value(SteeringDiagnosticsPlugin::TICK);
    assert!((30.0..=milliseconds).contains(&decide), "{decide} of {milliseconds}");
    assert!((decide..=milliseconds).contains(&whole), "{whole} of {milliseconds}");
}

#[test]
fn ticks_per_second_use_wall_clock_time() {
    let mut sim = Sim::new();
    sim.app.add_plugins(SteeringDiagnosticsPlugin);
    let measured = |sim: &mut Sim| {
        let store = sim.app.world().resource::<DiagnosticsStore>();
        store.get(&SteeringDiagnosticsPlugin::TICKS_PER_SECOND).and_then(Diagnostic::value)
    };
    let (start, mut ticks) = (Instant::now(), 0.0);
    while measured(&mut sim).is_none() {
        sim.tick();
        ticks += 1.0;
    }
    // It has looked at the clock twice, in the first tick and in the last.
    let least = (ticks - 2.0) / start.elapsed().as_secs_f64();
    assert!(measured(&mut sim).is_some_and(|a_second| a_second >= least), "{least}");
}

#[test]
fn nothing_is_measured_without_the_plugin() {
    let mut sim = Sim::new();
    sim.spawn((Vehicle::default(), Wander::default()));
    sim.tick();
    assert!(sim.app.world().get_resource::<DiagnosticsStore>().is_none());
}
