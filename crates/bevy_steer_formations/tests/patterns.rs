//! Every pattern is formed, from random places, at rest and on the way.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_formations::{Formation, Pattern};

use crate::{assert_formed, flat_world, forming, leader, members, patterns, said};

#[test]
fn every_pattern_is_formed_in_every_plane() {
    for plane in SteeringPlane::ALL {
        for (seed, pattern) in patterns().into_iter().enumerate() {
            let what = format!("{pattern:?} in {plane:?}");
            let mut sim = forming(plane);
            let anchor = leader(&mut sim, pattern);
            let members = members(&mut sim, anchor, 9, seed as u64);
            sim.run(20.0);
            assert_formed(&sim, anchor, &members, &what);
            assert_eq!(said(&sim), (1, 0), "{what}");
            assert!(sim.get::<Formation>(anchor).is_formed());
            assert_eq!(sim.get::<Formation>(anchor).cohesion(), 1.0);
        }
    }
}

#[test]
fn it_is_kept_behind_a_leader_that_arrives_somewhere() {
    for (seed, pattern) in patterns().into_iter().enumerate() {
        let what = format!("{pattern:?}");
        let mut sim = flat_world();
        let anchor = leader(&mut sim, pattern);
        let goal = Vec2::new(40.0, 25.0);
        sim.app.world_mut().entity_mut(anchor).insert(Arrive::new(goal));
        let members = members(&mut sim, anchor, 8, seed as u64);
        let (mut formed, mut worst) = (0, 1.0_f32);
        sim.run_with(40.0, |world| {
            let formation = world.get::<Formation>(anchor).unwrap();
            formed += usize::from(formation.is_formed());
            if formation.is_formed() {
                worst = worst.min(formation.cohesion());
            }
        });
        assert!(sim.position(anchor).truncate().distance(goal) < 1.0, "{what}");
        assert_formed(&sim, anchor, &members, &what);
        assert!(formed > 64 * 15, "{what}: formed for {formed} ticks");
        assert!(worst > 0.3, "{what}: {worst}");
        let (times, broken) = said(&sim);
        assert!(times == 1 && broken == 0, "{what}: {times} {broken}");
    }
}

/// An anchor without a body, which the game moves.
#[test]
fn members_follow_an_anchor_that_the_game_moves() {
    for plane in [SteeringPlane::Xy, SteeringPlane::Xz] {
        for pattern in patterns() {
            let what = format!("{pattern:?} in {plane:?}");
            let mut sim = forming(plane);
            let direction = plane.direction(0.5);
            let anchor = sim.spawn((Formation::new(pattern), Velocity(Vec3::ZERO)));
            let members = members(&mut sim, anchor, 7, 3);
            let dt = 1.0 / 64.0;
            let mut way = 0.0;
            sim.run_with(30.0, |world| {
                let mut anchor = world.entity_mut(anchor);
                let pace = anchor.get::<Formation>().unwrap().pace().unwrap();
                let velocity = direction * pace.min(2.5);
                way += velocity.length() * dt;
                anchor.get_mut::<Velocity>().unwrap().0 = velocity;
                anchor.get_mut::<Transform>().unwrap().translation += velocity * dt;
                anchor.get_mut::<Transform>().unwrap().rotation = plane.rotation(direction);
            });
            assert!(way > 50.0, "{what}: {way}");
            let formation = sim.get::<Formation>(anchor);
            assert!(formation.is_formed() && formation.cohesion() == 1.0, "{what}");
            // It stands, and they close in on their slots.
            sim.get_mut::<Velocity>(anchor).0 = Vec3::ZERO;
            let rotation = bevy_steer::Heading(direction);
            sim.app.world_mut().entity_mut(anchor).insert(rotation);
            sim.run(3.0);
            assert_formed(&sim, anchor, &members, &what);
        }
    }
}

/// Several hundred members are assigned by rows.
#[test]
fn a_large_block_is_formed() {
    let mut sim = flat_world();
    let anchor = leader(&mut sim, Pattern::Block { columns: 20 });
    let members = members(&mut sim, anchor, 200, 5);
    sim.run(60.0);
    let far = members.iter().filter(|&&member| crate::slot(&sim, member).distance > 1.0).count();
    assert!(far == 0, "{far} are not in their slots");
    assert_eq!(sim.get::<Formation>(anchor).memory.slots.len(), 200);
}
