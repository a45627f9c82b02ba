//! The anchor turns, by a little or about.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_formations::{Formation, FormationSlot, Pattern};
use bevy_steer_tests::Sim;

use crate::{assert_formed, flat_world, indices, leader, members, patterns, said};

/// The way that all members make, in units.
fn way_of_members(sim: &mut Sim, all: &[Entity], seconds: f32) -> f32 {
    let mut way = 0.0;
    sim.run_with(seconds, |world| {
        let speed = |&member: &Entity| world.get::<Velocity>(member).unwrap().length();
        way += all.iter().map(speed).sum::<f32>() / 64.0;
    });
    way
}

#[test]
fn a_leader_that_turns_about_has_its_formation_again() {
    for pattern in patterns() {
        let what = format!("{pattern:?}");
        let mut sim = flat_world();
        let anchor = leader(&mut sim, pattern);
        sim.app.world_mut().entity_mut(anchor).insert(Arrive::new(Vec2::new(30.0, 0.0)));
        let all = members(&mut sim, anchor, 9, 6);
        sim.run(25.0);
        assert_formed(&sim, anchor, &all, &what);
        for (x, y) in [(-10.0, 0.0), (-10.0, 25.0), (20.0, 25.0)] {
            sim.get_mut::<Arrive>(anchor).target = Vec2::new(x, y).into();
            sim.run(30.0);
            assert!(sim.position(anchor).truncate().distance(Vec2::new(x, y)) < 1.0, "{what}");
            assert_formed(&sim, anchor, &all, &what);
        }
        let (times, broken) = said(&sim);
        assert_eq!(times, broken + 1, "{what}");
        assert!(times <= 4, "{what}: {times}");
    }
}

/// A line whose leader turns about would have to run round; so its members exchange their slots.
#[test]
fn a_line_faces_about_on_the_spot() {
    let mut sim = flat_world();
    let anchor = sim.spawn((Formation::new(Pattern::Line), bevy_steer::Heading(Vec3::X)));
    let all = members(&mut sim, anchor, 9, 8);
    sim.run(15.0);
    let before = indices(&sim, &all);
    sim.get_mut::<bevy_steer::Heading>(anchor).0 = Vec3::NEG_X;
    let way = way_of_members(&mut sim, &all, 8.0);
    assert!(way < 2.0, "{way}");
    let after = indices(&sim, &all);
    for (before, after) in before.iter().zip(after) {
        assert_eq!(before + after, 8);
    }
    assert_formed(&sim, anchor, &all, "the line");
}

/// Members that are in their slots keep them, however far the anchor has turned.
#[test]
fn a_slow_turn_changes_no_slots() {
    let mut sim = flat_world();
    let anchor = sim.spawn((Formation::new(Pattern::Block { columns: 3 }), Velocity::default()));
    let all = members(&mut sim, anchor, 9, 8);
    sim.run(15.0);
    let before = indices(&sim, &all);
    let mut angle = 0.0;
    let mut lowest = 1.0_f32;
    // Half a turn in ten seconds.
    sim.run_with(10.0, |world| {
        angle += core::f32::consts::PI / 640.0;
        let heading = SteeringPlane::Xy.direction(angle);
        world.entity_mut(anchor).insert(bevy_steer::Heading(heading));
        lowest = lowest.min(world.get::<Formation>(anchor).unwrap().cohesion());
        let slots = all.iter().map(|&member| world.get::<FormationSlot>(member).unwrap().index);
        assert!(slots.eq(before.iter().copied()));
    });
    assert!(lowest > 0.9, "{lowest}");
    assert_eq!(said(&sim), (1, 0));
}

#[test]
fn a_formation_follows_a_path_with_corners() {
    let mut sim = flat_world();
    let anchor = leader(&mut sim, Pattern::Block { columns: 2 });
    let path = [(20.0, 0.0), (20.0, 20.0), (40.0, 20.0), (40.0, -5.0)].map(Vec2::from);
    let follow = PathFollow::new(bevy_steer::Path::new(path));
    sim.app.world_mut().entity_mut(anchor).insert(follow);
    let all = members(&mut sim, anchor, 8, 8);
    let mut together = 0;
    sim.run_with(70.0, |world| {
        together += usize::from(world.get::<Formation>(anchor).unwrap().cohesion() > 0.0);
    });
    assert!(sim.position(anchor).truncate().distance(path[3]) < 1.0, "{}", sim.position(anchor));
    assert_formed(&sim, anchor, &all, "at the end");
    assert!(together > 64 * 60, "{together}");
}
