//! Invalid input is reported once, with its entity and field, and nothing becomes NaN.

use bevy::prelude::*;
use bevy_steer::{Length, Velocity, prelude::*};
use bevy_steer_formations::{Formation, Pattern};
use bevy_steer_tests::{Sim, log_lines};

use crate::{assert_formed, flat_world, leader, members, slot};

/// What has been logged about formations.
fn warnings() -> Vec<String> {
    let lines = log_lines::caught().into_iter();
    lines.filter(|line| line.contains("Formation.")).collect()
}

fn assert_finite(sim: &Sim, agents: &[Entity]) {
    for &agent in agents {
        assert!(sim.position(agent).is_finite() && sim.velocity(agent).is_finite());
    }
}

#[test]
fn bad_numbers_are_reported_once() {
    let bad =
        |pattern, spacing, patience| Formation { spacing, patience, ..Formation::new(pattern) };
    let (block, radii) = (Pattern::Block { columns: 0 }, Length::Radii(4.0));
    let own = Pattern::Slots(vec![Vec2::new(0.0, f32::NAN), Vec2::new(-1.0, 0.0)]);
    let wedge = || Pattern::Wedge;
    for (formation, field) in [
        (bad(block, radii, 3.0), "pattern.columns is 0;"),
        (bad(own, radii, 3.0), "pattern.Slots[0] is [0, NaN];"),
        (bad(wedge(), Length::Radii(f32::NAN), 3.0), "spacing is NaN;"),
        (bad(wedge(), Length::Radii(0.0), 3.0), "spacing is 0;"),
        (bad(wedge(), Length::Units(-2.0), 3.0), "spacing is -2;"),
        (bad(wedge(), Length::Units(f32::INFINITY), 3.0), "spacing is inf;"),
        (bad(wedge(), radii, f32::NAN), "patience is NaN;"),
        (bad(wedge(), radii, -1.0), "patience is -1;"),
    ] {
        let mut sim = flat_world();
        let anchor = sim.spawn((Vehicle::new(4.0), formation));
        let all = members(&mut sim, anchor, 6, 3);
        log_lines::catch();
        sim.run(15.0);
        let warnings = warnings();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let begin = format!("WARN bevy_steer_formations: {anchor}: Formation.{field}");
        assert!(warnings[0].starts_with(&begin), "{} instead of {begin}", warnings[0]);
        assert_finite(&sim, &all);
        assert_formed(&sim, anchor, &all, field);
    }
}

#[test]
fn another_mistake_in_a_mended_pattern_is_reported() {
    let mut sim = flat_world();
    let anchor = leader(&mut sim, Pattern::Block { columns: 0 });
    members(&mut sim, anchor, 4, 3);
    log_lines::catch();
    sim.run(1.0);
    assert_eq!(warnings().len(), 1);
    for (columns, count) in [(2, 1), (0, 2)] {
        sim.get_mut::<Formation>(anchor).pattern = Pattern::Block { columns };
        sim.run(1.0);
        assert_eq!(warnings().len(), count, "{:?}", warnings());
    }
}

#[test]
fn extreme_lengths_and_bodies_give_no_nan() {
    for spacing in [Length::Units(1e9), Length::Radii(1e9), Length::Units(1e-30)] {
        for pattern in crate::patterns() {
            let mut sim = flat_world();
            let anchor = leader(&mut sim, pattern);
            sim.get_mut::<Formation>(anchor).spacing = spacing;
            let all = members(&mut sim, anchor, 5, 3);
            sim.run(1.0);
            for (i, bad) in [f32::NAN, f32::INFINITY, -1.0, 0.0].into_iter().enumerate() {
                sim.get_mut::<Vehicle>(all[i]).radius = bad;
                sim.get_mut::<Vehicle>(all[i]).max_speed = bad;
            }
            sim.run(1.0);
            assert_finite(&sim, &all);
            assert!(sim.get::<Formation>(anchor).pace().is_none_or(f32::is_finite));
            assert!((0.0..=1.0).contains(&sim.get::<Formation>(anchor).cohesion()));
        }
    }
}

#[test]
fn an_anchor_or_a_member_that_is_nowhere_harms_no_other() {
    let mut sim = flat_world();
    let anchor = leader(&mut sim, Pattern::Wedge);
    let all = members(&mut sim, anchor, 5, 3);
    sim.get_mut::<Transform>(all[2]).translation.x = f32::NAN;
    sim.run(10.0);
    let others = [all[0], all[1], all[3], all[4]];
    assert_finite(&sim, &others);
    assert!(others.iter().all(|&member| slot(&sim, member).distance < 0.3));
    sim.get_mut::<Transform>(all[2]).translation.x = 3.0;
    sim.run(10.0);
    assert_formed(&sim, anchor, &all, "again");
    sim.get_mut::<Transform>(anchor).translation.y = f32::INFINITY;
    sim.get_mut::<Velocity>(anchor).0 = Vec3::NAN;
    sim.run(3.0);
    assert_finite(&sim, &all);
}
