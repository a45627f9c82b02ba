//! What it costs to make one force of four requests: `cargo bench -p bevy_steer_benches --bench
//! arbitration`.
//!
//! The wishes are weak, so that no tier spends all the force there is and each mode gets to the
//! last tier that it can get to. The row `one tier` has the same four behaviours and nothing to
//! decide.
#![allow(missing_docs, reason = "criterion_group! makes functions without")]

mod common;

use bevy::prelude::*;
use bevy_steer::prelude::*;
use common::{Crowd, Place, SIZES, group, measure};
use criterion::{Criterion, criterion_group, criterion_main};

/// Of each behaviour.
const WEIGHT: f32 = 0.05;

fn four_wishes(agents: usize, tiers: [Priority; 4], arbitration: &Arbitration) -> Crowd {
    let [first, second, third, fourth] = tiers;
    // Without integration, which costs more than what is measured and is the same in each mode.
    let plugin = SteeringPlugin::default().without_integration();
    Crowd::with(Place::plane(agents, 16.0), plugin).all(&(
        Flee::new(Vec2::new(1.0, 2.0)).with_priority(first).with_weight(WEIGHT),
        Seek::new(Vec2::ZERO).with_priority(second).with_weight(WEIGHT),
        Arrive::new(Vec2::new(3.0, -1.0)).with_priority(third).with_weight(WEIGHT),
        MatchVelocity::new(Vec2::ZERO).with_priority(fourth).with_weight(WEIGHT),
        arbitration.clone(),
    ))
}

fn arbitration(criterion: &mut Criterion) {
    let mut group = group(criterion, "arbitration");
    let one_tier = [Priority::Normal; 4];
    let modes = [
        ("one tier", one_tier, Arbitration::Prioritized),
        ("weighted sum", Priority::ALL, Arbitration::WeightedSum),
        ("prioritized", Priority::ALL, Arbitration::Prioritized),
        ("first active", Priority::ALL, Arbitration::FirstActive { epsilon: 0.01 }),
        ("dithered", Priority::ALL, Arbitration::dithered()),
    ];
    for agents in SIZES {
        for (name, tiers, mode) in &modes {
            let build = || four_wishes(agents, *tiers, mode);
            measure(&mut group, name, agents, build, Crowd::tick);
        }
    }
}

criterion_group!(benches, arbitration);
criterion_main!(benches);
