//! The anchor waits for its members, and not for ever.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_formations::{Formation, MemberOf, Pattern, WaitForMembers};
use bevy_steer_tests::{Sim, at};

use crate::{flat_world, leader, member, members, said, slot};

const GOAL: Vec2 = Vec2::new(60.0, 0.0);

/// A formation whose leader goes to the goal.
fn underway(count: usize) -> (Sim, Entity, Vec<Entity>) {
    let mut sim = flat_world();
    let anchor = leader(&mut sim, Pattern::Wedge);
    sim.app.world_mut().entity_mut(anchor).insert(Arrive::new(GOAL));
    let all = members(&mut sim, anchor, count, 2);
    (sim, anchor, all)
}

#[test]
fn the_leader_stands_until_members_come_and_goes_with_them() {
    let (mut sim, anchor, _) = underway(6);
    let late = member(&mut sim, anchor, Vec2::new(-40.0, 0.0));
    let mut moved = 0.0_f32;
    while slot(&sim, late).distance > 8.0 || slot(&sim, late).anchor.is_none() {
        sim.tick();
        moved = moved.max(sim.position(anchor).length());
    }
    assert!(moved < 0.5, "it has moved {moved} units");
    sim.run(40.0);
    assert!(sim.position(anchor).truncate().distance(GOAL) < 1.0);
    assert_eq!(said(&sim), (1, 0));
}

#[test]
fn a_slow_member_is_not_left_behind() {
    let (mut sim, anchor, _) = underway(5);
    let slow = (Vehicle::new(1.5).with_radius(0.4), MemberOf(anchor), AvoidAgents::default());
    let slow = sim.spawn((slow, at(-6.0, 0.0)));
    sim.run(15.0);
    let (mut farthest, mut fastest) = (0.0_f32, 0.0_f32);
    sim.run_with(20.0, |world| {
        let distance = world.get::<bevy_steer_formations::FormationSlot>(slow).unwrap().distance;
        farthest = farthest.max(distance);
        fastest = fastest.max(world.get::<Velocity>(anchor).unwrap().length());
    });
    assert!(farthest < 1.6, "{farthest}");
    assert!(fastest > 1.2 && fastest < 1.5, "{fastest}");
    assert!(!slot(&sim, slow).is_left_out);
    assert!(sim.get::<Formation>(anchor).is_formed());
}

/// A member in a cage.
#[test]
fn the_leader_does_not_wait_for_ever_for_one_that_is_stuck() {
    let (mut sim, anchor, all) = underway(5);
    let stuck = member(&mut sim, anchor, Vec2::new(-20.0, 0.0));
    sim.app.world_mut().entity_mut(stuck).insert(AvoidWalls::default());
    let corners = [(-18.0, -2.0), (-18.0, 2.0), (-22.0, 2.0), (-22.0, -2.0)].map(Vec2::from);
    let cage: Vec<Entity> =
        (0..4).map(|i| sim.spawn(Wall::new(corners[i], corners[(i + 1) % 4]))).collect();
    sim.run(3.0);
    assert!(sim.position(anchor).length() < 0.5, "it waits");
    sim.run(42.0);
    assert!(slot(&sim, stuck).is_left_out);
    assert!(sim.position(anchor).truncate().distance(GOAL) < 1.0, "{}", sim.position(anchor));
    assert_eq!(sim.get::<Formation>(anchor).cohesion(), 1.0, "the others are in their slots");
    assert_eq!(said(&sim), (0, 0));
    // It is let out: it counts again, and comes.
    cage.into_iter().for_each(|wall| _ = sim.app.world_mut().despawn(wall));
    sim.run(6.0);
    assert!(!slot(&sim, stuck).is_left_out);
    assert_eq!(sim.get::<Formation>(anchor).cohesion(), 0.0);
    sim.run(30.0);
    assert!(slot(&sim, stuck).distance < 0.5);
    assert!(all.iter().all(|&member| slot(&sim, member).distance < 0.5));
    assert_eq!(said(&sim), (1, 0));
}

/// A member that the game has pinned in place, in its slot.
#[test]
fn a_pinned_member_holds_nobody() {
    let (mut sim, anchor, all) = underway(4);
    sim.run(8.0);
    sim.get_mut::<Vehicle>(all[1]).max_speed = 0.0;
    sim.run(40.0);
    assert!(slot(&sim, all[1]).is_left_out);
    assert!(sim.position(anchor).truncate().distance(GOAL) < 1.0);
}

#[test]
fn an_anchor_may_go_without_waiting() {
    let (mut sim, anchor, _) = underway(3);
    let far = member(&mut sim, anchor, Vec2::new(-60.0, 0.0));
    sim.app.world_mut().entity_mut(anchor).insert(WaitForMembers::default().disabled());
    sim.run(5.0);
    assert!(sim.position(anchor).x > 17.0, "{}", sim.position(anchor));
    assert_eq!(sim.get::<Formation>(anchor).pace(), Some(0.0));
    assert!(slot(&sim, far).distance > 20.0);
}

/// The leader does not jerk while it waits.
#[test]
fn it_goes_smoothly() {
    let (mut sim, anchor, _) = underway(8);
    sim.run(1.5);
    let mut before = sim.velocity(anchor);
    let (mut changes, mut ticks) = (0.0, 0);
    sim.run_with(12.0, |world| {
        let now = world.get::<Velocity>(anchor).unwrap().0;
        changes += now.distance(before);
        before = now;
        ticks += 1;
    });
    // It accelerates to nine tenths of its top speed of 4, and slows down once for one that had to
    // go round others.
    assert!(changes < 6.0, "all changes of velocity in {ticks} ticks: {changes}");
    assert!(before.length() > 3.0, "{before}");
}
