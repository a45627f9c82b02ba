//! Members come and go, the pattern changes, the anchor is despawned.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_formations::{Formation, FormationMembers, FormationSlot, MemberOf, Pattern};
use bevy_steer_tests::Sim;

use crate::{assert_formed, flat_world, indices, leader, member, members, patterns, said, slot};

/// A formation that is formed.
fn formed(pattern: Pattern, count: usize) -> (Sim, Entity, Vec<Entity>) {
    let mut sim = flat_world();
    let anchor = leader(&mut sim, pattern);
    let members = members(&mut sim, anchor, count, 1);
    sim.run(15.0);
    assert_formed(&sim, anchor, &members, "at first");
    (sim, anchor, members)
}

#[test]
fn losses_close_up_and_newcomers_get_a_slot() {
    for pattern in patterns() {
        let what = format!("{pattern:?}");
        let (mut sim, anchor, mut all) = formed(pattern, 9);
        for lost in [4, 0, 2] {
            let lost = all.remove(lost);
            sim.app.world_mut().despawn(lost);
        }
        sim.run(10.0);
        assert_formed(&sim, anchor, &all, &what);
        let left = all.remove(1);
        sim.app.world_mut().entity_mut(left).remove::<MemberOf>();
        sim.app.world_mut().entity_mut(left).insert(Arrive::new(Vec2::new(30.0, 0.0)));
        sim.run(10.0);
        assert_formed(&sim, anchor, &all, &what);
        assert_eq!(*slot(&sim, left), FormationSlot::default());
        for i in 0..4 {
            all.push(member(&mut sim, anchor, Vec2::new(-12.0, i as f32 - 20.0)));
        }
        sim.run(20.0);
        assert_formed(&sim, anchor, &all, &what);
        let (times, broken) = said(&sim);
        assert!(times == broken + 1 && times >= 2, "{what}: {times} {broken}");
    }
}

#[test]
fn nobody_swaps_without_a_cause() {
    let (mut sim, _, all) = formed(Pattern::Block { columns: 3 }, 9);
    let before = indices(&sim, &all);
    // Two of them stray.
    for (member, x) in [(all[0], 5.0), (all[5], -6.0)] {
        sim.get_mut::<Transform>(member).translation += Vec3::new(x, 3.0, 0.0);
    }
    for _ in 0..64 * 6 {
        sim.tick();
        assert_eq!(indices(&sim, &all), before);
    }
}

#[test]
fn a_change_of_spacing_moves_the_slots_and_keeps_the_assignment() {
    let (mut sim, anchor, all) = formed(Pattern::Wedge, 6);
    let before = indices(&sim, &all);
    sim.get_mut::<Formation>(anchor).spacing = 3.0.into();
    sim.run(8.0);
    assert_eq!(indices(&sim, &all), before);
    let slots = Pattern::Wedge.slots(6, true);
    for &member in &all {
        let expected = slots[slot(&sim, member).index as usize] * 3.0;
        assert!(sim.position(member).truncate().distance(expected) < 0.25);
    }
    assert_eq!(said(&sim), (1, 0), "it was never two spacings off");
}

#[test]
fn a_pattern_that_changes_is_formed_again() {
    let (mut sim, anchor, all) = formed(Pattern::Line, 8);
    let mut times = 1;
    for pattern in patterns().into_iter().rev() {
        let what = format!("{pattern:?}");
        sim.get_mut::<Formation>(anchor).pattern = pattern;
        sim.run(15.0);
        assert_formed(&sim, anchor, &all, &what);
        times += 1;
        assert_eq!(said(&sim), (times, times - 1), "{what}");
    }
}

#[test]
fn members_of_a_despawned_anchor_brake() {
    let (mut sim, anchor, all) = formed(Pattern::Wedge, 5);
    sim.app.world_mut().entity_mut(anchor).insert(Seek::new(Vec2::new(900.0, 0.0)));
    sim.run(3.0);
    assert!(all.iter().all(|&member| sim.velocity(member).length() > 1.0));
    sim.app.world_mut().despawn(anchor);
    sim.run(4.0);
    for &member in &all {
        assert_eq!(sim.get::<OffsetPursue>(member).target, Target::None);
        assert!(sim.app.world().get::<MemberOf>(member).is_none());
        assert!(sim.velocity(member).length() < 0.05, "{}", sim.velocity(member));
    }
}

#[test]
fn a_formation_may_be_removed_and_added_again() {
    let (mut sim, anchor, all) = formed(Pattern::Wedge, 5);
    sim.app.world_mut().entity_mut(anchor).remove::<Formation>();
    for &member in &all {
        assert_eq!(sim.get::<OffsetPursue>(member).target, Target::None);
        assert_eq!(*slot(&sim, member), FormationSlot::default());
    }
    sim.run(1.0);
    sim.app.world_mut().entity_mut(anchor).insert(Formation::new(Pattern::Column));
    sim.run(12.0);
    assert_formed(&sim, anchor, &all, "again");
}

#[test]
fn one_that_pursues_something_else_by_now_keeps_that() {
    let (mut sim, _, all) = formed(Pattern::Wedge, 3);
    let prey = sim.spawn(Transform::default());
    sim.get_mut::<OffsetPursue>(all[0]).target = prey.into();
    sim.app.world_mut().entity_mut(all[0]).remove::<MemberOf>();
    sim.tick();
    assert_eq!(sim.get::<OffsetPursue>(all[0]).target, prey.into());
}

#[test]
fn a_member_changes_to_another_formation() {
    let (mut sim, first, mut all) = formed(Pattern::Wedge, 5);
    let second = sim.spawn((
        Vehicle::new(4.0),
        Formation::new(Pattern::Column),
        Transform::from_xyz(15.0, 0.0, 0.0),
    ));
    let mut others = vec![member(&mut sim, second, Vec2::new(15.0, 6.0))];
    sim.run(5.0);
    let changed = all.pop().unwrap();
    sim.app.world_mut().entity_mut(changed).insert(MemberOf(second));
    others.push(changed);
    sim.run(15.0);
    assert_formed(&sim, first, &all, "the first");
    assert_formed(&sim, second, &others, "the second");
}

/// A pattern whose members are the leaders of others.
#[test]
fn a_member_may_be_an_anchor() {
    let mut sim = flat_world();
    let general = leader(&mut sim, Pattern::Line);
    sim.app.world_mut().entity_mut(general).insert(Arrive::new(Vec2::new(40.0, 0.0)));
    sim.get_mut::<Formation>(general).spacing = 8.0.into();
    let mut squads = Vec::new();
    for i in 0..3 {
        let captain = member(&mut sim, general, Vec2::new(-5.0, 6.0 * i as f32 - 6.0));
        sim.app.world_mut().entity_mut(captain).insert(Formation::new(Pattern::Wedge));
        let place = |j: usize| Vec2::new(-8.0 - j as f32, 6.0 * i as f32 - 6.0);
        let squad: Vec<Entity> = (0..4).map(|j| member(&mut sim, captain, place(j))).collect();
        squads.push((captain, squad));
    }
    sim.run(45.0);
    assert!(sim.position(general).distance(Vec3::X * 40.0) < 1.0);
    for (captain, squad) in &squads {
        assert_formed(&sim, *captain, squad, "a squad");
        assert!(slot(&sim, *captain).distance < 0.5);
    }
}

#[test]
fn a_formation_without_members_does_nothing() {
    let mut sim = flat_world();
    let anchor = leader(&mut sim, Pattern::Wedge);
    sim.app.world_mut().entity_mut(anchor).insert(Arrive::new(Vec2::new(20.0, 0.0)));
    sim.run(10.0);
    assert!(sim.position(anchor).distance(Vec3::X * 20.0) < 1.0);
    let formation = sim.get::<Formation>(anchor);
    assert_eq!((formation.cohesion(), formation.pace()), (1.0, None));
    // Its only member comes and goes.
    let only = member(&mut sim, anchor, Vec2::new(10.0, 0.0));
    sim.run(5.0);
    assert_eq!(said(&sim), (1, 0));
    assert_eq!(sim.get::<FormationMembers>(anchor).iter().count(), 1);
    sim.app.world_mut().despawn(only);
    sim.tick();
    assert_eq!(said(&sim), (1, 1));
    assert_eq!(sim.get::<Formation>(anchor).pace(), None);
}

/// In a world that wraps around the shortest way to a slot is across the edge.
#[test]
fn a_formation_crosses_the_edge_of_a_wrapping_world() {
    let mut sim = flat_world();
    let bounds = Bounds::rect(Vec2::splat(-20.0), Vec2::splat(20.0), BoundsEdge::Wrap);
    sim.app.insert_resource(WorldBounds(bounds));
    let anchor = leader(&mut sim, Pattern::Block { columns: 3 });
    let all = members(&mut sim, anchor, 9, 4);
    sim.run(12.0);
    assert_formed(&sim, anchor, &all, "at first");
    sim.app.world_mut().entity_mut(anchor).insert(Cruise::default());
    sim.get_mut::<Velocity>(anchor).0 = Vec3::X;
    let mut worst = 1.0_f32;
    sim.run_with(30.0, |world| {
        worst = worst.min(world.get::<Formation>(anchor).unwrap().cohesion());
    });
    assert!(worst > 0.5, "{worst}");
    assert_eq!(said(&sim), (1, 0));
}
